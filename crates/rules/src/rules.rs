//! The immutable description of a game.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::Seat;
use crate::layout::Layout;
use crate::seat::MAX_PLAYERS;

/// The longest side a board can have, so that a row is a letter.
pub const MAX_SIDE: u8 = 26;

/// The parts of a game's rules, free to set; [`RulesParts::build`] checks them.
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
    /// The win length; the shorter side where there is none.
    pub k: Option<u8>,
    /// Two to eight.
    pub players: u8,
    /// Who completes a line loses.
    pub misere: bool,
    /// A move must rest on the floor (the last row) or on a taken cell.
    pub gravity: bool,
    /// Edges join: a line may leave the board on one side and go on at the other.
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

/// Why parts do not make rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// A side is 0 or too long.
    #[error("a board of {rows}x{cols}: expected 1 to {MAX_SIDE} rows and 1 to {MAX_SIDE} columns")]
    BoardSize {
        /// The rows asked for.
        rows: u8,
        /// The columns asked for.
        cols: u8,
    },
    /// The win length is 0 or longer than the longer side.
    #[error("no line of {k} fits: expected a win length of 1 to {longest} on this board")]
    WinLength {
        /// The win length asked for.
        k: u8,
        /// The longest that fits.
        longest: u8,
    },
    /// Fewer than two players or more than eight.
    #[error("{players} players: expected 2 to {MAX_PLAYERS}")]
    Players {
        /// The number asked for.
        players: u8,
    },
    /// With more than two players, no one seat wins when another loses.
    #[error("misere is for two players, not {players}: who would win when one completes a line?")]
    MisereForMany {
        /// The number asked for.
        players: u8,
    },
}

impl RulesParts {
    /// The rules with these parts, or why there are none.
    pub fn build(self) -> Result<Rules, RulesError> {
        let RulesParts { rows, cols, players, .. } = self;
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&cols) {
            return Err(RulesError::BoardSize { rows, cols });
        }
        let k = self.k.unwrap_or(rows.min(cols));
        let longest = rows.max(cols);
        if !(1..=longest).contains(&k) {
            return Err(RulesError::WinLength { k, longest });
        }
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(RulesError::Players { players });
        }
        if self.misere && players > 2 {
            return Err(RulesError::MisereForMany { players });
        }
        let parts = RulesParts { k: Some(k), ..self };
        let layout = Layout::new(&self, k);
        Ok(Rules(Arc::new(Inner { parts, k, layout })))
    }
}

/// The checked, immutable description of a game: board, win length, players and variants.
///
/// Cloning is cheap. The text form reads back to the same value; the names of the presets are
/// read too, and take variants like any other board.
///
/// ```
/// use noughts_rules::Rules;
///
/// let rules: Rules = "15x15:5+exact".parse()?;
/// assert_eq!((rules.rows(), rules.cols(), rules.k()), (15, 15, 5));
/// assert_eq!("gomoku-standard".parse(), Ok(rules));
/// assert!("3x3:4".parse::<Rules>().is_err());
/// # Ok::<(), noughts_rules::RulesTextError>(())
/// ```
#[derive(Clone)]
pub struct Rules(Arc<Inner>);

struct Inner {
    /// With the win length filled in, so that equal rules have equal parts.
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

    /// The parts, from which other rules can be made.
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

    /// How many cells side by side make a line.
    #[inline]
    #[must_use]
    pub fn k(&self) -> u8 {
        self.0.k
    }

    /// How many play.
    #[inline]
    #[must_use]
    pub fn players(&self) -> usize {
        usize::from(self.0.parts.players)
    }

    /// Whether who completes a line loses.
    #[inline]
    #[must_use]
    pub fn misere(&self) -> bool {
        self.0.parts.misere
    }

    /// Whether a move must rest on the floor or on a taken cell.
    #[inline]
    #[must_use]
    pub fn gravity(&self) -> bool {
        self.0.parts.gravity
    }

    /// Whether edges join.
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
        (0..self.0.parts.players).map(Seat::of_game)
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
