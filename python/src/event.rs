//! Events and states of games.

use noughts_rules as rules;
use noughts_rules::{DrawReason, Zone};
use pyo3::prelude::*;

use crate::moves::mark_letter;

/// The state of a game: `Status.InProgress`, `Status.Won` or `Status.Draw`.
#[pyclass(module = "noughts", frozen, eq, from_py_object)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Status {
    /// The game is not over.
    InProgress {
        /// The seat to move.
        turn: usize,
    },
    /// A seat won.
    Won {
        /// The winner.
        seat: usize,
        /// The cells of all completed lines, the loser's in misère games.
        cells: Vec<String>,
    },
    /// Nobody won.
    Draw {
        /// `full`, `repetition` or `length`.
        reason: String,
    },
}

impl From<rules::Status> for Status {
    fn from(status: rules::Status) -> Status {
        match status {
            rules::Status::InProgress { turn } => Status::InProgress { turn: turn.index() },
            rules::Status::Won { seat, cells } => Status::Won {
                seat: seat.index(),
                cells: cells.iter().map(ToString::to_string).collect(),
            },
            rules::Status::Draw { reason } => Status::Draw {
                reason: match reason {
                    DrawReason::Repetition => "repetition".into(),
                    DrawReason::Length => "length".into(),
                    _ => "full".into(),
                },
            },
        }
    }
}

#[pymethods]
impl Status {
    fn __repr__(&self) -> String {
        match self {
            Status::InProgress { turn } => format!("Status.InProgress(turn={turn})"),
            Status::Won { seat, cells } => {
                format!("Status.Won(seat={seat}, cells={})", python_list(cells))
            }
            Status::Draw { reason } => format!("Status.Draw(reason='{reason}')"),
        }
    }
}

/// What a change of a game did.
///
/// >>> for event in noughts.Game("3x3").play("B2"):
/// ...     match event:
/// ...         case noughts.Event.Moved(seat, move, mark):
/// ...             print(f"seat {seat} placed {mark} on {move}")
/// ...         case noughts.Event.Turn(seat=seat):
/// ...             print(f"it is the turn of seat {seat}")
/// seat 0 placed x on B2
/// it is the turn of seat 1
#[pyclass(module = "noughts", frozen, eq)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Event {
    /// A seat moved.
    Moved {
        /// The seat that moved.
        seat: usize,
        /// The move.
        r#move: String,
        /// The letter of the mark that it placed; `None` for an opening choice.
        mark: Option<String>,
    },
    /// The oldest mark of a seat disappeared.
    Faded {
        /// The cell, which is empty again.
        cell: String,
        /// The letter of the mark.
        mark: String,
    },
    /// A sub-board is closed.
    BoardClosed {
        /// The index of the sub-board.
        board: usize,
        /// The letter of the mark with a line there; `None` if the board is full.
        by: Option<String>,
    },
    /// A move was undone.
    MoveUndone {
        /// The seat that had moved.
        seat: usize,
        /// The move.
        r#move: String,
    },
    /// A seat left the game.
    Resigned {
        /// The seat.
        seat: usize,
    },
    /// A resignation was undone.
    ResignationUndone {
        /// The seat that is back in the game.
        seat: usize,
    },
    /// The next move is due.
    Turn {
        /// The seat to move.
        seat: usize,
        /// How many stones it may still place in this turn.
        stones: u8,
        /// The index of the sub-board in which it must move.
        board: Option<usize>,
    },
    /// The game ended.
    Finished {
        /// How it ended.
        status: Status,
    },
    /// Something that this version of the package does not know.
    Other {
        /// A description.
        text: String,
    },
}

impl From<rules::Event> for Event {
    fn from(event: rules::Event) -> Event {
        use noughts_rules::Event as E;
        match event {
            E::Moved { seat, mv, mark } => Event::Moved {
                seat: seat.index(),
                r#move: mv.to_string(),
                mark: mark.map(mark_letter),
            },
            E::Faded { cell, mark } => {
                Event::Faded { cell: cell.to_string(), mark: mark_letter(mark) }
            }
            E::BoardClosed { board, by } => {
                Event::BoardClosed { board: board.index(), by: by.map(mark_letter) }
            }
            E::MoveUndone { seat, mv } => {
                Event::MoveUndone { seat: seat.index(), r#move: mv.to_string() }
            }
            E::Resigned { seat } => Event::Resigned { seat: seat.index() },
            E::ResignationUndone { seat } => Event::ResignationUndone { seat: seat.index() },
            E::Turn { seat, stones, board } => {
                Event::Turn { seat: seat.index(), stones, board: board.map(Zone::index) }
            }
            E::Finished { status } => Event::Finished { status: status.into() },
            other => Event::Other { text: format!("{other:?}") },
        }
    }
}

#[pymethods]
impl Event {
    fn __repr__(&self) -> String {
        match self {
            Event::Moved { seat, r#move, mark } => {
                format!("Event.Moved(seat={seat}, move='{move}', mark={})", option_text(mark))
            }
            Event::Faded { cell, mark } => format!("Event.Faded(cell='{cell}', mark='{mark}')"),
            Event::BoardClosed { board, by } => {
                format!("Event.BoardClosed(board={board}, by={})", option_text(by))
            }
            Event::MoveUndone { seat, r#move } => {
                format!("Event.MoveUndone(seat={seat}, move='{move}')")
            }
            Event::Resigned { seat } => format!("Event.Resigned(seat={seat})"),
            Event::ResignationUndone { seat } => format!("Event.ResignationUndone(seat={seat})"),
            Event::Turn { seat, stones, board } => {
                let board = board.map_or("None".into(), |board| board.to_string());
                format!("Event.Turn(seat={seat}, stones={stones}, board={board})")
            }
            Event::Finished { status } => format!("Event.Finished(status={})", status.__repr__()),
            Event::Other { text } => format!("Event.Other(text={text:?})"),
        }
    }
}

fn python_list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("'{text}'")).collect();
    format!("[{}]", quoted.join(", "))
}

fn option_text(text: &Option<String>) -> String {
    text.as_ref().map_or("None".into(), |text| format!("'{text}'"))
}
