//! Rating policy: initial ratings, bounds, and the rating that is shown.
//!
//! - Players start at 0 in `wins` and `plus-minus`, and at a shown 1500 elsewhere.
//! - Every game is a rating period of its own, in `glicko2` too. A deviation shrinks with games
//!   and does not grow back with time, because a league has no clock.
//! - After every game, the numbers of `elo`, `glicko2` and `weng-lin` are clamped to the bounds
//!   below. No player sinks or climbs out of reach or becomes immovable, and the formulas only see
//!   values for which they converge.
//! - A result that counts in part moves every number by that part of the whole change.

use std::ops::RangeInclusive;

use crate::math::{self, Skills};
use crate::skill::Skill;
use crate::{Outcome, Rating, System, Weight};

/// From the rating floor of the US Chess Federation to above the best human ratings.
const RATINGS: RangeInclusive<f64> = 100.0..=4000.0;

/// Glickman suggests a floor of 30 ("The Glicko system") and an initial 350.
const DEVIATIONS: RangeInclusive<f64> = 30.0..=350.0;

/// Around Glickman's initial 0.06.
const VOLATILITIES: RangeInclusive<f64> = 0.01..=0.1;

/// Twelve initial deviations on either side of the initial 25.
const WENG_LIN_VALUES: RangeInclusive<f64> = -75.0..=125.0;

/// From an eighth of the initial deviation up to it.
const WENG_LIN_DEVIATIONS: RangeInclusive<f64> = 25.0 / 24.0..=25.0 / 3.0;

/// The skill of a player without results.
pub(crate) fn initial(system: System) -> Skill {
    let (value, deviation, volatility) = match system {
        System::Wins | System::PlusMinus => (0.0, 0.0, 0.0),
        System::Elo => (1500.0, 0.0, 0.0),
        System::Glicko2 => (1500.0, 350.0, 0.06),
        System::WengLin => (25.0, 25.0 / 3.0, 0.0),
    };
    Skill { value, deviation, volatility }
}

/// The skills after a game, in seat order. The player count must be checked.
pub(crate) fn rate(system: System, before: &[Skill], outcome: Outcome) -> Skills {
    match (system, before) {
        (System::Elo, &[first, second]) => math::elo([first, second], outcome)
            .into_iter()
            .map(|skill| Skill { value: bounded(skill.value, RATINGS), ..skill })
            .collect(),
        (System::Glicko2, &[first, second]) => {
            math::glicko2([first, second], outcome).into_iter().map(within_bounds).collect()
        }
        (System::Elo | System::Glicko2, _) => unreachable!("player counts are checked"),
        (System::WengLin, _) => math::weng_lin(before, outcome)
            .into_iter()
            .map(|skill| Skill {
                value: bounded(skill.value, WENG_LIN_VALUES),
                deviation: bounded(skill.deviation, WENG_LIN_DEVIATIONS),
                ..skill
            })
            .collect(),
        (System::Wins, _) => points(before, outcome, 0.0),
        (System::PlusMinus, _) => points(before, outcome, -1.0),
    }
}

/// A skill of `glicko2` within its bounds.
pub(crate) fn within_bounds(skill: Skill) -> Skill {
    Skill {
        value: bounded(skill.value, RATINGS),
        deviation: bounded(skill.deviation, DEVIATIONS),
        volatility: bounded(skill.volatility, VOLATILITIES),
    }
}

/// The skills after a game that may count in part, in seat order.
pub(crate) fn rate_weighted(
    system: System,
    before: &[Skill],
    outcome: Outcome,
    weights: impl Iterator<Item = Weight>,
) -> Skills {
    let after = rate(system, before, outcome);
    let seats = before.iter().zip(after).zip(weights);
    seats.map(|((&before, after), weight)| partly(before, after, weight)).collect()
}

fn partly(before: Skill, after: Skill, weight: Weight) -> Skill {
    if weight == Weight::FULL {
        return after;
    }
    let part = f64::from(weight.percent()) / 100.0;
    let between = |before: f64, after: f64| before + part * (after - before);
    Skill {
        value: between(before.value, after.value),
        deviation: between(before.deviation, after.deviation),
        volatility: between(before.volatility, after.volatility),
    }
}

/// The whole number that is shown and ranked by.
///
/// For `weng-lin` it is OpenSkill's ordinal, the value less three deviations, on a scale that starts
/// at 1500 with an initial deviation of 200.
pub(crate) fn shown(system: System, skill: Skill) -> i64 {
    let value = match system {
        System::WengLin => 24.0 * (skill.value - 3.0 * skill.deviation) + 1500.0,
        _ => skill.value,
    };
    value.round() as i64
}

/// The public form of a skill.
pub(crate) fn rating(system: System, skill: Skill) -> Rating {
    let has_deviation = matches!(system, System::Glicko2 | System::WengLin);
    Rating {
        shown: shown(system, skill),
        value: skill.value,
        deviation: has_deviation.then_some(skill.deviation),
        volatility: (system == System::Glicko2).then_some(skill.volatility),
    }
}

/// One point for the winner, `loss` points for the others.
fn points(before: &[Skill], outcome: Outcome, loss: f64) -> Skills {
    let mut after: Skills = before.iter().copied().collect();
    if let Some(winner) = outcome.winner() {
        for (seat, skill) in after.iter_mut().enumerate() {
            skill.value += if seat == winner { 1.0 } else { loss };
        }
    }
    after
}

/// Clamps to the bounds. Unlike `clamp`, `max` and `min` also turn NaN into a bound.
fn bounded(value: f64, bounds: RangeInclusive<f64>) -> f64 {
    value.max(*bounds.start()).min(*bounds.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTCOMES: [Outcome; 3] =
        [Outcome::Won { seat: 0 }, Outcome::Won { seat: 1 }, Outcome::Draw];

    fn extreme_skills(
        values: RangeInclusive<f64>,
        deviations: RangeInclusive<f64>,
        volatilities: RangeInclusive<f64>,
    ) -> Vec<Skill> {
        let ends = |range: RangeInclusive<f64>| [*range.start(), *range.end()];
        let mut skills = Vec::new();
        for value in ends(values) {
            for deviation in ends(deviations.clone()) {
                for volatility in ends(volatilities.clone()) {
                    skills.push(Skill { value, deviation, volatility });
                }
            }
        }
        skills
    }

    /// Also shows that Glicko-2's iteration ends.
    #[test]
    fn extreme_skills_stay_within_bounds() {
        let glicko2 = extreme_skills(RATINGS, DEVIATIONS, VOLATILITIES);
        for &first in &glicko2 {
            for &second in &glicko2 {
                for outcome in OUTCOMES {
                    for after in rate(System::Glicko2, &[first, second], outcome) {
                        assert!(RATINGS.contains(&after.value));
                        assert!(DEVIATIONS.contains(&after.deviation));
                        assert!(VOLATILITIES.contains(&after.volatility));
                    }
                    for after in rate(System::Elo, &[first, second], outcome) {
                        assert!(RATINGS.contains(&after.value));
                    }
                }
            }
        }
        let weng_lin = extreme_skills(WENG_LIN_VALUES, WENG_LIN_DEVIATIONS, 0.0..=0.0);
        for &first in &weng_lin {
            for &second in &weng_lin {
                for outcome in OUTCOMES {
                    for after in rate(System::WengLin, &[first, second, first], outcome) {
                        assert!(WENG_LIN_VALUES.contains(&after.value));
                        assert!(WENG_LIN_DEVIATIONS.contains(&after.deviation));
                    }
                }
            }
        }
    }

    #[test]
    fn nan_is_clamped_to_a_bound() {
        assert_eq!(bounded(f64::NAN, RATINGS), 100.0);
        assert_eq!(bounded(f64::INFINITY, RATINGS), 4000.0);
    }

    #[test]
    fn initial_ratings_are_round_numbers() {
        let shown = System::ALL.map(|system| shown(system, initial(system)));
        assert_eq!(shown, [0, 0, 1500, 1500, 1500]);
    }

    #[test]
    fn a_first_win_moves_the_shown_rating() {
        let after = System::ALL.map(|system| {
            let before = [initial(system); 2];
            let after = rate(system, &before, Outcome::Won { seat: 0 });
            (shown(system, after[0]), shown(system, after[1]))
        });
        assert_eq!(after, [(1, 0), (1, -1), (1516, 1484), (1662, 1338), (1583, 1456)]);
    }
}
