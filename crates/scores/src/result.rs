//! Results of games.

use std::fmt::{self, Display};

use crate::weight::Weights;
use crate::{Name, ResultError, Weight};

/// The most players that a game can have.
pub const MAX_PLAYERS: usize = 8;

/// A result's id, chosen by the caller. Ids increase from one report to the next, like the keys of
/// a log.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResultId(pub u64);

impl fmt::Display for ResultId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// The player in this seat won; all others lost.
    Won {
        /// The winner's seat, from 0.
        seat: u8,
    },
    /// No player won.
    Draw,
}

impl Outcome {
    /// The winner's seat, if any.
    #[must_use]
    pub fn winner(self) -> Option<usize> {
        match self {
            Self::Won { seat } => Some(seat.into()),
            Self::Draw => None,
        }
    }
}

/// A finished game: 2 to [`MAX_PLAYERS`] different players in seat order, the outcome, and how much it
/// counts for each player.
///
/// ```
/// use noughts_scores::{GameResult, Outcome, ResultError};
///
/// let result = GameResult::new([7, 8], Outcome::Won { seat: 1 })?;
/// assert_eq!(result.players(), [7, 8]);
///
/// let refused = GameResult::from_names(["John", "JOHN"], Outcome::Draw);
/// assert!(matches!(refused, Err(ResultError::SamePlayer { .. })));
/// # Ok::<(), ResultError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GameResult<K> {
    players: Vec<K>,
    outcome: Outcome,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_full"))]
    weights: Weights,
}

impl<K: Eq + Display> GameResult<K> {
    /// Checks that players and outcome make a result.
    ///
    /// # Errors
    ///
    /// Refuses fewer than 2 or more than [`MAX_PLAYERS`] players, one player in two seats, and a
    /// winner without a seat.
    pub fn new(
        players: impl IntoIterator<Item = K>,
        outcome: Outcome,
    ) -> Result<Self, ResultError> {
        let players: Vec<K> = players.into_iter().collect();
        let count = players.len();
        if !(2..=MAX_PLAYERS).contains(&count) {
            return Err(ResultError::PlayerCount { players: count });
        }
        for (second, player) in players.iter().enumerate() {
            if let Some(first) = players[..second].iter().position(|other| other == player) {
                return Err(ResultError::SamePlayer { player: player.to_string(), first, second });
            }
        }
        match outcome {
            Outcome::Won { seat } if usize::from(seat) >= count => {
                Err(ResultError::NoSuchSeat { seat, players: count })
            }
            _ => Ok(Self { players, outcome, weights: Weights::default() }),
        }
    }
}

#[cfg(feature = "serde")]
impl<'de, K: serde::Deserialize<'de> + Eq + Display> serde::Deserialize<'de> for GameResult<K> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Unchecked<K> {
            players: Vec<K>,
            outcome: Outcome,
            #[serde(default)]
            weights: Weights,
        }
        let Unchecked { players, outcome, weights } = Unchecked::deserialize(deserializer)?;
        let result = GameResult::new(players, outcome).map_err(serde::de::Error::custom)?;
        Ok(GameResult { weights, ..result })
    }
}

impl GameResult<Name> {
    /// A result of players who go by their names.
    ///
    /// # Errors
    ///
    /// Refuses an invalid name, and what [`GameResult::new`] refuses.
    pub fn from_names<'a>(
        names: impl IntoIterator<Item = &'a str>,
        outcome: Outcome,
    ) -> Result<Self, ResultError> {
        let names = names.into_iter().enumerate().map(|(seat, name)| {
            Name::new(name).map_err(|reason| ResultError::Name { seat, reason })
        });
        Self::new(names.collect::<Result<Vec<Name>, _>>()?, outcome)
    }
}

impl<K> GameResult<K> {
    /// The players in seat order.
    #[must_use]
    pub fn players(&self) -> &[K] {
        &self.players
    }

    /// How the game ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The same result with these weights, in seat order. Seats beyond them count in full.
    ///
    /// ```
    /// use noughts_scores::{GameResult, Outcome, Weight};
    ///
    /// let result = GameResult::new([7, 8], Outcome::Draw)?.with_weights(&[Weight::NONE]);
    /// assert_eq!((result.weight(0), result.weight(1)), (Weight::NONE, Weight::FULL));
    /// # Ok::<(), noughts_scores::ResultError>(())
    /// ```
    #[must_use]
    pub fn with_weights(mut self, weights: &[Weight]) -> Self {
        for (stored, weight) in self.weights.iter_mut().zip(weights) {
            *stored = *weight;
        }
        self
    }

    /// How much the game counts for the player in a seat.
    #[must_use]
    pub fn weight(&self, seat: usize) -> Weight {
        self.weights.get(seat).copied().unwrap_or_default()
    }
}

#[cfg(feature = "serde")]
fn is_full(weights: &Weights) -> bool {
    *weights == Weights::default()
}

/// A result with its id, as reported to a league.
#[derive(Clone, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(deserialize = "K: serde::Deserialize<'de> + Eq + Display"))
)]
pub struct Report<K> {
    /// The id, higher than all before it.
    pub id: ResultId,
    /// When the game ended, on a scale of the caller's choice. The league only passes it on to
    /// [`RatingPoint`](crate::RatingPoint).
    pub at: i64,
    /// The result.
    pub result: GameResult<K>,
}

/// Wins, losses and draws, of the games that count.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// Games won.
    pub wins: u32,
    /// Games that another player won.
    pub losses: u32,
    /// Games that no player won.
    pub draws: u32,
}

impl Record {
    /// The number of games.
    #[must_use]
    pub fn games(self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// The count that a game with this outcome adds to, for the player in `seat`.
    pub(crate) fn count_mut(&mut self, outcome: Outcome, seat: usize) -> &mut u32 {
        match outcome.winner() {
            Some(winner) if winner == seat => &mut self.wins,
            Some(_) => &mut self.losses,
            None => &mut self.draws,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NameError;

    fn check_refused(players: &[&str], outcome: Outcome, expected: &str) {
        let refused = GameResult::from_names(players.iter().copied(), outcome).unwrap_err();
        assert_eq!(refused.to_string(), expected);
    }

    #[test]
    fn invalid_results_are_refused() {
        let won = |seat| Outcome::Won { seat };
        check_refused(&["Ann"], won(0), "a result has 2 to 8 players, this one has 1");
        check_refused(
            &["a", "b", "c", "d", "e", "f", "g", "h", "i"],
            Outcome::Draw,
            "a result has 2 to 8 players, this one has 9",
        );
        check_refused(&["Ann", "Bob", "ANN"], won(0), "\"ANN\" has both seat 0 and seat 2");
        check_refused(&["Ann", "Bob"], won(2), "seat 2 cannot have won: the seats are 0 to 1");
        check_refused(&["Ann", ""], won(0), "seat 1: a name needs at least one character");
    }

    #[test]
    fn invalid_names_are_the_cause() {
        assert_eq!(
            GameResult::from_names(["", "Bob"], Outcome::Draw),
            Err(ResultError::Name { seat: 0, reason: NameError::Empty })
        );
    }
}
