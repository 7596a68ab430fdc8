//! Computer players: they think on threads of their own and answer through the mailbox.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_engine::Budget;
use noughts_rules::{Cell, Position, Seat};

use super::room::Room;
use super::task::{GameTask, Lost};
use super::time::ASK_AGAIN;
use super::{Failure, Letter};
use crate::accounts::secrets::random;
use crate::game::{Actor, Command, Millis, Order, computer};

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

/// About what a computer thinks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thinking {
    /// The sequence number of the position.
    about: u32,
    /// Whether it has hardly any time left.
    is_hurried: bool,
}

/// For how many milliseconds the computer of another server is left alone.
const ELSEWHERE: Millis = 5_000;

/// With so much time left, or a quarter of what it began with, a computer waits no longer for its turn
/// to think. Nobody wins against it by having it wait.
const HURRY: Millis = 1_000;

/// How soon it is asked again then, if it could not be asked.
const SOON: Duration = Duration::from_millis(100);

/// For how long it thinks then.
const SHORT: Duration = Duration::from_millis(20);

impl GameTask {
    pub(super) fn ask_computer(&mut self) {
        let Some((seat, level)) = self.game.computer_to_move() else {
            if self.thinking.take().is_some() {
                self.room.ask();
            }
            return;
        };
        let about = self.game.touched();
        let is_hurried = self.hurries_in().is_some_and(|ms| ms <= 0);
        if self.is_thinking_about(about, is_hurried) {
            return;
        }
        let is_elsewhere = self.heard == Some(about);
        if is_elsewhere && self.now() < self.game.last_at() + ELSEWHERE {
            return;
        }
        let Some(game) = self.game.game() else { return };
        let position = game.position().clone();
        let clock = self.game.clocks().map(|clocks| {
            let left = clocks.left(seat.index(), Some(seat.index()), self.now());
            let falls = Instant::now() + Duration::from_millis(u64::try_from(left).unwrap_or(0));
            (falls, Duration::from_millis(clocks.rule().increment_ms.into()))
        });
        let think_time = if is_hurried { SHORT } else { self.app.config.think_time() };
        // Time passes until it is its turn.
        let budget = move || {
            let budget = Budget::unlimited().with_time(think_time);
            match clock {
                Some((falls, increment)) => {
                    budget.with_clock(falls.saturating_duration_since(Instant::now()), increment)
                }
                None => budget,
            }
        };
        let thought = thought(&self.room, level, (seat, about), position, budget);
        let thinkers = &self.app.compute.thinkers;
        let asked = match is_hurried {
            true => thinkers.hurry(thought),
            false => thinkers.submit(self.game.setup().creator, thought),
        };
        if asked.is_err() {
            metrics::counter!("noughts_thinking_put_off_total").increment(1);
        }
        self.thinking = asked.is_ok().then_some(Thinking { about, is_hurried });
    }

    fn is_thinking_about(&self, about: u32, is_hurried: bool) -> bool {
        self.thinking.is_some_and(|now| now.about == about && (now.is_hurried || !is_hurried))
    }

    /// In how many milliseconds the computer that is to move has to hurry, if it has a clock.
    fn hurries_in(&self) -> Option<Millis> {
        let ((seat, _), clocks) = (self.game.computer_to_move()?, self.game.clocks()?);
        let left = clocks.left(seat.index(), Some(seat.index()), self.now());
        Some(left - HURRY.min(Millis::from(clocks.rule().initial_ms) / 4))
    }

    /// When a computer has to be asked again.
    pub(super) fn asks_in(&self) -> Option<Duration> {
        self.game.computer_to_move()?;
        let hurry = self.hurries_in().filter(|_| !self.thinking.is_some_and(|now| now.is_hurried));
        // Where it should hurry and does not, it could not be asked.
        let hurry = hurry.map(|ms| SOON.max(Duration::from_millis(u64::try_from(ms).unwrap_or(0))));
        let again = self.thinking.is_none().then_some(ASK_AGAIN);
        hurry.into_iter().chain(again).min()
    }

    /// Plays what a computer chose, if the game still is where it was when the computer was asked.
    pub(super) async fn play_thought(&mut self, thought: Thought) -> Result<(), Lost> {
        let is_awaited = self.thinking.is_some_and(|now| now.about == thought.about);
        if !is_awaited || self.game.touched() != thought.about {
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

/// What a computer does that thinks about a position, unless it need not any more.
fn thought(
    room: &Arc<Room>,
    level: &str,
    (seat, about): (Seat, u32),
    position: Position,
    budget: impl FnOnce() -> Budget + Send + 'static,
) -> impl FnOnce() + Send + 'static {
    let strategy =
        computer(level).ok().and_then(|kind| kind.strategy(u64::from_le_bytes(random())));
    let asked = room.ask();
    // A room that is only thought about is not kept for it.
    let room = Arc::downgrade(room);
    move || {
        if !room.upgrade().is_some_and(|room| room.is_asked(asked)) {
            return;
        }
        let choose = || strategy.map(|mut strategy| strategy.choose(&position, &budget()));
        // Whatever becomes of it, the game hears of it.
        let choice = catch_unwind(AssertUnwindSafe(choose)).ok().flatten();
        let cell = choice.and_then(Result::ok).map(|choice| choice.cell);
        if let Some(room) = room.upgrade() {
            room.post_own(Letter::Thought(Thought { seat, about, cell }));
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::Rules;
    use noughts_store::GameId;

    use super::*;

    #[tokio::test]
    async fn nobody_thinks_about_what_is_past() {
        let room = Arc::new(Room::new(GameId::from_bytes([7; 16])));
        let mut letters = room.letters().unwrap();
        let position = Position::new(&Rules::default());
        let ask = |about: u32| {
            thought(&room, "easy", (Seat::FIRST, about), position.clone(), Budget::unlimited)
        };
        let (past, present) = (ask(1), ask(2));
        past();
        present();
        let Letter::Thought(thought) = letters.next().await else { panic!("another letter") };
        assert!(thought.about == 2 && thought.cell.is_some());
        // Nor when nobody waits for it any more.
        let late = ask(3);
        room.ask();
        late();
        room.post_own(Letter::Tick);
        assert!(matches!(letters.next().await, Letter::Tick));
    }
}
