//! Reports per second to a large league, beside a Redis sorted set.
//!
//! `cargo bench -p noughts-scores` fills leagues of ten million players, then reports games between
//! random players and reads the ranks of both. `-- --players N` makes the leagues smaller;
//! `-- --system elo` measures one system and skips Redis. Everything runs on one core. Most of the
//! time goes into cache misses: with `GLIBC_TUNABLES=glibc.malloc.hugetlb=1` in the environment,
//! Linux's allocator uses huge pages, which can help.
//!
//! Redis does what it is commonly used for in leaderboards: `ZINCRBY`, then `ZREVRANK`, over a
//! loopback socket. The race is not fair: Redis is a separate process that many programs can share,
//! and it adds a number to one member's score, while a report rates two players by each other and
//! keeps what a retraction needs. Making the reports is not timed.

mod redis;

use std::fs;
use std::hint;
use std::time::{Duration, Instant};

use noughts_scores::{GameResult, League, Outcome, Report, ResultId, System};

/// The batch size of reported games and of pipelined commands.
const BATCH: usize = 100;

fn main() {
    let options = Options::from_arguments();
    println!("{} players, each drawn with equal probability; one core\n", options.players);
    if let Some(system) = options.system {
        return measure_league(system, &options);
    }
    for system in [System::Wins, System::Elo, System::Glicko2, System::WengLin] {
        measure_league(system, &options);
    }
    redis::measure(&options);
}

struct Options {
    /// The only system to measure.
    system: Option<System>,
    players: usize,
    /// How many games are timed.
    games: usize,
    /// How long Redis is measured.
    redis_time: Duration,
}

impl Options {
    /// `cargo bench` passes `--bench`; `cargo test` does not, and only checks that the bench runs.
    fn from_arguments() -> Self {
        let arguments: Vec<String> = std::env::args().collect();
        let given = |name: &str| {
            let at = arguments.iter().position(|argument| argument == name)?;
            Some(arguments.get(at + 1).expect("a value after the option").as_str())
        };
        let full = arguments.iter().any(|argument| argument == "--bench");
        let players = given("--players").map(|text| text.parse().expect("a number of players"));
        let players = players.unwrap_or(if full { 10_000_000 } else { 1_000 });
        Self {
            system: given("--system").map(|text| text.parse().expect("a rating system")),
            // First games pair up the players.
            players: usize::max(players, 2).next_multiple_of(2),
            games: if full { 4_000_000 } else { 1_000 },
            redis_time: Duration::from_millis(if full { 3_000 } else { 30 }),
        }
    }
}

fn measure_league(system: System, options: &Options) {
    let resident_before = resident_bytes();
    let mut league = League::new(system);
    let mut rng = Rng(1);
    let mut newest = 0;
    let mut next_id = || {
        newest += 1;
        ResultId(newest)
    };

    let start = Instant::now();
    for first in (0..options.players).step_by(2) {
        let report = report(next_id(), [first, first + 1], rng.outcome());
        league.report(&report).expect("ids increase");
    }
    let filled = start.elapsed();
    let memory = league.memory_usage();
    println!("{system}");
    println!("  a first game for each player in {filled:.1?}");
    print!(
        "  memory, MiB: players {}, ranking {}, history {}",
        mebibytes(memory.players),
        mebibytes(memory.ranking),
        mebibytes(memory.history),
    );
    match (resident_before, resident_bytes()) {
        (Some(before), Some(after)) => {
            println!("; resident in total: {}", mebibytes(after.saturating_sub(before)))
        }
        _ => println!("; resident: unknown on this system"),
    }

    // Single reports and batches take turns, so that both meet the same table.
    let batch_sizes = [1, BATCH];
    let mut taken = [Duration::ZERO; 2];
    for turn in 0..options.games / BATCH {
        let reports: Vec<Report<u64>> = (0..BATCH)
            .map(|_| {
                let players = rng.pair(options.players);
                report(next_id(), players, rng.outcome())
            })
            .collect();
        let kind = turn % batch_sizes.len();
        let start = Instant::now();
        for reports in reports.chunks(batch_sizes[kind]) {
            let reported = league.report_with_updates(reports, |update| {
                hint::black_box(update.rank());
            });
            reported.expect("ids increase");
        }
        taken[kind] += start.elapsed();
    }
    for (batch_size, taken) in batch_sizes.iter().zip(taken) {
        // Each took half of the games, and a game has two players.
        println!(
            "  {:.0} players/s updated and ranked, {batch_size} games at a time",
            options.games as f64 / taken.as_secs_f64(),
        );
    }
    println!();
}

fn report(id: ResultId, players: [usize; 2], outcome: Outcome) -> Report<u64> {
    let players = players.map(|player| player as u64);
    let result = GameResult::new(players, outcome).expect("two different players");
    Report { id, at: 0, result }
}

/// Resident memory of this process, on Linux.
fn resident_bytes() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

fn mebibytes(bytes: usize) -> usize {
    bytes.div_ceil(1024 * 1024)
}

/// SplitMix64, with the same draws in every run.
struct Rng(u64);

impl Rng {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn pair(&mut self, players: usize) -> [usize; 2] {
        let first = self.below(players);
        let distance = 1 + self.below(players - 1);
        [first, (first + distance) % players]
    }

    /// Two wins of each seat for every draw.
    fn outcome(&mut self) -> Outcome {
        match self.below(5) {
            0 => Outcome::Draw,
            n => Outcome::Won { seat: (n % 2) as u8 },
        }
    }
}
