//! `noughts perft`: counts games.

use std::io::{self, Write};

use noughts_rules::Rules;
use noughts_rules::perft::{self, Counts};
use serde::Serialize;

use crate::failure::Failure;
use crate::numbers;
use noughts_play::Table;

/// The positions kept per depth; this many take about 2 GiB.
const MAX_POSITIONS: usize = 20_000_000;

/// Count all games, nodes and positions of a game
///
/// Each position is searched once, however often it is reached, so that boards with trillions of
/// games take seconds.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  noughts perft 3x3\n  noughts perft connect4 --depth 8 --json\n  noughts perft ultimate --depth 4"
)]
pub(crate) struct Arguments {
    /// The rules, such as 3x3, 4x4 or ultimate; see `noughts rules`
    rules: Rules,
    /// Count games of up to this many moves only
    #[arg(long, value_name = "N", value_parser = numbers::plies)]
    depth: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let perft = perft::count(&arguments.rules, arguments.depth, MAX_POSITIONS)?;
    let total = Row::from(&perft.total());
    let by_depth: Vec<Row> = perft.by_depth().iter().map(Row::from).collect();
    let mut output = io::stdout().lock();
    if arguments.json {
        let report = PerftOutput { rules: arguments.rules.to_string(), total, by_depth };
        serde_json::to_writer(&mut output, &report)?;
        writeln!(output)?;
    } else {
        print_table(&mut output, &by_depth, &total)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct PerftOutput {
    rules: String,
    #[serde(flatten)]
    total: Row,
    by_depth: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    games: u128,
    nodes: u128,
    wins: Vec<u128>,
    draws: u128,
    positions: u128,
    up_to_symmetry: u128,
}

impl From<&Counts> for Row {
    fn from(counts: &Counts) -> Row {
        Row {
            games: counts.games,
            nodes: counts.nodes,
            wins: counts.wins.clone(),
            draws: counts.draws,
            positions: counts.positions,
            up_to_symmetry: counts.up_to_symmetry,
        }
    }
}

fn print_table(output: &mut impl Write, by_depth: &[Row], total: &Row) -> io::Result<()> {
    let heads = ["depth", "nodes", "positions", "up to symmetry", "games", "draws"];
    let wins = (1..=total.wins.len()).map(|player| format!("wins of player {player}"));
    let mut table = Table::new(heads.map(str::to_string).into_iter().chain(wins));
    let labels = (0..by_depth.len()).map(|depth| depth.to_string()).chain(["all".to_string()]);
    for (label, row) in labels.zip(by_depth.iter().chain([total])) {
        let numbers = [row.nodes, row.positions, row.up_to_symmetry, row.games, row.draws];
        let numbers = numbers.iter().chain(&row.wins).map(u128::to_string);
        table.push([label].into_iter().chain(numbers));
    }
    table.print(output)
}
