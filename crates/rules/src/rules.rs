//! Rules: the immutable description of a game.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::Seat;
use crate::layout::Layout;
use crate::seat::MAX_PLAYERS;

/// The maximum number of rows and columns; rows are named by letters.
pub const MAX_SIDE: u8 = 26;

/// The parameters of a game. [`RulesParts::build`] checks them.
///
/// ```
/// use noughts_rules::RulesParts;
///
/// let connect4 = RulesParts { rows: 6, cols: 7, k: Some(4), gravity: true, ..RulesParts::default() };
/// assert_eq!(connect4.build()?.to_string(), "6x7:4+gravity");
/// # Ok::<(), noughts_rules::RulesError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RulesParts {
    /// Rows of the board, 1 to 26.
    pub rows: u8,
    /// Columns of the board, 1 to 26.
    pub cols: u8,
    /// The win length; `None` stands for the shorter side.
    pub k: Option<u8>,
    /// The number of players, 2 to 8.
    pub players: u8,
    /// The seat that completes a line loses.
    pub misere: bool,
    /// A stone must be in the bottom row or on top of another stone.
    pub gravity: bool,
    /// Opposite edges are joined, and a line may cross them.
    pub wrap: bool,
    /// A run longer than the win length does not win.
    pub exact: bool,
}

impl Default for RulesParts {
    /// Classic tic-tac-toe.
    fn default() -> Self {
        RulesParts {
            rows: 3,
            cols: 3,
            k: None,
            players: 2,
            misere: false,
            gravity: false,
            wrap: false,
            exact: false,
        }
    }
}

/// Why parameters do not make rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// A side is 0 or too long.
    #[error(
        "board size {rows}x{cols} is out of range: expected 1 to {MAX_SIDE} rows and 1 to {MAX_SIDE} columns"
    )]
    BoardSize {
        /// The requested rows.
        rows: u8,
        /// The requested columns.
        cols: u8,
    },
    /// The win length is 0 or longer than the longer side.
    #[error("{k} in a row does not fit: expected a win length of 1 to {max} on this board")]
    WinLength {
        /// The requested win length.
        k: u8,
        /// The longest that fits.
        max: u8,
    },
    /// Fewer than two players or more than eight.
    #[error("expected 2 to {MAX_PLAYERS} players, got {players}")]
    Players {
        /// The requested number of players.
        players: u8,
    },
    /// With more than two players, a loser does not make a winner.
    #[error("misere needs exactly two players, got {players}")]
    MiserePlayers {
        /// The requested number of players.
        players: u8,
    },
}

impl RulesParts {
    /// Checks the parameters and makes rules of them.
    pub fn build(self) -> Result<Rules, RulesError> {
        let RulesParts { rows, cols, players, .. } = self;
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&cols) {
            return Err(RulesError::BoardSize { rows, cols });
        }
        let k = self.k.unwrap_or(rows.min(cols));
        let max = rows.max(cols);
        if !(1..=max).contains(&k) {
            return Err(RulesError::WinLength { k, max });
        }
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(RulesError::Players { players });
        }
        if self.misere && players > 2 {
            return Err(RulesError::MiserePlayers { players });
        }
        let parts = RulesParts { k: Some(k), ..self };
        let layout = Layout::new(&self, k);
        Ok(Rules(Arc::new(Inner { parts, k, layout })))
    }
}

/// The checked, immutable description of a game: board, win length, players and variants.
///
/// Cloning is cheap. The text form parses back to the same value; the names of
/// [presets](crate::notation::PRESETS) parse too, and take variants like any other board.
///
/// ```
/// use noughts_rules::Rules;
///
/// let rules: Rules = "15x15:5+exact".parse()?;
/// assert_eq!((rules.rows(), rules.cols(), rules.k()), (15, 15, 5));
/// assert_eq!("gomoku-standard".parse(), Ok(rules));
/// assert!("3x3:4".parse::<Rules>().is_err());
/// # Ok::<(), noughts_rules::ParseRulesError>(())
/// ```
#[derive(Clone)]
pub struct Rules(Arc<Inner>);

struct Inner {
    /// The win length is filled in, so that equal rules have equal parts.
    parts: RulesParts,
    k: u8,
    layout: Layout,
}

impl Rules {
    /// Classic tic-tac-toe: 3x3, three in a row, two players.
    #[must_use]
    pub fn classic() -> Rules {
        RulesParts::default().build().expect("the default parts are valid")
    }

    /// The parameters, with the win length filled in.
    #[must_use]
    pub fn parts(&self) -> RulesParts {
        self.0.parts
    }

    /// Rows of the board.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> u8 {
        self.0.parts.rows
    }

    /// Columns of the board.
    #[inline]
    #[must_use]
    pub fn cols(&self) -> u8 {
        self.0.parts.cols
    }

    /// The win length: how many cells make a line.
    #[inline]
    #[must_use]
    pub fn k(&self) -> u8 {
        self.0.k
    }

    /// The number of players.
    #[inline]
    #[must_use]
    pub fn players(&self) -> usize {
        usize::from(self.0.parts.players)
    }

    /// Whether the seat that completes a line loses.
    #[inline]
    #[must_use]
    pub fn misere(&self) -> bool {
        self.0.parts.misere
    }

    /// Whether a stone must be in the bottom row or on top of another stone.
    #[inline]
    #[must_use]
    pub fn gravity(&self) -> bool {
        self.0.parts.gravity
    }

    /// Whether opposite edges are joined.
    #[inline]
    #[must_use]
    pub fn wrap(&self) -> bool {
        self.0.parts.wrap
    }

    /// Whether a run longer than the win length does not win.
    #[inline]
    #[must_use]
    pub fn exact(&self) -> bool {
        self.0.parts.exact
    }

    /// The seats in turn order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<> {
        (0..self.0.parts.players).map(Seat::from_index)
    }

    #[inline]
    pub(crate) fn layout(&self) -> &Layout {
        &self.0.layout
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::classic()
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.parts == other.0.parts
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.parts.hash(state);
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rules({self})")
    }
}
