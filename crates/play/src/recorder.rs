//! Records games and their results as they happen.

use anyhow::Result;
use noughts_rules::{Event, Game};
use noughts_scores::{Name, ResultError, ResultId};
use noughts_store::{LeagueChoice, StoreError};

use crate::database::{Database, now};
use crate::league_table::league_table;

/// What the players read after such a game.
const COMPUTER_FAILED: &str = "This game does not count: a computer player failed.";

/// Whether and how games count in the league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Games are stored but do not count.
    Uncounted,
    /// Games count; undoing the last move retracts the result.
    Casual,
    /// Games count, and results are final.
    Rated,
}

/// Stores finished games and their results.
pub struct Recorder {
    database: Database,
    league: LeagueChoice,
    counting: Counting,
    /// The result of the game that just ended.
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

    /// Records an event of a game. A game in which a computer failed does not count. Returns a sentence for the players if there is something to tell
    /// them. After an error, the same event can be recorded again.
    pub fn record_event(
        &mut self,
        game: &Game,
        event: &Event,
        has_failed_computer: bool,
    ) -> Result<Option<String>, StoreError> {
        match event {
            Event::Finished { .. } if has_failed_computer => {
                self.database.record(game, now(), None)?;
                self.last = None;
                let counts = self.counting != Counting::Uncounted;
                return Ok(counts.then(|| COMPUTER_FAILED.to_string()));
            }
            Event::Finished { .. } => return self.record_result(game),
            Event::MoveUndone { .. } | Event::ResignationUndone { .. } => {
                if let Some(result) = self.last {
                    self.database.retract(result, now())?;
                    self.last = None;
                }
            }
            // A later undo does not concern the counted result.
            Event::Moved { .. } | Event::Resigned { .. } => self.last = None,
            _ => {}
        }
        Ok(None)
    }

    /// The league rows of the game's players as lines of text.
    pub fn league_rows(&self, game: &Game) -> Result<Vec<String>> {
        let Some(league) = self.database.league(&self.league.name)? else {
            return Ok(Vec::new());
        };
        let names = game.players().iter().map(|player| player.name());
        let mut rows: Vec<_> =
            names.filter_map(|name| league.standing(&Name::new(name).ok()?)).collect();
        rows.sort_by_key(|standing| (standing.rank, standing.player));
        Ok(if rows.is_empty() {
            Vec::new()
        } else {
            league_table(rows.into_iter()).lines().collect()
        })
    }

    fn record_result(&mut self, game: &Game) -> Result<Option<String>, StoreError> {
        let league = (self.counting != Counting::Uncounted).then_some(&self.league);
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

/// Tells the players that something was not stored.
pub fn not_stored(error: impl std::fmt::Display) -> String {
    format!("This could not be stored: {error}.")
}

/// Explains to the players why a game does not count.
fn in_words(reason: &StoreError) -> String {
    match reason {
        StoreError::Result(ResultError::SamePlayer { player: name, .. }) => {
            format!("two players are called {name}")
        }
        reason => reason.to_string(),
    }
}
