//! A player's record.

use std::io::{self, Write};

use noughts_play::player_record;
use noughts_scores::{RatingPoint, Record};
use serde::Serialize;

use super::{Row, Scores, print_json};
use crate::failure::Failure;

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
            let standing = league.standing(name).ok_or_else(|| self.nobody(name))?;
            let mut history: Vec<RatingPoint> = league.rating_over_time(name).collect();
            history.reverse();
            let opponents = league.opponents(name);
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
        let lines = player_record(&league, &self.league, name).ok_or_else(|| self.nobody(name))?;
        Ok(lines.iter().try_for_each(|line| writeln!(output, "{line}"))?)
    }
}

impl<'a> From<(&'a str, Record)> for Opponent<'a> {
    fn from((name, record): (&'a str, Record)) -> Opponent<'a> {
        let Record { wins, losses, draws } = record;
        Opponent { name, wins, losses, draws }
    }
}
