//! Games and results in a file, and files that are refused.

use std::fs;
use std::path::{Path, PathBuf};

use noughts_rules::{Game, Player, Rules};
use noughts_scores::{Name, ResultId, System};
use noughts_store::{LeagueChoice, RecordId, Store, StoreError};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deeper").join("noughts.db");
    (folder, path)
}

/// A game that the first player has won.
fn won(names: &[&str]) -> Game {
    let rules: Rules = format!("{n}x{n}:2+{n}p", n = names.len()).parse().unwrap();
    let symbols = ["a", "b", "c", "d"];
    let player =
        |(name, symbol): (&&str, &&str)| Player::new(name, symbol.parse().unwrap()).unwrap();
    let players: Vec<Player> = names.iter().zip(&symbols).map(player).collect();
    let mut game = Game::new(&rules, players).unwrap();
    let mut cells = ["A1", "B1", "C1", "D1"][..names.len()].to_vec();
    cells.push("A2");
    for cell in cells {
        if let Some(turn) = game.turn() {
            game.play(turn, cell.parse::<noughts_rules::Move>().unwrap()).unwrap();
        }
    }
    assert!(game.turn().is_none());
    game
}

fn local() -> LeagueChoice {
    LeagueChoice::default()
}

fn league(name: &str, system: System) -> LeagueChoice {
    LeagueChoice { name: name.into(), system }
}

async fn ratings(store: &Store, name: &str) -> Vec<(usize, String, i64)> {
    let league = store.league(name).await.unwrap().expect("the league exists");
    league.top(100).map(|s| (s.rank, s.player.to_string(), s.rating.shown)).collect()
}

#[tokio::test]
async fn games_and_results_persist() {
    let (_folder, path) = folder();
    let game = won(&["Ann", "Bob"]);
    {
        let store = Store::open(&path).await.unwrap();
        let recorded = store.record(&game, 5, Some(&local())).await.unwrap();
        assert_eq!((recorded.game, recorded.result), (RecordId(1), Some(ResultId(1))));
        store.record(&won(&["ANN", "Cy"]), 6, Some(&local())).await.unwrap();
        store.record(&won(&["Bob", "Ann"]), 7, None).await.unwrap();
    }
    let store = Store::open(&path).await.unwrap();
    let expected = [(1, "Ann", 2), (2, "Bob", 0), (2, "Cy", 0)];
    let expected = expected.map(|(rank, name, rating)| (rank, name.to_string(), rating));
    assert_eq!(ratings(&store, "local").await, expected);

    let stored = store.game(RecordId(1)).await.unwrap().unwrap();
    assert_eq!((&stored.game, stored.at), (&game, 5));
    assert!(stored.game.history().eq(game.history()));
    assert_eq!(stored.result.unwrap().league, "local");
    assert_eq!(store.game(RecordId(4)).await.unwrap(), None);
    assert_eq!(store.game(RecordId(u64::MAX)).await.unwrap(), None);

    let ids = |games: Vec<noughts_store::StoredGame>| -> Vec<u64> {
        games.iter().map(|game| game.id.0).collect()
    };
    assert_eq!(ids(store.games(None, 2).await.unwrap()), [3, 2]);
    assert_eq!(ids(store.games(Some("local"), 9).await.unwrap()), [2, 1]);
}

#[tokio::test]
async fn retracted_results_do_not_count() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    let elo = league("club", System::Elo);
    store.record(&won(&["Ann", "Bob"]), 1, Some(&elo)).await.unwrap();
    let before = ratings(&store, "club").await;
    let mistake = store.record(&won(&["Bob", "Ann"]), 2, Some(&elo)).await.unwrap();
    assert_ne!(ratings(&store, "club").await, before);

    let id = mistake.result.unwrap();
    store.retract(id, 3).await.unwrap();
    assert_eq!(ratings(&store, "club").await, before);
    assert_eq!(
        store.retract(id, 4).await.unwrap_err().to_string(),
        format!("result {id} is already retracted")
    );
    for unknown in [ResultId(99), ResultId(u64::MAX)] {
        assert!(store.retract(unknown, 4).await.is_err());
    }
    assert!(store.game(mistake.game).await.unwrap().unwrap().result.unwrap().retracted);
}

#[tokio::test]
async fn players_go_by_their_first_counted_spelling() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    let mut ids = Vec::new();
    for name in ["Straße", "STRASSE", "strasse"] {
        let recorded = store.record(&won(&[name, "Bob"]), 1, Some(&local())).await.unwrap();
        ids.push(recorded.result.unwrap());
    }
    for (spelling, wins) in [("Straße", 3), ("STRASSE", 2), ("strasse", 1)] {
        assert_eq!(ratings(&store, "local").await[0], (1, spelling.to_string(), wins));
        store.retract(ids.remove(0), 2).await.unwrap();
    }
}

#[tokio::test]
async fn each_league_keeps_its_system() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    store.create_league(&league("trio", System::WengLin)).await.unwrap();
    store.create_league(&league("club", System::Elo)).await.unwrap();
    let twice = store.create_league(&league("club", System::Wins)).await;
    assert_eq!(
        twice.unwrap_err().to_string(),
        "the league club already exists, with the rating system elo"
    );
    assert!(matches!(
        store.create_league(&league(" x", System::Elo)).await,
        Err(StoreError::LeagueName)
    ));
    // An existing league keeps its system.
    store.record(&won(&["Ann", "Bob"]), 1, Some(&league("club", System::Wins))).await.unwrap();
    store
        .record(&won(&["Ann", "Bob", "Cy"]), 1, Some(&league("trio", System::WengLin)))
        .await
        .unwrap();
    let leagues = store.leagues().await.unwrap();
    let leagues: Vec<_> = leagues.iter().map(|l| (l.name.as_str(), l.system, l.results)).collect();
    assert_eq!(leagues, [("club", System::Elo, 1), ("trio", System::WengLin, 1)]);
    assert!(store.league("none").await.unwrap().is_none());
}

#[tokio::test]
async fn refused_results_store_nothing() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    let open = Game::with_default_players(&Rules::classic());
    let refused = [
        store.record(&open, 0, Some(&local())).await,
        store.record(&won(&["Ann", "ANN"]), 0, Some(&local())).await,
        store.record(&won(&["Ann", "Bob", "Cy"]), 0, Some(&league("club", System::Elo))).await,
    ];
    let sentences = refused.map(|refused| refused.unwrap_err().to_string());
    assert_eq!(sentences[0], "the game is not over");
    assert_eq!(sentences[1], "\"ANN\" has both seat 0 and seat 1");
    assert!(sentences[2].contains("elo"), "{}", sentences[2]);
    assert_eq!(store.games(None, 9).await.unwrap(), []);
    assert_eq!(store.leagues().await.unwrap(), []);
}

/// Checks that opening fails and leaves the file as it is.
async fn check_refused(path: &Path, expected: &str) {
    let before = fs::read(path).unwrap();
    let error = Store::open(path).await.unwrap_err().to_string();
    assert_eq!(error, format!("{} {expected}", path.display()));
    assert_eq!(fs::read(path).unwrap(), before);
}

#[tokio::test]
async fn foreign_files_are_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("letter.txt");
    let not_ours = "is not a file of Noughts: choose another with --data";
    for content in ["x", "Dear Jane,\n", &"SQLite format 3\0".repeat(100)] {
        fs::write(&text, content).unwrap();
        check_refused(&text, not_ours).await;
    }

    let foreign = folder.path().join("foreign.db");
    let options =
        sqlx::sqlite::SqliteConnectOptions::new().filename(&foreign).create_if_missing(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    sqlx::query("CREATE TABLE games (id INTEGER)").execute(&pool).await.unwrap();
    pool.close().await;
    check_refused(&foreign, not_ours).await;
    assert!(Store::open(folder.path()).await.is_err());
}

#[tokio::test]
async fn damaged_files_are_left_untouched() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    for _ in 0..50 {
        store.record(&won(&["Ann", "Bob"]), 1, Some(&local())).await.unwrap();
    }
    store.close().await;
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[4096..middle].fill(0xaa);
    fs::write(&path, bytes).unwrap();
    check_refused(&path, "is damaged: restore it from a backup, or choose another with --data")
        .await;
}

#[tokio::test]
async fn newer_files_are_left_untouched() {
    let (_folder, path) = folder();
    Store::open(&path).await.unwrap().close().await;
    let pool =
        sqlx::SqlitePool::connect_with(sqlx::sqlite::SqliteConnectOptions::new().filename(&path))
            .await
            .unwrap();
    sqlx::query("INSERT INTO _sqlx_migrations VALUES (999, 'future', 0, true, x'00', 0)")
        .execute(&pool)
        .await
        .unwrap();
    pool.close().await;
    check_refused(&path, "was written by a newer version of Noughts: update this one to use it")
        .await;
}

#[tokio::test]
async fn programs_can_share_a_file() {
    let (_folder, path) = folder();
    let mut programs = tokio::task::JoinSet::new();
    for program in 0..4 {
        let path = path.clone();
        programs.spawn(async move {
            // They also race to create the file.
            let store = Store::open(&path).await.unwrap();
            for at in 0..25 {
                store
                    .record(&won(&[&format!("P{program}"), "Bob"]), at, Some(&local()))
                    .await
                    .unwrap();
            }
        });
    }
    while let Some(done) = programs.join_next().await {
        done.unwrap();
    }
    let store = Store::open(&path).await.unwrap();
    let league = store.league("local").await.unwrap().unwrap();
    assert_eq!(league.standing(&Name::new("Bob").unwrap()).unwrap().record.losses, 100);
    for program in 0..4 {
        let player = Name::new(&format!("P{program}")).unwrap();
        assert_eq!(league.standing(&player).unwrap().record.wins, 25);
    }
}

const TOLERANCE: i64 = 6_000;

async fn outages(store: &Store) -> Vec<(i64, i64)> {
    let outages = store.outages(0).await.unwrap();
    outages.iter().map(|outage| (outage.began, outage.ended)).collect()
}

#[tokio::test]
async fn a_file_takes_one_server() {
    let (_folder, path) = folder();
    let [first, second] = [&path, &path].map(|path| Store::open(path));
    let (first, second) = (first.await.unwrap(), second.await.unwrap());
    first.register_server(10_000, TOLERANCE).await.unwrap();
    let refused = second.register_server(11_000, TOLERANCE).await.unwrap_err().to_string();
    let name = path.display();
    assert_eq!(refused, format!("another server is using {name}: several servers need PostgreSQL"));
    first.close().await;
    second.register_server(15_000, TOLERANCE).await.unwrap();
    assert_eq!(outages(&second).await, [(10_000, 15_000)]);
}

/// A server whose clock was an hour ahead leaves an outage that lasts into the future.
#[tokio::test]
async fn outages_end_now_at_the_latest() {
    const HOUR: i64 = 3_600_000;
    let (_folder, path) = folder();
    for at in [10_000, 20_000 + HOUR] {
        let store = Store::open(&path).await.unwrap();
        store.register_server(at, TOLERANCE).await.unwrap();
        store.heartbeat(at + 2_000, TOLERANCE).await.unwrap();
        store.stop_server(at + 4_000).await.unwrap();
        store.close().await;
    }
    let corrected = Store::open(&path).await.unwrap();
    assert_eq!(outages(&corrected).await, [(14_000, 20_000 + HOUR)]);
    corrected.register_server(30_000, TOLERANCE).await.unwrap();
    assert_eq!(outages(&corrected).await, [(14_000, 30_000)]);
    corrected.heartbeat(32_000, TOLERANCE).await.unwrap();
    assert_eq!(outages(&corrected).await, [(14_000, 30_000)]);
}

/// A server learns at the start, not when a game ends, that a league is for terminal games.
#[tokio::test]
async fn online_leagues_are_reserved_in_advance() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    store.record(&won(&["Ann", "Bob"]), 1, Some(&local())).await.unwrap();
    let refused = |claimed: Result<(), StoreError>| claimed.unwrap_err().to_string();
    assert_eq!(
        refused(store.reserve_online_league(&local(), true).await),
        "the league local is for terminal games: online games don't count in it"
    );
    let club = league("club", System::Elo);
    store.reserve_online_league(&club, false).await.unwrap();
    assert_eq!(store.league("club").await.unwrap().map(|_| ()), None);
    store.reserve_online_league(&club, true).await.unwrap();
    store.reserve_online_league(&club, true).await.unwrap();
    let other = refused(store.reserve_online_league(&league("club", System::Wins), true).await);
    assert!(other.contains("club") && other.contains("elo"), "{other}");
    let at_the_terminal = store.record(&won(&["Ann", "Bob"]), 1, Some(&club)).await;
    assert!(matches!(at_the_terminal, Err(StoreError::OtherLeague { online: true, .. })));
}

#[tokio::test]
async fn unfinished_games_become_records() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    assert_eq!(store.latest_unfinished().await.unwrap(), None);
    let mut game = won(&["Ann", "Bob"]);
    game.undo().unwrap();
    let first = store.save_unfinished(None, &game, 5, "first").await.unwrap();
    let second = store.save_unfinished(None, &game, 6, "second").await.unwrap();
    assert_eq!((first, second), (RecordId(1), RecordId(2)));
    let latest = store.latest_unfinished().await.unwrap().unwrap();
    assert_eq!((latest.stored.id, latest.detail.as_str()), (second, "second"));
    // The same record, changed.
    game.undo().unwrap();
    assert_eq!(store.save_unfinished(Some(first), &game, 7, "again").await.unwrap(), first);
    let latest = store.latest_unfinished().await.unwrap().unwrap();
    assert_eq!((latest.stored.id, latest.changed_at), (first, 7));
    assert_eq!(latest.stored.game, game);

    let over = won(&["Ann", "Bob"]);
    let recorded = store.record_end(Some(first), &over, 8, Some(&local())).await.unwrap();
    assert_eq!((recorded.game, recorded.result), (first, Some(ResultId(1))));
    assert_eq!(store.unfinished_game(first).await.unwrap(), None);
    assert_eq!(store.latest_unfinished().await.unwrap().unwrap().stored.id, second);
    // A record that counts is not written over.
    assert_eq!(store.save_unfinished(Some(first), &game, 9, "").await.unwrap(), RecordId(3));
}

#[tokio::test]
async fn deleted_games_no_longer_count() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    let game = store.record(&won(&["Ann", "Bob"]), 5, Some(&local())).await.unwrap().game;
    store.record(&won(&["Bob", "Ann"]), 6, Some(&local())).await.unwrap();
    store.delete_game(game).await.unwrap();
    assert_eq!(store.game(game).await.unwrap(), None);
    let expected = [(1, "Bob".to_string(), 1), (2, "Ann".to_string(), 0)];
    assert_eq!(ratings(&store, "local").await, expected);
    let again = store.delete_game(game).await.unwrap_err();
    assert_eq!(again.to_string(), "there is no game 1");
}

#[tokio::test]
async fn closed_files_can_be_read_without_writing() {
    let (_folder, path) = folder();
    let store = Store::open(&path).await.unwrap();
    store.record(&won(&["Ann", "Bob"]), 5, Some(&local())).await.unwrap();
    store.close().await;
    let store = Store::open_read_only(&path).await.unwrap();
    assert_eq!(store.games(None, 9).await.unwrap().len(), 1);
    assert_eq!(ratings(&store, "local").await[0].1, "Ann");
    assert!(store.record(&won(&["Ann", "Bob"]), 6, None).await.is_err());
    store.close().await;
    let nothing = path.with_extension("other");
    assert!(matches!(Store::open_read_only(&nothing).await, Err(StoreError::ReadOnly { .. })));
}
