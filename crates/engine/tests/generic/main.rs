//! Generic searches: proofs against published values, and against each other.

mod mcts;
mod solver;

use noughts_rules::{Position, Rules};

fn rules(text: &str) -> Rules {
    text.parse().unwrap()
}

fn start(text: &str) -> Position {
    Position::new(&rules(text))
}
