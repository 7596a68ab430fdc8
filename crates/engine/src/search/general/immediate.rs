//! What the lines that lack one or two stones decide, without search.

use crate::board::Board;
use crate::search::MATE;
use crate::threats::{forks, playable_wins, threats_apply};

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
    if playable_wins(board, mover).next().is_some() {
        return mate(mover == me, 1);
    }
    // Wins of others that the mover must block now. The opponents are one team, so they leave a
    // block to the last of them before the searching seat.
    let mut threats: Vec<usize> = Vec::new();
    if mover == me {
        let others = board.active_seats().iter().map(|&seat| usize::from(seat));
        threats.extend(others.filter(|&s| s != mover).flat_map(|s| playable_wins(board, s)));
        threats.sort_unstable();
        threats.dedup();
    } else if board.next_turn() == me {
        threats.extend(playable_wins(board, me));
    }
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

/// Whether two winning cells at once win. With `exact`, a stone can spoil its own lines.
pub(super) fn forks_win(board: &Board) -> bool {
    threats_apply(board) && !board.tables().exact
}
