//! Static pruning of the attack search, and the candidate moves that are left.

use super::attack::AttackResult;
use super::proof_table::NEVER;
use crate::board::Board;
use crate::threats::{Defences, forks, playable_wins};

pub(super) enum Candidates {
    Settled(AttackResult),
    /// Every other move loses at once.
    Forced(usize),
    /// The moves were listed. With the defender to move, the moves left out lose within `floor`
    /// plies; with the attacker to move, they are no better than the listed ones.
    Open {
        floor: u16,
    },
}

const NO_WIN: Candidates = Candidates::Settled(AttackResult::Holds(NEVER));

/// Evaluates an unfinished position and pushes the moves to search with their ordering scores.
pub(super) fn list(
    board: &Board,
    attacker: usize,
    limit: u16,
    moves: &mut Vec<(u32, u16)>,
) -> Candidates {
    let tables = board.tables();
    if board.empty_count() == 0 {
        NO_WIN
    } else if tables.misere {
        list_misere(board, attacker, limit, moves)
    } else if tables.gravity {
        list_gravity(board, attacker, limit, moves)
    } else {
        list_free(board, attacker, limit, moves)
    }
}

fn list_free(
    board: &Board,
    attacker: usize,
    limit: u16,
    moves: &mut Vec<(u32, u16)>,
) -> Candidates {
    let (mover, other) = (board.turn(), board.opponent());
    let attacking = mover == attacker;
    let k = board.tables().k;
    if let Some(settled) = settled_by_winning_cells(
        attacking,
        limit,
        board.winning_cells(mover).len(),
        board.winning_cells(other).len(),
    ) {
        return settled;
    }
    // Erdős–Selfridge: the defender holds if the attacker's potential is below 2^k with the defender
    // to move, or below half of that otherwise.
    let threshold = if attacking { 1 << (k - 1) } else { 1 << k };
    if board.potential(attacker) < threshold {
        return NO_WIN;
    }
    if let Some(settled) = settled_by_distance(board, attacker, limit) {
        return settled;
    }
    if let &[cell] = board.winning_cells(other) {
        return Candidates::Forced(cell.into());
    }
    // With `exact`, a stone can spoil its own seat's lines, so nothing below is sound.
    if board.tables().exact {
        let all = board.legal_moves().map(|cell| (ordering(board, cell), cell as u16));
        moves.extend(all);
        return Candidates::Open { floor: 0 };
    }
    if forks(board, mover).next().is_some() {
        return if attacking { Candidates::Settled(AttackResult::Wins(3)) } else { NO_WIN };
    }
    let defences = Defences::new(board);
    let has_forks = defences.are_needed();
    // A cell on no open line is no better than any other.
    let is_live = |cell: usize| {
        board.open_lines_through(mover, cell) + board.open_lines_through(other, cell) > 0
    };
    let is_candidate =
        |&cell: &usize| if has_forks { defences.contains(cell) } else { is_live(cell) };
    let cells = board.legal_moves().filter(is_candidate);
    moves.extend(cells.map(|cell| (ordering(board, cell), cell as u16)));
    Candidates::Open { floor: if has_forks { 4 } else { 0 } }
}

fn list_gravity(
    board: &Board,
    attacker: usize,
    limit: u16,
    moves: &mut Vec<(u32, u16)>,
) -> Candidates {
    let (mover, other) = (board.turn(), board.opponent());
    let attacking = mover == attacker;
    let settled = settled_by_winning_cells(
        attacking,
        limit,
        playable_wins(board, mover).count(),
        playable_wins(board, other).count(),
    );
    if let Some(settled) = settled.or_else(|| settled_by_distance(board, attacker, limit)) {
        return settled;
    }
    if let Some(cell) = playable_wins(board, other).next() {
        return Candidates::Forced(cell);
    }
    // A move below the opponent's winning cell makes it playable.
    let safe = |cell: &usize| {
        board.tables().above(*cell).is_none_or(|above| !board.completes(other, above))
    };
    let before = moves.len();
    let safe_moves = board.legal_moves().filter(safe);
    moves.extend(safe_moves.map(|cell| (ordering(board, cell), cell as u16)));
    match moves.len() - before {
        0 if attacking => NO_WIN,
        0 if limit < 2 => Candidates::Settled(AttackResult::Holds(1)),
        0 => Candidates::Settled(AttackResult::Wins(2)),
        _ => Candidates::Open { floor: 2 },
    }
}

/// In misère games the attacker wins if the defender has to complete a line.
fn list_misere(
    board: &Board,
    attacker: usize,
    limit: u16,
    moves: &mut Vec<(u32, u16)>,
) -> Candidates {
    let mover = board.turn();
    let attacking = mover == attacker;
    let defender = if attacking { board.opponent() } else { mover };
    if board.potential(defender) == 0 {
        return NO_WIN;
    }
    let before = moves.len();
    let safe = board.legal_moves().filter(|&cell| !board.completes(mover, cell));
    moves.extend(safe.map(|cell| (u32::MAX - ordering(board, cell), cell as u16)));
    let least = match moves.len() - before {
        0 if attacking => return NO_WIN,
        0 => 1,
        _ if attacking => 2,
        _ => 3,
    };
    if limit < least {
        moves.truncate(before);
        return Candidates::Settled(AttackResult::Holds(least - 1));
    }
    if least == 1 {
        Candidates::Settled(AttackResult::Wins(1))
    } else {
        Candidates::Open { floor: 1 }
    }
}

/// Decides a position by the number of winning cells of the mover and the other seat.
fn settled_by_winning_cells(
    attacking: bool,
    limit: u16,
    mover: usize,
    other: usize,
) -> Option<Candidates> {
    let (plies, attacker_wins) = match (mover, other) {
        (1.., _) => (1, attacking),
        (_, 2..) => (2, !attacking),
        _ => return None,
    };
    Some(match attacker_wins {
        false => NO_WIN,
        true if plies <= limit => Candidates::Settled(AttackResult::Wins(plies)),
        true => Candidates::Settled(AttackResult::Holds(plies - 1)),
    })
}

/// The attacker needs at least as many moves as its fullest open line lacks stones.
fn settled_by_distance(board: &Board, attacker: usize, limit: u16) -> Option<Candidates> {
    let Some(stones) = board.most_stones_in_line(attacker) else { return Some(NO_WIN) };
    let moves = (board.tables().k - stones) as u16;
    let plies = 2 * moves - u16::from(board.turn() == attacker);
    (plies > limit).then_some(Candidates::Settled(AttackResult::Holds(plies - 1)))
}

/// Move ordering by cell weight. Counting the mover double halves the nodes on 4x7:4 and 5x5:4
/// compared to equal weights; counting the other seat double quadruples them.
fn ordering(board: &Board, cell: usize) -> u32 {
    2 * board.cell_weight(board.turn(), cell) + board.cell_weight(board.opponent(), cell)
}
