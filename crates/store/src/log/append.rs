//! Appends to the log, batches of them, and their outcomes.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;
use noughts_api::IdempotencyKey;
use noughts_scores::{GameResult, Outcome, System};
use smallvec::SmallVec;

use super::{GameId, Listing};
use crate::{IdentityId, LeagueChoice, StoreError};

/// New events of a game, with everything that changes because of them. All of it is stored, or
/// nothing. Rare parts are boxed, so that common appends stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The game.
    pub game: GameId,
    /// The number of events that the sender has seen; 0 creates the game.
    pub expected: u64,
    /// The events as text, at least one. They are opaque to the store.
    pub events: SmallVec<[String; 1]>,
    /// When they happened, in milliseconds since 1970.
    pub at: i64,
    /// When the server has to act (a clock runs out, the game is abandoned) unless another event
    /// comes first.
    pub due: Option<i64>,
    /// The command that caused the events, if it can be sent again.
    pub key: Option<CommandKey>,
    /// Whether the sender has read or stored all `expected` events and knows that none of them has
    /// the key. The log then need not search the game for it.
    pub key_is_fresh: bool,
    /// What lists show of the game from now on, if that changes. Needed to create a game.
    pub listing: Option<Box<Listing>>,
    /// The result, if the events end a rated game.
    pub result: Option<Box<LeagueResult>>,
}

impl Append {
    /// The sender and key as stored: 0 and empty without a key.
    pub(super) fn sender_and_key(&self) -> (i64, &str) {
        match &self.key {
            Some(command) => (command.sender.0, command.key.as_str()),
            None => (0, ""),
        }
    }

    /// Every text that is stored with the append and could have any characters.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let listing = self.listing.iter().flat_map(|listing| {
            [&listing.rules, &listing.detail].into_iter().chain(&listing.league)
        });
        let result = self.result.iter().flat_map(|result| {
            let names = result.players.iter().map(|player| &player.name);
            [&result.record, &result.league.name].into_iter().chain(names)
        });
        self.events.iter().chain(listing).chain(result)
    }
}

/// Identifies a command. The same key of the same sender in the same game is the same command, and
/// takes effect once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CommandKey {
    /// The identity that sent the command.
    pub sender: IdentityId,
    /// The sender's key for it.
    pub key: IdempotencyKey,
}

/// The result of a rated online game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueResult {
    /// The league, created if it does not exist.
    pub league: LeagueChoice,
    /// The players in seat order.
    pub players: Vec<ResultPlayer>,
    /// How the game ended.
    pub outcome: Outcome,
    /// The game in text form, as `noughts_rules::Game` writes it.
    pub record: String,
}

/// A player of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPlayer {
    /// The identity, which is rated.
    pub identity: IdentityId,
    /// The name at the time of the game.
    pub name: String,
    /// Whether the player is a guest, against whom games count nothing.
    pub is_provisional: bool,
}

impl LeagueResult {
    /// Checks that a league with this system can rate the result.
    pub(super) fn check(&self, system: System) -> Result<(), StoreError> {
        let players = self.players.iter().map(|player| player.identity);
        let result = GameResult::new(players, self.outcome)?;
        Ok(system.check_player_count(result.players().len())?)
    }
}

/// The sequence numbers of stored events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The sequence number of the first event.
    pub first: u64,
    /// The sequence number of the last event.
    pub last: u64,
    /// Whether the same command had been stored before.
    pub repeated: bool,
}

/// Why an append was not stored.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AppendError {
    /// The sender has not seen all events of the game, or more than there are.
    #[error("the game is at sequence {sequence}")]
    Conflict {
        /// The number of events in the game.
        sequence: u64,
    },
    /// The command has created another game.
    #[error("the command has already created the game {game}")]
    AlreadyCreated {
        /// That game.
        game: GameId,
    },
    /// The append is invalid in itself.
    #[error("an append needs {0}")]
    Invalid(&'static str),
    /// The league can't rate the result.
    #[error("the game can't be rated: {0}")]
    Unrated(Arc<StoreError>),
    /// The database failed. The events may have been stored or not: read the log, or send the same
    /// command again with the same key.
    #[error("could not store: {0}")]
    Failed(Arc<StoreError>),
    /// The writer has shut down.
    #[error("the log is closed")]
    Closed,
}

/// Appends to different games that are committed together.
#[derive(Debug, Default)]
pub struct Batch {
    appends: Vec<Append>,
    games: HashSet<GameId, RandomState>,
    events: usize,
}

impl Batch {
    /// Whether the batch has an append to this game.
    #[must_use]
    pub fn has(&self, game: GameId) -> bool {
        self.games.contains(&game)
    }

    /// Adds an append.
    ///
    /// # Errors
    ///
    /// Refuses an invalid append, and a second one to the same game.
    pub fn push(&mut self, append: Append) -> Result<(), AppendError> {
        let problem = if append.events.is_empty() {
            Some("at least one event")
        } else if append.expected == 0 && append.listing.is_none() {
            Some("a listing to create a game")
        } else if i64::try_from(append.expected).is_err() {
            Some("a sequence number below 2^63")
        } else if append.texts().any(|text| text.contains('\0')) {
            Some("texts without NUL characters, which PostgreSQL can't store")
        } else if !self.games.insert(append.game) {
            Some("a batch without another append to its game")
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(AppendError::Invalid(problem));
        }
        self.events += append.events.len();
        self.appends.push(append);
        Ok(())
    }

    /// The appends in the order in which they were added.
    #[must_use]
    pub fn appends(&self) -> &[Append] {
        &self.appends
    }

    /// The number of events in all appends.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events
    }

    /// Removes all appends.
    pub(super) fn clear(&mut self) {
        self.appends.clear();
        self.games.clear();
        self.events = 0;
    }
}
