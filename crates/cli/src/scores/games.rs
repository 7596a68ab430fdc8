//! Lists stored games and retracts results.

use std::io::{self, Write};

use noughts_rules::Outcome;
use noughts_scores::ResultId;
use noughts_store::StoredGame;
use serde::Serialize;

use super::{Scores, print_json};
use crate::failure::Failure;
use noughts_play::Table;
use noughts_play::{date, now};

#[derive(Serialize)]
struct Row<'a> {
    id: u64,
    at: i64,
    rules: String,
    players: Vec<&'a str>,
    /// The winner's name; `None` for a draw.
    winner: Option<&'a str>,
    league: Option<&'a str>,
    result: Option<u64>,
    retracted: bool,
}

impl<'a> From<&'a StoredGame> for Row<'a> {
    fn from(stored: &'a StoredGame) -> Row<'a> {
        let players: Vec<&str> = stored.game.players().iter().map(|player| player.name()).collect();
        let winner = match stored.game.position().outcome() {
            Some(Outcome::Win(seat)) => Some(players[seat.index()]),
            _ => None,
        };
        let result = stored.result.as_ref();
        Row {
            id: stored.id.0,
            at: stored.at,
            rules: stored.game.rules().to_string(),
            players,
            winner,
            league: result.map(|result| result.league.as_str()),
            result: result.map(|result| result.id.0),
            retracted: result.is_some_and(|result| result.retracted),
        }
    }
}

impl Scores {
    /// The newest games, of all leagues or of the one named.
    pub(super) fn games(&self, is_named: bool, count: usize) -> Result<(), Failure> {
        let league = is_named.then_some(self.league.as_str());
        if is_named {
            self.load()?;
        }
        let games = self.data.games(league, count)?;
        let rows: Vec<Row> = games.iter().map(Row::from).collect();
        if self.json {
            return Ok(print_json(&rows)?);
        }
        let mut output = io::stdout().lock();
        if rows.is_empty() {
            match league {
                Some(league) => writeln!(output, "No game counts in the league {league} yet.")?,
                None => writeln!(output, "No game has been stored yet.")?,
            }
            return Ok(());
        }
        let heads = ["game", "played", "rules", "players", "winner", "league", "result"];
        let mut table = Table::new(heads);
        for row in rows {
            let result = row.result.map(|id| id.to_string()).unwrap_or_default();
            let result = if row.retracted { format!("{result} (retracted)") } else { result };
            table.push([
                row.id.to_string(),
                date(row.at),
                row.rules,
                row.players.join(", "),
                row.winner.unwrap_or("draw").to_string(),
                row.league.unwrap_or("none").to_string(),
                result,
            ]);
        }
        Ok(table.print(&mut output)?)
    }

    pub(super) fn retract(&self, id: u64) -> Result<(), Failure> {
        self.data.retract(ResultId(id), now())?;
        if self.json {
            return Ok(print_json(&serde_json::json!({ "retracted": id }))?);
        }
        writeln!(io::stdout(), "Result {id} is retracted and no longer counts.")?;
        Ok(())
    }
}
