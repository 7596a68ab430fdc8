//! Wall clocks that jump, with Debian's faketime: no game gains or loses time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use noughts_api::EndReason;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fault_count;
use crate::server::{Agent, Database, Server};

const CLOCK_MS: u32 = 1_500;

/// How long a game may take to end after its clock has run out.
const TOLERANCE: Duration = Duration::from_secs(10);

/// A wall clock that a test can set.
struct WallClock {
    folder: TempDir,
    library: PathBuf,
}

impl WallClock {
    /// `None`, with a message, if faketime is not installed.
    fn new() -> Option<WallClock> {
        let folders = fs::read_dir("/usr/lib").ok()?.flatten();
        let mut libraries = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
        let Some(library) = libraries.find(|library| library.exists()) else {
            let required = std::env::var_os("NOUGHTS_FAKETIME").is_some();
            assert!(!required, "faketime is not installed");
            eprintln!("faketime is not installed, so this test is skipped");
            return None;
        };
        let clock = WallClock { folder: tempfile::tempdir().unwrap(), library };
        clock.set("+0");
        Some(clock)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("faketime")
    }

    /// Sets the clock off the true time, such as `+1h`.
    fn set(&self, offset: &str) {
        let new: &Path = &self.folder.path().join("new");
        fs::write(new, offset).unwrap();
        fs::rename(new, self.file()).unwrap();
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", self.file())
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        command
    }
}

fn clocked_game(agent: &Agent) -> String {
    agent.open_game(json!({"rules": "3x3", "clock": {"initial_ms": CLOCK_MS},
        "seats": [{"for": "me", "name": "Ann"}, {"for": "me", "name": "Bob"}]}))
}

/// Waits until the game has ended by time, and checks that no clock was held.
fn assert_ends_by_time(agent: &Agent, game: &str, what: &str) {
    let start = Instant::now();
    loop {
        let view = agent.game(game.parse().unwrap());
        if let Some(result) = view.result {
            assert_eq!(result.reason, EndReason::Time, "{what}");
            break;
        }
        assert!(start.elapsed() < TOLERANCE, "{what}: the clock stands still");
    }
    let held = |update: &Value| update["event"]["type"] == "clock_held";
    let updates = agent.updates(game);
    assert!(!updates.iter().any(held), "{what}: {updates:?}");
    let at = |update: Option<&Value>| update.and_then(|update| update["at"].as_u64()).unwrap();
    let lasted = Duration::from_millis(at(updates.last()) - at(updates.first()));
    assert!(lasted >= Duration::from_millis(CLOCK_MS.into()), "{what}: {updates:?}");
    assert!(lasted < TOLERANCE, "{what}: the clock jumped: {updates:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clock_jumps_change_no_game() {
    let Some(clock) = WallClock::new() else { return };
    let database = Database::sqlite();
    let server = Server::start_as(&database, clock.command());
    for _ in 0..fault_count(1) {
        for jump in ["+1h", "-1h", "+0"] {
            let agent = server.agent();
            let game = clocked_game(&agent);
            clock.set(jump);
            assert_ends_by_time(&agent, &game, &format!("a jump to {jump} during a game"));
            let game = clocked_game(&agent);
            assert_ends_by_time(&agent, &game, &format!("a game after a jump to {jump}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_clocks_do_not_outlive_their_server() {
    let Some(clock) = WallClock::new() else { return };
    let database = Database::sqlite();
    for offset in ["+1h", "+0", "-1h", "+0"] {
        clock.set(offset);
        let server = Server::start_as(&database, clock.command());
        let agent = server.agent();
        assert_ends_by_time(&agent, &clocked_game(&agent), offset);
    }
}

/// Servers that share a database go by its clock, so one whose own clock is wrong neither holds nor
/// runs down the clocks of the other's games, while it runs and afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_clock_of_one_server_changes_no_game() {
    /// Four games take 6 s, and servers send a heartbeat every 2 s.
    const ROUNDS: usize = 2;
    let Some(clock) = WallClock::new() else { return };
    let Some(database) = Database::postgres().await else { return };
    let right = Server::start(&database);
    for offset in ["+1h", "-1h"] {
        clock.set(offset);
        let wrong = Server::start_as(&database, clock.command());
        for _ in 0..ROUNDS {
            for (server, which) in [(&right, "right"), (&wrong, "wrong")] {
                let (agent, what) = (server.agent(), format!("{which} clock, one at {offset}"));
                assert_ends_by_time(&agent, &clocked_game(&agent), &what);
            }
        }
        wrong.kill();
        let later = Server::start(&database);
        for server in [&right, &later] {
            let agent = server.agent();
            assert_ends_by_time(&agent, &clocked_game(&agent), &format!("after one at {offset}"));
        }
    }
}
