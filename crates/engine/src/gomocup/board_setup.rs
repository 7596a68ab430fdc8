//! From the stones that a manager has put on the board to a position.
//!
//! Managers show boards that no game leads to: with cells that nobody may use, or with more stones
//! of one side than turns allow. A position of the rules has neither, so what is missing is made
//! up for by seats that have left the game and by stones far from everything.

use noughts_rules::{Cell, Position, PositionParts, PositionPartsError, Rules, RulesParts, Seat};

use super::FIVE;

/// A cell that is taken, and by whom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stone {
    pub(super) cell: Cell,
    pub(super) owner: Owner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Brain,
    Opponent,
    /// The cell is of no use to either.
    Nobody,
}

/// Five in a row on a board of this size, with so many seats.
pub(super) fn rules(rows: u8, cols: u8, exact: bool, players: u8) -> Option<Rules> {
    let parts = RulesParts { rows, cols, k: Some(FIVE), exact, players, ..RulesParts::default() };
    parts.build().ok()
}

/// The position in which the brain is to move.
pub(super) fn position(rules: &Rules, stones: &[Stone]) -> Result<Position, PositionPartsError> {
    let count = |owner: Owner| stones.iter().filter(|stone| stone.owner == owner).count();
    let (own, others) = (count(Owner::Brain), count(Owner::Opponent));
    let dead = stones.iter().filter(|stone| stone.owner == Owner::Nobody);
    let mut of_guests = [0; GUESTS];
    dead.for_each(|stone| of_guests[guest(stone.cell)] += 1);
    let most_of_guests = of_guests.into_iter().max().unwrap_or(0);

    // Those who have left can't have moved more often than the brain.
    let rounds = own.max(others.saturating_sub(1)).max(most_of_guests);
    let brain_begins = others <= rounds;
    let (mine, theirs) = if brain_begins { (0, 1) } else { (1, 0) };
    let guests = if most_of_guests > 0 { GUESTS } else { 0 };
    let rules = match guests {
        0 => rules.clone(),
        _ => self::rules(rules.rows(), rules.cols(), rules.exact(), 2 + guests as u8)
            .unwrap_or_else(|| rules.clone()),
    };
    let mut board = vec![None; rules.cell_count()];
    let cols = usize::from(rules.cols());
    let place = |cell: Cell| usize::from(cell.row()) * cols + usize::from(cell.col());
    for stone in stones {
        board[place(stone.cell)] = match stone.owner {
            Owner::Brain => Seat::new(mine),
            Owner::Opponent => Seat::new(theirs),
            Owner::Nobody => Seat::new(2 + guest(stone.cell) as u8),
        };
    }
    let due = if brain_begins { rounds } else { rounds + 1 };
    for (seat, missing) in [(mine, rounds - own), (theirs, due - others)] {
        for _ in 0..missing {
            if let Some(cell) = loneliest(&rules, &board) {
                board[place(cell)] = Seat::new(seat);
            }
        }
    }
    let resigned = (0..guests).filter_map(|guest| Seat::new(2 + guest as u8)).collect();
    PositionParts { rules, board, turn: Seat::new(mine), resigned }.build()
}

/// As many seats as the rules have beside two.
const GUESTS: usize = 6;

/// Who of those that have left gets a dead cell: no two neighbours in any line are the same, so
/// that none of them has a line.
fn guest(cell: Cell) -> usize {
    (usize::from(cell.row()) + 2 * usize::from(cell.col())) % GUESTS
}

/// The empty cell that is farthest from all stones; of several, the one nearest to an edge.
fn loneliest(rules: &Rules, board: &[Option<Seat>]) -> Option<Cell> {
    let taken: Vec<Cell> =
        rules.cells().zip(board).filter(|(_, seat)| seat.is_some()).map(|(cell, _)| cell).collect();
    let distance = |one: Cell, other: Cell| {
        one.row().abs_diff(other.row()).max(one.col().abs_diff(other.col()))
    };
    let edge = |cell: Cell| {
        let from_end = |at: u8, side: u8| at.min(side - 1 - at);
        from_end(cell.row(), rules.rows()) + from_end(cell.col(), rules.cols())
    };
    let lonely = |cell: &Cell| {
        let nearest = taken.iter().map(|&other| distance(*cell, other)).min();
        (nearest, std::cmp::Reverse(edge(*cell)))
    };
    let empty = rules.cells().zip(board).filter(|(_, seat)| seat.is_none());
    empty.map(|(cell, _)| cell).max_by_key(lonely)
}
