//! One question: does the attacker win within so many plies?
//!
//! The other seat, the defender, is content with anything else. Two such questions settle a
//! position, and growing limits settle the distance. That the defender needs no more than to hold
//! is what makes most of the shortcuts sound.

use super::candidates::{self, Look};
use super::pairing::Pairing;
use super::table::{FOREVER, Known, Table};
use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::keys::scatter;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// The attacker wins within so many plies.
    Wins(u16),
    /// The attacker does not win within so many plies; never, if that is [`FOREVER`].
    Holds(u16),
}

impl Answer {
    /// The same, seen from the position one move earlier.
    fn one_earlier(self) -> Answer {
        match self {
            Answer::Wins(plies) => Answer::Wins(plies + 1),
            Answer::Holds(plies) => Answer::Holds(plies.saturating_add(1)),
        }
    }
}

/// The search for answers.
#[derive(Debug)]
pub(super) struct Attack {
    pub(super) board: Board,
    pub(super) meter: Meter,
    attacker: usize,
    table: Table,
    pairing: Pairing,
    /// The candidate moves of all positions on the way to the current one, with their urgency.
    moves: Vec<(u32, u16)>,
}

impl Attack {
    pub(super) fn new(board: Board, budget: &Budget) -> Attack {
        Attack {
            board,
            meter: Meter::new(budget),
            attacker: 0,
            table: Table::new(budget),
            pairing: Pairing::default(),
            moves: Vec::new(),
        }
    }

    /// Whether the attacker wins within so many plies from where the board stands.
    pub(super) fn ask(&mut self, attacker: usize, limit: u16) -> Result<Answer, OutOfBudget> {
        self.attacker = attacker;
        self.moves.clear();
        let depth = self.board.depth();
        let answer = self.search(limit);
        self.board.undo_to(depth);
        answer
    }

    fn search(&mut self, limit: u16) -> Result<Answer, OutOfBudget> {
        self.meter.spend()?;
        let first = self.moves.len();
        let floor = match candidates::look(&self.board, self.attacker, limit, &mut self.moves) {
            Look::Settled(answer) => return Ok(answer),
            Look::Forced(cell) => return self.answer_after(cell, limit).map(Answer::one_earlier),
            Look::Open { floor } => floor,
        };
        let answer = self.search_open(limit, first, floor);
        self.moves.truncate(first);
        answer
    }

    fn search_open(&mut self, limit: u16, first: usize, floor: u16) -> Result<Answer, OutOfBudget> {
        let key = self.board.key() ^ scatter(self.attacker as u64);
        let mut known = self.table.get(key);
        if known.wins <= limit {
            return Ok(Answer::Wins(known.wins));
        }
        if known.holds >= limit {
            return Ok(Answer::Holds(known.holds));
        }
        let attacking = self.board.turn() == self.attacker;
        if self.holds_by_pairing() {
            self.table.put(key, Known { holds: FOREVER, ..known }, 1);
            return Ok(Answer::Holds(FOREVER));
        }

        let nodes = self.meter.nodes();
        let moves = &mut self.moves[first..];
        moves.sort_unstable_by(|a, b| b.cmp(a));
        if let Some(place) = moves.iter().position(|&(_, cell)| cell == known.best) {
            moves[..=place].rotate_right(1);
        }
        // As long as no move does better, the mover gets the best of what its moves fail by.
        let mut answer = if attacking { Answer::Holds(FOREVER) } else { Answer::Wins(floor) };
        for i in first..self.moves.len() {
            let cell = self.moves[i].1;
            let after = self.answer_after(cell.into(), limit)?.one_earlier();
            answer = match (answer, after) {
                (Answer::Holds(a), Answer::Holds(b)) if attacking => Answer::Holds(a.min(b)),
                (Answer::Wins(a), Answer::Wins(b)) if !attacking => Answer::Wins(a.max(b)),
                _ => {
                    known.best = cell;
                    answer = after;
                    break;
                }
            };
        }
        match &mut answer {
            Answer::Wins(plies) => known.wins = *plies,
            Answer::Holds(plies) => {
                // The board is full before that.
                if usize::from(*plies) >= self.board.empty() {
                    *plies = FOREVER;
                }
                known.holds = *plies;
            }
        }
        self.table.put(key, known, self.meter.nodes() - nodes);
        Ok(answer)
    }

    fn answer_after(&mut self, cell: usize, limit: u16) -> Result<Answer, OutOfBudget> {
        self.board.play(cell);
        let answer = self.search(limit - 1)?;
        self.board.undo();
        Ok(answer)
    }

    fn holds_by_pairing(&mut self) -> bool {
        let geometry = self.board.geometry();
        !geometry.gravity && !geometry.misere && self.pairing.exists(&self.board, self.attacker)
    }
}
