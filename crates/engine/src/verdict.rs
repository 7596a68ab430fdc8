//! What is known or believed of a position.

use std::cmp::Ordering;
use std::fmt;

use crate::search::MATE;

/// What a position is worth with perfect play, for the seat to move.
///
/// Values are ordered from worst to best: a late loss is better than an early one, an early win
/// better than a late one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The seat to move loses, at the latest after so many plies.
    Loss {
        /// Moves of all seats until the end.
        plies: u16,
    },
    /// Nobody can force a win.
    Draw,
    /// The seat to move wins, at the latest after so many plies.
    Win {
        /// Moves of all seats until the end.
        plies: u16,
    },
}

impl Value {
    /// What a move is worth for who makes it, if it leads to a position of this value for the
    /// other seat.
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

    /// What is left for the other seat after a move that keeps this value.
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

    /// Grows with how good the value is.
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
            Value::Loss { plies } => write!(f, "loss in {plies}"),
            Value::Draw => f.write_str("draw"),
            Value::Win { plies } => write!(f, "win in {plies}"),
        }
    }
}

/// What a search says of a position or a move: proven, or its best guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// This is what perfect play leads to.
    Proven(Value),
    /// Nothing is proven. The more above 0, the better it looks for the seat to move; a few hundred
    /// are a clear advantage. Beyond half a million the search saw a win (below minus that, a
    /// loss), but did not look at every defence.
    Estimate(i32),
}

impl Verdict {
    /// The win or loss that a search saw without a proof, not having looked at every defence.
    ///
    /// ```
    /// use noughts_engine::{Value, Verdict};
    ///
    /// assert_eq!(Verdict::Estimate(-999_996).seen(), Some(Value::Loss { plies: 4 }));
    /// assert_eq!(Verdict::Estimate(-996).seen(), None);
    /// assert_eq!(Verdict::Estimate(-999_996).to_string(), "~loss in 4");
    /// ```
    #[must_use]
    pub fn seen(self) -> Option<Value> {
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
            Verdict::Estimate(score) => match self.seen() {
                Some(value) => write!(f, "~{value}"),
                None => write!(f, "estimate {score:+}"),
            },
        }
    }
}
