//! Faults of databases, connections and disks.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use noughts_store::{AppendError, Appended, Store, Writer};
use noughts_testing::{Fault, FaultyLog, Postgres};

use crate::{after, at, bodies, game, test_database, with_key};

/// Nothing is acknowledged, and the writer continues.
#[tokio::test]
async fn a_failed_batch_fails_alone() {
    let database = test_database::sqlite().await;
    let log = FaultyLog::new(database.log.clone());
    let writer = Writer::start(log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    log.plan([Some(Fault::Full)]);
    let failed = writer.append(after(game(1), 1, &["A1"])).await;
    assert!(matches!(failed, Err(AppendError::Failed(_))), "{failed:?}");
    assert_eq!(
        failed.unwrap_err().to_string(),
        "could not store: the database failed: encountered unexpected or invalid data: \
         a planned fault: no room"
    );
    assert_eq!(writer.append(after(game(1), 1, &["B2"])).await.unwrap(), at(2, 2));
    assert_eq!(bodies(&database, game(1)).await, ["created", "B2"]);
}

/// Whether the lost batch was stored or not, in the end it is stored once.
#[tokio::test]
async fn lost_commits_are_settled_by_retries() {
    let database = test_database::sqlite().await;
    let log = FaultyLog::new(database.log.clone());
    let writer = Writer::start(log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    log.plan([Some(Fault::LostBefore), Some(Fault::LostBefore)]);
    assert_eq!(writer.append(after(game(1), 1, &["A1"])).await.unwrap(), at(2, 2));
    log.plan([Some(Fault::LostAfter), Some(Fault::LostBefore)]);
    let repeated = Appended { first: 3, last: 3, repeated: true };
    // With and without a key of the sender.
    let moved = with_key(after(game(1), 2, &["B1"]), 7, "k");
    assert_eq!(writer.append(moved).await.unwrap(), repeated);
    log.plan([Some(Fault::LostAfter)]);
    let repeated = Appended { first: 4, last: 4, repeated: true };
    assert_eq!(writer.append(after(game(1), 3, &["A2"])).await.unwrap(), repeated);
    assert_eq!(bodies(&database, game(1)).await, ["created", "A1", "B1", "A2"]);
}

/// Reading finds events that were acknowledged but not stored.
#[tokio::test]
async fn a_lying_log_is_caught_by_reading() {
    let database = test_database::sqlite().await;
    let log = FaultyLog::new(database.log.clone());
    let writer = Writer::start(log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    log.plan([Some(Fault::FalseSuccess)]);
    assert_eq!(writer.append(after(game(1), 1, &["A1"])).await.unwrap(), at(2, 2));
    assert_eq!(bodies(&database, game(1)).await, ["created"]);
}

/// Commands that are sent again after a failure, with the same key, are stored once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_crashes_keep_acknowledged_events() {
    const GAMES: u8 = 8;
    let Some(postgres) = Postgres::start() else { return };
    let store = Store::connect(&postgres.database().await).await.unwrap();
    let writer = Writer::start(store.log());
    let stop = Arc::new(AtomicBool::new(false));
    let stored = Arc::new(AtomicU64::new(0));
    let players: Vec<_> = (0..GAMES)
        .map(|number| {
            let (writer, stop, stored) = (writer.clone(), stop.clone(), stored.clone());
            tokio::spawn(async move {
                let mut sequence = 0;
                while !stop.load(Ordering::SeqCst) {
                    let moved = after(game(number), sequence, &[&sequence.to_string()]);
                    let moved = with_key(moved, i64::from(number) + 1, &sequence.to_string());
                    match writer.append(moved).await {
                        Ok(Appended { first, last, .. }) => {
                            assert_eq!((first, last), (sequence + 1, sequence + 1));
                            sequence += 1;
                            stored.fetch_add(1, Ordering::SeqCst);
                        }
                        Err(AppendError::Failed(_)) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
                sequence
            })
        })
        .collect();
    let some_more = async || {
        let enough = stored.load(Ordering::SeqCst) + 100;
        while stored.load(Ordering::SeqCst) < enough {
            tokio::task::yield_now().await;
        }
    };
    for _ in 0..3 {
        some_more().await;
        tokio::task::block_in_place(|| {
            postgres.kill();
            postgres.restart();
        });
    }
    some_more().await;
    stop.store(true, Ordering::SeqCst);
    for (number, player) in (0..GAMES).zip(players) {
        let acknowledged = player.await.unwrap();
        let events = store.log().events(game(number), 0, u32::MAX).await.unwrap();
        let bodies: Vec<String> = events.into_iter().map(|event| event.body).collect();
        assert_eq!(bodies, (0..acknowledged).map(|n| n.to_string()).collect::<Vec<_>>());
    }
}

/// The environment variable with the path of the small disk.
const SMALL_DISK: &str = "NOUGHTS_SMALL_DISK";

/// Runs this test again in a mount namespace with a small disk.
#[tokio::test]
async fn a_full_disk_fails_appends_temporarily() {
    if let Some(disk) = std::env::var_os(SMALL_DISK) {
        return fill(Path::new(&disk)).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let on_small_disk = |command: &[&OsStr]| {
        Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
            .arg("mount -t tmpfs -o size=4m tmpfs \"$0\" && exec \"$@\"")
            .arg(folder.path())
            .args(command)
            .env(SMALL_DISK, folder.path())
            .output()
    };
    if !on_small_disk(&[OsStr::new("true")]).is_ok_and(|probe| probe.status.success()) {
        eprintln!("skipped: can't mount a small disk here");
        return;
    }
    let this = std::env::current_exe().unwrap();
    let name = "faults::a_full_disk_fails_appends_temporarily";
    let arguments = ["--exact", name, "--nocapture"].map(OsStr::new);
    let ran = on_small_disk(&[&[this.as_os_str()], &arguments[..]].concat()).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(String::from_utf8_lossy(&ran.stdout).contains("1 passed"));
}

async fn fill(disk: &Path) {
    let ballast = disk.join("ballast");
    fs::write(&ballast, vec![1; 1 << 20]).unwrap();
    let store = Store::open(&disk.join("noughts.db")).await.unwrap();
    let writer = Writer::start(store.log());
    let text = "x".repeat(10_000);
    let mut stored = 0;
    let failed = loop {
        match writer.append(after(game(1), stored, &[&text])).await {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(stored > 10, "{stored}");
    assert!(failed.to_string().contains("full"), "{failed}");
    assert!(writer.append(after(game(1), stored, &[&text])).await.is_err());
    assert_eq!(store.log().sequences(&[game(1)]).await.unwrap()[&game(1)], stored);

    fs::remove_file(ballast).unwrap();
    assert_eq!(
        writer.append(after(game(1), stored, &["room"])).await.unwrap(),
        at(stored + 1, stored + 1)
    );
    let events = store.log().events(game(1), stored, 9).await.unwrap();
    assert_eq!(events[0].body, "room");
}
