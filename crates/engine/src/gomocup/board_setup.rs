//! Builds a position from the stones of a `BOARD` command.
//!
//! Managers send boards that no game leads to: with blocked cells, or with more stones of one side
//! than the turn order allows. The rules accept neither. Blocked cells therefore become stones of
//! extra seats that have resigned, and missing stones are added far from all others.

use noughts_rules::{Cell, Mark, Position, PositionParts, PositionPartsError, Rules, Seat};

#[derive(Debug, Clone, Copy)]
pub(super) struct Stone {
    pub(super) cell: Cell,
    pub(super) owner: Owner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Brain,
    Opponent,
    /// The cell is blocked for both sides.
    Nobody,
}

/// The position with these stones and the brain to move.
pub(super) fn position(rules: &Rules, stones: &[Stone]) -> Result<Position, PositionPartsError> {
    let count = |owner: Owner| stones.iter().filter(|stone| stone.owner == owner).count();
    let (own, opposing) = (count(Owner::Brain), count(Owner::Opponent));
    let mut blocked_by_seat = [0; BLOCKING_SEATS];
    for stone in stones.iter().filter(|stone| stone.owner == Owner::Nobody) {
        blocked_by_seat[blocking_seat(stone.cell)] += 1;
    }
    let max_blocked = blocked_by_seat.into_iter().max().unwrap_or(0);

    // A resigned seat has moved at most as often as the brain.
    let rounds = own.max(opposing.saturating_sub(1)).max(max_blocked);
    let brain_begins = opposing <= rounds;
    let (brain_seat, opponent_seat) = if brain_begins { (0, 1) } else { (1, 0) };
    let resigned_seats = if max_blocked > 0 { BLOCKING_SEATS } else { 0 };
    let rules = match resigned_seats {
        0 => rules.clone(),
        _ => {
            let players = 2 + resigned_seats as u8;
            // Renju is for two, and refuses the stones of others.
            rules.parts().clone().players(players).build().unwrap_or_else(|_| rules.clone())
        }
    };
    let mut board = vec![None; rules.cell_count()];
    for stone in stones {
        if let Some(index) = rules.cell_index(stone.cell) {
            board[index] = match stone.owner {
                Owner::Brain => Mark::new(brain_seat),
                Owner::Opponent => Mark::new(opponent_seat),
                Owner::Nobody => Mark::new(2 + blocking_seat(stone.cell) as u8),
            };
        }
    }
    let opponent_rounds = if brain_begins { rounds } else { rounds + 1 };
    let missing = [(brain_seat, rounds - own), (opponent_seat, opponent_rounds - opposing)];
    for (seat, count) in missing {
        for _ in 0..count {
            if let Some(index) = most_remote_empty(&rules, &board) {
                board[index] = Mark::new(seat);
            }
        }
    }
    let resigned = (0..resigned_seats).filter_map(|seat| Seat::new(2 + seat as u8)).collect();
    let mut parts = PositionParts::new(&rules);
    parts.board = board;
    parts.turn = Seat::new(brain_seat);
    parts.resigned = resigned;
    parts.build()
}

/// The number of seats that the rules allow besides the two players.
const BLOCKING_SEATS: usize = 6;

/// The resigned seat, from 0, that owns a blocked cell. No two neighbours in any direction have the
/// same owner, so none of these seats has a line.
fn blocking_seat(cell: Cell) -> usize {
    (usize::from(cell.row()) + 2 * usize::from(cell.col())) % BLOCKING_SEATS
}

/// The index of the empty cell farthest from all stones; among equals, the one nearest to an edge.
fn most_remote_empty(rules: &Rules, board: &[Option<Mark>]) -> Option<usize> {
    let cells = || rules.cells().zip(board).enumerate();
    let taken = cells().filter(|(_, (_, mark))| mark.is_some());
    let taken: Vec<Cell> = taken.map(|(_, (cell, _))| cell).collect();
    let distance = |one: Cell, other: Cell| {
        one.row().abs_diff(other.row()).max(one.col().abs_diff(other.col()))
    };
    let edge_distance = |cell: Cell| {
        let from_end = |at: u8, side: u8| at.min(side - 1 - at);
        from_end(cell.row(), rules.rows()) + from_end(cell.col(), rules.cols())
    };
    let remoteness = |&(_, (cell, _)): &(usize, (Cell, &Option<Mark>))| {
        let nearest = taken.iter().map(|&other| distance(cell, other)).min();
        (nearest, std::cmp::Reverse(edge_distance(cell)))
    };
    let empty = cells().filter(|(_, (_, mark))| mark.is_none());
    empty.max_by_key(remoteness).map(|(index, _)| index)
}
