//! The list of games.

use std::io::{self, Write};

use noughts_play::{GameFilter, Table};
use noughts_store::StoredGame;

use crate::failure::Failure;
use crate::game_json::{StoredJson, table_row};

pub(super) fn print(games: &[StoredGame], filter: GameFilter, json: bool) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    if json {
        let rows: Vec<StoredJson> = games.iter().map(StoredJson::from).collect();
        writeln!(output, "{}", serde_json::to_string(&rows)?)?;
        return Ok(());
    }
    if games.is_empty() {
        let text = match filter == GameFilter::default() {
            true => "No game has been stored yet.",
            false => "No stored game is like that.",
        };
        writeln!(output, "{text}")?;
        return Ok(());
    }
    let mut table = Table::new(["game", "played", "rules", "players", "winner"]);
    games.iter().for_each(|stored| table.push(table_row(stored)));
    Ok(table.print(&mut output)?)
}
