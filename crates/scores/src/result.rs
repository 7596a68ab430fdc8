//! The result of a game: who played, in which seats, and how it ended.

use std::fmt;

use crate::{Name, ResultError};

/// The most players that a game can have.
pub const MAX_PLAYERS: usize = 8;

/// The number under which a result was reported.
///
/// The caller chooses the ids; they must increase from one report to the next, as the keys
/// of a log do.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ResultId(pub u64);

impl fmt::Display for ResultId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Outcome {
    /// The player in this seat won and all others lost.
    Won {
        /// The winner's seat, from 0.
        seat: u8,
    },
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner's seat, if there is one.
    #[must_use]
    pub fn winner(self) -> Option<usize> {
        match self {
            Self::Won { seat } => Some(seat.into()),
            Self::Draw => None,
        }
    }
}

/// A finished game, as far as scores are concerned: 2 to [`MAX_PLAYERS`] different people
/// in seat order, and the outcome.
///
/// ```
/// use noughts_scores::{GameResult, Outcome, ResultError};
///
/// let result = GameResult::new(["John", "Jane"], Outcome::Won { seat: 1 })?;
/// assert_eq!(result.players()[1].as_str(), "Jane");
///
/// let refused = GameResult::new(["John", "JOHN"], Outcome::Draw);
/// assert!(matches!(refused, Err(ResultError::SamePlayer { .. })));
/// # Ok::<(), ResultError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GameResult {
    players: Vec<Name>,
    outcome: Outcome,
}

impl GameResult {
    /// Checks that players and outcome belong together.
    ///
    /// # Errors
    ///
    /// Refuses a text that is not a name, fewer than 2 or more than [`MAX_PLAYERS`]
    /// players, one person in two seats, and a winner who has no seat.
    pub fn new<'a, I>(players: I, outcome: Outcome) -> Result<Self, ResultError>
    where
        I: IntoIterator<Item = &'a str>,
    {
        let mut texts = players.into_iter();
        let mut players = Vec::<Name>::with_capacity(2);
        for (seat, text) in texts.by_ref().take(MAX_PLAYERS).enumerate() {
            let name = Name::new(text).map_err(|reason| ResultError::Name { seat, reason })?;
            if let Some(first) = players.iter().position(|other| *other == name) {
                return Err(ResultError::SamePlayer { name: text.to_owned(), first, second: seat });
            }
            players.push(name);
        }
        let count = players.len() + texts.count();
        if !(2..=MAX_PLAYERS).contains(&count) {
            return Err(ResultError::PlayerCount { players: count });
        }
        match outcome {
            Outcome::Won { seat } if usize::from(seat) >= count => {
                Err(ResultError::NoSuchSeat { seat, players: count })
            }
            _ => Ok(Self { players, outcome }),
        }
    }

    /// The players in seat order.
    #[must_use]
    pub fn players(&self) -> &[Name] {
        &self.players
    }

    /// How the game ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }
}

/// A result as it is reported to a league.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Report {
    /// The id, higher than that of every report before.
    pub id: ResultId,
    /// When the game ended, on a scale of the caller's choice. A league never looks at it;
    /// it comes back with a player's rating over time.
    pub at: i64,
    /// The result.
    pub result: GameResult,
}

/// How often a player won, lost and drew.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Record {
    /// Games won.
    pub wins: u32,
    /// Games that somebody else won.
    pub losses: u32,
    /// Games that nobody won.
    pub draws: u32,
}

impl Record {
    /// The number of games.
    #[must_use]
    pub fn games(self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// The count to which a game with this outcome belongs for the player in `seat`.
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
        let refused = GameResult::new(players.iter().copied(), outcome).unwrap_err();
        assert_eq!(refused.to_string(), expected);
    }

    #[test]
    fn what_is_not_a_result() {
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
    fn a_refused_name_is_the_cause_of_the_refusal() {
        assert_eq!(
            GameResult::new(["", "Bob"], Outcome::Draw),
            Err(ResultError::Name { seat: 0, reason: NameError::Empty })
        );
    }
}
