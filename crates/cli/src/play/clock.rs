//! The clocks of a line dialogue, which are read after each answer.

use std::time::{Duration, Instant};

use noughts_engine::Budget;
use noughts_play::{Clock, ClockDisplay, TimeControl};
use noughts_rules::{Event, Game, Seat};

pub(super) struct DialogueClock {
    clock: Clock,
    seats: usize,
    /// The times left by number of actions, which undo and redo restore.
    log: Vec<Vec<Duration>>,
}

impl DialogueClock {
    /// Full clocks, or those of a kept game with these times left.
    pub(super) fn new(control: TimeControl, seats: usize, left: &[Duration]) -> DialogueClock {
        let mut clock = Clock::new(control, seats);
        clock.set_left(left);
        DialogueClock { clock, seats, log: Vec::new() }
    }

    pub(super) fn reset(&mut self) {
        *self = DialogueClock::new(self.clock.control(), self.seats, &[]);
    }

    /// Starts the clock of the seat to move. Clocks start with the first move.
    pub(super) fn begin_turn(&mut self, game: &Game, has_begun: bool) {
        let now = Instant::now();
        self.clock.run(game.turn().filter(|_| has_begun), None, now);
        let actions = game.history().len();
        if self.log.len() <= actions {
            self.log.resize(actions + 1, self.clock.all_left(now));
        }
    }

    /// Stops the clock after an action. Actions that are undone, or played again, come with the times
    /// of then.
    pub(super) fn on_event(&mut self, game: &Game, event: &Event, is_redo: bool) {
        let (now, actions) = (Instant::now(), game.history().len());
        match event {
            Event::Moved { seat, .. } if !is_redo => {
                // The first move is made before the clocks start.
                self.clock.run(None, self.clock.is_running().then_some(*seat), now);
                self.log.truncate(actions);
                self.log.resize(actions + 1, self.clock.all_left(now));
            }
            Event::Moved { .. } | Event::MoveUndone { .. } | Event::ResignationUndone { .. } => {
                if let Some(left) = self.log.get(actions) {
                    self.clock.set_left(left);
                }
            }
            _ => self.clock.run(None, None, now),
        }
    }

    pub(super) fn is_over(&self, seat: Seat) -> bool {
        self.clock.left(seat, Instant::now()).is_zero()
    }

    pub(super) fn time_left(&self, seat: Seat) -> String {
        ClockDisplay(self.clock.left(seat, Instant::now())).to_string()
    }

    /// Lets a computer think no longer than its clock allows.
    pub(super) fn limit(&self, budget: Budget, seat: Seat) -> Budget {
        budget.with_clock(self.clock.left(seat, Instant::now()), self.clock.increment())
    }

    /// The clocks as games store them.
    pub(super) fn stored(&self) -> (TimeControl, Vec<Duration>) {
        (self.clock.control(), self.clock.all_left(Instant::now()))
    }
}
