//! Game-theoretic values, and verdicts that may only be estimates.

use std::cmp::Ordering;
use std::fmt;

use crate::search::MATE;

/// The value of a position with perfect play, for the seat to move.
///
/// Ordered from worst to best: a late loss beats an early one, an early win beats a late one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Value {
    /// The seat to move loses within `plies`.
    Loss {
        /// Moves of all seats until the end.
        plies: u16,
    },
    /// Neither seat can force a win.
    Draw,
    /// The seat to move wins within `plies`.
    Win {
        /// Moves of all seats until the end.
        plies: u16,
    },
}

impl Value {
    /// The value of a move, for the seat that makes it, that leads to a position of this value.
    ///
    /// ```
    /// use noughts_engine::Value;
    ///
    /// assert_eq!(Value::Loss { plies: 2 }.before_move(), Value::Win { plies: 3 });
    /// assert!(Value::Win { plies: 3 } > Value::Win { plies: 5 });
    /// assert!(Value::Loss { plies: 4 } > Value::Loss { plies: 2 });
    /// ```
    #[must_use]
    pub fn before_move(self) -> Value {
        match self {
            Value::Loss { plies } => Value::Win { plies: plies + 1 },
            Value::Draw => Value::Draw,
            Value::Win { plies } => Value::Loss { plies: plies + 1 },
        }
    }

    /// The value of the position after a best move, for the seat then to move.
    pub(crate) fn after_move(self) -> Value {
        match self {
            Value::Loss { plies } => Value::Win { plies: plies.saturating_sub(1) },
            Value::Draw => Value::Draw,
            Value::Win { plies } => Value::Loss { plies: plies.saturating_sub(1) },
        }
    }

    /// Moves of all seats until the end; `None` for a draw, which ends when the board is full.
    #[must_use]
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Loss { plies } | Value::Win { plies } => Some(plies),
            Value::Draw => None,
        }
    }

    /// The winner's own moves until the end, where two seats take turns move by move; `None` for a
    /// draw. This is what people count, and what the text form has.
    ///
    /// ```
    /// use noughts_engine::Value;
    ///
    /// assert_eq!(Value::Win { plies: 5 }.winner_moves(), Some(3));
    /// assert_eq!(Value::Loss { plies: 4 }.winner_moves(), Some(2));
    /// assert_eq!(Value::Win { plies: 5 }.to_string(), "win in 3");
    /// ```
    #[must_use]
    pub fn winner_moves(self) -> Option<u16> {
        match self {
            Value::Win { plies } => Some(plies.div_ceil(2)),
            Value::Loss { plies } => Some(plies / 2),
            Value::Draw => None,
        }
    }

    /// Sort key: higher is better.
    fn rank(self) -> i32 {
        match self {
            Value::Loss { plies } => i32::from(plies) - i32::MAX,
            Value::Draw => 0,
            Value::Win { plies } => i32::MAX - i32::from(plies),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Loss { .. } => write!(f, "loss in {}", self.winner_moves().unwrap_or(0)),
            Value::Draw => f.write_str("draw"),
            Value::Win { .. } => write!(f, "win in {}", self.winner_moves().unwrap_or(0)),
        }
    }
}

/// The result of a search for a position or a move: proven or estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Verdict {
    /// The value with perfect play.
    Proven(Value),
    /// A heuristic score for the seat to move: 0 is even, a few hundred a clear advantage. Beyond
    /// ±500,000 it is a mate score: the search saw a win or a loss without trying every defence.
    Estimate(i32),
}

impl Verdict {
    /// The win or loss behind a mate score, which is not proven.
    ///
    /// ```
    /// use noughts_engine::{Value, Verdict};
    ///
    /// assert_eq!(Verdict::Estimate(-999_996).estimated_value(), Some(Value::Loss { plies: 4 }));
    /// assert_eq!(Verdict::Estimate(-996).estimated_value(), None);
    /// assert_eq!(Verdict::Estimate(-999_996).to_string(), "~loss in 2");
    /// ```
    #[must_use]
    pub fn estimated_value(self) -> Option<Value> {
        let Verdict::Estimate(score) = self else { return None };
        let plies = u16::try_from(MATE.saturating_sub_unsigned(score.unsigned_abs())).ok()?;
        Some(if score > 0 { Value::Win { plies } } else { Value::Loss { plies } })
    }

    /// The proven value, if there is one.
    #[must_use]
    pub fn proven(self) -> Option<Value> {
        match self {
            Verdict::Proven(value) => Some(value),
            Verdict::Estimate(_) => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Proven(value) => write!(f, "{value}"),
            Verdict::Estimate(score) => match self.estimated_value() {
                Some(value) => write!(f, "~{value}"),
                None => write!(f, "estimate {score:+}"),
            },
        }
    }
}
