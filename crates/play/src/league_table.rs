//! League tables and players' records as text.

use noughts_scores::{League, Record, Standing};

use crate::chart;
use crate::table::Table;

/// The standings as a table for people.
pub fn league_table<'a>(standings: impl Iterator<Item = Standing<'a>>) -> Table {
    let mut table = Table::new(["rank", "name", "rating", "wins", "losses", "draws"]);
    for Standing { rank, name, rating, record } in standings {
        let counts = [record.wins, record.losses, record.draws].map(|count| count.to_string());
        let cells = [rank.to_string(), name.to_string(), rating.shown.to_string()];
        table.push(cells.into_iter().chain(counts));
    }
    table
}

/// A player's record, rating chart and opponents as lines of text; `None` for a player who is not
/// in the league.
pub fn player_record(league: &League, league_name: &str, name: &str) -> Option<Vec<String>> {
    let standing = league.standing(name)?;
    let Record { wins, losses, draws } = standing.record;
    let (rank, players) = (standing.rank, league.len());
    let mut lines = vec![
        format!("{}, rank {rank} of {players} in the league {league_name}", standing.name),
        format!("{wins} won, {losses} lost, {draws} drawn"),
        String::new(),
        format!("Rating ({}): {}", league.system(), standing.rating.shown),
    ];
    let mut ratings: Vec<i64> =
        league.rating_over_time(name).map(|point| point.rating.shown).collect();
    ratings.reverse();
    lines.extend(chart::lines(&ratings));
    lines.push(String::new());
    let mut table = Table::new(["against", "won", "lost", "drawn"]);
    for (name, record) in league.opponents(name) {
        let counts = [record.wins, record.losses, record.draws].map(|count| count.to_string());
        table.push([name.to_string()].into_iter().chain(counts));
    }
    lines.extend(table.lines());
    Some(lines)
}
