//! Games of `perfect` against itself, to train evaluations on.
//!
//! `cargo run --release -p noughts-engine --example self_play -- 15x15:5 1000 1000 1` plays 1,000 games
//! with 1,000 nodes a move, by seed 1, and prints a line for each: the result (`1`, `0` or `=`, for
//! the first seat) and the moves, those of the engine with its evaluation.

use std::error::Error;
use std::fmt::Write;

use noughts_engine::{Budget, Perfect, Strategy, Value, Verdict};
use noughts_rules::{Cell, Move, Outcome, Position, Rules, Seat};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Games begin with random moves.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 3..=16;

/// The greatest advantage after the opening.
const MAX_OPENING_SCORE: i32 = 800;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, games, nodes, seed] = &arguments[..] else {
        return Err("expected RULES GAMES NODES SEED".into());
    };
    let start = Position::new(&rules.parse::<Rules>()?);
    let budget = Budget::unlimited().with_nodes(nodes.parse()?);
    let mut rng = SmallRng::seed_from_u64(seed.parse()?);
    let mut engine = Perfect::new(rng.random());
    for _ in 0..games.parse()? {
        println!("{}", play(&start, &mut engine, &budget, &mut rng)?);
    }
    Ok(())
}

/// Plays a game until one side has proved a win.
fn play(
    start: &Position,
    engine: &mut Perfect,
    budget: &Budget,
    rng: &mut SmallRng,
) -> Result<String, Box<dyn Error>> {
    let (mut position, mut moves) = opening(start, engine, budget, rng)?;
    loop {
        let seat = position.turn().ok_or("the game is over")?;
        let choice = engine.choose(&position, budget)?;
        let verdict = choice.verdict.unwrap_or(Verdict::Estimate(0));
        let winner = match verdict {
            Verdict::Proven(Value::Win { .. }) => Some(seat),
            Verdict::Proven(Value::Loss { .. }) => Seat::new(1 - seat.index() as u8),
            _ => None,
        };
        if let Some(winner) = winner {
            return Ok(line(Some(winner), &moves));
        }
        let score = match verdict {
            Verdict::Estimate(score) => score,
            Verdict::Proven(_) => 0,
        };
        write!(moves, " {}:{score}", choice.mv)?;
        match position.play(choice.mv)? {
            Some(Outcome::Win(seat)) => return Ok(line(Some(seat), &moves)),
            Some(Outcome::Draw) => return Ok(line(None, &moves)),
            None => {}
        }
    }
}

fn line(winner: Option<Seat>, moves: &str) -> String {
    let result = match winner.map(Seat::index) {
        None => '=',
        Some(0) => '1',
        Some(_) => '0',
    };
    format!("{result}{moves}")
}

/// Random moves near others, after which the engine sees no winning advantage. Their positions are
/// like those that a search meets, not only like those of good play.
fn opening(
    start: &Position,
    engine: &mut Perfect,
    budget: &Budget,
    rng: &mut SmallRng,
) -> Result<(Position, String), Box<dyn Error>> {
    loop {
        let (mut position, mut moves) = (start.clone(), String::new());
        for _ in 0..rng.random_range(OPENING_PLIES) {
            let mv = *near_others(&position).choose(rng).ok_or("the board is full")?;
            write!(moves, " {mv}")?;
            if position.play(mv)?.is_some() {
                break;
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        let verdict = engine.choose(&position, budget)?.verdict;
        if matches!(verdict, Some(Verdict::Estimate(score)) if score.abs() <= MAX_OPENING_SCORE) {
            return Ok((position, moves));
        }
    }
}

/// The legal moves at most two cells from a stone, or from the centre of the empty board.
fn near_others(position: &Position) -> Vec<Move> {
    const MAX_DISTANCE: u8 = 2;

    let rules = position.rules();
    let mut others: Vec<Cell> =
        rules.cells().filter(|&cell| position.mark_at(cell).is_some()).collect();
    if others.is_empty() {
        others.extend(Cell::new(rules.rows() / 2, rules.cols() / 2));
    }
    let is_near = |cell: Cell| {
        others.iter().any(|other| {
            cell.row().abs_diff(other.row()).max(cell.col().abs_diff(other.col())) <= MAX_DISTANCE
        })
    };
    position.legal_moves().filter(|mv| mv.cell().is_some_and(is_near)).collect()
}
