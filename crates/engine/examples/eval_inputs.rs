//! Turns the games of `self_play` into training data.
//!
//! `cargo run --release -p noughts-engine --example eval_inputs -- 15x15:5 games.txt data.bin` writes
//! a record for each position that the search would evaluate, of little-endian 16-bit numbers: the
//! result of the game for the seat to move (0, 1 or 2), the search's score, the pattern evaluation, the
//! index of the chosen cell, the number of cells, and the two shape classes of each cell. Cells with
//! open lines in all directions for both are left out; the index is -1 if the chosen cell is one.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use noughts_engine::EvalInputs;
use noughts_rules::{Cell, Position, Rules};

const MAX_SCORE: i32 = 4000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, games, data] = &arguments[..] else {
        return Err("expected RULES GAMES DATA".into());
    };
    let start = Position::new(&rules.parse::<Rules>()?);
    let far_away = far_class(&start).ok_or("these rules are not evaluated by shapes")?;
    let mut data = BufWriter::new(File::create(data)?);
    for line in BufReader::new(File::open(games)?).lines() {
        write_game(&start, &line?, far_away, &mut data)?;
    }
    Ok(data.flush()?)
}

/// The class of cells far from all stones and edges.
fn far_class(start: &Position) -> Option<u16> {
    let classes = EvalInputs::new(start)?.classes;
    classes.get(classes.len() / 2).map(|&[class, _]| class)
}

fn write_game(
    start: &Position,
    line: &str,
    far_away: u16,
    data: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut position = start.clone();
    let mut words = line.split_whitespace();
    let first_seat_result = match words.next() {
        Some("1") => 2,
        Some("=") => 1,
        Some("0") => 0,
        other => return Err(format!("expected a result, found {other:?}").into()),
    };
    for word in words {
        let (mv, score) = word.split_once(':').map_or((word, None), |(mv, s)| (mv, Some(s)));
        let score: Option<i32> = score.map(str::parse).transpose()?;
        if let Some(score) = score.filter(|score| score.abs() <= MAX_SCORE)
            && let Some(inputs) = EvalInputs::new(&position)
        {
            let is_first = position.turn().is_some_and(|seat| seat.index() == 0);
            let result = if is_first { first_seat_result } else { 2 - first_seat_result };
            let chosen = position.rules().parse_move(mv)?.cell();
            let empty = position.rules().cells().filter(|&cell| position.mark_at(cell).is_none());
            let near: Vec<(Cell, [u16; 2])> = empty
                .zip(inputs.classes)
                .filter(|(_, classes)| *classes != [far_away; 2])
                .collect();
            let chosen = near.iter().position(|&(cell, _)| Some(cell) == chosen);
            let chosen = chosen.map_or(-1, |index| index as i32);
            let eval = inputs.eval.clamp(-MAX_SCORE, MAX_SCORE);
            for number in [result, score, eval, chosen, near.len() as i32] {
                data.write_all(&(number as i16).to_le_bytes())?;
            }
            for class in near.iter().flat_map(|(_, classes)| classes) {
                data.write_all(&class.to_le_bytes())?;
            }
        }
        let mv = position.rules().parse_move(mv)?;
        position.play(mv)?;
    }
    Ok(())
}
