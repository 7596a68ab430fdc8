//! What came of a tournament, for people and for programs.

use serde::Serialize;

use crate::contest::{Contest, Entrant};
use crate::elo::{Rating, rate};
use crate::sprt::{Accepted, Sprt};
use crate::tally::Tally;

/// A finished tournament. As JSON it is what programs read.
#[derive(Serialize)]
pub struct Report {
    pub rules: String,
    pub games: u32,
    pub seed: u64,
    /// Best first.
    pub players: Vec<Row>,
    pub pairings: Vec<PairingRow>,
    pub sprt: Option<SprtRow>,
    /// What else there is to say, a sentence each.
    #[serde(skip)]
    pub notes: Vec<String>,
}

#[derive(Serialize)]
pub struct Row {
    pub player: String,
    pub elo: f64,
    pub error: f64,
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub forfeits: u32,
}

#[derive(Serialize)]
pub struct PairingRow {
    pub first: String,
    pub second: String,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

#[derive(Serialize)]
pub struct SprtRow {
    pub elo0: f64,
    pub elo1: f64,
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    pub accepted: Option<&'static str>,
}

impl Report {
    pub fn new(contest: &Contest, tally: &Tally, sprt: Option<&Sprt>) -> Report {
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
            notes,
        }
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
