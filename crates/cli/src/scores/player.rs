//! One player.

use std::io::{self, Write};

use noughts_scores::{RatingPoint, Record};
use serde::Serialize;

use super::{Row, Scores, chart, print_json};
use crate::failure::Failure;
use crate::table::Table;

#[derive(Serialize)]
struct Profile<'a> {
    league: &'a str,
    system: &'static str,
    #[serde(flatten)]
    row: Row<'a>,
    history: Vec<Point>,
    opponents: Vec<Opponent<'a>>,
}

#[derive(Serialize)]
struct Point {
    result: u64,
    at: i64,
    rating: i64,
}

#[derive(Serialize)]
struct Opponent<'a> {
    name: &'a str,
    wins: u32,
    losses: u32,
    draws: u32,
}

impl Scores {
    pub(super) fn show(&self, name: &str) -> Result<(), Failure> {
        let league = self.load()?;
        let standing = league.standing(name).ok_or_else(|| self.nobody(name))?;
        let mut history: Vec<RatingPoint> = league.rating_over_time(name).collect();
        history.reverse();
        let opponents = league.opponents(name);
        if self.json {
            let point =
                |p: &RatingPoint| Point { result: p.result.0, at: p.at, rating: p.rating.shown };
            return Ok(print_json(&Profile {
                league: &self.league,
                system: league.system().as_str(),
                row: standing.into(),
                history: history.iter().map(point).collect(),
                opponents: opponents.into_iter().map(Opponent::from).collect(),
            })?);
        }

        let mut output = io::stdout().lock();
        let Record { wins, losses, draws } = standing.record;
        writeln!(
            output,
            "{}, rank {} of {} in the league {}",
            standing.name,
            standing.rank,
            league.len(),
            self.league
        )?;
        writeln!(output, "{wins} won, {losses} lost, {draws} drawn")?;
        writeln!(output, "\nRating ({}): {}", league.system(), standing.rating.shown)?;
        let ratings: Vec<i64> = history.iter().map(|point| point.rating.shown).collect();
        for line in chart::lines(&ratings) {
            writeln!(output, "{line}")?;
        }
        writeln!(output)?;
        let mut table = Table::new(["against", "won", "lost", "drawn"]);
        for (name, record) in opponents {
            let counts = [record.wins, record.losses, record.draws].map(|count| count.to_string());
            table.push([name.to_string()].into_iter().chain(counts));
        }
        Ok(table.print(&mut output)?)
    }
}

impl<'a> From<(&'a str, Record)> for Opponent<'a> {
    fn from((name, record): (&'a str, Record)) -> Opponent<'a> {
        let Record { wins, losses, draws } = record;
        Opponent { name, wins, losses, draws }
    }
}
