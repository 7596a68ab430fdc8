//! A match at this terminal: people move by keys, computers search in the background, clocks run.

#[cfg(test)]
mod tests;
mod turns;
mod undo;

use std::time::{Duration, Instant};

use noughts_engine::{Budget, Computer, Decision, ForfeitReason, PlayerKind};
use noughts_rules::{Action, Game, Seat};

use super::storage::StorageHandle;
use super::workers::{RequestId, Search, Workers};
use noughts_play::{Clock, MatchDetail, Series, TimeControl};
use noughts_store::RecordId;

/// Settings of the computers that the start page does not offer.
#[derive(Debug, Clone, Copy)]
pub struct ComputerSettings {
    /// Search threads of a computer.
    pub threads: usize,
    /// Seeds the computers' choices among equal moves.
    pub seed: u64,
}

/// How a match is played.
#[derive(Debug, Clone)]
pub(crate) struct MatchSettings {
    pub(crate) computers: ComputerSettings,
    /// Thinking time of a computer per move.
    pub(crate) think: Duration,
    /// The clock; `None` to play without one.
    pub(crate) control: Option<TimeControl>,
    /// What is stored with each game. The match fills in seats and clocks.
    pub(crate) detail: MatchDetail,
}

/// A stored game with which a match begins.
pub(crate) struct KeptGame {
    pub(crate) game: Game,
    pub(crate) record: RecordId,
    /// The times left by seat.
    pub(crate) left: Vec<Duration>,
}

/// The computer player of a seat, if it has one.
enum ComputerSlot {
    Person,
    Here(Box<Computer>),
    /// It is searching, perhaps for a position that is gone.
    Away(RequestId),
}

/// A series of games, the current one, and the state around it.
pub(crate) struct LocalMatch {
    series: Series,
    game: Game,
    settings: MatchSettings,
    workers: Workers,
    storage: Option<StorageHandle>,
    /// By player of the series.
    computers: Vec<ComputerSlot>,
    thinking: Option<(Search, Instant)>,
    /// Undone actions that redo would restore, the next one first.
    undone: Vec<Action>,
    clock: Option<Clock>,
    /// The times left by number of actions, which undo and redo restore.
    clock_log: Vec<Vec<Duration>>,
    /// When the next computer may begin to think, if only computers play.
    next_move_at: Option<Instant>,
    /// Whether the computers wait for the user.
    paused: bool,
    /// Whether the game ended on time.
    flag_fell: bool,
    /// Forfeits by the number of actions before them.
    forfeits: Vec<(usize, ForfeitReason)>,
    /// The number of actions after which the last move lacks a proof.
    unproven: Option<usize>,
    /// Sentences to show to the players.
    announcements: Vec<String>,
}

impl LocalMatch {
    pub(crate) fn new(
        mut series: Series,
        settings: MatchSettings,
        workers: Workers,
        storage: Option<StorageHandle>,
        kept: Option<KeptGame>,
        now: Instant,
    ) -> LocalMatch {
        let new_game = series.new_game();
        let (game, record, left) = match kept {
            Some(kept) => (kept.game, Some(kept.record), kept.left),
            None => (new_game, None, Vec::new()),
        };
        storage.iter().for_each(|storage| storage.begin_game(record));
        let computer = |(person, kind): (usize, &PlayerKind)| {
            let seed = settings.computers.seed.wrapping_add(person as u64);
            let Some(strategy) = kind.strategy(seed) else {
                return ComputerSlot::Person;
            };
            ComputerSlot::Here(Box::new(Computer::new(strategy, settings.budget())))
        };
        let computers = series.kinds().iter().enumerate().map(computer).collect();
        let mut local_match = LocalMatch {
            series,
            game,
            settings,
            workers,
            storage,
            computers,
            thinking: None,
            undone: Vec::new(),
            clock: None,
            clock_log: Vec::new(),
            next_move_at: None,
            paused: false,
            flag_fell: false,
            forfeits: Vec::new(),
            unproven: None,
            announcements: Vec::new(),
        };
        local_match.reset_clocks(&left, now);
        local_match
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn series(&self) -> &Series {
        &self.series
    }

    /// The seat of the person to move; `None` if a computer is, or the game is over.
    pub(crate) fn person_to_move(&self) -> Option<Seat> {
        self.game.turn().filter(|&seat| self.series.is_person(seat))
    }

    /// How long the computer to move has been thinking.
    pub(crate) fn thinking(&self, now: Instant) -> Option<Duration> {
        self.thinking.as_ref().map(|(_, since)| now.saturating_duration_since(*since))
    }

    /// How long the oldest unfinished write has taken.
    pub(crate) fn saving(&self, now: Instant) -> Option<Duration> {
        let since = self.storage.as_ref()?.saving_since()?;
        Some(now.saturating_duration_since(since))
    }

    /// Whether a perfect player could not prove that its last move is best.
    pub(crate) fn is_unproven(&self) -> bool {
        self.unproven == Some(self.game.history().len())
    }

    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The players who left the game: by a forfeit, or by resigning.
    pub(crate) fn departures(&self) -> impl Iterator<Item = (Seat, Option<&ForfeitReason>)> {
        self.game.history().enumerate().filter_map(|(actions, action)| {
            let Action::Resign { seat } = action else { return None };
            let forfeit = self.forfeits.iter().find(|(after, _)| *after == actions);
            Some((seat, forfeit.map(|(_, reason)| reason)))
        })
    }

    /// Whether only computers play.
    pub(crate) fn is_exhibition(&self) -> bool {
        self.series.kinds().iter().all(|kind| !kind.is_human())
    }

    /// Whether the computers wait for the user.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused
    }

    /// Lets computers that play each other wait, or go on.
    pub(crate) fn toggle_pause(&mut self, now: Instant) {
        self.paused = !self.paused;
        self.start_turn(None, now);
    }

    /// Whether a game is on the board that is stored and not over.
    pub(crate) fn is_kept(&self) -> bool {
        self.storage.is_some() && self.game.turn().is_some() && self.has_moves()
    }

    /// Whether a move was made since the game began.
    pub(crate) fn has_moves(&self) -> bool {
        self.game.history().len() > self.series.start().history().len()
    }

    /// Stores the game as it stands, with its clocks.
    pub(crate) fn save(&self, now: Instant) {
        if let Some(storage) = self.storage.as_ref().filter(|_| self.is_kept()) {
            storage.save(&self.game, &self.detail(now), now);
        }
    }

    /// What is stored beside the moves.
    fn detail(&self, now: Instant) -> MatchDetail {
        self.settings.detail_of(&self.series, self.clock.as_ref(), now)
    }

    /// Takes the pending announcements.
    pub(crate) fn take_announcements(&mut self) -> Option<String> {
        let announcements = std::mem::take(&mut self.announcements);
        (!announcements.is_empty()).then(|| announcements.join(" "))
    }

    /// Starts another game. After a finished game the next player starts.
    pub(crate) fn new_game(&mut self, now: Instant) {
        if self.game.turn().is_none() {
            self.series.pass_start();
        }
        self.game = self.series.new_game();
        self.storage.iter().for_each(|storage| storage.begin_game(None));
        self.undone.clear();
        self.reset_clocks(&[], now);
    }

    /// Applies the decision of the person to move.
    pub(crate) fn decide(&mut self, decision: Decision, now: Instant) {
        if self.person_to_move().is_some() {
            self.decide_and_clear_redo(decision, now);
        }
    }
}

impl MatchSettings {
    fn budget(&self) -> Budget {
        Budget::unlimited().with_time(self.think).with_threads(self.computers.threads)
    }

    /// What is stored beside the moves of the series' game.
    fn detail_of(&self, series: &Series, clock: Option<&Clock>, now: Instant) -> MatchDetail {
        let kinds = series.rules().seats().map(|seat| series.kinds()[series.person(seat)].clone());
        MatchDetail {
            kinds: kinds.collect(),
            clock: clock.map(|clock| (clock.control(), clock.all_left(now))),
            think: Some(self.think),
            ..self.detail.clone()
        }
    }
}
