//! How fast boards are solved: `cargo bench -p noughts-engine --bench solve [-- RULES…]`.
//!
//! Beside each board that plain minimax can do stands what that takes in the same process.

use std::time::{Duration, Instant};

use noughts_engine::{Budget, Random, Strategy, Value, solve};
use noughts_rules::{Outcome, Position, Rules};

/// Boards with their published values for the first player, where there is one.
const BOARDS: [(&str, Option<Known>); 34] = [
    ("3x3", Some(Known::Draw)),
    ("3x4:3", Some(Known::Win)),
    ("4x4:3", Some(Known::Win)),
    ("3x8:3", Some(Known::Win)),
    ("8x8:3", Some(Known::Win)),
    ("4x4", Some(Known::Draw)),
    ("4x5:4", Some(Known::Draw)),
    ("4x6:4", Some(Known::Draw)),
    ("4x7:4", Some(Known::Draw)),
    ("5x5:4", Some(Known::Draw)),
    ("5x6:4", Some(Known::Win)),
    ("6x6:4", Some(Known::Win)),
    ("5x5", Some(Known::Draw)),
    ("5x6:5", Some(Known::Draw)),
    ("5x7:5", Some(Known::Draw)),
    ("6x6:5", Some(Known::Draw)),
    ("6x6", Some(Known::Draw)),
    ("7x7:6", Some(Known::Draw)),
    ("3x3+misere", Some(Known::Draw)),
    ("4x4+misere", None),
    ("3x3+wrap", None),
    ("4x4+wrap", None),
    ("4x4:3+exact", None),
    ("4x4+gravity", Some(Known::Draw)),
    ("4x5:4+gravity", Some(Known::Draw)),
    ("5x4:4+gravity", None),
    ("5x5:4+gravity", Some(Known::Draw)),
    ("5x6:4+gravity", None),
    ("6x5:4+gravity", None),
    ("7x7", Some(Known::Draw)),
    ("8x8", Some(Known::Draw)),
    ("4x8:4", Some(Known::Draw)),
    ("4x9:4", Some(Known::Win)),
    ("7x7:5", Some(Known::Draw)),
];

/// What stands for Connect Four positions with some stones among the rules that are asked for.
const MIDDLE_GAMES: &str = "middle-games";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Win,
    Draw,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Without this flag it is `cargo test` that only wants to know whether this runs.
    let quick = !arguments.iter().any(|argument| argument == "--bench");
    let asked = |rules: &str| {
        let mut texts = arguments.iter().filter(|argument| !argument.starts_with("--")).peekable();
        texts.peek().is_none() || texts.any(|text| text == rules)
    };
    let listed = BOARDS.iter().map(|(rules, _)| *rules);
    let others = arguments.iter().map(String::as_str);
    let others = others.filter(|&text| {
        !text.starts_with("--")
            && text != MIDDLE_GAMES
            && !listed.clone().any(|rules| rules == text)
    });
    let seconds = if quick { 0.2 } else { 60.0 };

    println!(
        "{:<16} {:<8} {:>5} {:>12} {:>11} {:>10} {:>13} {:>9}",
        "rules", "value", "plies", "nodes", "seconds", "nodes/s", "minimax s", "ratio"
    );
    for rules in listed.clone().filter(|rules| asked(rules)).chain(others) {
        let published =
            BOARDS.iter().find(|(text, _)| *text == rules).and_then(|(_, known)| *known);
        let value = measure(rules, seconds);
        let known = match value {
            Some(Value::Win { .. }) => Some(Known::Win),
            Some(Value::Draw) => Some(Known::Draw),
            _ => None,
        };
        assert!(value.is_none() || published.is_none() || known == published, "{rules}: {value:?}");
    }
    if asked(MIDDLE_GAMES) {
        let (positions, seconds) = if quick { (2, 0.1) } else { (20, 20.0) };
        for stones in [16, 12] {
            middle_games("6x7:4+gravity", stones, positions, seconds);
        }
    }
}

/// Solves positions that random play leads to, and prints what they take together.
fn middle_games(rules: &str, stones: usize, positions: u64, most_seconds: f64) {
    let rules: Rules = rules.parse().expect("rules");
    let budget = Budget::unlimited().with_time(Duration::from_secs_f64(most_seconds));
    let (mut solved, mut nodes, mut seconds, mut longest) = (0, 0, 0.0, 0.0f64);
    for seed in 0..positions {
        let position = random_position(&rules, stones, seed);
        let begun = Instant::now();
        let solution = solve(&position, &budget).expect("a position for two");
        let took = begun.elapsed().as_secs_f64();
        solved += u32::from(solution.value.is_some());
        nodes += solution.nodes;
        seconds += took;
        longest = longest.max(took);
    }
    let each = seconds / positions as f64;
    println!(
        "{rules} with {stones} stones: {solved} of {positions} solved, {:.0} nodes and {each:.3} s \
         each, {longest:.3} s the longest, {:.0} nodes/s",
        nodes as f64 / positions as f64,
        nodes as f64 / seconds
    );
}

/// The first position with so many stones that random games of this seed pass through.
fn random_position(rules: &Rules, stones: usize, seed: u64) -> Position {
    let mut random = Random::new(seed);
    loop {
        let mut position = Position::new(rules);
        while position.outcome().is_none() && position.stones() < stones {
            let choice = random.choose(&position, &Budget::unlimited()).expect("a move");
            position.play(choice.cell).expect("a legal move");
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Solves the empty board and prints a line about it.
fn measure(rules: &str, most_seconds: f64) -> Option<Value> {
    let position = Position::new(&rules.parse::<Rules>().expect("rules"));
    let budget = Budget::unlimited().with_time(Duration::from_secs_f64(most_seconds));
    let mut seconds = f64::INFINITY;
    let mut solution = None;
    let begun = Instant::now();
    // Short times are the best of several, so that they mean something.
    for _ in 0..100 {
        let once = Instant::now();
        solution = Some(solve(&position, &budget).expect("a board for two"));
        seconds = seconds.min(once.elapsed().as_secs_f64());
        if begun.elapsed() > Duration::from_millis(50) {
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
    let naive = naive_seconds(position);
    println!(
        "{rules:<16} {word:<8} {:>5} {:>12} {seconds:>11.6} {:>10.0} {:>13} {:>9}",
        plies.map_or("-".to_owned(), |plies| plies.to_string()),
        solution.nodes,
        solution.nodes as f64 / seconds,
        naive.map_or("-".to_owned(), |naive| format!("{naive:.6}")),
        naive.map_or("-".to_owned(), |naive| format!("{:.0}", naive / seconds)),
    );
    solution.value
}

/// How long plain minimax takes, where it ends within a lifetime.
fn naive_seconds(mut position: Position) -> Option<f64> {
    let small = position.rules().cell_count() <= 9;
    small.then(|| {
        let begun = Instant::now();
        std::hint::black_box(minimax(&mut position));
        begun.elapsed().as_secs_f64()
    })
}

fn minimax(position: &mut Position) -> i32 {
    let turn = position.turn();
    let mut best = i32::MIN;
    let mut walk = position.move_cursor();
    while let Some(cell) = walk.next(position) {
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
