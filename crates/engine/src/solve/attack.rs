//! The attack search: does the attacker win within a number of plies?
//!
//! The defender is content with anything else, which makes most of the pruning sound. Two such
//! searches settle a position, and growing limits give the distance of the win.

use super::candidates::{self, Candidates};
use super::pairing::PairingSearch;
use super::proof_search::ProofSearch;
use super::proof_table::{NEVER, ProofBounds, ProofTable};
use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::Value;
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

/// The limits tried before an unlimited attack: most wins are short and found much faster so.
const SHORT_ATTACK_PLIES: std::ops::RangeInclusive<u16> = 1..=14;

#[derive(Debug)]
pub(super) struct AttackSearch {
    board: Board,
    meter: Meter,
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
    fn run(&mut self, attacker: usize, limit: u16) -> Result<AttackResult, OutOfBudget> {
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

    /// The plies of the attacker's shortest win, if it has one.
    fn shortest_win(&mut self, attacker: usize) -> Result<Option<u16>, OutOfBudget> {
        let mut plies = NEVER;
        // All wins of the attacker have the same parity. In misère games the defender completes the
        // line.
        let own_move = self.board.turn() == attacker;
        let odd = own_move != self.board.tables().misere;
        let short = SHORT_ATTACK_PLIES.filter(|plies| (plies % 2 == 1) == odd);
        for limit in short.chain([NEVER - 1]) {
            match self.run(attacker, limit)? {
                AttackResult::Wins(found) => {
                    plies = found;
                    break;
                }
                AttackResult::Holds(NEVER) => return Ok(None),
                AttackResult::Holds(_) => {}
            }
        }
        while plies > 2 && plies < NEVER {
            match self.run(attacker, plies - 2)? {
                AttackResult::Wins(shorter) => plies = shorter,
                AttackResult::Holds(_) => break,
            }
        }
        Ok((plies < NEVER).then_some(plies))
    }

    /// Strategy stealing: if an extra stone never hurts, the first player cannot lose from the empty
    /// board.
    fn opponent_cannot_win(&self) -> bool {
        let tables = self.board.tables();
        let stones_help = !tables.misere && !tables.gravity && !tables.exact;
        stones_help && self.board.empty_count() == tables.cell_count
    }

    /// Whether the attacker cannot win within `limit` plies.
    fn holds(&mut self, attacker: usize, limit: u16) -> Result<bool, OutOfBudget> {
        Ok(matches!(self.run(attacker, limit)?, AttackResult::Holds(_)))
    }
}

impl ProofSearch for AttackSearch {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }

    fn meter(&self) -> &Meter {
        &self.meter
    }

    fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn value(&mut self) -> Result<Value, OutOfBudget> {
        let (mover, other) = (self.board.turn(), self.board.opponent());
        if let Some(plies) = self.shortest_win(mover)? {
            return Ok(Value::Win { plies });
        }
        if self.opponent_cannot_win() {
            return Ok(Value::Draw);
        }
        Ok(match self.shortest_win(other)? {
            Some(plies) => Value::Loss { plies },
            None => Value::Draw,
        })
    }

    fn is_at_most(&mut self, value: Value) -> Result<bool, OutOfBudget> {
        let (mover, other) = (self.board.turn(), self.board.opponent());
        match value {
            Value::Win { plies } => match plies.checked_sub(1) {
                None | Some(0) => Ok(true),
                Some(less) => self.holds(mover, less),
            },
            Value::Draw => self.holds(mover, NEVER - 1),
            Value::Loss { plies } => Ok(!self.holds(other, plies)?),
        }
    }
}
