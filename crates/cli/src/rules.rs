//! `noughts rules`: lists games, and explains one.

use std::io::{self, Write};

use noughts_play::Table;
use noughts_rules::notation::PRESETS;
use noughts_rules::{Outcome, Rules, describe};
use serde::Serialize;

use crate::failure::Failure;
use crate::turn::explain_rules;

/// How to write a game that is not in the list.
const GRAMMAR: &str = "\
Or write a game of your own: ROWSxCOLS or ROWSxCOLSxLEVELS, with :K for the
number in a row or with :[A1-A2-A3,…] for the lines that win, and then any of

  +ultimate +notakto +wild +order +misere +gravity +wrap +exact +renju
  +swap +swap2
  +fadeN (only the last N marks stay)  +Nb (notakto on N boards)
  +Ns (N stones a turn)                +Np (N players)

A name takes them too: qubic+gravity, connect4+wrap. `noughts rules RULES`
explains a game.";

/// List the games, or explain one
///
/// Prints the well-known games with their names, which --rules takes; or, for one game, how to play it
/// and what perfect play leads to, where that is published.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  noughts rules\n  noughts rules ultimate\n  noughts rules 4x4x4+gravity+swap --json"
)]
pub(crate) struct Arguments {
    /// The game to explain, such as ultimate, 4x4x4 or 6x6:5+order
    rules: Option<Rules>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match (&arguments.rules, arguments.json) {
        (None, false) => list(&mut output)?,
        (None, true) => {
            let games: Vec<Game> = PRESETS.iter().map(|(name, _)| Game::preset(name)).collect();
            writeln!(output, "{}", serde_json::to_string(&games)?)?;
        }
        (Some(rules), false) => explain(rules, &mut output)?,
        (Some(rules), true) => {
            writeln!(output, "{}", serde_json::to_string(&Explanation::new(rules))?)?;
        }
    }
    Ok(())
}

fn list(output: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(["name", "rules", "game"]);
    for (name, _) in PRESETS {
        let Game { rules, title, .. } = Game::preset(name);
        table.push([name.to_string(), rules, title]);
    }
    table.print(output)?;
    writeln!(output, "\n{GRAMMAR}")
}

fn explain(rules: &Rules, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{} ({rules})\n\n{}", describe::title(rules), explain_rules(rules))?;
    match PerfectPlay::of(rules) {
        Some(PerfectPlay { winner: None, source }) => {
            writeln!(output, "\nWith perfect play it is a draw ({source}).")
        }
        Some(PerfectPlay { winner: Some(player), source }) => {
            writeln!(output, "\nWith perfect play player {player} wins ({source}).")
        }
        None => Ok(()),
    }
}

/// A game in a list.
#[derive(Serialize)]
struct Game {
    /// The name of a well-known game.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    rules: String,
    title: String,
    summary: String,
}

impl Game {
    fn new(name: Option<&'static str>, rules: &Rules) -> Game {
        let (title, summary) = (describe::title(rules), describe::summary(rules));
        Game { name, rules: rules.to_string(), title, summary }
    }

    fn preset(name: &'static str) -> Game {
        Game::new(Some(name), &name.parse().expect("presets are rules"))
    }
}

/// A game with all that is known of it.
#[derive(Serialize)]
struct Explanation {
    #[serde(flatten)]
    game: Game,
    how_to_play: Vec<String>,
    perfect_play: Option<PerfectPlay>,
}

impl Explanation {
    fn new(rules: &Rules) -> Explanation {
        let text = rules.to_string();
        let name = PRESETS.iter().find(|(_, preset)| *preset == text).map(|(name, _)| *name);
        Explanation {
            game: Game::new(name, rules),
            how_to_play: describe::how_to_play(rules),
            perfect_play: PerfectPlay::of(rules),
        }
    }
}

/// The published result of perfect play.
#[derive(Serialize)]
struct PerfectPlay {
    /// The winner, from 1; null for a draw.
    winner: Option<usize>,
    source: &'static str,
}

impl PerfectPlay {
    fn of(rules: &Rules) -> Option<PerfectPlay> {
        let published = describe::published_value(rules)?;
        let winner = match published.outcome {
            Outcome::Win(seat) => Some(seat.index() + 1),
            Outcome::Draw => None,
        };
        Some(PerfectPlay { winner, source: published.source })
    }
}
