//! Finds puzzles in games.

use std::collections::{HashSet, VecDeque};

use noughts_rules::{Mark, Position, Rules, Seat};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::{Puzzle, PuzzleError, without_history};
use crate::players::PlayerKind;
use crate::solve::MAX_SOLVABLE_CELLS;
use crate::{Budget, PUZZLE_NODES};

/// Finds puzzles in games between the levels of the computer, or in given ones. Seed and node budget
/// decide which.
///
/// ```
/// use noughts_engine::{Budget, PuzzleGenerator};
/// use noughts_rules::Rules;
///
/// let budget = Budget::unlimited().with_nodes(20_000);
/// let puzzles = |seed| PuzzleGenerator::new(&Rules::classic(), seed, &budget).take(2);
/// let found: Vec<_> = puzzles(1).collect();
/// assert_eq!(found.len(), 2);
/// assert!(puzzles(1).eq(found));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PuzzleGenerator {
    rules: Rules,
    rng: SmallRng,
    budget: Budget,
    /// Positions that were tried, in one form for all their mirror images.
    seen: HashSet<(Option<Seat>, Vec<Option<Mark>>)>,
    found: VecDeque<Puzzle>,
    /// Given games; with none left, the computer plays if it may.
    games: VecDeque<Position>,
    may_play: bool,
}

/// Games in a row without a new puzzle after which a generator ends.
const MAX_FRUITLESS_GAMES: usize = 400;

/// Positions of one game that are not proven before the generator leaves it: the earlier ones are harder.
const MAX_UNPROVEN: usize = 2;

/// The levels that play, the weak ones for their mistakes. On large boards these would scatter their
/// stones.
const LEVELS: [&str; 5] = ["random", "easy", "medium", "medium", "hard"];
const LARGE_BOARD_LEVELS: [&str; 2] = ["medium", "hard"];

/// The nodes of a level for one move.
const MOVE_NODES: u64 = 400;

impl PuzzleGenerator {
    /// A generator for these rules, with a budget for the proof of each position.
    #[must_use]
    pub fn new(rules: &Rules, seed: u64, budget: &Budget) -> PuzzleGenerator {
        PuzzleGenerator {
            rules: rules.clone(),
            rng: SmallRng::seed_from_u64(seed),
            budget: budget.clone().or_nodes(PUZZLE_NODES / 5),
            seen: HashSet::new(),
            found: VecDeque::new(),
            games: VecDeque::new(),
            may_play: true,
        }
    }

    /// A generator that looks at the positions of these games only. Games of other rules are left out.
    #[must_use]
    pub fn of_games(
        rules: &Rules,
        games: impl IntoIterator<Item = Position>,
        budget: &Budget,
    ) -> PuzzleGenerator {
        let games = games.into_iter().filter(|game| game.rules() == rules).collect();
        PuzzleGenerator { games, may_play: false, ..PuzzleGenerator::new(rules, 0, budget) }
    }

    /// The puzzles of a game, the last position first.
    fn search(&mut self, mut game: Position) {
        let mut found = Vec::new();
        let mut unproven = 0;
        while game.undo().is_ok() && unproven < MAX_UNPROVEN && !self.budget.is_stopped() {
            if game.stone_count() == 0
                || game.turn().is_none()
                || !self.seen.insert(canonical(&game))
            {
                continue;
            }
            match Puzzle::try_find(&without_history(&game), &self.budget) {
                Ok(puzzle) => found.extend(puzzle),
                Err(PuzzleError::OutOfBudget(_)) => unproven += 1,
                Err(_) => return,
            }
        }
        if self.may_play {
            // Neighbouring positions of one game resemble each other.
            self.found.extend(found.choose(&mut self.rng).cloned());
        } else {
            self.found.extend(found);
        }
    }

    /// A game between two levels.
    fn play(&mut self) -> Position {
        let is_large = self.rules.cell_count() >= MAX_SOLVABLE_CELLS;
        let levels: &[&str] = if is_large { &LARGE_BOARD_LEVELS } else { &LEVELS };
        let mut strategies = [(); 2].map(|()| {
            let level = levels.choose(&mut self.rng).copied().unwrap_or("medium");
            let kind = level.parse::<PlayerKind>().ok();
            kind.and_then(|kind| kind.strategy(self.rng.random()))
        });
        let budget = self.budget.clone().with_nodes(MOVE_NODES);
        let mut game = Position::new(&self.rules);
        while let Some(seat) = game.turn() {
            let Some(strategy) = &mut strategies[seat.index() % 2] else { break };
            let Ok(choice) = strategy.choose(&game, &budget) else { break };
            if game.play(choice.mv).is_err() {
                break;
            }
        }
        game
    }
}

impl Iterator for PuzzleGenerator {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        if self.rules.players() != 2 {
            return None;
        }
        let mut games_left = MAX_FRUITLESS_GAMES;
        while self.found.is_empty() && !self.budget.is_stopped() {
            let game = match self.games.pop_front() {
                Some(game) => game,
                None if self.may_play && games_left > 0 => {
                    games_left -= 1;
                    self.play()
                }
                None => return None,
            };
            self.search(game);
        }
        self.found.pop_front()
    }
}

/// The board and the turn, the same for all mirror images.
fn canonical(position: &Position) -> (Option<Seat>, Vec<Option<Mark>>) {
    let rules = position.rules();
    let marks: Vec<Option<Mark>> = rules.cells().map(|cell| position.mark_at(cell)).collect();
    let image = |symmetry: Vec<usize>| {
        let mut image = vec![None; marks.len()];
        symmetry.iter().zip(&marks).for_each(|(&to, &mark)| image[to] = mark);
        image
    };
    (position.turn(), rules.symmetries().map(image).min().unwrap_or_default())
}
