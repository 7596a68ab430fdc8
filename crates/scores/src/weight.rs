//! How much a game counts for each of its players.

use std::fmt;

use crate::MAX_PLAYERS;

/// How much a result changes a player's rating, in percent.
///
/// A result of weight 0 changes neither the rating nor the record.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Weight(u8);

/// The weights of a result, in seat order.
pub(crate) type Weights = [Weight; MAX_PLAYERS];

impl Weight {
    /// The whole change.
    pub const FULL: Self = Self(100);

    /// No change.
    pub const NONE: Self = Self(0);

    /// A weight from 0 to 100 percent.
    #[must_use]
    pub const fn from_percent(percent: u8) -> Option<Self> {
        if percent <= 100 { Some(Self(percent)) } else { None }
    }

    /// The weight in percent.
    #[must_use]
    pub const fn percent(self) -> u8 {
        self.0
    }

    /// The weight of the `nth` game of the same players in a day, from 1. The first three count in
    /// full, the next three half, four more a tenth, and further games nothing: however often two
    /// players meet, a day is worth less than five games.
    #[must_use]
    pub const fn of_nth_game(nth: u64) -> Self {
        match nth {
            0..=3 => Self::FULL,
            4..=6 => Self(50),
            7..=10 => Self(10),
            _ => Self::NONE,
        }
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::FULL
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.0)
    }
}

impl From<Weight> for u8 {
    fn from(weight: Weight) -> Self {
        weight.0
    }
}

impl TryFrom<u8> for Weight {
    type Error = &'static str;

    fn try_from(percent: u8) -> Result<Self, Self::Error> {
        Self::from_percent(percent).ok_or("a weight is at most 100 percent")
    }
}

/// What a game counts for each player, in seat order: `of_game`, but nothing against a provisional
/// opponent. Anyone can make any number of provisional players, so nobody gains by beating them.
#[must_use]
pub fn weights(provisional: &[bool], of_game: Weight) -> Vec<Weight> {
    let weight = |seat: usize| {
        let mut others = provisional.iter().enumerate().filter(|(other, _)| *other != seat);
        if others.any(|(_, &is_provisional)| is_provisional) { Weight::NONE } else { of_game }
    };
    (0..provisional.len()).map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_worth_less_than_five_games() {
        let percent: u32 = (1..1000).map(|nth| u32::from(Weight::of_nth_game(nth).percent())).sum();
        assert!(percent < 500, "{percent}");
        assert_eq!(Weight::of_nth_game(1), Weight::FULL);
        assert_eq!(Weight::of_nth_game(u64::MAX), Weight::NONE);
    }

    #[test]
    fn provisional_players_are_worth_nothing_to_others() {
        let half = Weight(50);
        assert_eq!(weights(&[false, false], half), [half, half]);
        assert_eq!(weights(&[true, true], half), [Weight::NONE, Weight::NONE]);
        assert_eq!(weights(&[false, true], half), [Weight::NONE, half]);
        assert_eq!(weights(&[false, true, false], half), [Weight::NONE, half, Weight::NONE]);
    }
}
