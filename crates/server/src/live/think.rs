//! Computer players: they think on threads of their own and answer through the mailbox.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use noughts_engine::Budget;
use noughts_rules::{Cell, Position, Seat};

use super::room::Room;
use super::task::{GameTask, Lost};
use super::{Failure, Letter};
use crate::backend::Backend;
use crate::game::{Actor, Command, Millis, Order, computer};
use crate::pool::Busy;
use crate::secret::random;

/// What came of thinking.
#[derive(Debug)]
pub(crate) struct Thought {
    /// Whose.
    pub(super) seat: Seat,
    /// The sequence number of the position that was thought about.
    pub(super) about: u32,
    /// The cell; none if the computer failed.
    pub(super) cell: Option<Cell>,
}

/// For how many milliseconds the computer of another server is left alone.
const ELSEWHERE: Millis = 5_000;

impl GameTask {
    pub(super) fn ask_computer(&mut self) {
        let Some((seat, level)) = self.game.computer_to_move() else {
            self.thinking = None;
            return;
        };
        if self.thinking == Some(self.game.touched()) {
            return;
        }
        let is_elsewhere = self.heard == Some(self.game.touched());
        if is_elsewhere && self.now() < self.game.last_at() + ELSEWHERE {
            return;
        }
        let Some(game) = self.game.game() else { return };
        let position = game.position().clone();
        let about = self.game.touched();
        let mut budget = Budget::unlimited().with_time(self.backend.config.think_time());
        if let Some(clocks) = self.game.clocks() {
            let left = clocks.left(seat.index(), Some(seat.index()), self.now());
            let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
            let increment = Duration::from_millis(clocks.rule().increment_ms.into());
            budget = budget.with_clock(left, increment);
        }
        let asked = think(&self.backend, &self.room, level, (seat, about), position, budget);
        if asked.is_err() {
            metrics::counter!("noughts_thinking_put_off_total").increment(1);
        }
        self.thinking = asked.is_ok().then_some(about);
    }

    /// Plays what a computer chose, if the game still is where it was when the computer was asked.
    pub(super) async fn play_thought(&mut self, thought: Thought) -> Result<(), Lost> {
        if self.thinking != Some(thought.about) || self.game.touched() != thought.about {
            self.ask_computer();
            return Ok(());
        }
        let command = match thought.cell {
            Some(cell) => Command::Move { cell },
            None => Command::Forfeit,
        };
        let actor = Actor::Computer(thought.seat);
        let order = Order { actor: actor.clone(), seen: None, seat: None, command };
        match self.order(&order).await {
            Ok(_) => Ok(()),
            // The rules refuse what it chose, for which it loses.
            Err(Failure::Refused(refusal, _)) if self.game.touched() == thought.about => {
                tracing::warn!(%refusal, game = %self.game.id(), "a computer chose badly");
                let order = Order { actor, seen: None, seat: None, command: Command::Forfeit };
                self.order(&order).await.map(|_| ()).map_err(|_| Lost)
            }
            Err(Failure::Unavailable) => Err(Lost),
            Err(_) => Ok(()),
        }
    }
}

/// Has a computer think about a position.
fn think(
    backend: &Backend,
    room: &Arc<Room>,
    level: &str,
    (seat, about): (Seat, u32),
    position: Position,
    budget: Budget,
) -> Result<(), Busy> {
    let strategy =
        computer(level).ok().and_then(|kind| kind.strategy(u64::from_le_bytes(random())));
    // A room that is only thought about is not kept for it.
    let room = Arc::downgrade(room);
    backend.thinkers.submit(move || {
        let choose = || strategy.map(|mut strategy| strategy.choose(&position, &budget));
        // Whatever becomes of it, the game hears of it.
        let choice = catch_unwind(AssertUnwindSafe(choose)).ok().flatten();
        let cell = choice.and_then(Result::ok).map(|choice| choice.cell);
        if let Some(room) = room.upgrade() {
            room.post_own(Letter::Thought(Thought { seat, about, cell }));
        }
    })
}
