//! What the lines that lack one or two stones decide, without search.

use crate::board::Board;
use crate::search::MATE;
use crate::threats::{
    cells_to_win, forks, playable_wins, stones_to_win, threats_apply, winning_cells,
};

pub(super) enum Immediate {
    /// The score is known.
    Decided(i32),
    /// Every other move loses at once.
    Forced(usize),
    None,
}

/// Wins at once and threats that must be answered, for the searching seat `me`.
pub(super) fn immediate_threats(board: &Board, me: usize, ply: u32) -> Immediate {
    let mover = board.turn();
    if board.tables().misere {
        return Immediate::None;
    }
    let mate = |won: bool, plies: u32| {
        let mate = MATE - (ply + plies) as i32;
        Immediate::Decided(if won { mate } else { -mate })
    };
    if let Some(stones) = stones_to_win(board) {
        return mate(mover == me, stones as u32);
    }
    if board.tables().stones_per_turn > 1 {
        return Immediate::None;
    }
    let others = board.active_seats().iter().map(|&seat| usize::from(seat));
    let others = others.filter(|&seat| seat != mover);
    let mut threats: Vec<usize> = others.flat_map(|seat| playable_wins(board, seat)).collect();
    threats.sort_unstable();
    threats.dedup();
    match threats[..] {
        [] => {}
        [cell] => return Immediate::Forced(cell),
        _ => return mate(mover != me, 2),
    }
    if forks_win(board) && forks(board, mover).next().is_some() {
        return mate(mover == me, 3);
    }
    Immediate::None
}

/// With several stones a turn and two seats: the cells that complete a line in this turn, or else
/// those that block a line which the opponent completes in the next. A turn must block all of them,
/// in any order.
pub(super) fn turn_tactics(board: &Board) -> Vec<usize> {
    let stones = usize::from(board.tables().stones_per_turn);
    if stones == 1 || board.active_seats().len() != 2 {
        return Vec::new();
    }
    let wins = winning_cells(board);
    if wins.is_empty() { cells_to_win(board, board.opponent(), stones) } else { wins }
}

/// Whether two winning cells at once win. With `exact`, a stone can spoil its own lines.
pub(super) fn forks_win(board: &Board) -> bool {
    threats_apply(board) && !board.tables().exact
}
