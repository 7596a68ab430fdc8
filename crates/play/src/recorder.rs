//! The score tracker's ear: it hears what happens in a game and stores what lasts.

use anyhow::Result;
use noughts_rules::{Event, Game};
use noughts_scores::{ResultError, ResultId};
use noughts_store::{LeagueChoice, StoreError};

use crate::database::{Database, now};
use crate::league_table::league_table;

/// Whether and how games count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Games are stored and do not count.
    Not,
    /// Games count, and taking back their last move takes back the result.
    Casually,
    /// Games count, and their end is final.
    Rated,
}

/// Stores the games of this program and what they count as.
pub struct Recorder {
    database: Database,
    league: LeagueChoice,
    counting: Counting,
    /// What the game that just ended counts as.
    last: Option<ResultId>,
}

impl Recorder {
    /// Records to this database and league.
    pub fn new(database: Database, league: LeagueChoice, counting: Counting) -> Recorder {
        Recorder { database, league, counting, last: None }
    }

    /// The database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Hears of an event of a game. Answers a sentence for the players, if there is something to
    /// say. After an error it can be told the same again.
    pub fn record_event(
        &mut self,
        game: &Game,
        event: &Event,
    ) -> Result<Option<String>, StoreError> {
        match event {
            Event::Finished { .. } => return self.record_result(game),
            Event::MoveUndone { .. } | Event::ResignationUndone { .. } => {
                if let Some(result) = self.last {
                    self.database.retract(result, now())?;
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
    pub fn league_rows(&self, game: &Game) -> Result<Vec<String>> {
        let Some(league) = self.database.league(&self.league.name)? else {
            return Ok(Vec::new());
        };
        let names = game.players().iter().map(|player| player.name());
        let mut rows: Vec<_> = names.filter_map(|name| league.standing(name)).collect();
        rows.sort_by_key(|standing| (standing.rank, standing.name));
        Ok(if rows.is_empty() {
            Vec::new()
        } else {
            league_table(rows.into_iter()).lines().collect()
        })
    }

    fn record_result(&mut self, game: &Game) -> Result<Option<String>, StoreError> {
        let league = (self.counting != Counting::Not).then_some(&self.league);
        match self.database.record(game, now(), league) {
            Ok(recorded) => {
                self.last = recorded.result;
                Ok(None)
            }
            Err(
                reason @ (StoreError::Result(_)
                | StoreError::Report(_)
                | StoreError::OtherLeague { .. }),
            ) => {
                self.database.record(game, now(), None)?;
                self.last = None;
                Ok(Some(format!("This game does not count: {}.", in_words(&reason))))
            }
            Err(error) => Err(error),
        }
    }
}

/// What to tell the players when something could not be stored.
pub fn not_stored(error: impl std::fmt::Display) -> String {
    format!("This could not be stored: {error}.")
}

/// Why a game does not count, for those who played it.
fn in_words(reason: &StoreError) -> String {
    match reason {
        StoreError::Result(ResultError::SamePlayer { name, .. }) => {
            format!("two players are called {name}")
        }
        reason => reason.to_string(),
    }
}
