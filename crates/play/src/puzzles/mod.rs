//! Puzzles at one terminal: which comes next, how it goes, and what is stored of it.

mod words;

use std::collections::HashSet;

use anyhow::Result;
use noughts_engine::{
    AttemptError, Budget, PUZZLE_NODES, Puzzle, PuzzleAttempt, PuzzleFeedback, PuzzleGenerator,
    PuzzleSet, day_of,
};
use noughts_rules::{Game, Move, Player, Position, Rules};
use noughts_store::{PuzzleEvent, PuzzleProgress, PuzzleResult, StoreError};

use crate::{Database, GameFilter, now};
pub use words::{describe_feedback, describe_progress, describe_solution, puzzle_task};

/// Which puzzles to solve.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PuzzleFilter {
    /// Only those of these rules.
    pub rules: Option<Rules>,
    /// Only those of this difficulty.
    pub difficulty: Option<u8>,
}

/// Which puzzles a session goes through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PuzzleChoice {
    /// Those that come.
    pub filter: PuzzleFilter,
    /// Whether to begin with the puzzle of the day, even if it does not pass the filter.
    pub daily: bool,
    /// Whether they come from the player's own stored games.
    pub own: bool,
}

impl PuzzleFilter {
    /// Whether a puzzle passes.
    #[must_use]
    pub fn matches(&self, puzzle: &Puzzle) -> bool {
        self.rules.as_ref().is_none_or(|rules| rules == puzzle.rules())
            && self.difficulty.is_none_or(|difficulty| difficulty == puzzle.difficulty())
    }
}

/// Puzzles, one after the other.
pub struct PuzzleSession {
    attempt: PuzzleAttempt,
    /// The day whose puzzle is the present one, if it is a puzzle of the day.
    day: Option<u64>,
    /// The puzzles to come.
    rest: Box<dyn Iterator<Item = Puzzle> + Send>,
    progress: PuzzleProgress,
    /// `None` if nothing is stored.
    database: Option<Database>,
    /// Whether the first result of the present puzzle is stored.
    is_decided: bool,
}

/// The newest games that are searched for puzzles of the player's own.
const MAX_OWN_GAMES: usize = 200;

/// Positions that a search for one's own puzzles visits for each proof: a person waits for it.
const OWN_PUZZLE_NODES: u64 = 50_000;

impl PuzzleSession {
    /// The puzzles of a choice; `None` if there is none.
    pub fn open(
        choice: &PuzzleChoice,
        database: Option<Database>,
    ) -> Result<Option<PuzzleSession>> {
        match (choice.own, database) {
            (true, Some(database)) => PuzzleSession::own(&choice.filter, database),
            (true, None) => Ok(None),
            (false, database) => PuzzleSession::shipped(&choice.filter, choice.daily, database),
        }
    }

    /// The puzzle of the day, if the filter lets all pass or `daily` is set, then those of the filter:
    /// untried ones first, the nearest to the player's rating before the others. `None` if no puzzle
    /// passes.
    fn shipped(
        filter: &PuzzleFilter,
        daily: bool,
        database: Option<Database>,
    ) -> Result<Option<PuzzleSession>> {
        let (progress, tried) = read_progress(database.as_ref())?;
        let set = PuzzleSet::shipped();
        let today = today();
        let due = set.daily(today);
        let begins_daily = daily || *filter == PuzzleFilter::default();
        let mut puzzles: Vec<Puzzle> =
            set.iter().filter(|puzzle| filter.matches(puzzle)).cloned().collect();
        let distance = |puzzle: &Puzzle| {
            (f64::from(puzzle.rating()) - progress.rating.value).abs().round() as u64
        };
        puzzles.sort_by_cached_key(|puzzle| {
            (tried.contains(&puzzle.id().to_string()), distance(puzzle), puzzle.id())
        });
        let mut rest = puzzles.into_iter();
        if begins_daily {
            let due_again = due.clone();
            let rest = Box::new(rest.filter(move |puzzle| *puzzle != due_again));
            return Ok(Some(PuzzleSession::new(
                due.clone(),
                Some(today),
                rest,
                progress,
                database,
            )));
        }
        let first = rest.next();
        Ok(first.map(|first| PuzzleSession::new(first, None, Box::new(rest), progress, database)))
    }

    /// Puzzles from the player's own stored games, the newest first. `None` if they have none.
    fn own(filter: &PuzzleFilter, database: Database) -> Result<Option<PuzzleSession>> {
        let (progress, _) = read_progress(Some(&database))?;
        let games = database.games_where(&GameFilter::default(), MAX_OWN_GAMES)?;
        let positions = games.into_iter().map(|stored| stored.game.position().clone());
        let filter = filter.clone();
        let mut seen = HashSet::new();
        let mut puzzles = positions
            .flat_map(|game: Position| {
                let budget = Budget::unlimited().with_nodes(OWN_PUZZLE_NODES);
                let rules = game.rules().clone();
                PuzzleGenerator::of_games(&rules, [game], &budget)
            })
            .filter(move |puzzle| filter.matches(puzzle) && seen.insert(puzzle.id()));
        let first = puzzles.next();
        let rest = Box::new(puzzles);
        Ok(first.map(|first| PuzzleSession::new(first, None, rest, progress, Some(database))))
    }

    fn new(
        puzzle: Puzzle,
        day: Option<u64>,
        rest: Box<dyn Iterator<Item = Puzzle> + Send>,
        progress: PuzzleProgress,
        database: Option<Database>,
    ) -> PuzzleSession {
        let attempt = PuzzleAttempt::new(&puzzle);
        PuzzleSession { attempt, day, rest, progress, database, is_decided: false }
    }

    /// The present puzzle.
    #[must_use]
    pub fn puzzle(&self) -> &Puzzle {
        self.attempt.puzzle()
    }

    /// The attempt at it.
    #[must_use]
    pub fn attempt(&self) -> &PuzzleAttempt {
        &self.attempt
    }

    /// Whether the present puzzle is that of the day.
    #[must_use]
    pub fn is_daily(&self) -> bool {
        self.day.is_some()
    }

    /// The position of the attempt, as a game between players with the default symbols.
    #[must_use]
    pub fn game(&self) -> Game {
        puzzle_game(self.attempt.position())
    }

    /// How far the player has come.
    #[must_use]
    pub fn progress(&self) -> &PuzzleProgress {
        &self.progress
    }

    /// The days in a row on which the puzzle of the day was solved.
    #[must_use]
    pub fn streak(&self) -> u64 {
        self.progress.streak(today())
    }

    /// Makes a move, and stores the first result.
    ///
    /// # Errors
    ///
    /// If the move has no answer. A result that can't be stored is an error too, in the inner result.
    pub fn play(
        &mut self,
        mv: Move,
    ) -> std::result::Result<(PuzzleFeedback, Result<(), StoreError>), AttemptError> {
        let feedback = self.attempt.play(mv, &budget())?;
        let stored = match &feedback {
            PuzzleFeedback::Right { .. } => Ok(()),
            PuzzleFeedback::Solved { .. } => self.record(PuzzleResult::Solved),
            PuzzleFeedback::Wrong { .. } => self.record(PuzzleResult::Failed),
        };
        Ok((feedback, stored))
    }

    /// A hint: some moves, including the right one. It keeps the puzzle from being rated.
    pub fn hint(&mut self) -> (Vec<Move>, Result<(), StoreError>) {
        let stored = self.record(PuzzleResult::Hint);
        let has_begun = self.attempt.position().history().len() > 0;
        match self.attempt.solution().first() {
            Some(&mv) if has_begun => (vec![mv], stored),
            _ => (self.puzzle().hint(), stored),
        }
    }

    /// The moves from here to the end, for a player who gives up.
    pub fn give_up(&mut self) -> (Vec<Move>, Result<(), StoreError>) {
        let stored = self.record(PuzzleResult::Failed);
        (self.attempt.solution().to_vec(), stored)
    }

    /// Begins the present puzzle anew.
    pub fn start_over(&mut self) {
        self.attempt = PuzzleAttempt::new(self.attempt.puzzle());
    }

    /// Goes on to the next puzzle; false if there is none.
    pub fn next_puzzle(&mut self) -> bool {
        let Some(puzzle) = self.rest.next() else { return false };
        self.attempt = PuzzleAttempt::new(&puzzle);
        self.day = None;
        self.is_decided = false;
        true
    }

    fn record(&mut self, result: PuzzleResult) -> Result<(), StoreError> {
        let repeats = std::mem::replace(&mut self.is_decided, true);
        let Some(database) = &self.database else { return Ok(()) };
        if repeats && result != PuzzleResult::Solved {
            return Ok(());
        }
        let puzzle = self.attempt.puzzle();
        let (id, rating) = (puzzle.id().to_string(), f64::from(puzzle.rating()));
        let event = PuzzleEvent { puzzle: &id, rating, result, at: now(), day: self.day };
        database.record_puzzle(event)?;
        self.progress = database.puzzle_progress()?;
        Ok(())
    }
}

/// The budget of an answer to a move.
fn budget() -> Budget {
    Budget::unlimited().with_nodes(PUZZLE_NODES)
}

/// Today, as the puzzles of the day are counted.
fn today() -> u64 {
    day_of(now())
}

/// A position between players with the default names and symbols.
fn puzzle_game(position: &Position) -> Game {
    let players: Vec<Player> = position.rules().seats().map(Player::default_for).collect();
    Game::from_position(position.clone(), players).expect("the default players can play")
}

/// The progress, and the ids of the puzzles that were tried.
fn read_progress(
    database: Option<&Database>,
) -> Result<(PuzzleProgress, HashSet<String>), StoreError> {
    match database {
        Some(database) => Ok((database.puzzle_progress()?, database.tried_puzzles()?)),
        None => Ok((PuzzleProgress::default(), HashSet::new())),
    }
}
