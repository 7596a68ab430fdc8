//! Finds puzzles in games between computers.
//!
//! `cargo run --release -p noughts-engine --example puzzles -- connect4 5`

use std::env;
use std::error::Error;

use noughts_engine::{Budget, PuzzleGenerator, PuzzleKind};
use noughts_rules::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let count = env::args().nth(2).as_deref().unwrap_or("5").parse()?;
    run(env::args().nth(1).as_deref().unwrap_or("3x3"), count)
}

pub(crate) fn run(rules: &str, count: usize) -> Result<(), Box<dyn Error>> {
    let rules: Rules = rules.parse()?;
    let budget = Budget::unlimited().with_nodes(200_000);
    for puzzle in PuzzleGenerator::new(&rules, 1, &budget).take(count) {
        let task = match puzzle.kind() {
            PuzzleKind::Win => format!("win in {}", puzzle.own_moves()),
            PuzzleKind::Draw => "hold the draw".to_string(),
        };
        println!("{}  {task}, difficulty {}", puzzle.position(), puzzle.difficulty());
    }
    Ok(())
}
