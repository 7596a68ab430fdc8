//! The rating of a player whose opponents have fixed ratings, such as puzzles.

use crate::skill::Skill;
use crate::{Outcome, System, policy};

/// A Glicko-2 rating outside of leagues.
///
/// ```
/// use noughts_scores::SoloRating;
///
/// let new = SoloRating::default();
/// let after = new.after(1500.0, true);
/// assert!(after.value > new.value && after.deviation < new.deviation);
/// assert!(after.after(2000.0, true).value > after.after(1000.0, true).value);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoloRating {
    /// The rating, 1500 at first.
    pub value: f64,
    /// How uncertain it is.
    pub deviation: f64,
    /// How much it swings.
    pub volatility: f64,
}

/// Opponents of fixed ratings are well known.
const OPPONENT_DEVIATION: f64 = 50.0;

/// The furthest that one result moves a rating. Glicko-2 alone lifts a newcomer who guesses the solution of
/// a puzzle rated 2000 from 1500 to 2046.
const MAX_CHANGE: f64 = 200.0;

impl Default for SoloRating {
    fn default() -> SoloRating {
        SoloRating::from(policy::initial(System::Glicko2))
    }
}

impl From<Skill> for SoloRating {
    fn from(Skill { value, deviation, volatility }: Skill) -> SoloRating {
        SoloRating { value, deviation, volatility }
    }
}

impl SoloRating {
    /// The rating after meeting an opponent of a fixed rating.
    #[must_use]
    pub fn after(self, opponent: f64, won: bool) -> SoloRating {
        let SoloRating { value, deviation, volatility } = self;
        let player = policy::within_bounds(Skill { value, deviation, volatility });
        let opponent = Skill { value: opponent, deviation: OPPONENT_DEVIATION, ..player };
        let outcome = Outcome::Won { seat: if won { 0 } else { 1 } };
        let mut after = policy::rate(System::Glicko2, &[player, opponent], outcome)[0];
        after.value = after.value.clamp(player.value - MAX_CHANGE, player.value + MAX_CHANGE);
        SoloRating::from(after)
    }

    /// The whole number that is shown.
    #[must_use]
    pub fn shown(self) -> i64 {
        self.value.round() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_approaches_what_a_player_solves() {
        let mut rating = SoloRating::default();
        for _ in 0..200 {
            rating = rating.after(1000.0, true).after(2000.0, false);
        }
        assert!((rating.value - 1500.0).abs() < 60.0, "{rating:?}");
        // Glickman's formulas settle at volatility * sqrt(v), with v = 1 / (E (1 - E)) for an expected
        // score E of 0.053: 0.517 on their scale, 90 on the usual one.
        assert!((rating.deviation - 90.0).abs() < 2.0, "{rating:?}");
    }

    #[test]
    fn one_result_moves_a_rating_by_200_at_most() {
        let new = SoloRating::default();
        let (lucky, unlucky) = (new.after(2000.0, true), new.after(1000.0, false));
        assert_eq!((lucky.value, unlucky.value), (1700.0, 1300.0));
        assert!(lucky.deviation < new.deviation);
        // Results as expected, and those of players who are known well, stay below that.
        let known = (0..20).fold(new, |rating, n| rating.after(1500.0, n % 2 == 0));
        for (rating, opponent) in [(new, 1000.0), (new, 1500.0), (known, 2000.0)] {
            let change = rating.after(opponent, true).value - rating.value;
            assert!(change > 0.0 && change < MAX_CHANGE, "{change}");
        }
    }

    #[test]
    fn damaged_ratings_come_back_within_bounds() {
        let damaged = SoloRating { value: f64::NAN, deviation: -3.0, volatility: 1e9 };
        let after = damaged.after(1500.0, true);
        assert!(after.value.is_finite() && after.deviation >= 30.0 && after.volatility <= 0.1);
    }
}
