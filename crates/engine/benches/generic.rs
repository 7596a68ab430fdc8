//! Speed of the generic searches: `cargo bench -p noughts-engine --bench generic [-- RULES…]`.
//!
//! Playouts a second of MCTS and nodes a second of alpha-beta from the start, and the time of proofs.

use std::time::{Duration, Instant};

use noughts_engine::{AlphaBeta, Budget, Mcts, PositionEvaluation, solve_game};
use noughts_rules::{Position, Rules};

const SEARCHED: [&str; 8] = [
    "ultimate",
    "3x3x3",
    "4x4x4",
    "15x15:5",
    "3x3+fade3",
    "6x6:5+order",
    "connect6",
    "3x3+notakto+3b",
];

const SOLVED: [&str; 7] =
    ["3x3", "3x3+wild", "3x3+notakto", "3x3+notakto+2b", "3x3+fade3", "3x3x3", "4x4:3+2s"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` runs benchmarks without this flag, just to see that they work.
    let quick = !arguments.iter().any(|argument| argument == "--bench");
    let selection: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|text| !text.starts_with("--")).collect();
    let is_selected = |rules: &&str| selection.is_empty() || selection.contains(rules);
    let time = Duration::from_secs_f64(if quick { 0.01 } else { 2.0 });

    println!("{:<16} {:>12} {:>12}", "rules", "playouts/s", "nodes/s");
    for text in SEARCHED.into_iter().filter(is_selected) {
        let (playouts, nodes) = speed(&start(text), time);
        println!("{text:<16} {playouts:>12.0} {nodes:>12.0}");
    }
    println!("\n{:<16} {:<12} {:>12} {:>12}", "rules", "value", "nodes", "time");
    for text in SOLVED.into_iter().filter(is_selected) {
        let begin = Instant::now();
        let solution = solve_game(&start(text), &Budget::unlimited()).expect("two seats");
        let value = solution.value.expect("the budget is unlimited").to_string();
        let time = begin.elapsed().as_secs_f64() * 1e3;
        println!("{text:<16} {value:<12} {:>12} {time:>9.1} ms", solution.nodes);
    }
}

fn start(text: &str) -> Position {
    Position::new(&text.parse::<Rules>().expect("rules"))
}

/// Playouts of MCTS and nodes of alpha-beta a second.
fn speed(start: &Position, time: Duration) -> (f64, f64) {
    let budget = Budget::unlimited().with_time(time);
    let begin = Instant::now();
    let sampled = Mcts::new(1).search(start, &budget).expect("an ongoing game");
    let playouts = sampled.playouts as f64 / begin.elapsed().as_secs_f64();
    let player = AlphaBeta::new(PositionEvaluation::new(start.rules()));
    let begin = Instant::now();
    let searched = player.search(start, &budget).expect("two seats");
    (playouts, searched.nodes as f64 / begin.elapsed().as_secs_f64())
}
