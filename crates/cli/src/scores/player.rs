//! One player.

use std::io::{self, Write};

use noughts_scores::{League, Name, RatingPoint, Record};
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
        if self.json {
            let player = Name::new(name).map_err(|_| self.nobody(name))?;
            let standing = league.standing(&player).ok_or_else(|| self.nobody(name))?;
            let mut history: Vec<RatingPoint> = league.rating_over_time(&player).collect();
            history.reverse();
            let opponents = league.opponents(&player);
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
        let lines = record_lines(&league, &self.league, name).ok_or_else(|| self.nobody(name))?;
        Ok(lines.iter().try_for_each(|line| writeln!(output, "{line}"))?)
    }
}

/// A player's record, rating over time and opponents as lines of text; `None` for somebody who is
/// not in the league, whose name is given.
pub(crate) fn record_lines(
    league: &League<Name>,
    league_name: &str,
    name: &str,
) -> Option<Vec<String>> {
    let player = Name::new(name).ok()?;
    let standing = league.standing(&player)?;
    let Record { wins, losses, draws } = standing.record;
    let (rank, players) = (standing.rank, league.len());
    let mut lines = vec![
        format!("{}, rank {rank} of {players} in the league {league_name}", standing.player),
        format!("{wins} won, {losses} lost, {draws} drawn"),
        String::new(),
        format!("Rating ({}): {}", league.system(), standing.rating.shown),
    ];
    let mut ratings: Vec<i64> =
        league.rating_over_time(&player).map(|point| point.rating.shown).collect();
    ratings.reverse();
    lines.extend(chart::lines(&ratings));
    lines.push(String::new());
    let mut table = Table::new(["against", "won", "lost", "drawn"]);
    for (name, record) in league.opponents(&player) {
        let counts = [record.wins, record.losses, record.draws].map(|count| count.to_string());
        table.push([name.to_string()].into_iter().chain(counts));
    }
    lines.extend(table.lines());
    Some(lines)
}

impl<'a> From<(&'a Name, Record)> for Opponent<'a> {
    fn from((name, record): (&'a Name, Record)) -> Opponent<'a> {
        let name = name.as_str();
        let Record { wins, losses, draws } = record;
        Opponent { name, wins, losses, draws }
    }
}
