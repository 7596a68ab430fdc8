//! Rating formulas: skills before a game in, skills after it out.
//!
//! The only module that uses the crate `skillratings`. Skills must lie within the bounds of
//! [`policy`](crate::policy): its Glicko-2 iterates until it converges, without a limit.

use arrayvec::ArrayVec;
use skillratings::elo::{EloConfig, EloRating, elo as rate_elo};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2 as rate_glicko2};
use skillratings::weng_lin::{
    WengLinConfig, WengLinRating, weng_lin as rate_weng_lin, weng_lin_multi_team,
};
use skillratings::{MultiTeamOutcome, Outcomes};

use crate::skill::Skill;
use crate::{MAX_PLAYERS, Outcome};

/// Skills in seat order.
pub(crate) type Skills = ArrayVec<Skill, MAX_PLAYERS>;

/// Elo with K = 32.
pub(crate) fn elo(before: [Skill; 2], outcome: Outcome) -> [Skill; 2] {
    let [first, second] = before.map(|skill| EloRating { rating: skill.value });
    let (first, second) = rate_elo(&first, &second, &seen_from(0, outcome), &EloConfig::new());
    [first, second].map(|after| Skill { value: after.rating, ..Skill::default() })
}

/// Glicko-2 (Glickman 2022, tau = 0.5) with a rating period per game.
pub(crate) fn glicko2(before: [Skill; 2], outcome: Outcome) -> [Skill; 2] {
    let [first, second] = before.map(glicko2_rating);
    let outcome = seen_from(0, outcome);
    let (first, second) = rate_glicko2(&first, &second, &outcome, &Glicko2Config::new());
    [first, second].map(|after| Skill {
        value: after.rating,
        deviation: after.deviation,
        volatility: after.volatility,
    })
}

/// Weng and Lin's Bradley–Terry model with full pairing ("A Bayesian Approximation Method for Online
/// Ranking", 2011). All losers share the second place; in a draw all players share the first.
pub(crate) fn weng_lin(before: &[Skill], outcome: Outcome) -> Skills {
    let ratings: ArrayVec<[WengLinRating; 1], MAX_PLAYERS> =
        before.iter().map(|skill| [WengLinRating::from((skill.value, skill.deviation))]).collect();
    let config = WengLinConfig::new();
    // Most games have two players; for two, the same formula needs no allocation.
    if let [[first], [second]] = ratings.as_slice() {
        let (first, second) = rate_weng_lin(first, second, &seen_from(0, outcome), &config);
        return [first, second].into_iter().map(weng_lin_skill).collect();
    }
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
    weng_lin_multi_team(&teams, &config).into_iter().flatten().map(weng_lin_skill).collect()
}

fn weng_lin_skill(after: WengLinRating) -> Skill {
    Skill { value: after.rating, deviation: after.uncertainty, ..Skill::default() }
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
    use skillratings::glicko2::glicko2_rating_period;

    use super::*;

    const WON: Outcome = Outcome::Won { seat: 0 };
    const LOST: Outcome = Outcome::Won { seat: 1 };

    fn check_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "found {found}, expected {expected}");
    }

    fn skill(value: f64, deviation: f64, volatility: f64) -> Skill {
        Skill { value, deviation, volatility }
    }

    /// The worked example of Glickman, "Example of the Glicko-2 system" (2022), is one period of three
    /// games. It holds the library's rating period to the paper, and our single games to that.
    #[test]
    fn glicko2_matches_glickmans_example() {
        let config = Glicko2Config::new();
        let period = |player, games: &[(Skill, Outcomes)]| {
            let games: Vec<_> =
                games.iter().map(|&(other, outcome)| (glicko2_rating(other), outcome)).collect();
            glicko2_rating_period(&glicko2_rating(player), &games, &config)
        };
        let player = skill(1500.0, 200.0, 0.06);
        let others =
            [skill(1400.0, 30.0, 0.06), skill(1550.0, 100.0, 0.06), skill(1700.0, 300.0, 0.06)];
        let [win, loss] = [Outcomes::WIN, Outcomes::LOSS];
        let after = period(player, &[(others[0], win), (others[1], loss), (others[2], loss)]);
        check_close(after.rating, 1464.06, 0.01);
        check_close(after.deviation, 151.52, 0.01);
        check_close(after.volatility, 0.05999, 0.00001);
        for other in others {
            for outcome in [WON, LOST, Outcome::Draw] {
                for seat in [0, 1] {
                    let pair = if seat == 0 { [player, other] } else { [other, player] };
                    let after = glicko2(pair, outcome)[seat];
                    let expected = period(player, &[(other, seen_from(seat, outcome))]);
                    check_close(after.value, expected.rating, 1e-9);
                    check_close(after.deviation, expected.deviation, 1e-9);
                    check_close(after.volatility, expected.volatility, 1e-9);
                }
            }
        }
    }

    /// The example of Wikipedia's "Elo rating system": a player rated 1613 scores 2.5 points where
    /// 2.88 were expected, and drops to 1601.
    #[test]
    fn elo_matches_wikipedias_example() {
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

    /// The first game of two new players in OpenSkill's tests of `BradleyTerryFull`.
    #[test]
    fn weng_lin_matches_openskill() {
        let initial = skill(25.0, 25.0 / 3.0, 0.0);
        let after = weng_lin(&[initial, initial], WON);
        check_close(after[0].value, 27.635_231_383_473_65, 1e-9);
        check_close(after[1].value, 22.364_768_616_526_35, 1e-9);
        check_close(after[0].deviation, 8.065_506_316_323_548, 1e-9);
    }

    #[test]
    fn weng_lin_for_two_matches_teams() {
        let pair = [skill(31.0, 4.2, 0.0), skill(22.5, 7.9, 0.0)];
        for (outcome, places) in [(WON, [1, 2]), (LOST, [2, 1]), (Outcome::Draw, [1, 1])] {
            let teams = pair.map(|skill| [WengLinRating::from((skill.value, skill.deviation))]);
            let ranked = [0, 1].map(|i| (&teams[i][..], MultiTeamOutcome::new(places[i])));
            let expected = weng_lin_multi_team(&ranked, &WengLinConfig::new());
            for (after, expected) in weng_lin(&pair, outcome).iter().zip(expected) {
                check_close(after.value, expected[0].rating, 1e-9);
                check_close(after.deviation, expected[0].uncertainty, 1e-9);
            }
        }
    }

    #[test]
    fn weng_lin_losers_change_alike() {
        let initial = skill(25.0, 25.0 / 3.0, 0.0);
        let after = weng_lin(&[initial; 4], Outcome::Won { seat: 2 });
        assert!(after[2].value > 25.0);
        for seat in [0, 1, 3] {
            assert!(after[seat].value < 25.0);
            assert_eq!(after[seat], after[0]);
        }
    }
}
