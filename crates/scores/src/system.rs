//! The rating systems that a league can choose from, and their text form.

use std::fmt;
use std::str::FromStr;

use crate::{MAX_PLAYERS, ParseSystemError};

/// How a league turns results into ratings.
///
/// The text form is what [`Display`](fmt::Display) writes and [`FromStr`] reads.
///
/// ```
/// use noughts_scores::System;
///
/// assert_eq!("plus-minus".parse(), Ok(System::PlusMinus));
/// assert_eq!(System::Glicko2.to_string(), "glicko2");
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum System {
    /// A win is a point.
    Wins,
    /// A win adds a point, a loss takes one.
    PlusMinus,
    /// Elo's system, for two players.
    Elo,
    /// Glickman's Glicko-2, for two players: Elo with a measure of how sure it is.
    Glicko2,
    /// The Bayesian approximation of Weng and Lin, known as OpenSkill, for any number.
    WengLin,
}

impl System {
    /// Every system, in the order in which they are documented.
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

    /// The most players that a result may have for this system to rate it.
    #[must_use]
    pub const fn max_players(self) -> usize {
        match self {
            Self::Elo | Self::Glicko2 => 2,
            Self::Wins | Self::PlusMinus | Self::WengLin => MAX_PLAYERS,
        }
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
    fn every_text_form_reads_back() {
        for system in System::ALL {
            assert_eq!(system.to_string().parse(), Ok(system));
        }
    }

    #[test]
    fn an_unknown_system_is_told_what_was_expected() {
        assert_eq!(
            "ELO".parse::<System>().unwrap_err().to_string(),
            "\"ELO\" is not a rating system; \
             expected one of wins, plus-minus, elo, glicko2, weng-lin"
        );
    }
}
