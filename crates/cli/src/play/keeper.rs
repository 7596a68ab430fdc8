//! The score tracker's ear: it hears what happens in a game and stores what lasts.

use anyhow::Result;
use noughts_rules::{Event, Game};
use noughts_scores::{Name, ResultError, ResultId};
use noughts_store::{LeagueChoice, StoreError};

use crate::data::{Data, now};
use crate::scores;

/// Whether and how games count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Games are stored and do not count.
    Not,
    /// Games count, and taking back their last move takes back the result.
    Casually,
    /// Games count, and their end is final.
    Rated,
}

/// Stores the games of this program and what they count as.
pub(crate) struct Keeper {
    data: Data,
    league: LeagueChoice,
    counting: Counting,
    /// What the game that just ended counts as.
    last: Option<ResultId>,
}

impl Keeper {
    pub(crate) fn new(data: Data, league: LeagueChoice, counting: Counting) -> Keeper {
        Keeper { data, league, counting, last: None }
    }

    pub(crate) fn data(&self) -> &Data {
        &self.data
    }

    /// Hears of an event of a game. Answers a sentence for the players, if there is something to
    /// say. After an error it can be told the same again.
    pub(crate) fn hear(
        &mut self,
        game: &Game,
        event: &Event,
    ) -> Result<Option<String>, StoreError> {
        match event {
            Event::Finished { .. } => return self.record(game),
            Event::MoveUndone { .. } | Event::ResignationUndone { .. } => {
                if let Some(result) = self.last {
                    self.data.wait(self.data.store.retract(result, now()))?;
                    self.last = None;
                }
            }
            // Whatever is taken back after this is not the end that was counted.
            Event::Moved { .. } | Event::Resigned { .. } => self.last = None,
            _ => {}
        }
        Ok(None)
    }

    /// The rows of those players of the game who are in the league, as lines of text.
    pub(crate) fn table(&self, game: &Game) -> Result<Vec<String>> {
        let Some(league) = self.data.wait(self.data.store.league(&self.league.name))? else {
            return Ok(Vec::new());
        };
        let names = game.players().iter().map(|player| player.name());
        let mut rows: Vec<_> =
            names.filter_map(|name| league.standing(&Name::new(name).ok()?)).collect();
        rows.sort_by_key(|standing| (standing.rank, standing.player));
        Ok(if rows.is_empty() {
            Vec::new()
        } else {
            scores::table(rows.into_iter()).lines().collect()
        })
    }

    fn record(&mut self, game: &Game) -> Result<Option<String>, StoreError> {
        let store = &self.data.store;
        let league = (self.counting != Counting::Not).then_some(&self.league);
        match self.data.wait(store.record(game, now(), league)) {
            Ok(recorded) => {
                self.last = recorded.result;
                Ok(None)
            }
            Err(
                reason @ (StoreError::Result(_)
                | StoreError::Report(_)
                | StoreError::OtherLeague { .. }),
            ) => {
                self.data.wait(store.record(game, now(), None))?;
                self.last = None;
                Ok(Some(format!("This game does not count: {}.", in_words(&reason))))
            }
            Err(error) => Err(error),
        }
    }
}

/// What to tell the players when something could not be stored.
pub(crate) fn not_stored(error: impl std::fmt::Display) -> String {
    format!("This could not be stored: {error}.")
}

/// Why a game does not count, for those who played it.
fn in_words(reason: &StoreError) -> String {
    match reason {
        StoreError::Result(ResultError::SamePlayer { player: name, .. }) => {
            format!("two players are called {name}")
        }
        reason => reason.to_string(),
    }
}
