//! Plays random games and prints how many moves they had, as a measure of the speed of positions.
//!
//! `cargo run --release -p noughts-engine --example playouts -- 15x15:5 1000`

use std::env;
use std::error::Error;

use noughts_rules::{Position, Rules};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let rules: Rules = args.next().unwrap_or("3x3".into()).parse()?;
    let games: u64 = args.next().unwrap_or("100000".into()).parse()?;
    println!("{}", play_games(&rules, games, 0)?);
    Ok(())
}

/// Plays random games to the end. Returns the number of their moves.
fn play_games(rules: &Rules, games: u64, seed: u64) -> Result<u64, Box<dyn Error>> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut position = Position::new(rules);
    let mut moves = 0;
    for _ in 0..games {
        position.clear();
        while position.outcome().is_none() {
            let n = rng.random_range(0..position.move_count());
            let mv = position.nth_move(n).ok_or("a number below the count has a move")?;
            position.play(mv)?;
            moves += 1;
        }
    }
    Ok(moves)
}
