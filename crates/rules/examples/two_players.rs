//! Two people play at one keyboard.
//!
//! `cargo run -p noughts-rules --example two_players -- connect4`

use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};

use noughts_rules::{Event, Game, Rules, Status};

fn main() -> Result<(), Box<dyn Error>> {
    let rules: Rules = env::args().nth(1).as_deref().unwrap_or("3x3").parse()?;
    play(&rules, io::stdin().lock(), io::stdout())
}

/// Reads moves, `undo` and `redo` until the game is over or the input ends.
pub(crate) fn play(
    rules: &Rules,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut game = Game::with_default_players(rules);
    print_board(&game, &mut output)?;
    for line in input.lines() {
        let events = match line?.trim() {
            "undo" => game.undo(),
            "redo" => game.redo(),
            text => match rules.parse_move(text) {
                Ok(mv) => game.play_turn(mv),
                Err(error) => {
                    writeln!(output, "{error}")?;
                    continue;
                }
            },
        };
        match events {
            Ok(events) => {
                print_board(&game, &mut output)?;
                for event in events {
                    print_event(&game, &event, &mut output)?;
                }
            }
            Err(refusal) => writeln!(output, "{refusal}")?,
        }
        if game.outcome().is_some() {
            break;
        }
    }
    Ok(())
}

fn print_board(game: &Game, output: &mut impl Write) -> io::Result<()> {
    let rules = game.rules();
    for (index, cell) in rules.cells().enumerate() {
        let mark = game.position().mark_at(cell);
        let symbol = mark.map_or("_", |mark| game.mark_symbol(mark).as_str());
        let is_last = (index + 1) % usize::from(rules.cols()) == 0;
        write!(output, "{symbol}{}", if is_last { "\n" } else { " " })?;
    }
    Ok(())
}

/// Events say what changed; the rest needs no announcement.
fn print_event(game: &Game, event: &Event, output: &mut impl Write) -> io::Result<()> {
    let name = |seat| game.player(seat).map_or("nobody", |player| player.name());
    match event {
        Event::Turn { seat, .. } => writeln!(output, "{} to move", name(*seat)),
        Event::Finished { status: Status::Won { seat, .. } } => {
            writeln!(output, "{} wins!", name(*seat))
        }
        Event::Finished { .. } => writeln!(output, "It's a draw!"),
        _ => Ok(()),
    }
}
