//! The standings while a tournament runs.

use std::fmt;

use noughts_arena::{PlayedGame, Tournament};
use noughts_rules::Outcome;

/// Half points and games of each entrant.
pub(super) struct Standings(Vec<(String, u32, u32)>);

/// How many leaders are shown.
const LEADERS: usize = 3;

impl Standings {
    pub(super) fn new(tournament: &Tournament) -> Standings {
        let entrants = tournament.entrants.iter();
        Standings(entrants.map(|entrant| (entrant.name().to_string(), 0, 0)).collect())
    }

    pub(super) fn count(&mut self, played: &PlayedGame) {
        for (seat, &entrant) in played.entrants.iter().enumerate() {
            let half_points = match played.outcome {
                Outcome::Win(winner) if winner.index() == seat => 2,
                Outcome::Win(_) => 0,
                Outcome::Draw => 1,
            };
            let (_, points, games) = &mut self.0[entrant];
            (*points, *games) = (*points + half_points, *games + 1);
        }
    }
}

impl fmt::Display for Standings {
    /// The leaders by their share of the points: `hard 7.5/10, easy 2/10`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: Vec<_> = self.0.iter().filter(|(_, _, games)| *games > 0).collect();
        let share = |points: u32, games: u32| f64::from(points) / f64::from(games.max(1));
        rows.sort_by(|a, b| share(b.1, b.2).total_cmp(&share(a.1, a.2)));
        for (i, (name, half_points, games)) in rows.into_iter().take(LEADERS).enumerate() {
            let gap = if i == 0 { "" } else { ", " };
            write!(f, "{gap}{name} {}/{games}", f64::from(*half_points) / 2.0)?;
        }
        Ok(())
    }
}
