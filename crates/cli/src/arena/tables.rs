//! A tournament's report as tables of text.

use std::io::{self, Write};

use noughts_arena::TournamentReport;
use noughts_play::Table;

/// Prints the ranking, the cross table of a round robin, and the notes.
pub(super) fn print(report: &TournamentReport, output: &mut impl Write) -> io::Result<()> {
    ranking(report).print(output)?;
    if report.players.iter().any(|player| player.statistics.is_some()) {
        writeln!(output)?;
        statistics(report).print(output)?;
    }
    let is_round_robin = report.pairings.len() >= report.players.len();
    if is_round_robin {
        writeln!(output)?;
        cross_table(report).print(output)?;
    }
    if !report.notes.is_empty() {
        writeln!(output)?;
    }
    report.notes.iter().try_for_each(|note| writeln!(output, "{note}"))
}

fn ranking(report: &TournamentReport) -> Table {
    let heads =
        ["rank", "player", "elo", "±", "games", "wins", "draws", "losses", "score %", "forfeits"];
    let is_swiss = report.players.iter().any(|player| player.points.is_some());
    let swiss_heads = ["points", "buchholz"].into_iter().filter(|_| is_swiss);
    let mut table = Table::new(heads.into_iter().chain(swiss_heads));
    for row in &report.players {
        // Equal ratings share a rank.
        let better = report.players.iter().filter(|other| other.elo > row.elo).count();
        let score = match row.games {
            0 => "-".to_string(),
            games => format!("{:.1}", 100.0 * points(row.wins, row.draws) / f64::from(games)),
        };
        let cells = [
            row.place.unwrap_or(better + 1).to_string(),
            row.player.clone(),
            // Adding zero turns -0 into 0.
            format!("{:+.0}", row.elo.round() + 0.0),
            format!("{:.0}", row.error),
        ];
        let counts = [row.games, row.wins, row.draws, row.losses].map(|n| n.to_string());
        let rest = [score, row.forfeits.to_string()];
        let swiss = [row.points, row.buchholz].into_iter().flatten().map(|n| format!("{n:.1}"));
        table.push(cells.into_iter().chain(counts).chain(rest).chain(swiss));
    }
    table
}

/// What the players' moves took.
fn statistics(report: &TournamentReport) -> Table {
    let heads = ["player", "moves", "ms per move", "longest ms", "nodes per move", "nodes per s"];
    let mut table = Table::new(heads);
    for row in &report.players {
        let took = row.statistics.unwrap_or_default();
        let per = |sum: u64, count: u64| match count {
            0 => "-".to_string(),
            count => format!("{:.0}", sum as f64 / count as f64),
        };
        let has_nodes = took.nodes > 0;
        table.push([
            row.player.clone(),
            took.moves.to_string(),
            per(took.time_ms, took.moves),
            took.longest_ms.to_string(),
            per(took.nodes, if has_nodes { took.moves } else { 0 }),
            per(took.nodes.saturating_mul(1000), if has_nodes { took.time_ms } else { 0 }),
        ]);
    }
    table
}

/// The points that each player, by rank, took from each other player.
fn cross_table(report: &TournamentReport) -> Table {
    let score = |player: &str, opponent: &str| {
        let score = report.pairings.iter().find_map(|pairing| {
            match (pairing.first.as_str(), pairing.second.as_str()) {
                pair if pair == (player, opponent) => Some(points(pairing.wins, pairing.draws)),
                pair if pair == (opponent, player) => Some(points(pairing.losses, pairing.draws)),
                _ => None,
            }
        });
        score.map_or("-".to_string(), |points| format!("{points:.1}"))
    };
    let players = &report.players;
    let rows: Vec<Vec<String>> = players
        .iter()
        .map(|row| players.iter().map(|column| score(&row.player, &column.player)).collect())
        .collect();
    // A table aligns a column by its first row, which is not a number on the diagonal.
    let width = rows.iter().flatten().map(String::len).max().unwrap_or(0);
    let heads = (1..=players.len()).map(|place| format!("{place:>width$}"));
    let mut table = Table::new(["".into(), "points against".into()].into_iter().chain(heads));
    for ((place, player), row) in (1..).zip(players).zip(rows) {
        let label = [place.to_string(), player.player.clone()];
        table.push(label.into_iter().chain(row.iter().map(|cell| format!("{cell:>width$}"))));
    }
    table
}

fn points(wins: u32, draws: u32) -> f64 {
    f64::from(wins) + 0.5 * f64::from(draws)
}
