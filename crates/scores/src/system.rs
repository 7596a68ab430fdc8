//! Rating systems.

use std::fmt;
use std::str::FromStr;

use crate::{MAX_PLAYERS, ParseSystemError, ReportError};

/// How a league turns results into ratings.
///
/// [`Display`](fmt::Display) and [`FromStr`] write and read the same text form.
///
/// ```
/// use noughts_scores::System;
///
/// assert_eq!("plus-minus".parse(), Ok(System::PlusMinus));
/// assert_eq!(System::Glicko2.to_string(), "glicko2");
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum System {
    /// One point for a win.
    Wins,
    /// A point for a win, minus a point for a loss.
    PlusMinus,
    /// Elo, for two players.
    Elo,
    /// Glickman's Glicko-2, for two players: Elo with an uncertainty.
    Glicko2,
    /// Weng and Lin's Bayesian approximation, known as OpenSkill, for any number of players.
    WengLin,
}

impl System {
    /// All systems.
    pub const ALL: [Self; 5] =
        [Self::Wins, Self::PlusMinus, Self::Elo, Self::Glicko2, Self::WengLin];

    /// The text form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wins => "wins",
            Self::PlusMinus => "plus-minus",
            Self::Elo => "elo",
            Self::Glicko2 => "glicko2",
            Self::WengLin => "weng-lin",
        }
    }

    /// The most players of a game that this system rates.
    #[must_use]
    pub const fn max_players(self) -> usize {
        match self {
            Self::Elo | Self::Glicko2 => 2,
            Self::Wins | Self::PlusMinus | Self::WengLin => MAX_PLAYERS,
        }
    }

    /// Checks that the system rates games of this many players.
    ///
    /// # Errors
    ///
    /// Refuses more than [`System::max_players`].
    pub fn check_player_count(self, players: usize) -> Result<(), ReportError> {
        let max = self.max_players();
        if players > max {
            return Err(ReportError::TooManyPlayers { system: self, max, players });
        }
        Ok(())
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for System {
    type Err = ParseSystemError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|system| system.as_str() == text)
            .ok_or_else(|| ParseSystemError { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_read_back() {
        for system in System::ALL {
            assert_eq!(system.to_string().parse(), Ok(system));
        }
    }

    #[test]
    fn parse_errors_list_the_systems() {
        assert_eq!(
            "ELO".parse::<System>().unwrap_err().to_string(),
            "\"ELO\" is not a rating system; \
             expected one of wins, plus-minus, elo, glicko2, weng-lin"
        );
    }
}
