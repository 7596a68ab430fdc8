//! Cells that matter most: where seats are about to complete lines.

use crate::board::Board;
use crate::tally::stake;

/// How much a move here changes: for each line through the cell that is open to a seat, the more
/// stones it has, the more.
pub(crate) fn urgency(board: &Board, cell: usize) -> u32 {
    board.order().iter().map(|&seat| board.stakes(seat.into(), cell)).sum()
}

/// Whether the seat, by taking this cell, gets a cell in which it completes a line.
pub(crate) fn makes_threat(board: &Board, seat: usize, cell: usize) -> bool {
    nearly_full(board, seat, cell).next().is_some()
}

/// A cell by which a seat gets several winning cells at once, where the other has none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fork {
    pub(crate) cell: usize,
    wins: [usize; 2],
    more_wins: bool,
}

impl Fork {
    /// Whether a stone of the other seat in this cell leaves less than two winning cells.
    pub(crate) fn is_met_by(&self, cell: usize) -> bool {
        cell == self.cell || (!self.more_wins && self.wins.contains(&cell))
    }
}

/// The forks that the seat has if it is its turn.
pub(crate) fn forks(board: &Board, seat: usize) -> impl Iterator<Item = Fork> + '_ {
    let k = board.geometry().k;
    let enough = k >= 2 && board.open_with(seat, k - 2) >= 2;
    let cells = if enough { 0..board.geometry().cells } else { 0..0 };
    // Two such lines are at stake in the cell of a fork.
    let least = if enough { 2 * stake((k - 2) as u8) } else { 0 };
    let likely = move |&cell: &usize| board.stakes(seat, cell) >= least && board.is_empty(cell);
    cells.filter(likely).filter_map(move |cell| {
        let mut wins = nearly_full(board, seat, cell);
        let first = wins.next()?;
        let second = wins.find(|&win| win != first)?;
        let more_wins = wins.any(|win| win != first && win != second);
        Some(Fork { cell, wins: [first, second], more_wins })
    })
}

/// The cells that lines through this one lack but for it, if they are open to the seat.
pub(crate) fn nearly_full(
    board: &Board,
    seat: usize,
    cell: usize,
) -> impl Iterator<Item = usize> + '_ {
    let geometry = board.geometry();
    let lines = geometry.lines_through(cell).iter().map(|&line| usize::from(line));
    lines
        .filter(move |&line| {
            board.stones_if_open(seat, line).is_some_and(|stones| stones + 2 == geometry.k)
        })
        .map(move |line| board.other_empty(line, cell))
}
