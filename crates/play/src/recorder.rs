//! Records games and their results as they happen.

use anyhow::Result;
use noughts_rules::{Action, Event, Game, Seat};
use noughts_scores::{Name, ResultError, ResultId};
use noughts_store::{LeagueChoice, RecordId, StoreError};

use crate::database::{Database, now};
use crate::league_table::league_table;
use crate::match_detail::MatchDetail;

/// What the players read after a game in which a computer failed.
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

/// Stores games as they are played, and their results.
pub struct Recorder {
    database: Database,
    /// The record of the game; none before its first move.
    record: Option<RecordId>,
    /// The result of the game that just ended.
    last: Option<ResultId>,
}

impl Recorder {
    /// Records to this database.
    pub fn new(database: Database) -> Recorder {
        Recorder { database, record: None, last: None }
    }

    /// The database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Begins another game, or goes on with the one in this record.
    pub fn begin_game(&mut self, record: Option<RecordId>) {
        (self.record, self.last) = (record, None);
    }

    /// Records an event of a game. Returns a sentence for the players if there is something to tell
    /// them. After an error, the same event can be recorded again.
    pub fn record_event(
        &mut self,
        game: &Game,
        event: &Event,
        detail: &MatchDetail,
    ) -> Result<Option<String>, StoreError> {
        match event {
            Event::Finished { .. } => return self.record_result(game, detail),
            Event::Turn { .. } => self.save(game, detail)?,
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

    /// Stores a game that is not over, from its first move on.
    pub fn save(&mut self, game: &Game, detail: &MatchDetail) -> Result<(), StoreError> {
        if game.turn().is_some() && (game.history().len() > 0 || self.record.is_some()) {
            let saved = self.database.save_unfinished(self.record, game, now(), &detail.to_text());
            self.record = Some(saved?);
        }
        Ok(())
    }

    /// The rows of the game's players in a league as lines of text.
    pub fn league_rows(&self, game: &Game, league: &str) -> Result<Vec<String>> {
        let Some(league) = self.database.league(league)? else {
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

    fn record_result(
        &mut self,
        game: &Game,
        detail: &MatchDetail,
    ) -> Result<Option<String>, StoreError> {
        let choice = LeagueChoice { name: detail.league.clone(), ..LeagueChoice::default() };
        let league = (detail.counting != Counting::Uncounted).then_some(&choice);
        if has_failed_computer(game, detail) {
            let recorded = self.database.record_end(self.record, game, now(), None)?;
            (self.record, self.last) = (Some(recorded.game), None);
            return Ok(league.map(|_| COMPUTER_FAILED.to_string()));
        }
        match self.database.record_end(self.record, game, now(), league) {
            Ok(recorded) => {
                (self.record, self.last) = (Some(recorded.game), recorded.result);
                Ok(None)
            }
            Err(
                reason @ (StoreError::Result(_)
                | StoreError::Report(_)
                | StoreError::OtherLeague { .. }),
            ) => {
                let recorded = self.database.record_end(self.record, game, now(), None)?;
                (self.record, self.last) = (Some(recorded.game), None);
                Ok(Some(format!("This game does not count: {}.", in_words(&reason))))
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether a computer left the game: computers never resign, but they can fail.
fn has_failed_computer(game: &Game, detail: &MatchDetail) -> bool {
    let is_computer =
        |seat: Seat| detail.kinds.get(seat.index()).is_some_and(|kind| !kind.is_human());
    game.history().any(|action| matches!(action, Action::Resign { seat } if is_computer(seat)))
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
