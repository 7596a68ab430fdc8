//! Computer players: they think on threads of their own and answer through the mailbox.

use noughts_engine::Budget;
use noughts_rules::{Cell, Position, Seat};
use tokio::sync::mpsc;

use super::Letter;
use crate::backend::Backend;
use crate::game::computer;
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

/// Has a computer think about a position.
pub(super) fn think(
    backend: &Backend,
    mailbox: mpsc::Sender<Letter>,
    level: &str,
    seat: Seat,
    position: Position,
    about: u32,
) -> Result<(), Busy> {
    let strategy =
        computer(level).ok().and_then(|kind| kind.strategy(u64::from_le_bytes(random())));
    let budget = Budget::unlimited().with_time(backend.config.think_time());
    backend.thinkers.submit(move || {
        let choice = strategy.map(|mut strategy| strategy.choose(&position, &budget));
        let cell = choice.and_then(Result::ok).map(|choice| choice.cell);
        // The mailbox may be full, but its task reads on; if the task has ended, so has the need.
        let _ = mailbox.blocking_send(Letter::Thought(Thought { seat, about, cell }));
    })
}
