//! `noughts analyse`: values every move, and finds the losing move of a finished game.

use std::convert::Infallible;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use noughts_engine::{
    Analysis, Budget, LosingMove, LosingMoveError, Value, Verdict, analyse, losing_move,
};
use noughts_rules::{Action, Cell, Outcome, Position, Rules};
use serde::Serialize;

use crate::MAX_THREADS;
use crate::chosen_game::ChosenGame;
use crate::data::DataArguments;
use crate::failure::Failure;
use crate::moves::{boxes, play_moves};
use crate::solve::{empty_cells, plies_of, with_progress};
use noughts_play::Table;
use noughts_play::duration;

/// Show the value of every move
///
/// Each box is a win, a draw or a loss for the player to move, with the number of moves of both
/// players until the end. Unproven values are estimates with a sign, or begin with ~ if the search
/// saw the end but not every defence. The best move is the computer's choice, which searches fewer
/// boxes more deeply. For a finished game it names the losing move.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts analyse --moves \"A1 B2\"\n  \
    noughts analyse --rules connect4 --moves \"F4 E4\" --json\n  \
    noughts analyse --position \"3x3 x2/1o1/3 x\"\n  \
    noughts analyse 12")]
pub(crate) struct Arguments {
    /// The number of a stored game, see `noughts scores games`, or a file: text, .psq or .sgf
    #[arg(conflicts_with_all = ["rules", "moves", "position"],
        value_parser = |text: &str| Ok::<_, Infallible>(ChosenGame::from(text)))]
    game: Option<ChosenGame>,
    /// The rules
    #[arg(long, default_value = "3x3")]
    rules: Rules,
    /// Moves that lead to the position, such as "B2 A1"
    #[arg(long, default_value = "")]
    moves: String,
    /// The position as text, such as "3x3 x2/1o1/3 x"
    #[arg(long, conflicts_with = "rules")]
    position: Option<Position>,
    /// Time limit
    #[arg(long, default_value = "5s", value_parser = duration)]
    budget: Duration,
    /// Number of search threads; with more than one, estimates differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    threads: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut position = match (&arguments.game, &arguments.position) {
        (Some(game), _) => game.read(&arguments.data)?.position().clone(),
        (None, Some(position)) => position.clone(),
        (None, None) => Position::new(&arguments.rules),
    };
    play_moves(&mut position, &arguments.moves)?;
    let budget =
        Budget::unlimited().with_time(arguments.budget).with_threads(arguments.threads.into());
    let start = Instant::now();
    let report = if position.turn().is_some() {
        let analysis = with_progress(start, || analyse(&position, &budget))?;
        AnalysisOutput::of_position(&position, &analysis)
    } else {
        match with_progress(start, || losing_move(&position, &budget)) {
            Ok(lost) => AnalysisOutput::of_game(&position, lost),
            Err(LosingMoveError::Unsolvable(_)) => {
                AnalysisOutput::noted("Losing moves are found in games of two players only.")
            }
            Err(error) => return Err(error.into()),
        }
    };
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string(&report)?)?;
    } else {
        report.print(&position, &mut output)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct AnalysisOutput {
    cells: Vec<CellReport>,
    best: Option<String>,
    line: Vec<String>,
    /// The losing move of a finished game.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Lost>,
    /// The sentence about a finished game without a known losing move.
    #[serde(skip)]
    note: &'static str,
}

#[derive(Serialize)]
struct CellReport {
    cell: String,
    /// `win`, `draw`, `loss`, or `estimate` if no search saw the end.
    value: &'static str,
    /// Moves of all players until the end.
    plies: Option<usize>,
    proven: bool,
    /// The estimate; higher is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
}

#[derive(Serialize)]
struct Lost {
    /// The number of the move, from 1.
    number: usize,
    player: usize,
    cell: String,
    /// The value that was missed: `win`, `draw`, or `estimate` if it is not proven.
    missed: &'static str,
    better: String,
}

impl AnalysisOutput {
    fn of_position(position: &Position, analysis: &Analysis) -> AnalysisOutput {
        let left = empty_cells(position);
        let cells = analysis.cells.iter();
        AnalysisOutput {
            cells: cells.map(|at| CellReport::new(at.cell, at.verdict, left)).collect(),
            best: Some(analysis.best.to_string()),
            line: boxes(&analysis.pv),
            ..AnalysisOutput::noted("")
        }
    }

    fn of_game(position: &Position, lost: Option<LosingMove>) -> AnalysisOutput {
        let lost = lost.map(|lost| Lost {
            number: lost.ply + 1,
            player: lost.seat.index() + 1,
            cell: lost.cell.to_string(),
            missed: lost.missed.proven().map_or("estimate", word),
            better: lost.better.to_string(),
        });
        let is_given_up = matches!(position.history().next_back(), Some(Action::Resign { .. }));
        let note = match (position.outcome(), is_given_up) {
            (Some(Outcome::Draw), _) => "The game is a draw: nobody made a losing move.",
            (_, true) => "No move of this game was a losing move: a player resigned.",
            (_, false) => "No move of this game was a losing move.",
        };
        AnalysisOutput { lost, ..AnalysisOutput::noted(note) }
    }

    /// A report without values.
    fn noted(note: &'static str) -> AnalysisOutput {
        AnalysisOutput { cells: Vec::new(), best: None, line: Vec::new(), lost: None, note }
    }

    fn print(&self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        self.picture(position).print(output)?;
        if let Some(best) = &self.best {
            writeln!(output, "\nbest: {best}\nbest play: {}", self.line.join(" "))?;
            return Ok(());
        }
        match &self.lost {
            Some(Lost { number, player, cell, missed: "estimate", better }) => writeln!(
                output,
                "\nThe game was probably lost at move {number}, {cell} by player {player}: {better} looks better."
            ),
            Some(Lost { number, player, cell, missed, better }) => writeln!(
                output,
                "\nThe game was lost at move {number}, {cell} by player {player}: {better} was a {missed}."
            ),
            None => writeln!(output, "\n{}", self.note),
        }
    }

    /// The board with the values of empty cells.
    fn picture(&self, position: &Position) -> Table {
        let rules = position.rules();
        let numbers = (1..=rules.cols()).map(|col| col.to_string());
        let mut table = Table::new([String::new()].into_iter().chain(numbers));
        for row in 0..rules.rows() {
            let cells = (0..rules.cols()).filter_map(|col| Cell::new(row, col));
            let shown = cells.map(|cell| match position.seat_at(cell) {
                Some(seat) => noughts_rules::Symbol::default_for(seat).to_string(),
                None => self.mark(cell),
            });
            let letter = char::from(b'A' + row).to_string();
            table.push([letter].into_iter().chain(shown));
        }
        table
    }

    fn mark(&self, cell: Cell) -> String {
        let name = cell.to_string();
        let Some(at) = self.cells.iter().find(|at| at.cell == name) else { return ".".into() };
        match (at.value, at.plies, at.score) {
            (_, _, Some(score)) => format!("{score:+}"),
            ("draw", _, _) | (_, None, _) => at.value.to_string(),
            (value, Some(plies), _) if at.proven => format!("{value} {plies}"),
            (value, Some(plies), _) => format!("~{value} {plies}"),
        }
    }
}

impl CellReport {
    fn new(cell: Cell, verdict: Verdict, left: usize) -> CellReport {
        let proven = verdict.proven().is_some();
        let (value, plies, score) = match (verdict.proven().or(verdict.estimated_value()), verdict)
        {
            (Some(value), _) => (word(value), Some(plies_of(value, left)), None),
            (None, Verdict::Estimate(score)) => ("estimate", None, Some(score)),
            (None, Verdict::Proven(_)) => ("estimate", None, None),
        };
        CellReport { cell: cell.to_string(), value, plies, proven, score }
    }
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Win { .. } => "win",
        Value::Draw => "draw",
        Value::Loss { .. } => "loss",
    }
}
