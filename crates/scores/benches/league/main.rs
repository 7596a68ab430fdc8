//! How fast a large league takes results, side by side with a Redis sorted set.
//!
//! `cargo bench -p noughts-scores` fills leagues of ten million players, then reports games
//! between players drawn at random, by name. The ranks of both are told with the report, so they
//! are not looked up by name again. `-- --players N` makes the leagues smaller and `-- --system elo`
//! leaves out the others and Redis. Everything runs on one core. At this size nearly all time goes into waiting for memory: with
//! `GLIBC_TUNABLES=glibc.malloc.hugetlb=1` in the environment the allocator of Linux uses large
//! pages, which can help.
//!
//! Redis does what people do with it for leaderboards: `ZINCRBY`, then `ZREVRANK`, over a
//! loopback socket. This is not a fair race: a league is a part of the program and Redis is
//! another process, which any number of programs could share. The point is to know both
//! numbers. The clock runs while reports are taken and ranks read; the reports are made
//! beforehand, as the game makes them. Redis also does less here: it adds a given number to one
//! member's score, while a report rates two players by each other and keeps what it takes to
//! retract the result.

mod redis;

use std::fs;
use std::hint;
use std::time::{Duration, Instant};

use noughts_scores::{GameResult, League, Outcome, Report, ResultId, System};

/// How many games are reported, or commands pipelined, where it is more than one.
const AT_ONCE: usize = 100;

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
    /// How many games are reported under the clock.
    games: usize,
    /// For how long the socket is kept busy.
    patience: Duration,
}

impl Options {
    /// Cargo starts benchmarks with `--bench`, and with `--test` or nothing when it only
    /// wants to see whether they run.
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
            // Everybody plays a first game in a pair.
            players: usize::max(players, 2).next_multiple_of(2),
            games: if full { 4_000_000 } else { 1_000 },
            patience: Duration::from_millis(if full { 3_000 } else { 30 }),
        }
    }
}

fn measure_league(system: System, options: &Options) {
    let resident_before = resident_bytes();
    let mut league = League::new(system);
    let mut dice = Dice(1);
    let mut newest = 0;
    let mut next_id = || {
        newest += 1;
        ResultId(newest)
    };

    let start = Instant::now();
    for first in (0..options.players).step_by(2) {
        let names = [name(first), name(first + 1)];
        let report = report(next_id(), &names, dice.outcome());
        league.report(&report).expect("ids increase");
    }
    let filled = start.elapsed();
    let memory = league.memory();
    println!("{system}");
    println!("  filled by a first game for everybody in {filled:.1?}");
    print!(
        "  memory, MiB: names and records {}, table {}, history {}",
        mebibytes(memory.players),
        mebibytes(memory.table),
        mebibytes(memory.history),
    );
    match (resident_before, resident_bytes()) {
        (Some(before), Some(after)) => {
            println!("; resident, all together: {}", mebibytes(after.saturating_sub(before)))
        }
        _ => println!("; resident: not known on this system"),
    }

    // The two ways take turns, so that both meet the same table.
    let ways = [1, AT_ONCE];
    let mut taken = [Duration::ZERO; 2];
    for turn in 0..options.games / AT_ONCE {
        let reports: Vec<Report> = (0..AT_ONCE)
            .map(|_| {
                let names = dice.pair(options.players).map(name);
                report(next_id(), &names, dice.outcome())
            })
            .collect();
        let way = turn % ways.len();
        let start = Instant::now();
        for reports in reports.chunks(ways[way]) {
            let reported = league.report_and_tell(reports, |change| {
                hint::black_box(change.rank());
            });
            reported.expect("ids increase");
        }
        taken[way] += start.elapsed();
    }
    for (at_once, taken) in ways.iter().zip(taken) {
        // Each way took half of the games, and a game has two players.
        println!(
            "  {:.0} players a second updated and their ranks read back, {at_once} games at a time",
            options.games as f64 / taken.as_secs_f64(),
        );
    }
    println!();
}

fn report(id: ResultId, names: &[String; 2], outcome: Outcome) -> Report {
    let names = names.iter().map(String::as_str);
    let result = GameResult::new(names, outcome).expect("two different names");
    Report { id, at: 0, result }
}

fn name(player: usize) -> String {
    format!("player{player}")
}

/// Resident memory of this process, where the system tells it as Linux does.
fn resident_bytes() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

fn mebibytes(bytes: usize) -> usize {
    bytes.div_ceil(1024 * 1024)
}

/// SplitMix64: the same draws in every run.
struct Dice(u64);

impl Dice {
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

    /// Two wins for each seat to one draw.
    fn outcome(&mut self) -> Outcome {
        match self.below(5) {
            0 => Outcome::Draw,
            n => Outcome::Won { seat: (n % 2) as u8 },
        }
    }
}
