//! Backups of a file in use.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use noughts_store::{Append, GameId, GamePhase, Listing, Store, Writer};

fn game(number: u64) -> GameId {
    let mut random = [0; 10];
    random[..8].copy_from_slice(&number.to_be_bytes());
    GameId::new(1_700_000_000_000, random)
}

fn created(number: u64) -> Append {
    Append {
        game: game(number),
        expected: 0,
        events: vec!["created".into(), "joined".into()].into(),
        at: 0,
        due: None,
        key: None,
        key_is_fresh: false,
        listing: Some(Box::new(Listing {
            phase: GamePhase::Live,
            public: true,
            rules: "3x3".into(),
            league: None,
            rated: false,
            aborted: false,
            seats: vec![None, None],
            detail: String::new(),
        })),
        result: None,
    }
}

/// A backup has everything acknowledged before it began, and only whole appends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_under_load_are_consistent() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("noughts.db")).await.unwrap();
    let writer = Writer::start(store.log());
    let (acknowledged, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    writer.append(created(0)).await.unwrap();
    let writing = tokio::spawn({
        let (acknowledged, stop) = (acknowledged.clone(), stop.clone());
        async move {
            let mut number = 0;
            while !stop.load(Ordering::SeqCst) {
                number += 1;
                writer.append(created(number)).await.unwrap();
                acknowledged.store(number, Ordering::SeqCst);
            }
        }
    });
    for round in 0..5 {
        let copy = folder.path().join(format!("copy {round}'s.db"));
        let before = acknowledged.load(Ordering::SeqCst);
        store.back_up(&copy).await.unwrap();
        let after = acknowledged.load(Ordering::SeqCst);

        let copied = Store::open(&copy).await.unwrap();
        let keys: Vec<GameId> = (0..=after + 1).map(game).collect();
        let sequences = copied.log().sequences(&keys).await.unwrap();
        assert!(sequences.len() as u64 > before, "{} of {before}", sequences.len());
        assert!((0..sequences.len() as u64).all(|number| sequences[&game(number)] == 2));
        copied.close().await;
    }
    stop.store(true, Ordering::SeqCst);
    writing.await.unwrap();
}

#[tokio::test]
async fn backups_never_overwrite_files() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("noughts.db")).await.unwrap();
    let copy = folder.path().join("copy.db");
    fs::write(&copy, "precious").unwrap();
    assert_eq!(
        store.back_up(&copy).await.unwrap_err().to_string(),
        format!("can't use {}: the file exists, and backups never overwrite files", copy.display())
    );
    assert_eq!(fs::read_to_string(&copy).unwrap(), "precious");
    assert!(store.back_up(&folder.path().join("none/copy.db")).await.is_err());
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("unfinished")), "{left:?}");
}

/// Otherwise two backups to the same place could destroy each other.
#[tokio::test]
async fn concurrent_backups_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("noughts.db")).await.unwrap();
    let copy = folder.path().join("copy.db");
    let unfinished = folder.path().join("copy.db.unfinished");
    fs::write(&unfinished, "half of it").unwrap();
    assert_eq!(
        store.back_up(&copy).await.unwrap_err().to_string(),
        format!(
            "can't use {}: another backup is writing it; if none is running, remove the file",
            unfinished.display()
        )
    );
    assert_eq!(fs::read_to_string(&unfinished).unwrap(), "half of it");
    assert!(!copy.exists());
}

/// Others with access to the folder can't read password hashes.
#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("noughts.db"), folder.path().join("copy.db"));
    let store = Store::open(&path).await.unwrap();
    store.back_up(&copy).await.unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", file.path());
    }
}
