//! The levels between random and perfect play.

use std::cmp::Reverse;

use noughts_rules::{Line, Move, Position};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::skill::{EASY, HARD, MEDIUM, Skill};
use crate::best_line::search_best_line;
use crate::board::Board;
use crate::generic::{AlphaBeta, Evaluate, PositionEvaluation};
use crate::method::Method;
use crate::search::{Search, SearchLimits, single_stone_value};
use crate::tactics::{Tactics, opening_move};
use crate::threats::urgency;
use crate::{Budget, Choice, Strategy, StrategyError, opening};

/// Plays like a person of some skill: it takes a win that is there, plans with the lines that it
/// notices, and looks only so far ahead. The same seed and node limit give the same moves.
///
/// ```
/// use noughts_engine::{Budget, Skilled, Strategy};
/// use noughts_rules::Position;
///
/// // An open three must be answered.
/// let position: Position = "9x9:5 9/9/o8/3xxx3/o8/9/9/9/9 o".parse()?;
/// let choice = Skilled::medium(1).choose(&position, &Budget::unlimited())?;
/// assert!(["D3", "D7"].contains(&&*choice.mv.to_string()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Skilled {
    skill: &'static Skill,
    rng: SmallRng,
}

/// On boards of at most this many cells a search scores every move, so that equal moves are
/// chosen equally often.
const MAX_SCORED_CELLS: usize = 25;

/// The deepest search that scores every move of a larger board.
const MAX_SCORED_DEPTH: u32 = 2;

/// What counts as a line with one stone in the evaluations of other games.
const ANY_GAME_UNIT: f64 = 24.0;

impl Skilled {
    /// Takes a win and usually blocks a line, but does not look ahead.
    #[must_use]
    pub fn easy(seed: u64) -> Skilled {
        Skilled::new(&EASY, seed)
    }

    /// Always takes a win and blocks a line, answers open threes, and overlooks some forks.
    #[must_use]
    pub fn medium(seed: u64) -> Skilled {
        Skilled::new(&MEDIUM, seed)
    }

    /// Plans some moves ahead and rarely overlooks anything.
    #[must_use]
    pub fn hard(seed: u64) -> Skilled {
        Skilled::new(&HARD, seed)
    }

    fn new(skill: &'static Skill, seed: u64) -> Skilled {
        Skilled { skill, rng: SmallRng::seed_from_u64(seed) }
    }

    /// A search of the lines that the player notices.
    fn choose_on_lines(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Result<Choice, StrategyError> {
        let board = Board::new(position);
        if let Some(&win) = Tactics::on_board(&board).wins.choose(&mut self.rng) {
            return Ok(Choice::without_verdict(win));
        }
        if self.skill.knows_openings
            && let Some(cell) = opening_move(&board)
        {
            return Ok(Choice::without_verdict(board.cell(cell)));
        }
        let board = self.perceived(position, board);
        let budget = at_most(budget, self.skill.max_nodes);
        let mut search = Search::on_board(board.clone(), &budget, self.skill.limits);
        let is_large = board.tables().cell_count > MAX_SCORED_CELLS;
        let cell = if is_large && self.skill.limits.max_depth > MAX_SCORED_DEPTH {
            search.best_move().map(|best| best.cell)
        } else {
            let cells = self.candidates(&board);
            let scores = search.scores(&cells);
            let tolerance = self.skill.tolerance * f64::from(single_stone_value(&board));
            choose_by_score(&cells, &scores, tolerance, &mut self.rng)
        };
        let cell = cell.ok_or(StrategyError::GameOver)?;
        Ok(Choice::without_verdict(board.cell(cell)))
    }

    /// The board with the lines that the player notices.
    fn perceived(&mut self, position: &Position, board: Board) -> Board {
        let noticed = self.skill.attention.noticed_lines(position, &mut self.rng);
        if noticed.iter().all(|&is_noticed| is_noticed) {
            return board;
        }
        let lines = position.rules().lines().into_iter().zip(noticed);
        let lines: Vec<Line> =
            lines.filter(|&(_, is_noticed)| is_noticed).map(|(line, _)| line).collect();
        Board::with_fewer_lines(position, &lines)
    }

    /// The moves that come to mind: blocks if there is a threat, else cells on promising lines.
    fn candidates(&self, board: &Board) -> Vec<usize> {
        let Tactics { blocks, safe, .. } = Tactics::on_board(board);
        let moves = if blocks.is_empty() { safe } else { blocks };
        let cells = moves.iter().filter_map(|mv| mv.cell());
        let mut cells: Vec<usize> = cells.map(|cell| board.tables().index(cell)).collect();
        let off_centre = |cell| board.tables().off_centre(cell);
        cells.sort_by_key(|&cell| (Reverse(urgency(board, cell)), off_centre(cell)));
        cells.truncate(self.skill.limits.root_width);
        cells
    }

    /// What the player sees by trying moves, and a search of limited size.
    fn choose_in_any_game(
        &mut self,
        position: &Position,
        budget: &Budget,
    ) -> Result<Choice, StrategyError> {
        let Tactics { sound, wins, blocks, safe } = Tactics::new(position)?;
        if let Some(&win) = wins.choose(&mut self.rng) {
            return Ok(Choice::without_verdict(win));
        }
        let budget = at_most(budget, self.skill.max_any_game_nodes);
        if self.skill.limits.max_depth > MAX_SCORED_DEPTH {
            let seed = self.rng.random();
            let best = search_best_line(position, &budget, self.skill.limits, seed)?;
            return Ok(Choice { mv: best.mv, verdict: Some(best.verdict) });
        }
        let overlooks_threat = self.rng.random_bool(self.skill.attention.threat);
        let moves = match blocks {
            _ if overlooks_threat => sound,
            blocks if blocks.is_empty() => safe,
            blocks => blocks,
        };
        let scores = scores(position, &moves, &budget);
        let tolerance = self.skill.tolerance * ANY_GAME_UNIT;
        let mv = choose_by_score(&moves, &scores, tolerance, &mut self.rng);
        mv.map(Choice::without_verdict).ok_or(StrategyError::GameOver)
    }
}

impl Strategy for Skilled {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        if position.outcome().is_some() {
            return Err(StrategyError::GameOver);
        }
        match Method::of(position) {
            Method::Opening => {
                let budget = at_most(budget, self.skill.max_any_game_nodes);
                // The game beneath is searched at least one ply deep.
                let max_depth = self.skill.limits.max_depth.max(1);
                let limits = SearchLimits { max_depth, ..self.skill.limits };
                opening::choose(position, &budget, limits, self.rng.random())
            }
            Method::Lines => self.choose_on_lines(position, budget),
            Method::Renju | Method::AnyGame => self.choose_in_any_game(position, budget),
        }
    }
}

fn at_most(budget: &Budget, max_nodes: u64) -> Budget {
    let nodes = budget.nodes().map_or(max_nodes, |nodes| nodes.min(max_nodes));
    budget.clone().with_nodes(nodes)
}

/// The scores of these moves for the seat that makes them.
fn scores(position: &Position, moves: &[Move], budget: &Budget) -> Vec<i32> {
    if let Some(board) = Board::counting(position) {
        let sign = if board.tables().misere { -1 } else { 1 };
        let index = |mv: &Move| mv.cell().map(|cell| board.tables().index(cell));
        let urgency = |mv| index(mv).map_or(0, |cell| sign * urgency(&board, cell) as i32);
        return moves.iter().map(urgency).collect();
    }
    let evaluation = PositionEvaluation::new(position.rules());
    let search = AlphaBeta::new(|position: &Position| evaluation.evaluate(position));
    let judged = search.score_moves(position, budget).unwrap_or_default();
    let verdict = |mv| judged.iter().find(|judged| judged.mv == mv).map(|judged| judged.verdict);
    let score = |&mv: &Move| match verdict(mv) {
        Some(verdict) => opening::score(verdict),
        // More than two seats.
        None => score_after(position, mv, &evaluation),
    };
    moves.iter().map(score).collect()
}

/// The evaluation after a move, for the seat that makes it.
fn score_after(position: &Position, mv: Move, evaluation: &PositionEvaluation) -> i32 {
    let mut after = position.clone();
    match after.play(mv) {
        Ok(None) if after.turn() == position.turn() => evaluation.evaluate(&after),
        Ok(None) => -evaluation.evaluate(&after),
        _ => 0,
    }
}

/// One of the best: its probability falls with its distance from the best score.
fn choose_by_score<T: Copy>(
    moves: &[T],
    scores: &[i32],
    tolerance: f64,
    rng: &mut SmallRng,
) -> Option<T> {
    let best = f64::from(*scores.iter().max()?);
    let scored: Vec<(T, i32)> = moves.iter().copied().zip(scores.iter().copied()).collect();
    let weight = |&(_, score): &(T, i32)| ((f64::from(score) - best) / tolerance).exp();
    scored.choose_weighted(rng, weight).ok().map(|&(mv, _)| mv)
}
