//! The table of a league.

use std::io::{self, Write};

use super::{Row, Scores, print_json, table};
use crate::failure::Failure;

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
        Ok(table(league.top(count)).print(&mut output)?)
    }

    /// The player and those next to them.
    pub(super) fn rank(&self, name: &str) -> Result<(), Failure> {
        let league = self.load()?;
        let neighbours = league.neighbours(name, 2).ok_or_else(|| self.nobody(name))?;
        if self.json {
            return Ok(print_json(&Row::from(neighbours.player))?);
        }
        let rows = neighbours.above.iter().chain([&neighbours.player]).chain(&neighbours.below);
        let mut output = io::stdout().lock();
        // The line of the heads, then one for each row.
        let here = neighbours.above.len() + 1;
        for (i, line) in table(rows.copied()).lines().enumerate() {
            writeln!(output, "{} {line}", if i == here { ">" } else { " " })?;
        }
        Ok(())
    }
}
