//! Collects positions that are won by continuous fours: reads games as `noughts arena --records`
//! keeps them, walks each won game back from its end, and prints the winner's position with the
//! longest such win, after its length in plies.
//!
//! ```text
//! noughts arena perfect hard --rules 15x15:5 --records games.txt
//! cargo run --release -p noughts-engine --example continuous_fours < games.txt
//! ```

#[path = "../tests/fours/slow.rs"]
mod slow;

use std::collections::BTreeSet;
use std::io;

use noughts_rules::{Game, Outcome, Position};

/// Wins that are seen at a glance say little.
const LEAST_PLIES: usize = 5;
const MOST_FOURS: usize = 12;

/// What the test that looks at all positions again can afford for one of them.
const MOST_NODES: usize = 5_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = io::read_to_string(io::stdin())?;
    let mut found = BTreeSet::new();
    for record in text.split("\n\n") {
        let game: Game = record.trim().parse()?;
        found.extend(longest_win(&mut game.position().clone()));
    }
    for (plies, position) in found {
        println!("{plies} {position}");
    }
    Ok(())
}

/// The longest win that the winner of a game missed or took, and where.
fn longest_win(position: &mut Position) -> Option<(usize, String)> {
    let Some(Outcome::Win(winner)) = position.outcome() else { return None };
    let mut longest = None;
    while position.undo().is_ok() {
        if position.turn() != Some(winner) {
            continue;
        }
        let Some(plies) = slow::shortest_win(position, MOST_FOURS, MOST_NODES) else { break };
        longest = longest.max(Some((plies, position.to_string())));
    }
    longest.filter(|&(plies, _)| plies >= LEAST_PLIES)
}
