//! `noughts show`: shows a stored game.

use std::convert::Infallible;
use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use clap::ValueEnum;
use noughts_play::{describe_move, describe_reason, describe_result, player_label};
use noughts_rules::notation::{psq, sgf};
use noughts_rules::{Action, Game};
use noughts_tui::Setup;

use crate::board;
use crate::chosen_game::ChosenGame;
use crate::data::DataArguments;
use crate::display::Display;
use crate::failure::Failure;
use crate::game_json::GameJson;
use crate::lines::LineReader;
use crate::numbers;
use crate::settings::Settings;

/// Show a stored game
///
/// On a terminal it opens the review with analysis, or with --plain steps through the moves; otherwise
/// it prints the game as text.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  noughts show 12\n  noughts show 12 --format sgf > game.sgf\n  noughts show game.sgf\n  noughts show games.txt --number 3 --json"
)]
pub(crate) struct Arguments {
    /// The number of a stored game, see `noughts games`, or a file: text, .psq or .sgf
    #[arg(value_parser = |text: &str| Ok::<_, Infallible>(ChosenGame::from(text)))]
    game: ChosenGame,
    /// Which game of a file with several, from 1
    #[arg(long, value_name = "N", value_parser = numbers::plies)]
    number: Option<usize>,
    /// Print the game in this format
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    display: Display,
    #[command(flatten)]
    data: DataArguments,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
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
    let game = arguments.game.read(&arguments.data, arguments.number)?;
    if arguments.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&GameJson::from(&game))?)?;
        return Ok(());
    }
    let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if let (None, Some(theme)) = (arguments.format, arguments.display.screen(&Settings::load()?)) {
        return Ok(noughts_tui::run(Setup::of_review(game, theme))?);
    }
    let mut output = io::stdout().lock();
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
        None if then.position().stone_count() > 0 => "The first position".to_string(),
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
