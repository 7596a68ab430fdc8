//! Solved puzzles on both databases.

use noughts_scores::SoloRating;
use noughts_store::{
    IdentityId, IdentityKind, PuzzleEvent, PuzzleResult, PuzzleSolver, Store, UniqueName,
};
use noughts_testing::Postgres;

/// Runs a test on SQLite and, if installed, on PostgreSQL.
async fn on_both(test: impl AsyncFn(Store)) {
    let folder = tempfile::tempdir().unwrap();
    test(Store::open(&folder.path().join("noughts.db")).await.unwrap()).await;
    if let Some(postgres) = Postgres::shared() {
        test(Store::connect(&postgres.database().await).await.unwrap()).await;
    }
}

fn event(puzzle: &str, result: PuzzleResult, at: i64) -> PuzzleEvent<'_> {
    PuzzleEvent { puzzle, rating: 1500.0, result, at, day: None }
}

const ANN: PuzzleSolver = PuzzleSolver::Identity(IdentityId(7));

#[tokio::test]
async fn first_result_of_a_puzzle_is_rated() {
    on_both(async |store| {
        let record = async |puzzle, result| {
            store.record_puzzle(ANN, event(puzzle, result, 5)).await.unwrap()
        };
        let new = SoloRating::default();
        assert_eq!(record("a", PuzzleResult::Solved).await, (new, new.after(1500.0, true)));
        let (before, after) = record("b", PuzzleResult::Failed).await;
        assert!(after.value < before.value);
        assert_eq!(record("b", PuzzleResult::Solved).await, (after, after), "solved after all");
        assert_eq!(record("a", PuzzleResult::Failed).await, (after, after));
        assert_eq!(record("c", PuzzleResult::Hint).await, (after, after));
        assert_eq!(record("c", PuzzleResult::Solved).await, (after, after));
        record("d", PuzzleResult::Failed).await;
        let progress = store.puzzle_progress(ANN).await.unwrap();
        assert_eq!((progress.tried, progress.solved), (4, 3));
        let (tried, solved) = store.tried_puzzles(ANN).await.unwrap();
        assert!(tried.contains("d") && !solved.contains("d") && solved.contains("b"));
        let local = store.puzzle_progress(PuzzleSolver::Local).await.unwrap();
        assert_eq!((local.rating, local.tried), (new, 0));
    })
    .await;
}

#[tokio::test]
async fn days_in_a_row_are_a_streak() {
    on_both(async |store| {
        for (day, puzzle, result) in [
            (3, "a", PuzzleResult::Solved),
            (4, "b", PuzzleResult::Solved),
            (4, "b", PuzzleResult::Solved),
            (5, "c", PuzzleResult::Failed),
            // The puzzle of day 3 again, after all others were due.
            (6, "a", PuzzleResult::Solved),
        ] {
            let event = PuzzleEvent { day: Some(day), ..event(puzzle, result, 9) };
            store.record_puzzle(ANN, event).await.unwrap();
        }
        let progress = store.puzzle_progress(ANN).await.unwrap();
        assert_eq!(progress.days, [6, 4, 3]);
        assert_eq!([4, 5, 6, 7, 8].map(|today| progress.streak(today)), [2, 2, 1, 1, 0]);
        assert_eq!(store.daily_solvers(4).await.unwrap(), 1);
        assert_eq!(store.daily_solvers(5).await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn deleted_players_leave_no_puzzles() {
    on_both(async |store| {
        let name = |name: &str| UniqueName {
            name: name.into(),
            case_skeleton: name.into(),
            written_skeleton: name.into(),
        };
        let ann = store.create_identity(IdentityKind::Guest, &name("ann"), None, 1).await.unwrap();
        let solver = PuzzleSolver::Identity(ann.id);
        let event = PuzzleEvent { day: Some(3), ..event("a", PuzzleResult::Solved, 5) };
        store.record_puzzle(solver, event).await.unwrap();
        assert!(store.delete_identity(ann.id, &name("gone"), 6, 6).await.unwrap());
        let progress = store.puzzle_progress(solver).await.unwrap();
        assert_eq!((progress.rating, progress.tried), (SoloRating::default(), 0));
        assert_eq!(store.daily_solvers(3).await.unwrap(), 0);
    })
    .await;
}
