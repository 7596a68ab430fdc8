//! What a glance at a position says about the attacker's question, and which moves it leaves.

use super::attack::Answer;
use super::table::FOREVER;
use crate::board::Board;
use crate::threats::{Fork, forks, makes_threat};

/// What there is to search.
pub(super) enum Look {
    Settled(Answer),
    /// Every other move loses at once.
    Forced(usize),
    /// The candidates were listed. Moves that were left out are no better than the listed ones,
    /// except that with the attacker's opponent to move they hold until this ply.
    Open {
        floor: u16,
    },
}

const NEVER: Look = Look::Settled(Answer::Holds(FOREVER));

/// Looks at a position in which no line is complete, and lists the moves to try with how urgent
/// they look.
pub(super) fn look(
    board: &Board,
    attacker: usize,
    limit: u16,
    moves: &mut Vec<(u32, u16)>,
) -> Look {
    let geometry = board.geometry();
    if board.empty() == 0 {
        NEVER
    } else if geometry.misere {
        look_misere(board, attacker, limit, moves)
    } else if geometry.gravity {
        look_gravity(board, attacker, limit, moves)
    } else {
        look_free(board, attacker, limit, moves)
    }
}

fn look_free(board: &Board, attacker: usize, limit: u16, moves: &mut Vec<(u32, u16)>) -> Look {
    let (mover, other) = (board.turn(), board.opponent());
    let attacking = mover == attacker;
    let k = board.geometry().k;
    if let Some(settled) = settled_by_winning_cells(
        attacking,
        limit,
        board.winning(mover).len(),
        board.winning(other).len(),
    ) {
        return settled;
    }
    // Erdős and Selfridge: a defender who always takes the heaviest cell lets no line be filled
    // if the open lines weigh less than 2^k with the defender to move, half of that otherwise.
    let most = if attacking { 1 << (k - 1) } else { 1 << k };
    if board.weight(attacker) < most {
        return NEVER;
    }
    if let Some(settled) = settled_by_distance(board, attacker, limit) {
        return settled;
    }
    if let &[cell] = board.winning(other) {
        return Look::Forced(cell.into());
    }
    // With `exact` a stone can spoil its own seat's lines, so that nothing below holds.
    if board.geometry().exact {
        let all = board.legal_moves().map(|cell| (promise(board, cell), cell as u16));
        moves.extend(all);
        return Look::Open { floor: 0 };
    }
    if forks(board, mover).next().is_some() {
        return if attacking { Look::Settled(Answer::Wins(3)) } else { NEVER };
    }
    let mut cells = (0..board.geometry().cells).filter(|&cell| board.is_empty(cell));
    let mut threats = forks(board, other);
    let Some(fork) = threats.next() else {
        // A cell on no open line is no better than any other.
        let matters =
            |cell: &usize| board.open_through(mover, *cell) + board.open_through(other, *cell) > 0;
        moves.extend(cells.filter(matters).map(|cell| (promise(board, cell), cell as u16)));
        return Look::Open { floor: 0 };
    };
    // Whoever lets a fork happen loses, so a move must meet all of them or win a tempo.
    let forks: Vec<Fork> = std::iter::once(fork).chain(threats).collect();
    for cell in &mut cells {
        let meets = forks.iter().all(|fork| fork.is_met_by(cell));
        if meets || makes_threat(board, mover, cell) {
            moves.push((promise(board, cell), cell as u16));
        }
    }
    Look::Open { floor: 4 }
}

fn look_gravity(board: &Board, attacker: usize, limit: u16, moves: &mut Vec<(u32, u16)>) -> Look {
    let (mover, other) = (board.turn(), board.opponent());
    let attacking = mover == attacker;
    let playable = |seat: usize| {
        let cells = board.winning(seat).iter().map(|&cell| usize::from(cell));
        cells.filter(|&cell| board.is_legal(cell))
    };
    let settled = settled_by_winning_cells(
        attacking,
        limit,
        playable(mover).count(),
        playable(other).count(),
    );
    if let Some(settled) = settled.or_else(|| settled_by_distance(board, attacker, limit)) {
        return settled;
    }
    if let Some(cell) = playable(other).next() {
        return Look::Forced(cell);
    }
    // Who plays below a winning cell of the other hands it over.
    let safe = |cell: &usize| {
        board.geometry().above(*cell).is_none_or(|above| !board.completes(other, above))
    };
    let before = moves.len();
    let safe_moves = board.legal_moves().filter(safe);
    moves.extend(safe_moves.map(|cell| (promise(board, cell), cell as u16)));
    match moves.len() - before {
        0 if attacking => NEVER,
        0 if limit < 2 => Look::Settled(Answer::Holds(1)),
        0 => Look::Settled(Answer::Wins(2)),
        _ => Look::Open { floor: 2 },
    }
}

/// In misère games the attacker wins when the defender has to complete a line.
fn look_misere(board: &Board, attacker: usize, limit: u16, moves: &mut Vec<(u32, u16)>) -> Look {
    let mover = board.turn();
    let attacking = mover == attacker;
    let defender = if attacking { board.opponent() } else { mover };
    if board.weight(defender) == 0 {
        return NEVER;
    }
    let before = moves.len();
    let safe = board.legal_moves().filter(|&cell| !board.completes(mover, cell));
    moves.extend(safe.map(|cell| (u32::MAX - promise(board, cell), cell as u16)));
    let least = match moves.len() - before {
        0 if attacking => return NEVER,
        0 => 1,
        _ if attacking => 2,
        _ => 3,
    };
    if limit < least {
        moves.truncate(before);
        return Look::Settled(Answer::Holds(least - 1));
    }
    if least == 1 { Look::Settled(Answer::Wins(1)) } else { Look::Open { floor: 1 } }
}

/// What follows from the numbers of cells with which mover and other complete a line.
fn settled_by_winning_cells(
    attacking: bool,
    limit: u16,
    mover: usize,
    other: usize,
) -> Option<Look> {
    let (plies, attacker_wins) = match (mover, other) {
        (1.., _) => (1, attacking),
        (_, 2..) => (2, !attacking),
        _ => return None,
    };
    Some(match attacker_wins {
        false => NEVER,
        true if plies <= limit => Look::Settled(Answer::Wins(plies)),
        true => Look::Settled(Answer::Holds(plies - 1)),
    })
}

/// The attacker needs as many moves as its fullest open line lacks stones.
fn settled_by_distance(board: &Board, attacker: usize, limit: u16) -> Option<Look> {
    let Some(fullest) = board.fullest(attacker) else { return Some(NEVER) };
    let moves = (board.geometry().k - fullest) as u16;
    let plies = 2 * moves - u16::from(board.turn() == attacker);
    (plies > limit).then_some(Look::Settled(Answer::Holds(plies - 1)))
}

/// How soon a move should be tried: by what is at stake in its cell, more so for the mover.
/// Counting both seats alike takes twice the nodes on 4x7:4 and 5x5:4, and counting the other's
/// part double four times as many.
fn promise(board: &Board, cell: usize) -> u32 {
    2 * board.stakes(board.turn(), cell) + board.stakes(board.opponent(), cell)
}
