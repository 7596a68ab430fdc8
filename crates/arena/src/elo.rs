//! Elo ratings from results, with error bars.
//!
//! The ratings maximise the likelihood of the results under the Bradley-Terry model, with a draw as
//! half a win, and have a mean of 0. Between two players with score s this is the usual difference
//! of -400 log10(1/s - 1).
//!
//! If some players won every game against all others, no finite ratings maximise the likelihood.
//! Then one drawn game is added to each pairing: a score of 100 of 100 is rated a little better
//! than 99.5 of 100.

use noughts_scores::Record;

/// The ratings of all players.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ratings {
    /// In the order of the players.
    pub(crate) players: Vec<Rating>,
    /// Whether a drawn game was added to each pairing.
    pub(crate) one_sided: bool,
}

/// A rating with its 95 % error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rating {
    pub(crate) elo: f64,
    pub(crate) error: f64,
}

/// The results of two players, from the first one's side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairResult {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) record: Record,
}

/// Rates players. Games must connect all of them.
#[must_use]
pub(crate) fn rate(players: usize, pairings: &[PairResult]) -> Ratings {
    let one_sided = is_one_sided(players, pairings);
    let added = if one_sided { 1.0 } else { 0.0 };
    let games: Vec<Games> = pairings.iter().map(|pairing| Games::new(pairing, added)).collect();
    let strengths = most_likely(players, &games);
    let inverse = inverse_information(&strengths, &games);
    // The errors are propagated from the observed variance of the scores, because draws make scores
    // vary less than the model assumes.
    let rating = |player: usize| {
        let row = &inverse[player];
        let variance: f64 =
            games.iter().map(|g| g.variance() * (row[g.first] - row[g.second]).powi(2)).sum();
        let elo = strengths[player] * ELO_PER_STRENGTH;
        Rating { elo, error: Z_95 * variance.sqrt() * ELO_PER_STRENGTH }
    };
    Ratings { players: (0..players).map(rating).collect(), one_sided }
}

/// The expected score, 0 to 1, at this Elo difference.
#[must_use]
pub(crate) fn expected_score(elo: f64) -> f64 {
    logistic(elo / ELO_PER_STRENGTH)
}

/// Strengths are natural logarithms of odds; 400 Elo are odds of ten to one.
const ELO_PER_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// 95 % quantile of the normal distribution, two-sided.
const Z_95: f64 = 1.959_964;

struct Games {
    first: usize,
    second: usize,
    /// Points of the first player and number of games, including an added draw.
    points: f64,
    count: f64,
    /// Draws, without an added one.
    draws: f64,
}

impl Games {
    fn new(pairing: &PairResult, added_draws: f64) -> Games {
        let PairResult { first, second, record } = *pairing;
        let draws = f64::from(record.draws);
        let points = f64::from(record.wins) + 0.5 * (draws + added_draws);
        Games { first, second, points, count: f64::from(record.games()) + added_draws, draws }
    }

    fn expected(&self, strengths: &[f64]) -> f64 {
        logistic(strengths[self.first] - strengths[self.second])
    }

    /// The variance of the points: binomial, reduced by the draws.
    ///
    /// Neither a clean score nor nothing but draws will go on forever: the score is clamped as if
    /// another game were drawn, and the share of draws as if one were not.
    fn variance(&self) -> f64 {
        let margin = 0.5 / (self.count + 1.0);
        let score = (self.points / self.count).clamp(margin, 1.0 - margin);
        let drawn = self.draws / (self.count + 1.0);
        self.count * (score * (1.0 - score) - drawn / 4.0)
    }
}

fn logistic(strength: f64) -> f64 {
    1.0 / (1.0 + (-strength).exp())
}

/// Whether one group of players took no point from the others.
fn is_one_sided(players: usize, pairings: &[PairResult]) -> bool {
    let mut scored = vec![vec![false; players]; players];
    for &PairResult { first, second, record } in pairings {
        scored[first][second] |= record.wins + record.draws > 0;
        scored[second][first] |= record.losses + record.draws > 0;
    }
    // Transitive closure of "scored against".
    for via in 0..players {
        for from in 0..players {
            for to in 0..players {
                scored[from][to] |= scored[from][via] && scored[via][to];
            }
        }
    }
    (0..players).any(|from| (0..players).any(|to| from != to && !scored[from][to]))
}

/// Newton's method on the concave log-likelihood, with bounded steps against overshooting.
fn most_likely(players: usize, games: &[Games]) -> Vec<f64> {
    const MAX_STEPS: usize = 500;
    const MAX_STEP: f64 = 1.0;
    const TOLERANCE: f64 = 1e-10;

    let mut strengths = vec![0.0; players];
    for _ in 0..MAX_STEPS {
        let mut slope = vec![0.0; players];
        for g in games {
            let surplus = g.points - g.count * g.expected(&strengths);
            slope[g.first] += surplus;
            slope[g.second] -= surplus;
        }
        let inverse = inverse_information(&strengths, games);
        let step: Vec<f64> = inverse
            .iter()
            .map(|row| row.iter().zip(&slope).map(|(entry, slope)| entry * slope).sum())
            .collect();
        let length = step.iter().fold(0.0, |longest: f64, part: &f64| longest.max(part.abs()));
        let shortened = (MAX_STEP / length).min(1.0);
        strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += part * shortened);
        if length < TOLERANCE {
            break;
        }
    }
    strengths
}

/// The inverse of the information matrix, which is made regular by fixing the mean.
fn inverse_information(strengths: &[f64], games: &[Games]) -> Vec<Vec<f64>> {
    let players = strengths.len();
    let mut information = vec![vec![1.0 / players as f64; players]; players];
    for g in games {
        let expected = g.expected(strengths);
        let weight = g.count * expected * (1.0 - expected);
        information[g.first][g.first] += weight;
        information[g.second][g.second] += weight;
        information[g.first][g.second] -= weight;
        information[g.second][g.first] -= weight;
    }
    inverse(information)
}

/// Gauss-Jordan elimination without pivoting: the matrix is positive definite.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for pivot in 0..size {
        let scale = matrix[pivot][pivot];
        let scaled = |row: &[f64]| row.iter().map(|entry| entry / scale).collect::<Vec<_>>();
        let rows = (scaled(&matrix[pivot]), scaled(&inverse[pivot]));
        for i in 0..size {
            let factor = matrix[i][pivot];
            for j in 0..size {
                matrix[i][j] -= factor * rows.0[j];
                inverse[i][j] -= factor * rows.1[j];
            }
        }
        (matrix[pivot], inverse[pivot]) = rows;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(first: usize, second: usize, [wins, draws, losses]: [u32; 3]) -> PairResult {
        PairResult { first, second, record: Record { wins, draws, losses } }
    }

    /// The rating difference of two players, with its error.
    fn difference(results: [u32; 3]) -> (f64, f64) {
        let ratings = rate(2, &[pairing(0, 1, results)]).players;
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        (ratings[0].elo - ratings[1].elo, ratings[0].error + ratings[1].error)
    }

    #[test]
    fn two_player_ratings_match_formula() {
        for (results, elo) in [
            ([50, 0, 50], 0.0),
            ([64, 0, 36], 99.95),
            ([75, 0, 25], 190.85),
            ([60, 30, 10], 190.85),
            ([10, 0, 90], -381.70),
            ([198, 1, 1], 848.67),
        ] {
            let (got, _) = difference(results);
            assert!((got - elo).abs() < 0.01, "{results:?}: {got}");
        }
        assert!((expected_score(190.85) - 0.75).abs() < 1e-5);
        assert!((expected_score(-100.0) - 0.359_94).abs() < 1e-5);
    }

    #[test]
    fn draws_shrink_the_error() {
        // The normal approximation: 1.96 sqrt(0.25 / 1000) of the score, at 695 Elo per point.
        let (_, error) = difference([500, 0, 500]);
        assert!((error - 21.5).abs() < 0.1, "{error}");
        let (_, with_draws) = difference([250, 500, 250]);
        assert!((with_draws - 15.2).abs() < 0.1, "{with_draws}");
        let (_, only_draws) = difference([0, 1000, 0]);
        assert!(0.0 < only_draws && only_draws < 2.0, "{only_draws}");
    }

    #[test]
    fn clean_score_is_rated_finitely() {
        let clean = difference([100, 0, 0]);
        let nearly = difference([99, 1, 0]);
        assert!(nearly.0 < clean.0 && clean.0 < 1000.0, "{nearly:?} {clean:?}");
        assert!(clean.1 > 100.0 && clean.1.is_finite());
        assert!((difference([0, 0, 100]).0 + clean.0).abs() < 1e-6);
    }

    #[test]
    fn ratings_explain_all_results() {
        // Odds of 3 to 1 and of 2 to 1 multiply to odds of 6 to 1.
        let ratings = rate(3, &[pairing(0, 1, [75, 0, 25]), pairing(1, 2, [80, 0, 40])]).players;
        let apart = |a: usize, b: usize| ratings[a].elo - ratings[b].elo;
        assert!((apart(0, 1) - 190.85).abs() < 0.01);
        assert!((apart(1, 2) - 120.41).abs() < 0.01);
        let all = rate(
            3,
            &[pairing(0, 1, [75, 0, 25]), pairing(1, 2, [80, 0, 40]), pairing(0, 2, [60, 0, 10])],
        );
        assert!(!all.one_sided);
        for (rating, same) in all.players.iter().zip(&ratings) {
            assert!((rating.elo - same.elo).abs() < 1e-6);
            assert!(rating.error < same.error);
        }
    }

    #[test]
    fn unbeaten_group_is_one_sided() {
        let halves = [
            pairing(0, 1, [5, 0, 5]),
            pairing(2, 3, [5, 0, 5]),
            pairing(0, 2, [10, 0, 0]),
            pairing(1, 3, [10, 0, 0]),
        ];
        let ratings = rate(4, &halves);
        assert!(ratings.one_sided);
        assert!(ratings.players.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
        let circle = [pairing(0, 1, [9, 0, 0]), pairing(1, 2, [9, 0, 0]), pairing(2, 0, [9, 0, 0])];
        assert!(!rate(3, &circle).one_sided);
    }
}
