//! Traces games, for comparison with other programs.
//!
//! Each line of the input is a game: its rules and its moves, such as `3x3 B2 A1`. The output has a line
//! for each position: the number of the player to move and the legal moves, or `win` and the winner,
//! or `draw`.

use std::io::{self, BufRead, Write};

use noughts_rules::{Outcome, Position, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let rules: Rules = words.next().unwrap_or_default().parse()?;
        let mut position = Position::new(&rules);
        print(&mut out, &position)?;
        for word in words {
            position.play(rules.parse_move(word)?)?;
            print(&mut out, &position)?;
        }
    }
    Ok(())
}

fn print(out: &mut impl Write, position: &Position) -> io::Result<()> {
    match position.outcome() {
        Some(Outcome::Win(seat)) => write!(out, "win {seat}")?,
        Some(Outcome::Draw) => write!(out, "draw")?,
        None => {
            let turn = position.turn().expect("a game that is not over has a turn");
            write!(out, "{turn}")?;
            position.legal_moves().try_for_each(|mv| write!(out, " {mv}"))?;
        }
    }
    writeln!(out)
}
