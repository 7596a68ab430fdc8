//! Time and nodes of the solver: `cargo bench -p noughts-engine --bench solve [-- RULES…]`.
//!
//! Boards small enough for plain minimax are also solved by that, in the same process.

use std::hint::black_box;
use std::time::{Duration, Instant};

use noughts_engine::{Budget, Random, Strategy, Value, solve};
use noughts_rules::{Outcome, Position, Rules};

/// Boards with the published value for the first player, if there is one.
///
/// Sources: van den Herik, Uiterwijk and van Rijswijck, "Games solved: now and in the future",
/// Artificial Intelligence 134 (2002); for 7x7:5 Hsu et al., TCS 815 (2020); for n x n with k = n >= 5
/// the Hales–Jewett pairing; for gravity Tromp, "John's Connect Four Playground".
const BOARDS: [(&str, Option<Published>); 34] = [
    ("3x3", Some(Published::Draw)),
    ("3x4:3", Some(Published::Win)),
    ("4x4:3", Some(Published::Win)),
    ("3x8:3", Some(Published::Win)),
    ("8x8:3", Some(Published::Win)),
    ("4x4", Some(Published::Draw)),
    ("4x5:4", Some(Published::Draw)),
    ("4x6:4", Some(Published::Draw)),
    ("4x7:4", Some(Published::Draw)),
    ("5x5:4", Some(Published::Draw)),
    ("5x6:4", Some(Published::Win)),
    ("6x6:4", Some(Published::Win)),
    ("5x5", Some(Published::Draw)),
    ("5x6:5", Some(Published::Draw)),
    ("5x7:5", Some(Published::Draw)),
    ("6x6:5", Some(Published::Draw)),
    ("6x6", Some(Published::Draw)),
    ("7x7:6", Some(Published::Draw)),
    ("3x3+misere", Some(Published::Draw)),
    ("4x4+misere", None),
    ("3x3+wrap", None),
    ("4x4+wrap", None),
    ("4x4:3+exact", None),
    ("4x4+gravity", Some(Published::Draw)),
    ("4x5:4+gravity", Some(Published::Draw)),
    ("5x4:4+gravity", None),
    ("5x5:4+gravity", Some(Published::Draw)),
    ("5x6:4+gravity", None),
    ("6x5:4+gravity", None),
    ("7x7", Some(Published::Draw)),
    ("8x8", Some(Published::Draw)),
    ("4x8:4", Some(Published::Draw)),
    ("4x9:4", Some(Published::Win)),
    ("7x7:5", Some(Published::Draw)),
];

/// Selects the Connect Four positions in place of rules.
const MIDDLE_GAMES: &str = "middle-games";

/// Boards of up to this many cells are also solved by plain minimax.
const MAX_MINIMAX_CELLS: usize = 9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Published {
    Win,
    Draw,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` runs benchmarks without this flag, just to see that they work.
    let quick = !arguments.iter().any(|argument| argument == "--bench");
    let selection: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|text| !text.starts_with("--")).collect();
    let is_selected = |name: &str| selection.is_empty() || selection.contains(&name);
    let is_listed = |name: &str| BOARDS.iter().any(|(rules, _)| *rules == name);
    let listed = BOARDS.into_iter().filter(|(rules, _)| is_selected(rules));
    let unlisted = selection.iter().filter(|name| **name != MIDDLE_GAMES && !is_listed(name));
    let time_limit = Duration::from_secs_f64(if quick { 0.2 } else { 60.0 });

    println!(
        "{:<16} {:<8} {:>5} {:>12} {:>11} {:>10} {:>13} {:>9}",
        "rules", "value", "plies", "nodes", "seconds", "nodes/s", "minimax s", "ratio"
    );
    for (rules, published) in listed.chain(unlisted.map(|rules| (*rules, None))) {
        let Some(value) = bench_board(rules, time_limit) else { continue };
        let matches = match published {
            Some(Published::Win) => matches!(value, Value::Win { .. }),
            Some(Published::Draw) => value == Value::Draw,
            None => true,
        };
        assert!(matches, "{rules}: {value:?} instead of {published:?}");
    }
    if is_selected(MIDDLE_GAMES) {
        let (positions, seconds) = if quick { (2, 0.1) } else { (20, 20.0) };
        for stones in [16, 12] {
            bench_middle_games(stones, positions, Duration::from_secs_f64(seconds));
        }
    }
}

/// Solves Connect Four positions from random play and prints the averages.
fn bench_middle_games(stones: usize, positions: u64, time_limit: Duration) {
    let rules: Rules = "connect4".parse().expect("valid rules");
    let budget = Budget::unlimited().with_time(time_limit);
    let (mut solved, mut nodes) = (0, 0);
    let (mut total, mut longest) = (Duration::ZERO, Duration::ZERO);
    for seed in 0..positions {
        let position = random_position(&rules, stones, seed);
        let start = Instant::now();
        let solution = solve(&position, &budget).expect("two seats");
        let time = start.elapsed();
        solved += u32::from(solution.value.is_some());
        nodes += solution.nodes;
        total += time;
        longest = longest.max(time);
    }
    let seconds = total.as_secs_f64();
    println!(
        "{rules} with {stones} stones: {solved} of {positions} solved, {:.0} nodes and {:.3} s each, \
         {:.3} s the longest, {:.0} nodes/s",
        nodes as f64 / positions as f64,
        seconds / positions as f64,
        longest.as_secs_f64(),
        nodes as f64 / seconds
    );
}

/// The first ongoing position with this many stones in random games with this seed.
fn random_position(rules: &Rules, stones: usize, seed: u64) -> Position {
    let mut random = Random::new(seed);
    loop {
        let mut position = Position::new(rules);
        while position.outcome().is_none() && position.stone_count() < stones {
            let choice = random.choose(&position, &Budget::unlimited()).expect("a move");
            position.play(choice.mv).expect("a legal move");
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Solves the empty board and prints a row.
fn bench_board(rules: &str, time_limit: Duration) -> Option<Value> {
    // Short runs repeat, and the best time counts.
    const MAX_RUNS: usize = 100;
    const MAX_REPEAT_TIME: Duration = Duration::from_millis(50);
    let position = Position::new(&rules.parse::<Rules>().expect("valid rules"));
    let budget = Budget::unlimited().with_time(time_limit);
    let mut seconds = f64::INFINITY;
    let mut solution = None;
    let start = Instant::now();
    for _ in 0..MAX_RUNS {
        let run_start = Instant::now();
        solution = Some(solve(&position, &budget).expect("two seats"));
        seconds = seconds.min(run_start.elapsed().as_secs_f64());
        if start.elapsed() > MAX_REPEAT_TIME {
            break;
        }
    }
    let solution = solution?;
    let (word, plies) = match solution.value {
        None => ("unknown", None),
        Some(Value::Draw) => ("draw", None),
        Some(Value::Win { plies }) => ("win", Some(plies)),
        Some(Value::Loss { plies }) => ("loss", Some(plies)),
    };
    let minimax = minimax_seconds(position);
    println!(
        "{rules:<16} {word:<8} {:>5} {:>12} {seconds:>11.6} {:>10.0} {:>13} {:>9}",
        plies.map_or("-".to_owned(), |plies| plies.to_string()),
        solution.nodes,
        solution.nodes as f64 / seconds,
        minimax.map_or("-".to_owned(), |minimax| format!("{minimax:.6}")),
        minimax.map_or("-".to_owned(), |minimax| format!("{:.0}", minimax / seconds)),
    );
    solution.value
}

/// The time of plain minimax, on boards where it is feasible.
fn minimax_seconds(mut position: Position) -> Option<f64> {
    let feasible = position.rules().cell_count() <= MAX_MINIMAX_CELLS;
    feasible.then(|| {
        let start = Instant::now();
        black_box(minimax(&mut position));
        start.elapsed().as_secs_f64()
    })
}

fn minimax(position: &mut Position) -> i32 {
    let turn = position.turn();
    let mut best = i32::MIN;
    let mut moves = position.move_cursor();
    while let Some(cell) = moves.next(position) {
        let score = match position.play(cell).expect("a legal move") {
            Some(Outcome::Win(seat)) if Some(seat) == turn => 1,
            Some(Outcome::Win(_)) => -1,
            Some(Outcome::Draw) => 0,
            None => -minimax(position),
        };
        position.undo().expect("a move was made");
        best = best.max(score);
    }
    best
}
