//! `noughts analyse`: values every move, and finds the losing move of a finished game.

use std::convert::Infallible;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use noughts_engine::{
    Analysis, Budget, LosingMove, LosingMoveError, Value, Verdict, analyse, losing_move,
};
use noughts_rules::{Action, Cell, Game, Move, Outcome, Position, Rules, Shape};
use serde::{Serialize, Serializer};

use crate::chosen_game::ChosenGame;
use crate::data::DataArguments;
use crate::failure::Failure;
use crate::moves::{move_texts, play_moves};
use crate::numbers;
use crate::solve::{plies_of, with_progress};
use noughts_play::Table;
use noughts_play::{duration, winner_moves};

/// Show the value of every move
///
/// Each move is a win, a draw or a loss for the player to move, with the number of moves of both
/// players until the end. Unproven values are estimates with a sign, or begin with ~ if the search
/// saw the end but not every defence. The best move is the computer's choice, which searches fewer
/// moves more deeply. For a finished game it names the losing move.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts analyse --moves \"A1 B2\"\n  \
    noughts analyse --rules connect4 --moves \"F4 E4\" --json\n  \
    noughts analyse --rules wild --moves B2=x\n  \
    noughts analyse --position \"3x3 x2/1o1/3 x\"\n  \
    noughts analyse 12")]
pub(crate) struct Arguments {
    /// The number of a stored game, see `noughts scores games`, or a file: text, .psq or .sgf
    #[arg(conflicts_with_all = ["rules", "moves", "position"],
        value_parser = |text: &str| Ok::<_, Infallible>(ChosenGame::from(text)))]
    game: Option<ChosenGame>,
    /// The rules; see `noughts rules`
    #[arg(long, default_value = "3x3")]
    rules: Rules,
    /// Moves that lead to the position, such as "B2 A1"
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// The position as text, such as "3x3 x2/1o1/3 x"
    #[arg(long, conflicts_with = "rules")]
    position: Option<Position>,
    /// Time limit
    #[arg(long, default_value = "5s", value_parser = duration)]
    budget: Duration,
    /// Number of search threads; with more than one, estimates differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = numbers::threads)]
    threads: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut position = match (&arguments.game, &arguments.position) {
        (Some(game), _) => game.read(&arguments.data, None)?.position().clone(),
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

/// An analysis as the dialogue shows it.
pub(crate) fn analysis_lines(game: &Game, analysis: &Analysis) -> Vec<String> {
    let mut text = Vec::new();
    let output = AnalysisOutput::of_position(game.position(), analysis);
    // Writing to memory does not fail.
    let _ = output.print(game.position(), &mut text);
    String::from_utf8_lossy(&text).lines().map(str::to_string).collect()
}

#[derive(Serialize)]
struct AnalysisOutput {
    moves: Vec<MoveReport>,
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
struct MoveReport {
    #[serde(rename = "move", serialize_with = "as_text")]
    mv: Move,
    /// `win`, `draw`, `loss`, or `estimate` if no search saw the end.
    value: &'static str,
    /// Moves of all players until the end.
    plies: Option<usize>,
    /// The winner's own moves until the end.
    #[serde(skip)]
    moves: Option<u16>,
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
    #[serde(rename = "move")]
    mv: String,
    /// The value that was missed: `win`, `draw`, or `estimate` if it is not proven.
    missed: &'static str,
    better: String,
}

impl AnalysisOutput {
    fn of_position(position: &Position, analysis: &Analysis) -> AnalysisOutput {
        let moves = analysis.moves.iter();
        AnalysisOutput {
            moves: moves.map(|at| MoveReport::new(at.mv, at.verdict, position)).collect(),
            best: Some(analysis.best.to_string()),
            line: move_texts(&analysis.pv),
            ..AnalysisOutput::noted("")
        }
    }

    fn of_game(position: &Position, lost: Option<LosingMove>) -> AnalysisOutput {
        let lost = lost.map(|lost| Lost {
            number: lost.ply + 1,
            player: lost.seat.index() + 1,
            mv: lost.mv.to_string(),
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
        AnalysisOutput { moves: Vec::new(), best: None, line: Vec::new(), lost: None, note }
    }

    fn print(&self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        self.print_boards(position, output)?;
        if let Some(best) = &self.best {
            writeln!(output, "\nbest: {best}\nbest play: {}", self.line.join(" "))?;
            return Ok(());
        }
        match &self.lost {
            Some(Lost { number, player, mv, missed: "estimate", better }) => writeln!(
                output,
                "\nThe game was probably lost at move {number}, {mv} by player {player}: {better} looks better."
            ),
            Some(Lost { number, player, mv, missed, better }) => writeln!(
                output,
                "\nThe game was lost at move {number}, {mv} by player {player}: {better} was a {missed}."
            ),
            None => writeln!(output, "\n{}", self.note),
        }
    }

    /// The boards with the values of the moves, and below them the values of opening choices.
    fn print_boards(&self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        let rules = position.rules();
        for level in 0..rules.levels() {
            if rules.levels() > 1 {
                let what =
                    if matches!(rules.shape(), Shape::Boards { .. }) { "Board" } else { "Level" };
                let space = if level > 0 { "\n" } else { "" };
                writeln!(output, "{space}{what} {}", level + 1)?;
            }
            self.board(position, level).print(output)?;
        }
        let choices = self.moves.iter().filter(|at| at.mv.cell().is_none());
        choices.map(|at| (at.mv, at.value_text())).enumerate().try_for_each(|(i, (mv, value))| {
            writeln!(output, "{}{mv}: {value}", if i == 0 { "\n" } else { "" })
        })
    }

    /// A level, or one of several boards, with the values of the moves.
    fn board(&self, position: &Position, level: u8) -> Table {
        let rules = position.rules();
        let symbols = Game::with_default_players(rules);
        let numbers = (1..=rules.cols()).map(|col| col.to_string());
        let mut table = Table::new([String::new()].into_iter().chain(numbers));
        for row in 0..rules.rows() {
            let cells = (0..rules.cols()).filter_map(|col| Cell::in_space(level, row, col));
            let shown = cells.map(|cell| match position.mark_at(cell) {
                Some(mark) => symbols.mark_symbol(mark).to_string(),
                None => self.values_at(cell),
            });
            let letter = char::from(b'A' + row).to_string();
            table.push([letter].into_iter().chain(shown));
        }
        table
    }

    /// The value of taking a cell: one for each mark, if the mover chooses it.
    fn values_at(&self, cell: Cell) -> String {
        let moves = self.moves.iter().filter(|at| at.mv.cell() == Some(cell));
        let values: Vec<String> = moves
            .map(|at| match at.mv.chosen_mark() {
                Some(mark) => format!("{mark}: {}", at.value_text()),
                None => at.value_text(),
            })
            .collect();
        if values.is_empty() { ".".into() } else { values.join(", ") }
    }
}

impl MoveReport {
    fn new(mv: Move, verdict: Verdict, position: &Position) -> MoveReport {
        let proven = verdict.proven().is_some();
        let (value, plies, score) = match (verdict.proven().or(verdict.estimated_value()), verdict)
        {
            (Some(value), _) => (word(value), plies_of(value, position), None),
            (None, Verdict::Estimate(score)) => ("estimate", None, Some(score)),
            (None, Verdict::Proven(_)) => ("estimate", None, None),
        };
        let reached = verdict.proven().or(verdict.estimated_value());
        let moves = reached.and_then(|value| winner_moves(position, value));
        MoveReport { mv, value, plies, moves, proven, score }
    }

    fn value_text(&self) -> String {
        match (self.value, self.moves, self.score) {
            (_, _, Some(score)) => format!("{score:+}"),
            ("draw", _, _) | (_, None, _) => self.value.to_string(),
            (value, Some(moves), _) if self.proven => format!("{value} {moves}"),
            (value, Some(moves), _) => format!("~{value} {moves}"),
        }
    }
}

fn as_text<S: Serializer>(mv: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(mv)
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Win { .. } => "win",
        Value::Draw => "draw",
        Value::Loss { .. } => "loss",
    }
}
