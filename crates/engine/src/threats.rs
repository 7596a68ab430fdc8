//! Immediate threats on a [`Board`].

use crate::board::Board;
use crate::line_counts::line_weight;

/// Move ordering: the weight of the open lines through the cell, for all seats together.
pub(crate) fn urgency(board: &Board, cell: usize) -> u32 {
    let weights = board.active_seats().iter().map(|&seat| board.cell_weight(seat.into(), cell));
    weights.fold(0, u32::saturating_add)
}

/// Whether threats force replies: two seats, a line wins, every empty cell is playable, and a turn is
/// one stone.
pub(crate) fn threats_apply(board: &Board) -> bool {
    lines_win_anywhere(board)
        && board.tables().stones_per_turn == 1
        && board.active_seats().len() == 2
}

/// Whether a line wins, and every empty cell is playable.
fn lines_win_anywhere(board: &Board) -> bool {
    !board.tables().misere && !board.tables().gravity
}

/// The fewest stones with which the seat to move completes a line and wins in this turn, if that is
/// certain.
pub(crate) fn stones_to_win(board: &Board) -> Option<usize> {
    let seat = board.turn();
    if board.tables().misere {
        None
    } else if lines_win_anywhere(board) {
        let stones = board.tables().k - board.most_stones_in_line(seat)?;
        (stones <= board.stones_left().into()).then_some(stones)
    } else {
        playable_wins(board, seat).next().map(|_| 1)
    }
}

/// The cells in which the seat to move wins in this turn, or begins to, in order.
pub(crate) fn winning_cells(board: &Board) -> Vec<usize> {
    match stones_to_win(board) {
        None => Vec::new(),
        Some(1) => {
            let mut cells: Vec<usize> = playable_wins(board, board.turn()).collect();
            cells.sort_unstable();
            cells
        }
        Some(stones) => cells_to_win(board, board.turn(), stones),
    }
}

/// The empty cells of the lines that the seat completes with this many stones, in order. Empty if
/// that is not certain to win.
pub(crate) fn cells_to_win(board: &Board, seat: usize, stones: usize) -> Vec<usize> {
    let tables = board.tables();
    let least = tables.k.saturating_sub(stones);
    if !lines_win_anywhere(board) || board.most_stones_in_line(seat) < Some(least) {
        return Vec::new();
    }
    let lines = board.open_lines(seat);
    let short = lines.filter(|&line| board.stones_if_open(seat, line) >= Some(least));
    let cells = short.flat_map(|line| tables.cells_of(line)).map(|&cell| usize::from(cell));
    let mut cells: Vec<usize> = cells.filter(|&cell| board.is_empty(cell)).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
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
