//! The parameters of a game, and the checks that make rules of them.

use std::sync::Arc;

use super::combinations;
use super::{Inner, Rules};
use crate::layout::Layout;
use crate::position::ZoneTables;
use crate::shape::{MAX_CELLS, MAX_LEVELS, MAX_SIDE, Shape};
use crate::{Cell, MAX_PLAYERS};

/// Which cells make a line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Win {
    /// This many cells in a row, in any direction.
    Row(u8),
    /// The cells of one of these lines. [`RulesParts::build`] sorts them.
    Lines(Arc<[Box<[Cell]>]>),
}

/// Which marks the players place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Marks {
    /// Each seat has a mark of its own.
    Own,
    /// Each move places an X or an O, as the mover likes (wild, order and chaos).
    Any,
    /// Everyone places the same mark (notakto).
    One,
}

/// What a completed line means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Goal {
    /// It wins.
    Line,
    /// It loses (misère).
    Avoid,
    /// It wins for the first seat, whoever completes it; a full board wins for the second (order and
    /// chaos).
    Maker,
    /// It closes its board, and the seat that closes the last board loses (notakto).
    LastBoard,
}

/// How the game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Opening {
    /// The first seat moves, then the second, and so on.
    Free,
    /// After the first stone the second seat may exchange the marks.
    Swap,
    /// The first seat places three stones, two of its own mark. Then the second seat chooses a mark,
    /// or places two more stones and leaves the choice to the first.
    Swap2,
}

/// The parameters of a game. [`RulesParts::build`] checks them.
///
/// ```
/// use noughts_rules::RulesParts;
///
/// let connect4 = RulesParts::grid(6, 7).k(4).gravity(true);
/// assert_eq!(connect4.build()?.to_string(), "6x7:4+gravity");
/// # Ok::<(), noughts_rules::RulesError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RulesParts {
    /// The shape of the board.
    pub shape: Shape,
    /// Which cells make a line.
    pub win: Win,
    /// Which marks the players place.
    pub marks: Marks,
    /// What a completed line means.
    pub goal: Goal,
    /// How the game begins.
    pub opening: Opening,
    /// The number of players, 2 to 8.
    pub players: u8,
    /// Stones a turn, but one in the very first (connect6 has two).
    pub stones_per_turn: u8,
    /// How many marks of a seat stay on the board: the next one removes the oldest.
    pub fade: Option<u8>,
    /// A stone must be in the bottom row or on top of another stone. Where there are levels, they
    /// are stacked: the first is at the bottom.
    pub gravity: bool,
    /// Opposite edges are joined, and a line may cross them.
    pub wrap: bool,
    /// A run longer than the win length does not win.
    pub exact: bool,
    /// The first mark must not make two open threes or two fours at once, or more than five in a row.
    pub renju: bool,
}

/// The most stones of a turn.
pub const MAX_STONES_PER_TURN: u8 = 4;

/// The maximum number of lines that are given as data.
pub const MAX_CUSTOM_LINES: usize = 4_096;

/// The maximum number of cells of a line that is given as data.
pub const MAX_CUSTOM_LINE_CELLS: usize = 26;

impl Default for RulesParts {
    /// Classic tic-tac-toe.
    fn default() -> Self {
        RulesParts::grid(3, 3)
    }
}

/// Constructors, each for two players and a win length of the shortest side.
impl RulesParts {
    /// A flat board.
    #[must_use]
    pub fn grid(rows: u8, cols: u8) -> RulesParts {
        RulesParts::space(rows, cols, 1)
    }

    /// A board with levels.
    #[must_use]
    pub fn space(rows: u8, cols: u8, levels: u8) -> RulesParts {
        let shortest = if levels > 1 { rows.min(cols).min(levels) } else { rows.min(cols) };
        RulesParts::with_shape(Shape::Grid { rows, cols, levels }, shortest)
    }

    /// Ultimate: a grid of boards that are the same grid again.
    #[must_use]
    pub fn ultimate(rows: u8, cols: u8) -> RulesParts {
        RulesParts::with_shape(Shape::Nested { rows, cols }, rows.min(cols))
    }

    /// Notakto on one or more boards.
    #[must_use]
    pub fn notakto(rows: u8, cols: u8, boards: u8) -> RulesParts {
        let parts = RulesParts::with_shape(Shape::Boards { rows, cols, boards }, rows.min(cols));
        RulesParts { marks: Marks::One, goal: Goal::LastBoard, ..parts }
    }

    fn with_shape(shape: Shape, k: u8) -> RulesParts {
        RulesParts {
            shape,
            win: Win::Row(k),
            marks: Marks::Own,
            goal: Goal::Line,
            opening: Opening::Free,
            players: 2,
            stones_per_turn: 1,
            fade: None,
            gravity: false,
            wrap: false,
            exact: false,
            renju: false,
        }
    }
}

/// Setters.
impl RulesParts {
    /// Sets the win length.
    #[must_use]
    pub fn k(self, k: u8) -> RulesParts {
        RulesParts { win: Win::Row(k), ..self }
    }

    /// Only these lines win.
    #[must_use]
    pub fn lines(self, lines: impl IntoIterator<Item = Vec<Cell>>) -> RulesParts {
        let lines = lines.into_iter().map(Vec::into_boxed_slice).collect();
        RulesParts { win: Win::Lines(lines), ..self }
    }

    /// Sets which marks the players place.
    #[must_use]
    pub fn marks(self, marks: Marks) -> RulesParts {
        RulesParts { marks, ..self }
    }

    /// Sets what a completed line means.
    #[must_use]
    pub fn goal(self, goal: Goal) -> RulesParts {
        RulesParts { goal, ..self }
    }

    /// Sets how the game begins.
    #[must_use]
    pub fn opening(self, opening: Opening) -> RulesParts {
        RulesParts { opening, ..self }
    }

    /// Sets the number of players.
    #[must_use]
    pub fn players(self, players: u8) -> RulesParts {
        RulesParts { players, ..self }
    }

    /// Sets the number of stones a turn.
    #[must_use]
    pub fn stones_per_turn(self, stones_per_turn: u8) -> RulesParts {
        RulesParts { stones_per_turn, ..self }
    }

    /// Keeps this many marks of each seat.
    #[must_use]
    pub fn fade(self, marks: u8) -> RulesParts {
        RulesParts { fade: Some(marks), ..self }
    }

    /// Sets whether stones need support.
    #[must_use]
    pub fn gravity(self, gravity: bool) -> RulesParts {
        RulesParts { gravity, ..self }
    }

    /// Sets whether opposite edges are joined.
    #[must_use]
    pub fn wrap(self, wrap: bool) -> RulesParts {
        RulesParts { wrap, ..self }
    }

    /// Sets whether longer runs do not win.
    #[must_use]
    pub fn exact(self, exact: bool) -> RulesParts {
        RulesParts { exact, ..self }
    }

    /// Sets whether the restrictions of renju hold.
    #[must_use]
    pub fn renju(self, renju: bool) -> RulesParts {
        RulesParts { renju, ..self }
    }
}

/// Why parameters do not make rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// No levels or boards, or too many.
    #[error("expected 1 to {MAX_LEVELS} levels or boards, got {0}")]
    Levels(u8),
    /// The board has too many cells.
    #[error(
        "{cells} cells are too many: expected at most {MAX_CELLS} on all levels and boards together"
    )]
    TooManyCells {
        /// The number of cells.
        cells: usize,
    },
    /// Several boards in another game than notakto.
    #[error("only notakto is played on several boards")]
    SeveralBoards,
    /// Boards of boards are too large to name.
    #[error(
        "a board of {rows}x{cols} boards is too large: expected at most 5x5, so that rows can be named by letters"
    )]
    NestedSize {
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
    /// There are no lines, or too many.
    #[error("expected 1 to {MAX_CUSTOM_LINES} lines, got {0}")]
    LineCount(usize),
    /// A line has no cells, too many, or one twice.
    #[error("line {0}: expected 1 to {MAX_CUSTOM_LINE_CELLS} different cells")]
    LineCells(usize),
    /// A line leaves the board.
    #[error("line {line}: {cell} is not on the board")]
    LineOffBoard {
        /// The number of the line, from 1.
        line: usize,
        /// The cell.
        cell: Cell,
    },
    /// Fewer than two players or more than eight.
    #[error("expected 2 to {MAX_PLAYERS} players, got {players}")]
    Players {
        /// The requested number of players.
        players: u8,
    },
    /// These rules are for two players.
    #[error("{rule} needs exactly two players, got {players}")]
    TwoPlayers {
        /// The rule.
        rule: &'static str,
        /// The requested number of players.
        players: u8,
    },
    /// No stones a turn, or too many.
    #[error("expected 1 to {MAX_STONES_PER_TURN} stones a turn, got {0}")]
    StonesPerTurn(u8),
    /// With so few marks nobody can complete a line.
    #[error(
        "with {marks} marks left on the board nobody can complete a line: expected {k} to {max}"
    )]
    Fade {
        /// The requested number of marks.
        marks: u8,
        /// The shortest line.
        k: u8,
        /// The most marks that make sense.
        max: u8,
    },
    /// Renju is played with five in a row.
    #[error("renju needs five in a row, got {0}")]
    RenjuLength(u8),
    /// The opening stones could complete a line, or do not fit.
    #[error(
        "{opening} needs lines of at least {k} cells and room for more than its opening stones"
    )]
    OpeningSize {
        /// The opening.
        opening: &'static str,
        /// The shortest line that it allows.
        k: u8,
    },
    /// Two rules that do not go together.
    #[error("{first} does not go with {second}: {reason}")]
    Combination {
        /// One rule.
        first: &'static str,
        /// The other rule.
        second: &'static str,
        /// Why not.
        reason: &'static str,
    },
}

impl RulesParts {
    /// Checks the parameters and makes rules of them.
    pub fn build(self) -> Result<Rules, RulesError> {
        self.check_shape()?;
        let parts = self.normalised();
        let k = parts.check_lines()?;
        if !(2..=MAX_PLAYERS).contains(&parts.players) {
            return Err(RulesError::Players { players: parts.players });
        }
        if !(1..=MAX_STONES_PER_TURN).contains(&parts.stones_per_turn) {
            return Err(RulesError::StonesPerTurn(parts.stones_per_turn));
        }
        combinations::check(&parts)?;
        parts.check_sizes()?;
        let layout = Layout::new(&parts, k);
        let zones = match parts.shape.zone_count() {
            0 => None,
            _ => ZoneTables::new(&parts, &layout),
        };
        Ok(Rules(Arc::new(Inner { parts, k, layout, zones })))
    }

    fn check_shape(&self) -> Result<(), RulesError> {
        let (rows, cols) = self.shape.board_size();
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&cols) {
            return Err(RulesError::BoardSize { rows, cols });
        }
        let extent = self.shape.extent();
        if !sides.contains(&extent.rows) || !sides.contains(&extent.cols) {
            return Err(RulesError::NestedSize { rows, cols });
        }
        if !(1..=MAX_LEVELS).contains(&extent.levels) {
            return Err(RulesError::Levels(extent.levels));
        }
        match extent.cell_count() {
            cells if cells > MAX_CELLS => Err(RulesError::TooManyCells { cells }),
            _ => Ok(()),
        }
    }

    /// Sorts the lines and makes notakto on a flat board the game on one board, so that equal rules
    /// have equal parts.
    fn normalised(mut self) -> RulesParts {
        if let (Shape::Grid { rows, cols, levels: 1 }, Marks::One) = (self.shape, self.marks) {
            self.shape = Shape::Boards { rows, cols, boards: 1 };
        }
        if let Win::Lines(lines) = &self.win {
            let mut lines: Vec<Box<[Cell]>> = lines.to_vec();
            lines.iter_mut().for_each(|line| line.sort_unstable());
            lines.sort_unstable();
            lines.dedup();
            self.win = Win::Lines(lines.into());
        }
        self
    }

    /// Returns the length of the longest line.
    fn check_lines(&self) -> Result<u8, RulesError> {
        match &self.win {
            Win::Row(k) => {
                let (rows, cols) = self.shape.board_size();
                let max = match self.shape {
                    Shape::Grid { levels, .. } => rows.max(cols).max(levels),
                    _ => rows.max(cols),
                };
                if (1..=max).contains(k) {
                    Ok(*k)
                } else {
                    Err(RulesError::WinLength { k: *k, max })
                }
            }
            Win::Lines(lines) => {
                if !(1..=MAX_CUSTOM_LINES).contains(&lines.len()) {
                    return Err(RulesError::LineCount(lines.len()));
                }
                let extent = self.shape.extent();
                for (cells, line) in lines.iter().zip(1..) {
                    // Sorted, so equal cells are neighbours.
                    let repeats = cells.windows(2).any(|pair| pair[0] == pair[1]);
                    if !(1..=MAX_CUSTOM_LINE_CELLS).contains(&cells.len()) || repeats {
                        return Err(RulesError::LineCells(line));
                    }
                    if let Some(&cell) = cells.iter().find(|&&cell| !extent.contains(cell)) {
                        return Err(RulesError::LineOffBoard { line, cell });
                    }
                }
                Ok(lines.iter().map(|line| line.len()).max().unwrap_or(1) as u8)
            }
        }
    }

    /// The length of the shortest line.
    fn shortest_line(&self) -> u8 {
        match &self.win {
            Win::Row(k) => *k,
            Win::Lines(lines) => lines.iter().map(|line| line.len()).min().unwrap_or(1) as u8,
        }
    }

    /// Checks numbers that depend on each other.
    fn check_sizes(&self) -> Result<(), RulesError> {
        let k = self.shortest_line();
        let max = u8::MAX / self.players;
        if let Some(marks) = self.fade
            && !(k..=max).contains(&marks)
        {
            return Err(RulesError::Fade { marks, k, max });
        }
        if self.renju && self.win != Win::Row(5) {
            return Err(RulesError::RenjuLength(k));
        }
        let (opening, shortest, stones) = match self.opening {
            Opening::Free => return Ok(()),
            Opening::Swap => ("swap", 2, 1),
            Opening::Swap2 => ("swap2", 4, 5),
        };
        if k < shortest || self.shape.extent().cell_count() <= stones {
            return Err(RulesError::OpeningSize { opening, k: shortest });
        }
        Ok(())
    }
}
