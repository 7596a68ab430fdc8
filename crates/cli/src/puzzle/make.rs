//! `noughts puzzle make`: finds puzzles in games.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use noughts_engine::{Budget, PUZZLE_NODES, Puzzle, PuzzleGenerator, PuzzleKind, PuzzleRecord};
use noughts_play::read_games;
use noughts_rules::Rules;

use crate::failure::Failure;
use crate::numbers;

/// Find puzzles, in games that the computer plays against itself or in files
///
/// Every puzzle is proven by the solver and has exactly one right first move. The same seed finds the
/// same puzzles.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts puzzle make connect4 --count 20\n  \
    noughts puzzle make gomoku --count 5 --json > puzzles.json\n  \
    noughts puzzle make 3x3 --from games.txt")]
pub(crate) struct Arguments {
    /// The rules, such as 3x3, connect4 or gomoku; see `noughts rules`
    rules: Rules,
    /// How many puzzles to find; fewer if the games have fewer
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::positive)]
    count: u64,
    /// Seed of the games that the computer plays
    #[arg(long, default_value_t = 1, value_parser = numbers::seed, conflicts_with = "from")]
    seed: u64,
    /// Look for puzzles in the games of these files instead
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Positions that a proof may visit
    #[arg(long, value_name = "N", default_value_t = PUZZLE_NODES / 5, value_parser = numbers::positive)]
    nodes: u64,
    /// Print JSON, one array of all puzzles
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { rules, count, seed, from, nodes, json } = arguments;
    if rules.players() != 2 {
        let players = rules.players();
        return Err(Failure::malformed(anyhow!("puzzles are for two players, not for {players}")));
    }
    let budget = Budget::unlimited().with_nodes(nodes);
    let puzzles = match from.is_empty() {
        true => PuzzleGenerator::new(&rules, seed, &budget),
        false => {
            let games = from.iter().map(|path| read_games(path));
            let games: Vec<_> = games.collect::<Result<_, _>>()?;
            let positions = games.into_iter().flatten().map(|game| game.position().clone());
            PuzzleGenerator::of_games(&rules, positions, &budget)
        }
    };
    let puzzles = puzzles.take(usize::try_from(count).unwrap_or(usize::MAX));
    let mut output = io::stdout().lock();
    let mut found = 0;
    for puzzle in puzzles {
        let separator = if found == 0 { "[" } else { "," };
        found += 1;
        if json {
            // One line for each puzzle, as soon as it is found.
            let record = serde_json::to_string(&PuzzleRecord::from(&puzzle))?;
            writeln!(output, "{separator}{record}")?;
        } else {
            writeln!(output, "{}", summary(&puzzle))?;
        }
        output.flush()?;
    }
    match (json, found) {
        (true, 0) => writeln!(output, "[]")?,
        (true, _) => writeln!(output, "]")?,
        (false, 0) => writeln!(output, "no puzzle found: try more games or --nodes")?,
        (false, _) => {}
    }
    Ok(())
}

fn summary(puzzle: &Puzzle) -> String {
    let task = match puzzle.kind() {
        PuzzleKind::Win => format!("win in {}", puzzle.own_moves()),
        PuzzleKind::Draw => "draw".to_string(),
    };
    let (position, difficulty) = (puzzle.position(), puzzle.difficulty());
    let solution = crate::moves::move_texts(puzzle.solution()).join(" ");
    format!("{position}\n  {task}: {solution} (difficulty {difficulty})")
}
