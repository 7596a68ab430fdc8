//! Solves a game, and values every move of a position.
//!
//! `cargo run --release -p noughts-engine --example solve -- 4x5:4`

use std::env;
use std::error::Error;
use std::time::Duration;

use noughts_engine::{Budget, Verdict, analyse, solve};
use noughts_rules::{Position, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    run(env::args().nth(1).as_deref().unwrap_or("3x3"))
}

pub(crate) fn run(rules: &str) -> Result<(), Box<dyn Error>> {
    let rules: Rules = rules.parse()?;
    let mut position = Position::new(&rules);
    let budget = Budget::unlimited().with_time(Duration::from_secs(10));

    let solution = solve(&position, &budget)?;
    match solution.value {
        Some(value) => println!("{rules}: {value}, {:?}, {} nodes", solution.pv, solution.nodes),
        None => println!("{rules}: not solved within {} nodes", solution.nodes),
    }

    position.play(position.nth_move(0).ok_or("no move")?)?;
    let analysis = analyse(&position, &budget)?;
    for at in &analysis.moves {
        let how = if matches!(at.verdict, Verdict::Proven(_)) { "proven" } else { "estimated" };
        println!("{:>4}  {} ({how})", at.mv.to_string(), at.verdict);
    }
    println!("best: {}", analysis.best);
    Ok(())
}
