//! How fast boards are solved. `cargo bench -p noughts-engine [RULES…]`.

use std::time::{Duration, Instant};

use noughts_engine::{Budget, Value, solve};
use noughts_rules::{Position, Rules};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--test");
    let boards: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|text| !text.starts_with("--")).collect();
    for text in boards {
        let rules: Rules = text.parse().expect("rules");
        let time = Duration::from_secs(if quick { 1 } else { 60 });
        let begun = Instant::now();
        let solution =
            solve(&Position::new(&rules), &Budget::unlimited().with_time(time)).expect("two seats");
        let seconds = begun.elapsed().as_secs_f64();
        let value = solution.value.map_or("unknown".to_owned(), |value| value.to_string());
        let rate = solution.nodes as f64 / seconds / 1e6;
        println!("{text:<16} {value:<12} {:>12} {seconds:>10.6} {rate:>6.2}", solution.nodes);
        let _ = Value::Draw;
    }
}
