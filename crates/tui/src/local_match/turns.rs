//! Turn after turn: decisions are applied, clocks run, computers think.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use noughts_engine::{Decision, Forfeit, ForfeitReason, GameObserver, PlayerKind};
use noughts_play::{Clock, Series, player_label};
use noughts_rules::{Event, Game, Seat};

use super::{ComputerSlot, LocalMatch, MatchSettings};
use crate::storage::{NOTICEABLE_DELAY, StorageHandle};
use crate::workers::{Message, RequestId};

/// The time between two moves where computers play each other, so that people can follow.
pub(super) const WATCHING_PACE: Duration = Duration::from_millis(800);

impl LocalMatch {
    /// Lets the thinking computer move with its best result so far.
    pub(crate) fn move_now(&mut self) -> Result<(), String> {
        let Some(seat) = self.game.turn() else { return Ok(()) };
        let kind = &self.series.kinds()[self.series.person(seat)];
        if !PlayerKind::computers().any(|known| known == *kind) {
            return Err("This engine can't be hurried.".into());
        }
        self.thinking.iter().for_each(|(search, _)| search.stop());
        Ok(())
    }

    /// Applies the choice of a computer. Returns whether the game changed.
    pub(crate) fn receive(&mut self, message: Message, now: Instant) -> bool {
        let Message::ComputerDecided { id, person, computer, decision } = message else {
            return false;
        };
        match self.computers.get(person) {
            Some(ComputerSlot::Away(away)) if *away == id => {}
            // An earlier match requested it.
            _ => return false,
        }
        let is_unproven = self.series.is_unproven(person, computer.verdict());
        self.computers[person] = ComputerSlot::Here(computer);
        // A choice for a position that is gone is discarded.
        if self.thinking.as_ref().is_some_and(|(search, _)| search.id == id) {
            self.thinking = None;
            self.unproven = is_unproven.then_some(self.game.history().len() + 1);
            self.decide_and_clear_redo(decision, now);
            return true;
        }
        self.ask_computer(now);
        false
    }

    /// Checks the clock. Returns whether a player lost on time.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        if self.next_move_at.is_some_and(|at| at <= now) && !self.paused {
            self.next_move_at = None;
            if let Some(clock) = &mut self.clock {
                clock.run(self.game.turn(), None, now);
            }
            self.ask_computer(now);
        }
        let fallen = self.clock.as_ref().and_then(|clock| clock.fallen(now));
        if fallen.is_none() || fallen != self.game.turn() {
            return false;
        }
        self.flag_fell = true;
        self.decide_and_clear_redo(Decision::Forfeit(ForfeitReason::OutOfTime), now);
        true
    }

    /// How long until the screen changes without input.
    pub(crate) fn next_change(&self, now: Instant) -> Option<Duration> {
        let clock = self.clock.as_ref().and_then(|clock| clock.next_change(now));
        let thinking = self
            .thinking(now)
            .map(|since| Duration::from_nanos(1_000_000_000 - u64::from(since.subsec_nanos())));
        let saving = self.saving(now).and_then(|since| NOTICEABLE_DELAY.checked_sub(since));
        let saving = saving.filter(|left| !left.is_zero());
        let next_move = self.next_move_at.filter(|_| !self.paused);
        let next_move = next_move.map(|at| at.saturating_duration_since(now));
        clock.into_iter().chain(thinking).chain(saving).chain(next_move).min()
    }

    /// Applies a decision and clears the redo list.
    pub(super) fn decide_and_clear_redo(&mut self, decision: Decision, now: Instant) {
        let actions = self.game.history().len();
        self.undone.clear();
        self.forfeits.retain(|(after, _)| *after < actions);
        self.clock_log.truncate(actions + 1);
        self.apply(decision, now);
    }

    pub(super) fn apply(&mut self, decision: Decision, now: Instant) {
        let turn = self.game.turn();
        let moved = matches!(decision, Decision::Move(_)).then_some(turn).flatten();
        let (game, mut observer) = self.game_and_observer(now);
        let Ok(()) = noughts_engine::apply_decision(game, &mut observer, decision);
        self.start_turn(moved, now);
    }

    /// Borrows the game and its observer together.
    pub(super) fn game_and_observer(&mut self, now: Instant) -> (&mut Game, MatchObserver<'_>) {
        let observer = MatchObserver {
            series: &mut self.series,
            storage: self.storage.as_ref(),
            settings: &self.settings,
            clock: self.clock.as_ref(),
            forfeits: &mut self.forfeits,
            announcements: &mut self.announcements,
            now,
        };
        (&mut self.game, observer)
    }

    /// Full clocks, or those of a kept game with these times left.
    pub(super) fn reset_clocks(&mut self, left: &[Duration], now: Instant) {
        let seats = self.game.players().len();
        self.clock = self.settings.control.map(|control| Clock::new(control, seats));
        self.clock.iter_mut().for_each(|clock| clock.set_left(left));
        self.clock_log.clear();
        self.flag_fell = false;
        self.forfeits.clear();
        self.unproven = None;
        self.start_turn(None, now);
    }

    /// Hands the turn to the next player.
    pub(super) fn start_turn(&mut self, moved: Option<Seat>, now: Instant) {
        let (begun, watched) = (self.has_moves(), self.is_exhibition());
        self.next_move_at = (watched && self.game.turn().is_some()).then_some(now + WATCHING_PACE);
        if let Some(clock) = &mut self.clock {
            // Clocks start with the first move, and stand still while spectators look at a move.
            let turn = self.game.turn().filter(|_| begun && !watched);
            clock.run(turn, moved.filter(|_| begun), now);
            let actions = self.game.history().len();
            if self.clock_log.len() <= actions {
                self.clock_log.resize(actions + 1, clock.all_left(now));
            }
        }
        self.thinking = None;
        self.ask_computer(now);
    }

    /// Lets the computer to move think, unless it is still busy with a position that is gone, or the
    /// spectators still look at the last move.
    fn ask_computer(&mut self, now: Instant) {
        let may_think = self.thinking.is_none() && self.next_move_at.is_none();
        let Some(seat) = self.game.turn().filter(|_| may_think) else { return };
        let person = self.series.person(seat);
        if !matches!(self.computers[person], ComputerSlot::Here(_)) {
            return;
        }
        let mut budget = self.settings.budget();
        if let Some(clock) = &self.clock {
            budget = budget.with_clock(clock.left(seat, now), clock.increment());
        }
        let id = RequestId::new();
        let chair = std::mem::replace(&mut self.computers[person], ComputerSlot::Away(id));
        if let ComputerSlot::Here(computer) = chair {
            let job = self.workers.think(id, person, computer, &self.game, budget);
            self.thinking = Some((job, now));
        }
    }
}

/// Updates score, storage and announcements as the game changes.
pub(super) struct MatchObserver<'a> {
    series: &'a mut Series,
    storage: Option<&'a StorageHandle>,
    settings: &'a MatchSettings,
    clock: Option<&'a Clock>,
    forfeits: &'a mut Vec<(usize, ForfeitReason)>,
    announcements: &'a mut Vec<String>,
    now: Instant,
}

impl GameObserver for MatchObserver<'_> {
    type Error = Infallible;

    fn is_person(&self, seat: Seat) -> bool {
        self.series.is_person(seat)
    }

    fn on_event(&mut self, game: &Game, event: &Event) -> Result<(), Infallible> {
        self.series.record_event(event);
        if let Some(storage) = self.storage {
            let detail = self.settings.detail_of(self.series, self.clock, self.now);
            storage.record_event(game, event, detail, self.now);
        }
        Ok(())
    }

    fn on_forfeit(&mut self, game: &Game, forfeit: &Forfeit) -> Result<(), Infallible> {
        let player = player_label(game, forfeit.seat);
        self.announcements.push(format!("{player} forfeits: {}.", forfeit.reason));
        self.forfeits.push((game.history().len(), forfeit.reason.clone()));
        Ok(())
    }
}
