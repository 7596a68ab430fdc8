//! The report on a tournament.

use noughts_rules::State;
use serde::Serialize;

use crate::elo::{Rating, rate};
use crate::played_game::MoveStatistics;
use crate::results::Results;
use crate::schedule::{Placing, Stages};
use crate::sprt::{Accepted, Sprt};
use crate::{Entrant, Tournament};

/// The report on a tournament; serialises as the JSON of `noughts arena`.
#[derive(Serialize)]
#[non_exhaustive]
pub struct TournamentReport {
    /// The rules, or the name of another game.
    pub rules: String,
    /// The number of games played.
    pub games: u32,
    /// The seed of the tournament.
    pub seed: u64,
    /// Best first.
    pub players: Vec<PlayerReport>,
    /// The results by pairing.
    pub pairings: Vec<PairingReport>,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtReport>,
    /// Further sentences for people.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// The rating and results of a player.
#[derive(Serialize)]
#[non_exhaustive]
pub struct PlayerReport {
    /// The name.
    pub player: String,
    /// The Elo rating; the mean of all players is 0.
    pub elo: f64,
    /// The half-width of its 95 % confidence interval.
    pub error: f64,
    /// Games played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games lost by a forfeit.
    pub forfeits: u32,
    /// The place in a Swiss system or a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// The points in a Swiss system, with those of byes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// The tie-break of a Swiss system: the sum of the opponents' points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buchholz: Option<f64>,
    /// What the moves took. Times differ from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<MoveStatistics>,
}

/// The results of two players, from the first one's side.
#[derive(Serialize)]
#[non_exhaustive]
pub struct PairingReport {
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// Games won by the first player.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost by the first player.
    pub losses: u32,
}

/// The state of the sequential test.
#[derive(Serialize)]
#[non_exhaustive]
pub struct SprtReport {
    /// The Elo difference of H0.
    pub elo0: f64,
    /// The Elo difference of H1.
    pub elo1: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The bound for accepting H0.
    pub lower: f64,
    /// The bound for accepting H1.
    pub upper: f64,
    /// `H0` or `H1`, once one is accepted.
    pub accepted: Option<&'static str>,
}

impl TournamentReport {
    /// Leaves out what the moves took, which differs from run to run.
    #[must_use]
    pub fn without_statistics(mut self) -> TournamentReport {
        self.players.iter_mut().for_each(|player| player.statistics = None);
        self
    }

    pub(crate) fn new<S: State>(
        tournament: &Tournament<S>,
        results: &Results,
        stages: &Stages<'_>,
        sprt: Option<&Sprt>,
    ) -> TournamentReport {
        let entrants: Vec<&str> = tournament.entrants.iter().map(Entrant::name).collect();
        let name = |entrant: usize| entrants[entrant].to_string();
        let ratings = rate(entrants.len(), &results.connected_pairings());
        let rating = |entrant: usize| ratings.players[entrant];
        let mut ranking: Vec<usize> = (0..entrants.len()).collect();
        ranking.sort_by(|&a, &b| rounded(rating(b).elo).total_cmp(&rounded(rating(a).elo)));

        let placings = stages.placings();
        if let Some(placings) = &placings {
            ranking.sort_by_key(|&entrant| placings[entrant].place);
        }
        let placing = |entrant: usize| placings.as_ref().map(|placings| placings[entrant]);

        let mut notes = Vec::new();
        if entrants.len() == 2 {
            notes.push(difference(&entrants, rating(0)));
        }
        if ratings.one_sided {
            notes.push(ONE_SIDED.to_string());
        }
        notes.extend(sprt.map(|sprt| verdict(&entrants, sprt)));
        notes.extend(results.forfeits().map(|(entrant, reason, games)| {
            let games = if games == 1 { "1 game".into() } else { format!("{games} games") };
            format!("{} forfeited {games}: {reason}", entrants[entrant])
        }));
        notes.extend(match results.adjudicated() {
            0 => None,
            1 => Some("1 game was adjudicated".to_string()),
            games => Some(format!("{games} games were adjudicated")),
        });
        notes.extend(stages.by_seeding().iter().map(|&[better, other]| {
            let (better, other) = (entrants[better], entrants[other]);
            format!("{better} went on by the seeding: every tie-break against {other} was tied")
        }));
        TournamentReport {
            rules: tournament.game.clone(),
            games: results.pairings().iter().map(|pairing| pairing.record.games()).sum(),
            seed: tournament.seed,
            players: ranking
                .iter()
                .map(|&entrant| {
                    let (rating, placing) = (rating(entrant), placing(entrant));
                    PlayerReport::new(name(entrant), entrant, rating, placing, results)
                })
                .collect(),
            pairings: results
                .pairings()
                .iter()
                .map(|pairing| PairingReport {
                    first: name(pairing.first),
                    second: name(pairing.second),
                    wins: pairing.record.wins,
                    draws: pairing.record.draws,
                    losses: pairing.record.losses,
                })
                .collect(),
            sprt: sprt.map(SprtReport::new),
            notes,
        }
    }
}

const ONE_SIDED: &str = "Ratings as if each pairing had one more game, drawn: \
    some players took every point from the others.";

impl PlayerReport {
    fn new(
        player: String,
        entrant: usize,
        rating: Rating,
        placing: Option<Placing>,
        results: &Results,
    ) -> PlayerReport {
        let record = results.record(entrant);
        let swiss = placing.and_then(|placing| placing.swiss);
        let forfeits = results.forfeits().filter(|(who, ..)| *who == entrant);
        PlayerReport {
            player,
            elo: rounded(rating.elo),
            error: rounded(rating.error),
            games: record.games(),
            wins: record.wins,
            draws: record.draws,
            losses: record.losses,
            forfeits: forfeits.map(|(_, _, games)| games).sum(),
            place: placing.map(|placing| placing.place),
            points: swiss.map(|(half_points, _)| f64::from(half_points) / 2.0),
            buchholz: swiss.map(|(_, buchholz)| f64::from(buchholz) / 2.0),
            statistics: Some(results.statistics(entrant)),
        }
    }
}

impl SprtReport {
    fn new(sprt: &Sprt) -> SprtReport {
        SprtReport {
            elo0: sprt.hypotheses().elo0(),
            elo1: sprt.hypotheses().elo1(),
            llr: hundredths(sprt.log_ratio()),
            lower: hundredths(sprt.hypotheses().bounds().0),
            upper: hundredths(sprt.hypotheses().bounds().1),
            accepted: sprt.accepted().map(|accepted| match accepted {
                Accepted::H0 => "H0",
                Accepted::H1 => "H1",
            }),
        }
    }
}

/// The rating difference of two players.
fn difference(entrants: &[&str], rating: Rating) -> String {
    // The mean is 0, so each player is half the difference away from it.
    let (elo, error) = (2.0 * rating.elo, 2.0 * rating.error);
    let [first, second] = [entrants[0], entrants[1]];
    format!("{first} against {second}: {:+.0} ± {error:.0} Elo", whole(elo))
}

fn verdict(entrants: &[&str], sprt: &Sprt) -> String {
    let [first, second] = [entrants[0], entrants[1]];
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
    let (ratio, (lower, upper)) = (sprt.log_ratio(), sprt.hypotheses().bounds());
    let bounds = format!("bounds {lower:.2} and {upper:.2}");
    format!("SPRT {elo0},{elo1}: {verdict} (log-likelihood ratio {ratio:.2}, {bounds})")
}

/// Rounds to tenths, and -0 to 0.
fn rounded(elo: f64) -> f64 {
    (elo * 10.0).round() / 10.0 + 0.0
}

fn whole(elo: f64) -> f64 {
    elo.round() + 0.0
}

fn hundredths(ratio: f64) -> f64 {
    (ratio * 100.0).round() / 100.0 + 0.0
}
