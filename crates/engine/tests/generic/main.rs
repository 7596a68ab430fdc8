//! Generic searches: proofs against published values, against plain minimax, and against each other.

mod alpha_beta;
mod mcts;
mod properties;
mod reference;
mod solver;

use noughts_rules::{Position, Rules};

fn start(text: &str) -> Position {
    Position::new(&text.parse::<Rules>().unwrap())
}
