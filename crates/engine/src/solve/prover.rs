//! From answers about attacks to values of positions.

use noughts_rules::{Cell, Position};

use super::SolveError;
use super::attack::{Answer, Attack};
use super::table::FOREVER;
use crate::board::Board;
use crate::budget::{Budget, OutOfBudget};
use crate::threats::urgency;
use crate::verdict::Value;

/// Finds the values of a position and of those after it, remembering what it has proven.
#[derive(Debug)]
pub(crate) struct Prover {
    attack: Attack,
}

/// Before an unlimited attack, shorter ones are tried: wins are often short, and then found
/// much faster.
const SHORT_ATTACKS: std::ops::RangeInclusive<u16> = 1..=14;

impl Prover {
    pub(crate) fn new(position: &Position, budget: &Budget) -> Result<Prover, SolveError> {
        if position.outcome().is_some() {
            return Err(SolveError::GameOver);
        }
        let board = Board::new(position);
        match board.order().len() {
            2 => Ok(Prover { attack: Attack::new(board, budget) }),
            seats => Err(SolveError::ManySeats { seats }),
        }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.attack.meter.nodes()
    }

    /// Does something with one of so many equal parts of the budget that is left.
    pub(crate) fn within_part<T>(&mut self, parts: usize, act: impl FnOnce(&mut Prover) -> T) -> T {
        let part = self.attack.meter.begin_part(parts);
        let result = act(self);
        self.attack.meter.end_part(part);
        result
    }

    /// The value for the seat to move.
    pub(crate) fn value(&mut self) -> Result<Value, OutOfBudget> {
        let (mover, other) = (self.attack.board.turn(), self.attack.board.opponent());
        if let Some(plies) = self.shortest_win(mover)? {
            return Ok(Value::Win { plies });
        }
        if self.other_cannot_win() {
            return Ok(Value::Draw);
        }
        Ok(match self.shortest_win(other)? {
            Some(plies) => Value::Loss { plies },
            None => Value::Draw,
        })
    }

    /// The value of a legal move for who makes it.
    pub(crate) fn value_of(&mut self, cell: usize) -> Result<Value, OutOfBudget> {
        let completed = self.attack.board.play(cell);
        let misere = self.attack.board.geometry().misere;
        let value = if completed {
            Ok(if misere { Value::Loss { plies: 1 } } else { Value::Win { plies: 1 } })
        } else if self.attack.board.empty() == 0 {
            Ok(Value::Draw)
        } else {
            self.value().map(Value::before_move)
        };
        self.attack.board.undo();
        value
    }

    /// Best play from here, whose value is given, as far as the budget goes.
    pub(crate) fn line(&mut self, value: Value) -> Vec<Cell> {
        match self.move_with(value) {
            Ok(Some(cell)) => self.line_from(cell, value),
            _ => Vec::new(),
        }
    }

    /// Best play that begins with a move of the given value, as far as the budget goes.
    pub(crate) fn line_from(&mut self, cell: usize, value: Value) -> Vec<Cell> {
        let depth = self.attack.board.depth();
        let (mut next, mut value) = (Some(cell), value);
        let mut line = Vec::new();
        while let Some(cell) = next {
            line.push(self.attack.board.cell(cell));
            let completed = self.attack.board.play(cell);
            if completed || self.attack.board.empty() == 0 {
                break;
            }
            value = value.after_move();
            next = self.move_with(value).ok().flatten();
        }
        self.attack.board.undo_to(depth);
        line
    }

    /// Of the moves that keep the value of the position, which is given, those after which the
    /// other seat has the most ways to go wrong. None, if the budget runs out first.
    pub(crate) fn most_testing_moves(&mut self, value: Value) -> Vec<Cell> {
        let mut best = Vec::new();
        let mut most_mistakes = 0;
        for cell in self.moves_by_urgency() {
            let Ok(kept) = self.keeps(value, cell) else { break };
            if !kept {
                continue;
            }
            let mistakes = self.mistakes_after(cell, value);
            if mistakes > most_mistakes {
                best.clear();
                most_mistakes = mistakes;
            }
            if mistakes == most_mistakes {
                best.push(self.attack.board.cell(cell));
            }
        }
        best
    }

    /// How many replies to a move that keeps the value throw away what the other seat has; 0 where
    /// counting them is not cheap or there is nothing to throw away.
    fn mistakes_after(&mut self, cell: usize, value: Value) -> usize {
        const FEW_CELLS: usize = 16;
        let few = (2..=FEW_CELLS).contains(&self.attack.board.empty());
        if !few || matches!(value, Value::Win { .. } | Value::Loss { plies: 1 }) {
            return 0;
        }
        self.attack.board.play(cell);
        let replies = self.moves_by_urgency();
        let kept = value.after_move();
        let errs = |prover: &mut Prover, reply: usize| prover.keeps(kept, reply) == Ok(false);
        let mistakes = replies.into_iter().filter(|&reply| errs(self, reply)).count();
        self.attack.board.undo();
        mistakes
    }

    /// A move that keeps the value of the position, which is given.
    fn move_with(&mut self, value: Value) -> Result<Option<usize>, OutOfBudget> {
        for cell in self.moves_by_urgency() {
            if self.keeps(value, cell)? {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// The legal moves, the likeliest to be good first.
    fn moves_by_urgency(&self) -> Vec<usize> {
        let board = &self.attack.board;
        let mut moves: Vec<usize> = board.legal_moves().collect();
        moves.sort_by_key(|&cell| std::cmp::Reverse(urgency(board, cell)));
        moves
    }

    /// Whether a move keeps the value of the position: one question, not a value.
    fn keeps(&mut self, value: Value, cell: usize) -> Result<bool, OutOfBudget> {
        let attack = &mut self.attack;
        let (mover, other) = (attack.board.turn(), attack.board.opponent());
        let misere = attack.board.geometry().misere;
        let completed = attack.board.play(cell);
        let full = attack.board.empty() == 0;
        let kept = match value {
            Value::Win { plies } if completed => Ok(!misere && plies == 1),
            Value::Loss { plies } if completed => Ok(misere && plies == 1),
            Value::Draw if completed => Ok(false),
            _ if full => Ok(value == Value::Draw),
            Value::Win { plies } => {
                attack.ask(mover, plies - 1).map(|answer| matches!(answer, Answer::Wins(_)))
            }
            // Lasts no shorter than the best, so it is one of the best.
            Value::Loss { plies } => match plies.checked_sub(2) {
                None => Ok(true),
                Some(less) => {
                    attack.ask(other, less).map(|answer| matches!(answer, Answer::Holds(_)))
                }
            },
            Value::Draw => {
                attack.ask(other, FOREVER - 1).map(|answer| matches!(answer, Answer::Holds(_)))
            }
        };
        attack.board.undo();
        kept
    }

    /// In how many plies the attacker wins, if it can.
    fn shortest_win(&mut self, attacker: usize) -> Result<Option<u16>, OutOfBudget> {
        let mut plies = FOREVER;
        // The attacker's wins all take an odd or all an even number of plies. In misère games the
        // other one completes the line.
        let own_move = self.attack.board.turn() == attacker;
        let odd = own_move != self.attack.board.geometry().misere;
        let short = SHORT_ATTACKS.filter(|plies| (plies % 2 == 1) == odd);
        for limit in short.chain([FOREVER - 1]) {
            match self.attack.ask(attacker, limit)? {
                Answer::Wins(found) => {
                    plies = found;
                    break;
                }
                Answer::Holds(FOREVER) => return Ok(None),
                Answer::Holds(_) => {}
            }
        }
        while plies > 2 && plies < FOREVER {
            match self.attack.ask(attacker, plies - 2)? {
                Answer::Wins(shorter) => plies = shorter,
                Answer::Holds(_) => break,
            }
        }
        Ok((plies < FOREVER).then_some(plies))
    }

    /// Strategy stealing: where a stone can only help its seat, who moves first on an empty board
    /// need not lose.
    fn other_cannot_win(&self) -> bool {
        let board = &self.attack.board;
        let geometry = board.geometry();
        let stones_help = !geometry.misere && !geometry.gravity && !geometry.exact;
        stones_help && board.empty() == board.geometry().cells
    }
}
