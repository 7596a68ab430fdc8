//! Sequential probability ratio test: plays no more games than the decision needs.
//!
//! The two games of an opening are one observation, because the opening favours the same side in
//! both. A pair has one of five scores. The test uses the generalized likelihood ratio: the most
//! likely distributions over the five scores whose means are the expected scores of the hypotheses
//! (Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of
//! hypotheses", 2014).

use std::str::FromStr;

use crate::elo::expected_score;

/// Two hypotheses about the Elo difference of the players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hypotheses {
    elo0: f64,
    elo1: f64,
    /// How often H1 may be accepted although H0 holds.
    alpha: f64,
    /// How often H0 may be accepted although H1 holds.
    beta: f64,
}

/// The error rates unless others are chosen.
const DEFAULT_ERROR_RATE: f64 = 0.05;

/// The accepted hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// The difference is that of the first hypothesis or less.
    H0,
    /// The difference is that of the second hypothesis or more.
    H1,
}

/// The text is no pair of hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected two Elo differences, the smaller one first, such as 0,10")]
pub struct ParseHypothesesError;

impl Hypotheses {
    /// With other error rates than 5 %; `None` unless both are above 0 and below 50 %.
    #[must_use]
    pub fn with_error_rates(self, alpha: f64, beta: f64) -> Option<Hypotheses> {
        let is_rate = |rate: f64| 0.0 < rate && rate < 0.5;
        (is_rate(alpha) && is_rate(beta)).then_some(Hypotheses { alpha, beta, ..self })
    }

    /// The bounds of the log-likelihood ratio at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The Elo difference of H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference of H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }
}

impl FromStr for Hypotheses {
    type Err = ParseHypothesesError;

    fn from_str(text: &str) -> Result<Hypotheses, ParseHypothesesError> {
        let (elo0, elo1) = text.split_once(',').ok_or(ParseHypothesesError)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| ParseHypothesesError);
        let (elo0, elo1) = (number(elo0)?, number(elo1)?);
        let sensible = -MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= MAX_ELO;
        let (alpha, beta) = (DEFAULT_ERROR_RATE, DEFAULT_ERROR_RATE);
        let hypotheses = Hypotheses { elo0, elo1, alpha, beta };
        if sensible { Ok(hypotheses) } else { Err(ParseHypothesesError) }
    }
}

/// Beyond this difference a loss is less likely than one in 100 000.
const MAX_ELO: f64 = 2000.0;

/// A running test.
#[derive(Debug, Clone)]
pub struct Sprt {
    hypotheses: Hypotheses,
    /// Half points of the pair's first game.
    half_pair: Option<usize>,
    /// How often a pair brought 0, 1, 2, 3 or 4 half points.
    pairs: [u32; 5],
}

impl Sprt {
    /// Starts a test.
    pub fn new(hypotheses: Hypotheses) -> Sprt {
        Sprt { hypotheses, half_pair: None, pairs: [0; 5] }
    }

    /// The hypotheses.
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// Counts a game; the two games of a pair follow each other.
    pub fn count(&mut self, half_points: usize) {
        match self.half_pair.take() {
            None => self.half_pair = Some(half_points),
            Some(before) => self.pairs[before + half_points] += 1,
        }
    }

    /// The log-likelihood ratio of the second hypothesis to the first.
    #[must_use]
    pub fn log_ratio(&self) -> f64 {
        let likelihood = |elo| log_likelihood(&self.pairs, expected_score(elo));
        likelihood(self.hypotheses.elo1) - likelihood(self.hypotheses.elo0)
    }

    /// The accepted hypothesis, once the evidence suffices.
    #[must_use]
    pub fn accepted(&self) -> Option<Accepted> {
        let (lower, upper) = self.hypotheses.bounds();
        match self.log_ratio() {
            ratio if ratio >= upper => Some(Accepted::H1),
            ratio if ratio <= lower => Some(Accepted::H0),
            _ => None,
        }
    }
}

/// The logarithm of the likelihood of the pairs under the most likely distribution with this
/// mean, up to what does not depend on the mean.
///
/// That distribution divides the share of each result by `1 + t (result - mean)`, with the one
/// `t` for which the mean is right.
fn log_likelihood(pairs: &[u32; 5], mean: f64) -> f64 {
    /// Results that never happened must not be impossible.
    const UNSEEN: f64 = 1e-3;
    /// Halving an interval so often leaves nothing of it.
    const HALVINGS: usize = 100;

    let results = [0, 1, 2, 3, 4].map(|half_points: u32| f64::from(half_points) / 4.0 - mean);
    let counts = pairs.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
    let surplus = |t: f64| -> f64 {
        counts.iter().zip(&results).map(|(n, off)| n * off / (1.0 + t * off)).sum()
    };
    // Between its poles the surplus falls from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / results[4], -1.0 / results[0]);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if surplus(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = f64::midpoint(low, high);
    -counts.iter().zip(&results).map(|(n, off)| n * (1.0 + t * off).ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(hypotheses: &str, pairs: [u32; 5]) -> Sprt {
        Sprt { pairs, ..Sprt::new(hypotheses.parse().unwrap()) }
    }

    #[test]
    fn clean_scores_match_closed_form() {
        // With nothing but wins the likelihood of a mean s is s for each pair.
        let wins = after("0,100", [0, 0, 0, 0, 10]);
        let expected = 10.0 * (expected_score(100.0) / 0.5).ln();
        assert!((wins.log_ratio() - expected).abs() < 0.01, "{}", wins.log_ratio());
        assert_eq!(wins.accepted(), None);
        assert_eq!(after("0,100", [0, 0, 0, 0, 12]).accepted(), Some(Accepted::H1));
        assert_eq!(after("0,100", [12, 0, 0, 0, 0]).accepted(), Some(Accepted::H0));
    }

    #[test]
    fn many_pairs_match_normal_approximation() {
        let pairs = [100, 400, 1000, 440, 110];
        let sprt = after("0,10", pairs);
        let count: f64 = pairs.iter().copied().map(f64::from).sum();
        let moment = |power: i32, about: f64| -> f64 {
            let parts = pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
            parts.map(|(&n, points)| f64::from(n) * (points - about).powi(power)).sum::<f64>()
                / count
        };
        let mean = moment(1, 0.0);
        let (s0, s1) = (expected_score(0.0), expected_score(10.0));
        let normal = count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * moment(2, mean));
        assert!((sprt.log_ratio() - normal).abs() < 0.02, "{} {normal}", sprt.log_ratio());
    }

    #[test]
    fn incomplete_pair_counts_nothing() {
        let mut sprt = after("0,10", [0; 5]);
        assert!(sprt.log_ratio().abs() < 1e-3);
        sprt.count(2);
        assert_eq!(sprt.pairs, [0; 5]);
        sprt.count(1);
        assert_eq!(sprt.pairs, [0, 0, 0, 1, 0]);
        assert!(sprt.log_ratio() > 0.0);
    }

    #[test]
    fn hypotheses_are_two_ordered_numbers() {
        let hypotheses: Hypotheses = "-5, 0".parse().unwrap();
        assert_eq!((hypotheses.elo0(), hypotheses.elo1()), (-5.0, 0.0));
        // ln(0.95 / 0.05)
        let (lower, upper) = hypotheses.bounds();
        assert!((upper - 2.944_439).abs() < 1e-6 && (lower + upper).abs() < 1e-9);
        // Wald: ln(0.1 / 0.99) and ln(0.9 / 0.01).
        let (lower, upper) = hypotheses.with_error_rates(0.01, 0.1).unwrap().bounds();
        assert!((lower + 2.292_535).abs() < 1e-6 && (upper - 4.499_810).abs() < 1e-6);
        assert_eq!(hypotheses.with_error_rates(0.5, 0.1), None);
        for text in ["", "5", "5,5", "10,0", "0,NaN", "0,inf", "0,5,10", "a,b"] {
            assert_eq!(text.parse::<Hypotheses>(), Err(ParseHypothesesError), "{text}");
        }
    }
}
