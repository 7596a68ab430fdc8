//! Appends per second to the log: committed one by one, and in groups.
//!
//! ```text
//! cargo bench -p noughts-store --bench log
//! ```
//!
//! `cargo test` only checks that it runs.

use std::fs;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_store::{
    Append, Batch, CommandKey, GameId, GamePhase, IdempotencyKey, IdentityId, Listing, Log, Store,
    Writer,
};
use noughts_testing::Postgres;
use tokio::runtime::Runtime;

struct Scale {
    /// The number of concurrent games.
    games: u32,
    /// The moves of a game before another one follows it.
    moves: u64,
    time: Duration,
    /// The range of moves in long games.
    long: Range<u64>,
}

fn main() {
    let thorough = std::env::args().any(|argument| argument == "--bench");
    let scale = match thorough {
        true => Scale { games: 1000, moves: 9, time: Duration::from_secs(5), long: 110..360 },
        false => Scale { games: 20, moves: 9, time: Duration::from_millis(50), long: 11..36 },
    };
    let runtime = Runtime::new().unwrap();
    println!("{:34} {:>10} {:>14} {:>12}", "", "events/s", "CPU µs/event", "ratio");
    // Not in the temporary folder of the system, which may be in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let store = runtime.block_on(Store::open(&folder.path().join("log.db"))).unwrap();
    compare(&runtime, "SQLite", &store, &scale);
    let Some(postgres) = Postgres::start_durable() else { return };
    let url = runtime.block_on(postgres.database());
    let store = runtime.block_on(Store::connect(&url)).unwrap();
    compare(&runtime, "PostgreSQL", &store, &scale);
}

fn compare(runtime: &Runtime, name: &str, store: &Store, scale: &Scale) {
    let one_by_one = measure(|| runtime.block_on(commit_each(&store.log(), scale)));
    print(&format!("{name}, each committed on its own"), &one_by_one, &one_by_one);
    let grouped = measure(|| runtime.block_on(commit_together(&store.log(), scale)));
    print(&format!("{name}, {} games at once", scale.games), &grouped, &one_by_one);
    let long = measure(|| runtime.block_on(play_long_games(&store.log(), scale)));
    print(&format!("{name}, {} long games at once", scale.games), &long, &one_by_one);
}

/// One move after the other, each in a commit of its own.
async fn commit_each(log: &Arc<dyn Log>, scale: &Scale) -> u64 {
    let start = Instant::now();
    let mut events = 0;
    for game in 0.. {
        let key = game_key(game);
        for sequence in 0..scale.moves {
            if start.elapsed() > scale.time {
                return events;
            }
            let mut batch = Batch::default();
            batch.push(play(key, sequence, scale.moves)).unwrap();
            log.append(&batch).await.unwrap().remove(0).unwrap();
            events += 1;
        }
    }
    events
}

/// Many concurrent games. In each of them, a move follows once the one before it is stored.
async fn commit_together(log: &Arc<dyn Log>, scale: &Scale) -> u64 {
    let writer = Writer::start(log.clone());
    let start = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..scale.games {
        let writer = writer.clone();
        let Scale { moves, time, .. } = *scale;
        tasks.spawn(async move {
            let mut events = 0;
            for game in 1.. {
                let key = game_key(game * 1_000_000 + u64::from(task));
                for sequence in 0..moves {
                    if start.elapsed() > time {
                        return events;
                    }
                    writer.append(play(key, sequence, moves)).await.unwrap();
                    events += 1;
                }
            }
            events
        });
    }
    tasks.join_all().await.into_iter().sum()
}

/// One long game each, with fresh keys as the server sends them. The index entries of a game fill
/// pages of their own, so moves rarely share a page.
async fn play_long_games(log: &Arc<dyn Log>, scale: &Scale) -> u64 {
    let writer = Writer::start(log.clone());
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..u64::from(scale.games) {
        let writer = writer.clone();
        let Range { start, end } = scale.long;
        let moves = start + task % (end - start);
        tasks.spawn(async move {
            let key = game_key(1_000_000_000 + task);
            for sequence in 0..moves {
                let append = Append { key_is_fresh: true, ..play(key, sequence, moves) };
                writer.append(append).await.unwrap();
            }
            moves
        });
    }
    tasks.join_all().await.into_iter().sum()
}

fn game_key(number: u64) -> GameId {
    // Spread like random bits, but the same in each run.
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
    let mut random = [0; 10];
    random[..8].copy_from_slice(&mixed);
    let run = 1_700_000_000_000 + i64::from(std::process::id());
    GameId::new(run + (number / 1_000_000) as i64, random)
}

fn play(game: GameId, sequence: u64, moves: u64) -> Append {
    let phase = if sequence + 1 == moves { GamePhase::Finished } else { GamePhase::Live };
    let key = if sequence == 0 { game.to_string() } else { format!("{sequence:08x}") };
    Append {
        game,
        expected: sequence,
        events: vec![format!(r#"{{"type":"moved","seat":{},"move":"B2"}}"#, sequence % 2)].into(),
        at: 1_700_000_000_000 + sequence as i64,
        due: Some(1_700_000_300_000),
        key: Some(CommandKey {
            sender: IdentityId(1),
            key: IdempotencyKey::new(&key).expect("a valid key"),
        }),
        key_is_fresh: false,
        listing: (sequence == 0 || phase == GamePhase::Finished).then(|| {
            Box::new(Listing {
                phase,
                public: true,
                rules: "3x3".into(),
                league: None,
                rated: false,
                aborted: false,
                seats: vec![Some(IdentityId(1)), Some(IdentityId(2))],
                detail: r#"{"players":["Ann","Bob"],"clock":null}"#.into(),
            })
        }),
        result: None,
    }
}

struct Measured {
    per_second: f64,
    /// The processor time of this process.
    cpu_micros: f64,
}

fn measure(work: impl FnOnce() -> u64) -> Measured {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let events = work() as f64;
    Measured {
        per_second: events / start.elapsed().as_secs_f64(),
        cpu_micros: (cpu_seconds() - cpu) * 1e6 / events,
    }
}

/// The processor time of this process so far.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn print(name: &str, measured: &Measured, baseline: &Measured) {
    println!(
        "{name:34} {:>10.0} {:>14.1} {:>11.1}x",
        measured.per_second,
        measured.cpu_micros,
        measured.per_second / baseline.per_second
    );
}
