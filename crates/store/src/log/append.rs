//! What is appended to the log, and what comes of it.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;
use noughts_scores::{GameResult, Outcome, System};
use smallvec::SmallVec;

use super::{GameId, Listing};
use crate::{IdentityId, LeagueChoice, StoreError};

/// The longest key of a command, in bytes.
const LONGEST_KEY: usize = 64;

/// Events that happened in a game, together with everything that changes because of them. All of it
/// is stored, or nothing. What few of them change is kept apart, so that the others are small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The game.
    pub game: GameId,
    /// How many events the game had when the sender looked; 0 makes the game.
    pub expected: u64,
    /// The events as text, at least one. The store does not look into them.
    pub events: SmallVec<[String; 1]>,
    /// When they happened, in milliseconds since 1970.
    pub at: i64,
    /// When something happens by itself (a clock runs out, the game is abandoned) unless another
    /// event comes first.
    pub due: Option<i64>,
    /// Tells a command that is sent again from a second one. Commands of the server itself may have
    /// none.
    pub key: Option<CommandKey>,
    /// Whether the sender has read all `expected` events, or stored them, and knows that the key is
    /// not among them: then the log need not look for it there, which takes longer the longer a game
    /// is. Nor need it look whether they are there: events are never taken back, so a free place
    /// after them is the next one.
    pub key_is_fresh: bool,
    /// What lists show of the game from then on, where it is not what they showed before. The
    /// first append of a game needs one.
    pub listing: Option<Box<Listing>>,
    /// What the game counts as, where the events end it and it counts.
    pub result: Option<Box<LeagueResult>>,
}

impl Append {
    /// Every text that is stored with it.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let key = self.key.iter().map(|key| &*key.key);
        let listing = self.listing.iter().flat_map(|listing| {
            [&listing.rules, &listing.detail].into_iter().chain(&listing.league)
        });
        let result = self.result.iter().flat_map(|result| {
            let names = result.players.iter().map(|player| &player.name);
            [&result.record, &result.league.name].into_iter().chain(names)
        });
        let others = self.events.iter().chain(listing).chain(result);
        key.chain(others.map(String::as_str))
    }
}

/// A key of the sender's choice for a command. The same key again, in the same game, is the same
/// command, and gets the same answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CommandKey {
    /// Who sends it.
    pub sender: IdentityId,
    /// 1 to 64 bytes.
    pub key: Arc<str>,
}

/// A result that counts in a league of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueResult {
    /// The league, which is made where it does not exist.
    pub league: LeagueChoice,
    /// Who played, in seat order.
    pub players: Vec<ResultPlayer>,
    /// How it ended.
    pub outcome: Outcome,
    /// The game as text (`Game`'s own form), for `noughts scores games` and `noughts show`.
    pub record: String,
}

/// Somebody to whom a result counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPlayer {
    /// Who it is.
    pub identity: IdentityId,
    /// What they were called then.
    pub name: String,
}

impl LeagueResult {
    /// Checks that the league's rating system can rate the result.
    pub(crate) fn check(&self, system: System) -> Result<(), StoreError> {
        let players = self.players.iter().map(|player| player.identity);
        let result = GameResult::new(players, self.outcome)?;
        Ok(system.check_player_count(result.players().len())?)
    }
}

/// Where the events of an append stand in their game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The sequence number of the first event.
    pub first: u64,
    /// The sequence number of the last event.
    pub last: u64,
    /// Whether they were there before: the same command had been sent already.
    pub repeated: bool,
}

/// Why nothing of an append was stored.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AppendError {
    /// The game has gone on, or has not come that far.
    #[error("the game is at sequence {sequence}")]
    Conflict {
        /// How many events the game has.
        sequence: u64,
    },
    /// The command has made another game already.
    #[error("the command has made the game {game}")]
    Made {
        /// That game.
        game: GameId,
    },
    /// The append itself makes no sense.
    #[error("an append needs {0}")]
    Malformed(&'static str),
    /// The league does not take the result.
    #[error("the game can't count: {0}")]
    Uncounted(Arc<StoreError>),
    /// The database failed. Whether the events were stored is told by reading the log again, or by
    /// sending the same command again with the same key.
    #[error("could not store: {0}")]
    Failed(Arc<StoreError>),
    /// The writer has been shut down.
    #[error("the log is closed")]
    Closed,
}

/// Appends of different games that are committed together.
#[derive(Debug, Default)]
pub struct Batch {
    /// Shared with the thread that stores them.
    appends: Arc<Vec<Append>>,
    games: HashSet<GameId, RandomState>,
    events: usize,
}

impl Batch {
    /// Takes all of them out.
    pub(super) fn clear(&mut self) {
        match Arc::get_mut(&mut self.appends) {
            Some(appends) => appends.clear(),
            // Someone still stores them, for whom nobody waits any more.
            None => self.appends = Arc::default(),
        }
        self.games.clear();
        self.events = 0;
    }

    /// Whether an append of this game is in the batch.
    #[must_use]
    pub fn has(&self, game: GameId) -> bool {
        self.games.contains(&game)
    }

    /// Adds an append.
    ///
    /// # Errors
    ///
    /// Refuses one that makes no sense, and a second one of the same game.
    pub fn push(&mut self, append: Append) -> Result<(), AppendError> {
        let key = append.key.as_ref().map(|key| key.key.len());
        let malformed = if append.events.is_empty() {
            Some("at least one event")
        } else if key.is_some_and(|length| !(1..=LONGEST_KEY).contains(&length)) {
            Some("a key of 1 to 64 bytes")
        } else if append.expected == 0 && append.listing.is_none() {
            Some("a listing where it makes a game")
        } else if i64::try_from(append.expected).is_err() {
            Some("a sequence number below 2^63")
        } else if append.texts().any(|text| text.contains('\0')) {
            Some("texts without the character NUL, which PostgreSQL can't store")
        } else if !self.games.insert(append.game) {
            Some("to be the only one of its game in a batch")
        } else {
            None
        };
        if let Some(what) = malformed {
            return Err(AppendError::Malformed(what));
        }
        self.events += append.events.len();
        Arc::make_mut(&mut self.appends).push(append);
        Ok(())
    }

    /// The appends in the order in which they were added.
    #[must_use]
    pub fn appends(&self) -> &[Append] {
        &self.appends
    }

    pub(super) fn shared(&self) -> Arc<Vec<Append>> {
        self.appends.clone()
    }

    /// How many events there are in all.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events
    }
}
