//! Actions, and how a position stores them for undo.

use crate::{Cell, Mark, Move, Seat};

/// A move or a resignation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// The seat moved.
    Move {
        /// The seat that moved.
        seat: Seat,
        /// The move.
        mv: Move,
    },
    /// The seat left the game; its cells stay.
    Resign {
        /// The seat that resigned.
        seat: Seat,
    },
}

impl Action {
    /// The seat that acted.
    #[must_use]
    pub fn seat(self) -> Seat {
        match self {
            Action::Move { seat, .. } | Action::Resign { seat } => seat,
        }
    }

    /// The cell that was taken.
    #[must_use]
    pub fn cell(self) -> Option<Cell> {
        match self {
            Action::Move { mv, .. } => mv.cell(),
            Action::Resign { .. } => None,
        }
    }
}

/// An action with all that undo needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UndoEntry {
    pub(crate) cell: Cell,
    /// The cell whose mark faded.
    pub(crate) faded: Option<Cell>,
    pub(crate) kind: ActionKind,
    pub(crate) seat: Seat,
    /// The mark that was placed.
    pub(crate) mark: Mark,
    pub(crate) before: Before,
}

/// What an action did, without its cell and mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ActionKind {
    Place,
    Mark,
    Swap,
    Keep,
    More,
    Resign,
}

/// The parts of a position before an action that do not follow from the board and the action.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before {
    pub(crate) turn: Seat,
    pub(crate) stones_left: u8,
    pub(crate) stage: crate::OpeningStage,
    /// The index of the board to play and 1; 0 if the mover had a free choice.
    pub(crate) board_to_play: u8,
    /// Whether the move closed its board.
    pub(crate) closed: bool,
}

impl UndoEntry {
    /// A stone placed in a line game.
    #[inline]
    pub(crate) fn placed(seat: Seat, mark: Mark, cell: Cell) -> UndoEntry {
        let before = Before {
            turn: seat,
            stones_left: 1,
            stage: crate::OpeningStage::Done,
            board_to_play: 0,
            closed: false,
        };
        UndoEntry { cell, faded: None, kind: ActionKind::Place, seat, mark, before }
    }

    #[inline]
    pub(crate) fn action(self) -> Action {
        let UndoEntry { cell, kind, seat, mark, .. } = self;
        let mv = match kind {
            ActionKind::Place => Move::Place(cell),
            ActionKind::Mark => Move::Mark(cell, mark),
            ActionKind::Swap => Move::Swap,
            ActionKind::Keep => Move::Keep,
            ActionKind::More => Move::More,
            ActionKind::Resign => return Action::Resign { seat },
        };
        Action::Move { seat, mv }
    }
}

impl Default for UndoEntry {
    fn default() -> UndoEntry {
        UndoEntry::placed(Seat::FIRST, Mark::FIRST, Cell::on_board(0, 0, 0))
    }
}
