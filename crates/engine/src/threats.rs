//! Immediate threats on a [`Board`].

use crate::board::Board;
use crate::line_counts::line_weight;

/// Move ordering: the weight of the open lines through the cell, for all seats together.
pub(crate) fn urgency(board: &Board, cell: usize) -> u32 {
    board.active_seats().iter().map(|&seat| board.cell_weight(seat.into(), cell)).sum()
}

/// Whether threats force replies: two seats, a line wins, and every empty cell is playable.
pub(crate) fn threats_apply(board: &Board) -> bool {
    let tables = board.tables();
    !tables.misere && !tables.gravity && board.active_seats().len() == 2
}

/// The playable cells in which the seat completes a line.
pub(crate) fn playable_wins(board: &Board, seat: usize) -> impl Iterator<Item = usize> + '_ {
    let cells = board.winning_cells(seat).iter().map(|&cell| usize::from(cell));
    cells.filter(|&cell| board.is_legal(cell))
}

/// Whether the seat, by taking this cell, threatens to complete a line.
pub(crate) fn makes_threat(board: &Board, seat: usize, cell: usize) -> bool {
    completions_after(board, seat, cell).next().is_some()
}

/// A cell that gives a seat several winning cells at once, provided the opponent has none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fork {
    pub(crate) cell: usize,
    wins: [usize; 2],
    more_wins: bool,
}

impl Fork {
    /// Whether an opponent's stone in this cell leaves fewer than two winning cells.
    pub(crate) fn is_met_by(&self, cell: usize) -> bool {
        cell == self.cell || (!self.more_wins && self.wins.contains(&cell))
    }
}

/// The forks of a seat if it were to move.
pub(crate) fn forks(board: &Board, seat: usize) -> impl Iterator<Item = Fork> + '_ {
    let k = board.tables().k;
    let possible = k >= 2 && board.open_lines_with(seat, k - 2) >= 2;
    let cells = if possible { 0..board.tables().cell_count } else { 0..0 };
    // Two lines that lack two stones each meet in the cell of a fork.
    let min_weight = if possible { 2 * line_weight((k - 2) as u8) } else { 0 };
    let candidate =
        move |&cell: &usize| board.cell_weight(seat, cell) >= min_weight && board.is_empty(cell);
    cells.filter(candidate).filter_map(move |cell| {
        let mut wins = completions_after(board, seat, cell);
        let first = wins.next()?;
        let second = wins.find(|&win| win != first)?;
        let more_wins = wins.any(|win| win != first && win != second);
        Some(Fork { cell, wins: [first, second], more_wins })
    })
}

/// The moves of the seat to move that may stop the opponent's forks. Every other move loses.
pub(crate) struct Defences<'a> {
    board: &'a Board,
    forks: Vec<Fork>,
}

impl Defences<'_> {
    pub(crate) fn new(board: &Board) -> Defences<'_> {
        Defences { board, forks: forks(board, board.opponent()).collect() }
    }

    /// Whether there is a fork to stop.
    pub(crate) fn are_needed(&self) -> bool {
        !self.forks.is_empty()
    }

    /// Whether the move meets all forks or makes a threat of its own.
    pub(crate) fn contains(&self, cell: usize) -> bool {
        self.forks.iter().all(|fork| fork.is_met_by(cell))
            || makes_threat(self.board, self.board.turn(), cell)
    }
}

/// The cells that would complete a line of the seat once it has taken this one.
fn completions_after(board: &Board, seat: usize, cell: usize) -> impl Iterator<Item = usize> + '_ {
    let tables = board.tables();
    let lines = tables.lines_through(cell).iter().map(|&line| usize::from(line));
    lines
        .filter(move |&line| {
            board.stones_if_open(seat, line).is_some_and(|stones| stones + 2 == tables.k)
        })
        .map(move |line| board.other_empty(line, cell))
}
