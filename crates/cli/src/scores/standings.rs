//! The league table.

use std::io::{self, Write};

use noughts_play::league_table;
use noughts_scores::Neighbours;
use serde::Serialize;

use super::{Row, Scores, print_json};
use crate::failure::Failure;

/// A player with neighbours, best first, as JSON.
#[derive(Serialize)]
struct Ranked<'a> {
    #[serde(flatten)]
    player: Row<'a>,
    above: Vec<Row<'a>>,
    below: Vec<Row<'a>>,
}

impl Scores {
    pub(super) fn top(&self, count: usize) -> Result<(), Failure> {
        let league = self.load()?;
        if self.json {
            return Ok(print_json(&league.top(count).map(Row::from).collect::<Vec<_>>())?);
        }
        let mut output = io::stdout().lock();
        if league.is_empty() {
            writeln!(output, "Nobody has a result in the league {} yet.", self.league)?;
            return Ok(());
        }
        Ok(league_table(league.top(count)).print(&mut output)?)
    }

    /// Shows a player with neighbours.
    pub(super) fn rank(&self, name: &str) -> Result<(), Failure> {
        let league = self.load()?;
        let neighbours = league.neighbours(name, 2).ok_or_else(|| self.nobody(name))?;
        if self.json {
            let Neighbours { above, player, below } = neighbours;
            return Ok(print_json(&Ranked {
                player: Row::from(player),
                above: above.into_iter().map(Row::from).collect(),
                below: below.into_iter().map(Row::from).collect(),
            })?);
        }
        let rows = neighbours.above.iter().chain([&neighbours.player]).chain(&neighbours.below);
        let mut output = io::stdout().lock();
        // The heading comes first.
        let here = neighbours.above.len() + 1;
        for (i, line) in league_table(rows.copied()).lines().enumerate() {
            writeln!(output, "{} {line}", if i == here { ">" } else { " " })?;
        }
        Ok(())
    }
}
