//! `noughts show`: shows a stored game.

use std::convert::Infallible;
use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use clap::ValueEnum;
use noughts_play::{describe_move, describe_reason, describe_result, player_label};
use noughts_rules::notation::{psq, sgf};
use noughts_rules::{Action, Game};

use crate::board;
use crate::chosen_game::ChosenGame;
use crate::data::DataArguments;
use crate::failure::Failure;
use crate::lines::LineReader;

/// Show a stored game
///
/// On a terminal it steps through the moves; otherwise it prints the game as text.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  noughts show 12\n  noughts show 12 --format sgf > game.sgf\n  noughts show game.sgf"
)]
pub(crate) struct Arguments {
    /// The number of a stored game, see `noughts scores games`, or a file: text, .psq or .sgf
    #[arg(value_parser = |text: &str| Ok::<_, Infallible>(ChosenGame::from(text)))]
    game: ChosenGame,
    /// Print the game in this format
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    data: DataArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Rules, players, moves and result
    Text,
    /// The board after every move
    Boards,
    /// Piskvork's format (gomoku only)
    Psq,
    /// The Smart Game Format (gomoku only)
    Sgf,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let game = arguments.game.read(&arguments.data)?;
    let mut output = io::stdout().lock();
    let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    match arguments.format {
        None if on_terminal => step(&game, io::stdin().lock(), &mut output)?,
        None | Some(Format::Text) => writeln!(output, "{game}")?,
        Some(Format::Boards) => {
            for moves in 0..=game.history().len() {
                print_board(&game, moves, &mut output)?;
            }
        }
        Some(Format::Psq) => write!(output, "{}", psq::write(&game).context("no psq")?)?,
        Some(Format::Sgf) => write!(output, "{}", sgf::write(&game).context("no SGF")?)?,
    }
    Ok(())
}

/// Steps through the moves as the user asks for them.
fn step(game: &Game, input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut lines = LineReader::new(input);
    let last = game.history().len();
    let mut moves = 0;
    loop {
        print_board(game, moves, output)?;
        write!(output, "\nEnter for the next move, b for back, q to quit:\n> ")?;
        output.flush()?;
        match lines.next()?.as_deref().map(str::trim) {
            Some("b") => moves = moves.saturating_sub(1),
            None | Some("q") => return Ok(()),
            Some(_) if moves == last => return Ok(()),
            Some(_) => moves += 1,
        }
    }
}

/// Prints the board after this many moves, the last move, and the result.
fn print_board(game: &Game, moves: usize, output: &mut impl Write) -> io::Result<()> {
    let mut then = game.clone();
    while then.history().len() > moves && then.undo().is_ok() {}
    let done = match then.history().next_back() {
        None => "The empty board".to_string(),
        Some(Action::Move { seat, mv }) => {
            let player = player_label(&then, seat);
            format!("Move {moves}: {player} {}", describe_move(&then, mv))
        }
        Some(Action::Resign { seat }) => format!("{} resigns", player_label(&then, seat)),
    };
    writeln!(output, "\n{done}")?;
    for row in board::rows(&then) {
        writeln!(output, "{row}")?;
    }
    let Some(result) = describe_result(&then) else { return Ok(()) };
    writeln!(output, "\n{result}")?;
    describe_reason(&then).map_or(Ok(()), |reason| writeln!(output, "{reason}"))
}
