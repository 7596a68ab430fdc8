//! Who has solved which puzzles, and the ratings that come of it.

use std::collections::HashSet;

use noughts_scores::SoloRating;

use crate::database::{read, write};
use crate::{IdentityId, Store, StoreError};

/// Who solves puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PuzzleSolver {
    /// The person at the terminal.
    Local,
    /// A player of the server.
    Identity(IdentityId),
}

impl PuzzleSolver {
    fn row(self) -> i64 {
        match self {
            PuzzleSolver::Local => 0,
            PuzzleSolver::Identity(id) => id.0,
        }
    }
}

/// What happened in an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PuzzleResult {
    /// The puzzle was solved.
    Solved,
    /// A wrong move, or giving up.
    Failed,
    /// A hint was shown.
    Hint,
}

/// An event of an attempt that is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PuzzleEvent<'a> {
    /// The id of the puzzle.
    pub puzzle: &'a str,
    /// The rating of the puzzle.
    pub rating: f64,
    /// What happened.
    pub result: PuzzleResult,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The day, counted from 1970, of which it is the puzzle.
    pub day: Option<u64>,
}

/// How far a solver has come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PuzzleProgress {
    /// The rating.
    pub rating: SoloRating,
    /// Puzzles that were tried.
    pub tried: u64,
    /// Puzzles that were solved, at once or later.
    pub solved: u64,
    /// The days on which the puzzle of the day was solved, the last one first, as far as they matter
    /// for [`streak`](PuzzleProgress::streak).
    pub days: Vec<u64>,
}

/// Removes what is stored about an identity.
pub(crate) const FORGET_PUZZLES: [&str; 3] = [
    "DELETE FROM puzzle_results WHERE solver_id = $1",
    "DELETE FROM daily_puzzles WHERE solver_id = $1",
    "DELETE FROM puzzle_ratings WHERE solver_id = $1",
];

/// The longest streak that is counted.
const MAX_STREAK_DAYS: i64 = 3_660;

impl PuzzleProgress {
    /// The number of days in a row, up to today or yesterday, on which the puzzle of the day was
    /// solved.
    #[must_use]
    pub fn streak(&self, today: u64) -> u64 {
        let is_solved = |day: &u64| self.days.contains(day);
        let last = if is_solved(&today) { Some(today) } else { today.checked_sub(1) };
        let days = std::iter::successors(last, |day| day.checked_sub(1));
        days.take_while(is_solved).count() as u64
    }
}

impl Store {
    /// Stores what happened in an attempt. The first event of a puzzle decides its rating: later ones
    /// only show that it was solved after all. A hint leaves the rating alone.
    ///
    /// Returns the ratings before and after.
    pub async fn record_puzzle(
        &self,
        solver: PuzzleSolver,
        event: PuzzleEvent<'_>,
    ) -> Result<(SoloRating, SoloRating), StoreError> {
        let PuzzleEvent { puzzle, rating: opponent, result, at, day } = event;
        let solver = solver.row();
        let solved = (result == PuzzleResult::Solved).then_some(at);
        let initial = SoloRating::default();
        write!(&*self.database, connection => {
            // An update of the row as it is locks it against other servers.
            let (value, deviation, volatility): (f64, f64, f64) = sqlx::query_as(
                "INSERT INTO puzzle_ratings (solver_id, rating, deviation, volatility)
                 VALUES ($1, $2, $3, $4)
                 ON CONFLICT (solver_id) DO UPDATE SET rating = puzzle_ratings.rating
                 RETURNING rating, deviation, volatility",
            )
            .bind(solver)
            .bind(initial.value)
            .bind(initial.deviation)
            .bind(initial.volatility)
            .fetch_one(&mut *connection)
            .await?;
            let before = SoloRating { value, deviation, volatility };
            let inserted = sqlx::query(
                "INSERT INTO puzzle_results (solver_id, puzzle_id, tried_at, solved_at)
                 VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            )
            .bind(solver)
            .bind(puzzle)
            .bind(at)
            .bind(solved)
            .execute(&mut *connection)
            .await?
            .rows_affected();
            let mut after = before;
            if inserted == 0 {
                sqlx::query(
                    "UPDATE puzzle_results SET solved_at = coalesce(solved_at, $1)
                     WHERE solver_id = $2 AND puzzle_id = $3",
                )
                .bind(solved)
                .bind(solver)
                .bind(puzzle)
                .execute(&mut *connection)
                .await?;
            } else if result != PuzzleResult::Hint {
                after = before.after(opponent, solved.is_some());
                sqlx::query(
                    "UPDATE puzzle_ratings SET rating = $1, deviation = $2, volatility = $3
                     WHERE solver_id = $4",
                )
                .bind(after.value)
                .bind(after.deviation)
                .bind(after.volatility)
                .bind(solver)
                .execute(&mut *connection)
                .await?;
            }
            if let (Some(day), Some(_)) = (day, solved) {
                sqlx::query(
                    "INSERT INTO daily_puzzles (day, solver_id) VALUES ($1, $2)
                     ON CONFLICT DO NOTHING",
                )
                .bind(day as i64)
                .bind(solver)
                .execute(&mut *connection)
                .await?;
            }
            Ok((before, after))
        })
    }

    /// How far a solver has come.
    pub async fn puzzle_progress(
        &self,
        solver: PuzzleSolver,
    ) -> Result<PuzzleProgress, StoreError> {
        let solver = solver.row();
        let rating: Option<(f64, f64, f64)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT rating, deviation, volatility FROM puzzle_ratings WHERE solver_id = $1",
        )
        .bind(solver)
        .fetch_optional(executor)
        .await)?;
        let (tried, solved): (i64, i64) = read!(&*self.database, executor => sqlx::query_as(
            "SELECT count(*), count(solved_at) FROM puzzle_results WHERE solver_id = $1",
        )
        .bind(solver)
        .fetch_one(executor)
        .await)?;
        let days: Vec<i64> = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT day FROM daily_puzzles WHERE solver_id = $1 ORDER BY day DESC LIMIT $2",
        )
        .bind(solver)
        .bind(MAX_STREAK_DAYS)
        .fetch_all(executor)
        .await)?;
        let rating = rating.map_or_else(SoloRating::default, |(value, deviation, volatility)| {
            SoloRating { value, deviation, volatility }
        });
        let days = days.into_iter().map(|day| day as u64).collect();
        Ok(PuzzleProgress { rating, tried: tried as u64, solved: solved as u64, days })
    }

    /// The ids of the puzzles that a solver has tried, and of those that are solved.
    pub async fn tried_puzzles(
        &self,
        solver: PuzzleSolver,
    ) -> Result<(HashSet<String>, HashSet<String>), StoreError> {
        let rows: Vec<(String, Option<i64>)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT puzzle_id, solved_at FROM puzzle_results WHERE solver_id = $1",
        )
        .bind(solver.row())
        .fetch_all(executor)
        .await)?;
        let solved = rows.iter().filter(|(_, solved_at)| solved_at.is_some());
        let solved = solved.map(|(puzzle, _)| puzzle.clone()).collect();
        Ok((rows.into_iter().map(|(puzzle, _)| puzzle).collect(), solved))
    }

    /// How many have solved the puzzle of a day.
    pub async fn daily_solvers(&self, day: u64) -> Result<u64, StoreError> {
        let count: i64 = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT count(*) FROM daily_puzzles WHERE day = $1",
        )
        .bind(day as i64)
        .fetch_one(executor)
        .await)?;
        Ok(count as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streak_ends_today_or_yesterday() {
        let streak = |days: &[u64], today| {
            PuzzleProgress { days: days.to_vec(), ..PuzzleProgress::default() }.streak(today)
        };
        assert_eq!(streak(&[], 10), 0);
        assert_eq!(streak(&[10, 9, 8, 6], 10), 3);
        assert_eq!(streak(&[9, 8], 10), 2, "today's puzzle is still to come");
        assert_eq!(streak(&[8, 7], 10), 0);
        assert_eq!(streak(&[1, 0], 1), 2);
    }
}
