//! A match at this terminal: people move by keys, computers search in the background, clocks run.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use noughts_engine::{
    Budget, Computer, Decision, Forfeit, ForfeitReason, GameObserver, PlayerKind,
};
use noughts_rules::{Action, Event, Game, Seat};

use super::storage::{NOTICEABLE_DELAY, StorageHandle};
use super::workers::{Message, RequestId, Search, Workers};
use noughts_play::{Clock, MatchDetail, Series, TimeControl, player_label};
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

/// The time between two moves where computers play each other, so that people can follow.
const WATCHING_PACE: Duration = Duration::from_millis(800);

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

    /// Undoes the last move of a person and the computers' replies to it.
    pub(crate) fn undo(&mut self, now: Instant) -> Result<(), String> {
        self.check_undo()?;
        let history: Vec<Action> = self.game.history().collect();
        // Redo comes back to these times.
        if let (Some(clock), Some(left)) = (&self.clock, self.clock_log.get_mut(history.len())) {
            *left = clock.all_left(now);
        }
        let (game, mut observer) = self.game_and_observer(now);
        let Ok(()) = noughts_engine::undo_to_person(game, &mut observer);
        self.undone.splice(..0, history[self.game.history().len()..].iter().copied());
        self.restore_clocks();
        self.start_turn(None, now);
        Ok(())
    }

    pub(crate) fn check_undo(&self) -> Result<(), String> {
        self.series.check_undo(&self.game).map_err(|refusal| refusal.to_string())?;
        if self.flag_fell && self.game.turn().is_none() {
            return Err("The game ended on time: its result is final.".into());
        }
        Ok(())
    }

    /// Redoes actions up to the next turn of a person.
    pub(crate) fn redo(&mut self, now: Instant) -> Result<(), String> {
        if self.undone.is_empty() {
            return Err("There is no move to do again.".into());
        }
        while !self.undone.is_empty() {
            let action = self.undone.remove(0);
            let decision = match action {
                Action::Move { mv, .. } => Decision::Move(mv),
                Action::Resign { .. } => Decision::Resign,
            };
            self.apply(decision, now);
            self.restore_clocks();
            if self.person_to_move().is_some() {
                break;
            }
        }
        self.start_turn(None, now);
        Ok(())
    }

    /// Sets the clocks to the times that they showed in this position.
    fn restore_clocks(&mut self) {
        if let (Some(clock), Some(left)) =
            (&mut self.clock, self.clock_log.get(self.game.history().len()))
        {
            clock.set_left(left);
        }
    }

    /// Swaps the players' seats in the position on the board.
    pub(crate) fn swap_sides(&mut self, now: Instant) -> Result<(), String> {
        if self.game.turn().is_none() {
            return Err("The game is over.".into());
        }
        let begun = self.series.start().history().len();
        let history: Vec<Action> = self.game.history().skip(begun).collect();
        if !history.is_empty() && self.series.is_rated() {
            return Err("This game is rated: sides can't be swapped any more.".into());
        }
        self.series.swap_sides();
        self.game = self.series.new_game();
        for action in history {
            let replayed = match action {
                Action::Move { seat, mv } => self.game.play(seat, mv),
                Action::Resign { seat } => self.game.resign(seat),
            };
            debug_assert!(replayed.is_ok(), "the same moves by the same rules");
        }
        self.save(now);
        self.start_turn(None, now);
        Ok(())
    }

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
    fn decide_and_clear_redo(&mut self, decision: Decision, now: Instant) {
        let actions = self.game.history().len();
        self.undone.clear();
        self.forfeits.retain(|(after, _)| *after < actions);
        self.clock_log.truncate(actions + 1);
        self.apply(decision, now);
    }

    fn apply(&mut self, decision: Decision, now: Instant) {
        let turn = self.game.turn();
        let moved = matches!(decision, Decision::Move(_)).then_some(turn).flatten();
        let (game, mut observer) = self.game_and_observer(now);
        let Ok(()) = noughts_engine::apply_decision(game, &mut observer, decision);
        self.start_turn(moved, now);
    }

    /// Borrows the game and its observer together.
    fn game_and_observer(&mut self, now: Instant) -> (&mut Game, MatchObserver<'_>) {
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
    fn reset_clocks(&mut self, left: &[Duration], now: Instant) {
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
    fn start_turn(&mut self, moved: Option<Seat>, now: Instant) {
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

/// Updates score, storage and announcements as the game changes.
struct MatchObserver<'a> {
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

#[cfg(test)]
mod tests;
