//! One-ply tactics: immediate wins, blocks and blunders.

use std::cmp::Reverse;

use crate::board::Board;
use crate::solve::MAX_SOLVABLE_CELLS;
use crate::threats::{cells_to_win, urgency, winning_cells};

/// The first move on a board too large to solve: the cell on most lines, nearest to the centre.
/// `None` later in the game, on smaller boards and in misère games.
pub(crate) fn opening_move(board: &Board) -> Option<usize> {
    let tables = board.tables();
    let applies = board.empty_count() == tables.cell_count
        && tables.cell_count > MAX_SOLVABLE_CELLS
        && !tables.misere;
    let worth = |&cell: &usize| (urgency(board, cell), Reverse(tables.off_centre(cell)));
    board.legal_moves().filter(|_| applies).max_by_key(worth)
}

/// The legal moves of a position, classified by looking one ply ahead.
#[derive(Debug)]
pub(crate) struct Tactics {
    pub(crate) legal: Vec<usize>,
    /// Moves that win in this turn.
    pub(crate) wins: Vec<usize>,
    /// Moves into cells where another seat would win in its turn.
    pub(crate) blocks: Vec<usize>,
    /// Moves that do not let another seat win at once, or that do not lose at once in misère
    /// games; all legal moves if there is none.
    pub(crate) safe: Vec<usize>,
}

impl Tactics {
    pub(crate) fn new(board: &Board) -> Tactics {
        let tables = board.tables();
        let (mover, misere) = (board.turn(), tables.misere);
        let others: Vec<usize> = board
            .active_seats()
            .iter()
            .map(|&s| s.into())
            .filter(|&s: &usize| s != mover)
            .collect();
        let others_complete = |cell: usize| others.iter().any(|&seat| board.completes(seat, cell));
        let stones = usize::from(tables.stones_per_turn);
        let turn_threats: Vec<usize> = match stones {
            1 => Vec::new(),
            _ => others.iter().flat_map(|&seat| cells_to_win(board, seat, stones)).collect(),
        };
        let winning = winning_cells(board);
        // With gravity, a move makes the cell above it playable.
        let hands_over =
            |cell: usize| tables.gravity && tables.above(cell).is_some_and(others_complete);
        let legal: Vec<usize> = board.legal_moves().collect();
        let select = |wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
            legal.iter().copied().filter(|&cell| wanted(cell)).collect()
        };
        let mut safe =
            select(&|cell| if misere { !board.completes(mover, cell) } else { !hands_over(cell) });
        if safe.is_empty() {
            safe.clone_from(&legal);
        }
        Tactics {
            wins: select(&|cell| winning.contains(&cell)),
            blocks: select(&|cell| {
                !misere && (others_complete(cell) || turn_threats.contains(&cell))
            }),
            safe,
            legal,
        }
    }
}
