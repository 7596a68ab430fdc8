//! The attack search: does the attacker win within a number of plies?
//!
//! The defender is content with anything else, which makes most of the pruning sound. Two such
//! searches settle a position, and growing limits give the distance of the win.

use super::candidates::{self, Candidates};
use super::pairing::PairingSearch;
use super::proof_table::{NEVER, ProofBounds, ProofTable};
use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::zobrist::splitmix64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttackResult {
    /// The attacker wins within this many plies.
    Wins(u16),
    /// The attacker does not win within this many plies, or not at all if [`NEVER`].
    Holds(u16),
}

impl AttackResult {
    /// The result for the position one move earlier.
    fn before_move(self) -> AttackResult {
        match self {
            AttackResult::Wins(plies) => AttackResult::Wins(plies + 1),
            AttackResult::Holds(plies) => AttackResult::Holds(plies.saturating_add(1)),
        }
    }
}

#[derive(Debug)]
pub(super) struct AttackSearch {
    pub(super) board: Board,
    pub(super) meter: Meter,
    attacker: usize,
    table: ProofTable,
    pairing: PairingSearch,
    /// A stack of the move lists on the current path, with their ordering scores.
    moves: Vec<(u32, u16)>,
}

impl AttackSearch {
    pub(super) fn new(board: Board, budget: &Budget) -> AttackSearch {
        AttackSearch {
            board,
            meter: Meter::new(budget),
            attacker: 0,
            table: ProofTable::new(budget),
            pairing: PairingSearch::default(),
            moves: Vec::new(),
        }
    }

    /// Whether the attacker wins within `limit` plies from the current position.
    pub(super) fn run(&mut self, attacker: usize, limit: u16) -> Result<AttackResult, OutOfBudget> {
        self.attacker = attacker;
        self.moves.clear();
        let ply = self.board.ply();
        let result = self.search(limit);
        self.board.undo_to(ply);
        result
    }

    fn search(&mut self, limit: u16) -> Result<AttackResult, OutOfBudget> {
        self.meter.spend()?;
        let first = self.moves.len();
        let floor = match candidates::list(&self.board, self.attacker, limit, &mut self.moves) {
            Candidates::Settled(result) => return Ok(result),
            Candidates::Forced(cell) => return Ok(self.search_move(cell, limit)?.before_move()),
            Candidates::Open { floor } => floor,
        };
        let result = self.search_open(limit, first, floor);
        self.moves.truncate(first);
        result
    }

    fn search_open(
        &mut self,
        limit: u16,
        first: usize,
        floor: u16,
    ) -> Result<AttackResult, OutOfBudget> {
        let key = self.board.key() ^ splitmix64(self.attacker as u64);
        let mut bounds = self.table.get(key);
        if bounds.wins <= limit {
            return Ok(AttackResult::Wins(bounds.wins));
        }
        if bounds.holds >= limit {
            return Ok(AttackResult::Holds(bounds.holds));
        }
        let attacking = self.board.turn() == self.attacker;
        if self.holds_by_pairing() {
            self.table.insert(key, ProofBounds { holds: NEVER, ..bounds }, 1);
            return Ok(AttackResult::Holds(NEVER));
        }

        let nodes = self.meter.nodes();
        let moves = &mut self.moves[first..];
        moves.sort_unstable_by(|a, b| b.cmp(a));
        if let Some(rank) = moves.iter().position(|&(_, cell)| cell == bounds.best) {
            moves[..=rank].rotate_right(1);
        }
        // Fail-soft: the best that the mover's failing moves achieve.
        let mut result =
            if attacking { AttackResult::Holds(NEVER) } else { AttackResult::Wins(floor) };
        for i in first..self.moves.len() {
            let cell = self.moves[i].1;
            let after = self.search_move(cell.into(), limit)?.before_move();
            result = match (result, after) {
                (AttackResult::Holds(a), AttackResult::Holds(b)) if attacking => {
                    AttackResult::Holds(a.min(b))
                }
                (AttackResult::Wins(a), AttackResult::Wins(b)) if !attacking => {
                    AttackResult::Wins(a.max(b))
                }
                _ => {
                    bounds.best = cell;
                    result = after;
                    break;
                }
            };
        }
        match &mut result {
            AttackResult::Wins(plies) => bounds.wins = *plies,
            AttackResult::Holds(plies) => {
                // The board is full by then.
                if usize::from(*plies) >= self.board.empty_count() {
                    *plies = NEVER;
                }
                bounds.holds = *plies;
            }
        }
        self.table.insert(key, bounds, self.meter.nodes() - nodes);
        Ok(result)
    }

    fn search_move(&mut self, cell: usize, limit: u16) -> Result<AttackResult, OutOfBudget> {
        self.board.play(cell);
        let result = self.search(limit - 1)?;
        self.board.undo();
        Ok(result)
    }

    fn holds_by_pairing(&mut self) -> bool {
        let tables = self.board.tables();
        !tables.gravity && !tables.misere && self.pairing.exists(&self.board, self.attacker)
    }
}
