//! The mathematics of ratings: skills before a game in, skills after it out.
//!
//! This is the only place that knows the crate `skillratings`. What goes in must lie within
//! the bounds of [`policy`](crate::policy): its Glicko-2 iterates until it converges, with
//! no cap on the number of steps.

use arrayvec::ArrayVec;
use skillratings::elo::{EloConfig, EloRating, elo as rate_elo};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

use crate::skill::Skill;
use crate::{MAX_PLAYERS, Outcome};

/// Skills in seat order.
pub(crate) type Skills = ArrayVec<Skill, MAX_PLAYERS>;

/// Elo with a K of 32.
pub(crate) fn elo(before: [Skill; 2], outcome: Outcome) -> [Skill; 2] {
    let [first, second] = before.map(|skill| EloRating { rating: skill.value });
    let (first, second) = rate_elo(&first, &second, &seen_from(0, outcome), &EloConfig::new());
    [first, second].map(|after| Skill { value: after.rating, ..Skill::default() })
}

/// Glicko-2 (Glickman 2022, tau 0.5), the game being a rating period of its own.
pub(crate) fn glicko2(before: [Skill; 2], outcome: Outcome) -> [Skill; 2] {
    let [first, second] = before;
    [
        glicko2_period(first, &[(second, seen_from(0, outcome))]),
        glicko2_period(second, &[(first, seen_from(1, outcome))]),
    ]
}

/// Weng and Lin's Bradley-Terry model. The winner comes first and all others share the
/// second place; in a draw all share the first.
pub(crate) fn weng_lin(before: &[Skill], outcome: Outcome) -> Skills {
    let ratings: ArrayVec<[WengLinRating; 1], MAX_PLAYERS> =
        before.iter().map(|skill| [WengLinRating::from((skill.value, skill.deviation))]).collect();
    let winner = outcome.winner();
    let teams: ArrayVec<(&[WengLinRating], MultiTeamOutcome), MAX_PLAYERS> = ratings
        .iter()
        .enumerate()
        .map(|(seat, team)| {
            let place = match winner {
                Some(winner) if winner != seat => 2,
                _ => 1,
            };
            (team.as_slice(), MultiTeamOutcome::new(place))
        })
        .collect();
    weng_lin_multi_team(&teams, &WengLinConfig::new())
        .into_iter()
        .flatten()
        .map(|after| Skill {
            value: after.rating,
            deviation: after.uncertainty,
            ..Skill::default()
        })
        .collect()
}

fn glicko2_period(player: Skill, games: &[(Skill, Outcomes)]) -> Skill {
    let games: ArrayVec<(Glicko2Rating, Outcomes), MAX_PLAYERS> =
        games.iter().map(|&(opponent, outcome)| (glicko2_rating(opponent), outcome)).collect();
    let after = glicko2_rating_period(&glicko2_rating(player), &games, &Glicko2Config::new());
    Skill { value: after.rating, deviation: after.deviation, volatility: after.volatility }
}

fn glicko2_rating(skill: Skill) -> Glicko2Rating {
    Glicko2Rating::from((skill.value, skill.deviation, skill.volatility))
}

fn seen_from(seat: usize, outcome: Outcome) -> Outcomes {
    match outcome.winner() {
        Some(winner) if winner == seat => Outcomes::WIN,
        Some(_) => Outcomes::LOSS,
        None => Outcomes::DRAW,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: Outcome = Outcome::Won { seat: 0 };
    const LOST: Outcome = Outcome::Won { seat: 1 };

    fn check_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "found {found}, expected {expected}");
    }

    fn skill(value: f64, deviation: f64, volatility: f64) -> Skill {
        Skill { value, deviation, volatility }
    }

    /// The worked example of Glickman, "Example of the Glicko-2 system" (2022).
    #[test]
    fn glicko2_as_published() {
        let after = glicko2_period(
            skill(1500.0, 200.0, 0.06),
            &[
                (skill(1400.0, 30.0, 0.06), Outcomes::WIN),
                (skill(1550.0, 100.0, 0.06), Outcomes::LOSS),
                (skill(1700.0, 300.0, 0.06), Outcomes::LOSS),
            ],
        );
        check_close(after.value, 1464.06, 0.01);
        check_close(after.deviation, 151.52, 0.01);
        check_close(after.volatility, 0.05999, 0.00001);
    }

    /// The example of Wikipedia's "Elo rating system": a player of 1613 scores 2.5 points
    /// where 2.88 were expected, and goes to 1601.
    #[test]
    fn elo_as_published() {
        let player = skill(1613.0, 0.0, 0.0);
        let gained: f64 =
            [(1609.0, LOST), (1477.0, Outcome::Draw), (1388.0, WON), (1586.0, WON), (1720.0, LOST)]
                .map(|(opponent, outcome)| {
                    elo([player, skill(opponent, 0.0, 0.0)], outcome)[0].value
                })
                .iter()
                .map(|after| after - player.value)
                .sum();
        assert_eq!((player.value + gained).round(), 1601.0);
    }

    /// The first game of two newcomers in OpenSkill's own tests of this model.
    #[test]
    fn weng_lin_as_published() {
        let newcomer = skill(25.0, 25.0 / 3.0, 0.0);
        let after = weng_lin(&[newcomer, newcomer], WON);
        check_close(after[0].value, 27.635_231_383_473_65, 1e-9);
        check_close(after[1].value, 22.364_768_616_526_35, 1e-9);
        check_close(after[0].deviation, 8.065_506_316_323_548, 1e-9);
    }

    #[test]
    fn weng_lin_of_many_players_has_one_winner_and_equal_others() {
        let newcomer = skill(25.0, 25.0 / 3.0, 0.0);
        let after = weng_lin(&[newcomer; 4], Outcome::Won { seat: 2 });
        assert!(after[2].value > 25.0);
        for seat in [0, 1, 3] {
            assert!(after[seat].value < 25.0);
            assert_eq!(after[seat], after[0]);
        }
    }
}
