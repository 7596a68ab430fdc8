//! What came of a tournament, for people and for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::contest::{Contest, Entrant};
use super::elo::{Rating, rate};
use super::sprt::{Accepted, Sprt};
use super::tally::Tally;
use crate::table::Table;

/// A finished tournament. As JSON it is what programs read.
#[derive(Serialize)]
pub(crate) struct Report {
    rules: String,
    games: u32,
    seed: u64,
    /// Best first.
    players: Vec<Row>,
    pairings: Vec<PairingRow>,
    sprt: Option<SprtRow>,
    #[serde(skip)]
    cross_table: Option<Table>,
    #[serde(skip)]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    player: String,
    elo: f64,
    error: f64,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    forfeits: u32,
}

#[derive(Serialize)]
struct PairingRow {
    first: String,
    second: String,
    wins: u32,
    draws: u32,
    losses: u32,
}

#[derive(Serialize)]
struct SprtRow {
    elo0: f64,
    elo1: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    accepted: Option<&'static str>,
}

impl Report {
    pub(crate) fn new(contest: &Contest, tally: &Tally, sprt: Option<&Sprt>) -> Report {
        let entrants = &contest.entrants;
        let name = |entrant: usize| entrants[entrant].name().to_string();
        let ratings = rate(entrants.len(), tally.pairings());
        let rating = |entrant: usize| ratings.players[entrant];
        let mut ranking: Vec<usize> = (0..entrants.len()).collect();
        ranking.sort_by(|&a, &b| rounded(rating(b).elo).total_cmp(&rounded(rating(a).elo)));

        let mut notes = Vec::new();
        if entrants.len() == 2 {
            notes.push(difference(entrants, rating(0)));
        }
        if ratings.one_sided {
            notes.push(ONE_SIDED.to_string());
        }
        notes.extend(sprt.map(|sprt| verdict(entrants, sprt)));
        notes.extend(tally.forfeits().map(|(entrant, reason, games)| {
            let games = if games == 1 { "1 game".into() } else { format!("{games} games") };
            format!("{} forfeited {games}: {reason}", entrants[entrant].name())
        }));
        let is_round_robin = tally.pairings().len() > entrants.len() - 1;
        Report {
            rules: contest.rules.to_string(),
            games: tally.pairings().iter().map(|pairing| pairing.record.games()).sum(),
            seed: contest.seed,
            players: ranking
                .iter()
                .map(|&entrant| Row::new(name(entrant), entrant, rating(entrant), tally))
                .collect(),
            pairings: tally
                .pairings()
                .iter()
                .map(|pairing| PairingRow {
                    first: name(pairing.first),
                    second: name(pairing.second),
                    wins: pairing.record.wins,
                    draws: pairing.record.draws,
                    losses: pairing.record.losses,
                })
                .collect(),
            sprt: sprt.map(SprtRow::new),
            cross_table: is_round_robin.then(|| cross_table(entrants, &ranking, tally)),
            notes,
        }
    }

    /// Prints tables for people.
    pub(crate) fn print(&self, output: &mut impl Write) -> io::Result<()> {
        self.table().print(output)?;
        if let Some(cross_table) = &self.cross_table {
            writeln!(output)?;
            cross_table.print(output)?;
        }
        if !self.notes.is_empty() {
            writeln!(output)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(output, "{note}"))
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            "rank", "player", "elo", "±", "games", "wins", "draws", "losses", "score %", "forfeits",
        ]);
        for row in &self.players {
            // Equal ratings share a rank.
            let better = self.players.iter().filter(|other| other.elo > row.elo).count();
            let score = 100.0 * points(row.wins, row.draws) / f64::from(row.games);
            let cells = [
                (better + 1).to_string(),
                row.player.clone(),
                format!("{:+.0}", whole(row.elo)),
                format!("{:.0}", row.error),
            ];
            let counts = [row.games, row.wins, row.draws, row.losses].map(|n| n.to_string());
            let rest = [format!("{score:.1}"), row.forfeits.to_string()];
            table.push(cells.into_iter().chain(counts).chain(rest));
        }
        table
    }
}

const ONE_SIDED: &str = "Ratings as if each pairing had one more game, drawn: \
    some players took every point from the others.";

impl Row {
    fn new(player: String, entrant: usize, rating: Rating, tally: &Tally) -> Row {
        let record = tally.record(entrant);
        let forfeits = tally.forfeits().filter(|(who, ..)| *who == entrant);
        Row {
            player,
            elo: rounded(rating.elo),
            error: rounded(rating.error),
            games: record.games(),
            wins: record.wins,
            draws: record.draws,
            losses: record.losses,
            forfeits: forfeits.map(|(_, _, games)| games).sum(),
        }
    }
}

impl SprtRow {
    fn new(sprt: &Sprt) -> SprtRow {
        SprtRow {
            elo0: sprt.hypotheses().elo0(),
            elo1: sprt.hypotheses().elo1(),
            llr: hundredths(sprt.log_ratio()),
            lower: hundredths(-Sprt::BOUND),
            upper: hundredths(Sprt::BOUND),
            accepted: sprt.accepted().map(|accepted| match accepted {
                Accepted::H0 => "H0",
                Accepted::H1 => "H1",
            }),
        }
    }
}

/// What two players' ratings are about: how far apart they are.
fn difference(entrants: &[Entrant], rating: Rating) -> String {
    // The mean is 0, so each of the two is half the difference away from it.
    let (elo, error) = (2.0 * rating.elo, 2.0 * rating.error);
    let [first, second] = [entrants[0].name(), entrants[1].name()];
    format!("{first} against {second}: {:+.0} ± {error:.0} Elo", whole(elo))
}

fn verdict(entrants: &[Entrant], sprt: &Sprt) -> String {
    let [first, second] = [entrants[0].name(), entrants[1].name()];
    let (elo0, elo1) = (sprt.hypotheses().elo0(), sprt.hypotheses().elo1());
    let verdict = match sprt.accepted() {
        Some(Accepted::H0) => {
            format!("H0 accepted, {first} against {second} is {elo0:+} Elo or less")
        }
        Some(Accepted::H1) => {
            format!("H1 accepted, {first} against {second} is {elo1:+} Elo or more")
        }
        None => "undecided".to_string(),
    };
    let (ratio, bound) = (sprt.log_ratio(), Sprt::BOUND);
    format!("SPRT {elo0},{elo1}: {verdict} (log-likelihood ratio {ratio:.2}, bounds ±{bound:.2})")
}

/// The points of each player, by rank, against each other one.
fn cross_table(entrants: &[Entrant], ranking: &[usize], tally: &Tally) -> Table {
    let score = |entrant: usize, other: usize| match tally.against(entrant, other) {
        Some(record) => format!("{:.1}", points(record.wins, record.draws)),
        None => "-".to_string(),
    };
    let rows: Vec<Vec<String>> = ranking
        .iter()
        .map(|&entrant| ranking.iter().map(|&other| score(entrant, other)).collect())
        .collect();
    // A table aligns a column by its first row, which is not a number on the diagonal.
    let width = rows.iter().flatten().map(String::len).max().unwrap_or(0);
    let heads = (1..=ranking.len()).map(|place| format!("{place:>width$}"));
    let mut table = Table::new(["".into(), "points against".into()].into_iter().chain(heads));
    for ((place, &entrant), row) in (1..).zip(ranking).zip(rows) {
        let label = [place.to_string(), entrants[entrant].name().to_string()];
        table.push(label.into_iter().chain(row.iter().map(|cell| format!("{cell:>width$}"))));
    }
    table
}

fn points(wins: u32, draws: u32) -> f64 {
    f64::from(wins) + 0.5 * f64::from(draws)
}

/// To a tenth, which is more than any number of games can tell. Zero has no sign.
fn rounded(elo: f64) -> f64 {
    (elo * 10.0).round() / 10.0 + 0.0
}

fn whole(elo: f64) -> f64 {
    elo.round() + 0.0
}

fn hundredths(ratio: f64) -> f64 {
    (ratio * 100.0).round() / 100.0 + 0.0
}
