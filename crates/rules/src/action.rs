//! Actions, and how a position stores them for undo.

use crate::{Cell, Mark, Move, OpeningStage, Seat};

/// A move or a resignation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Before {
    pub(crate) turn: Seat,
    pub(crate) stones_left: u8,
    pub(crate) stage: OpeningStage,
    /// The index of the board to play and 1; 0 if the mover had a free choice.
    pub(crate) board_to_play: u8,
    /// Whether the move closed its board.
    pub(crate) closed: bool,
}

impl UndoEntry {
    /// A stone placed in a line game.
    pub(crate) const fn placed(seat: Seat, mark: Mark, cell: Cell) -> UndoEntry {
        let before = Before {
            turn: seat,
            stones_left: 1,
            stage: OpeningStage::Done,
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

/// An [`UndoEntry`] in one word, which is written and read at once. Most of what a move costs are its
/// writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedEntry(u64);

/// Where the fields begin. The faded cell is its code and 1, or 0 for none.
const FADED: u32 = 16;
const SEAT: u32 = 32;
const MARK: u32 = 36;
const TURN: u32 = 40;
const KIND: u32 = 44;
const STONES_LEFT: u32 = 48;
const STAGE: u32 = 52;
const CLOSED: u32 = 55;
const BOARD_TO_PLAY: u32 = 56;

/// By their numbers; filled up so that three bits are always an index.
const KINDS: [ActionKind; 8] = {
    use ActionKind::*;
    [Place, Mark, Swap, Keep, More, Resign, Resign, Resign]
};
const STAGES: [OpeningStage; 8] = {
    use OpeningStage::*;
    [Done, Place, Choose, PlaceMore, ChooseLast, Done, Done, Done]
};

impl PackedEntry {
    #[inline]
    pub(crate) fn new(entry: UndoEntry) -> PackedEntry {
        let UndoEntry { cell, faded, kind, seat, mark, before } = entry;
        PackedEntry(
            cell.code() as u64
                | faded.map_or(0, |cell| cell.code() as u64 + 1) << FADED
                | (seat.index() as u64) << SEAT
                | (mark.index() as u64) << MARK
                | (before.turn.index() as u64) << TURN
                | (kind as u64) << KIND
                | u64::from(before.stones_left) << STONES_LEFT
                | (before.stage as u64) << STAGE
                | u64::from(before.closed) << CLOSED
                | u64::from(before.board_to_play) << BOARD_TO_PLAY,
        )
    }

    /// [`UndoEntry::placed`], in fewer steps: seat, mark and turn have the same number.
    #[inline]
    pub(crate) fn placed(seat: Seat, cell: Cell) -> PackedEntry {
        const OF_SEAT: u64 = 1 << SEAT | 1 << MARK | 1 << TURN;
        const PLACED: u64 = (ActionKind::Place as u64) << KIND
            | 1 << STONES_LEFT
            | (OpeningStage::Done as u64) << STAGE;
        PackedEntry(PLACED | cell.code() as u64 | (seat.index() as u64 * OF_SEAT))
    }

    #[inline]
    pub(crate) fn entry(self) -> UndoEntry {
        let bits = |first: u32| (self.0 >> first) as u8 & 7;
        let faded = (self.0 >> FADED) as u16;
        UndoEntry {
            cell: Cell::from_code(self.0 as u16),
            faded: faded.checked_sub(1).map(Cell::from_code),
            kind: KINDS[usize::from(bits(KIND))],
            seat: Seat::from_index(bits(SEAT)),
            mark: Mark::from_index(bits(MARK)),
            before: Before {
                turn: Seat::from_index(bits(TURN)),
                stones_left: bits(STONES_LEFT),
                stage: STAGES[usize::from(bits(STAGE))],
                board_to_play: (self.0 >> BOARD_TO_PLAY) as u8,
                closed: self.0 >> CLOSED & 1 != 0,
            },
        }
    }

    /// The cell that was taken in a line game; `None` for a resignation.
    #[inline]
    pub(crate) fn placed_cell(self) -> Option<Cell> {
        let is_stone = self.0 >> KIND & 7 == ActionKind::Place as u64;
        is_stone.then_some(Cell::from_code(self.0 as u16))
    }

    /// The seat to move before the action.
    #[inline]
    pub(crate) fn turn_before(self) -> Seat {
        Seat::from_index((self.0 >> TURN) as u8 & 7)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_entries_keep_every_field() {
        let cell = |text: &str| text.parse::<Cell>().unwrap();
        for (i, kind) in KINDS[..6].iter().enumerate() {
            let entry = UndoEntry {
                cell: cell("16Z26"),
                faded: [None, Some(cell("A1")), Some(cell("16Z26"))][i % 3],
                kind: *kind,
                seat: Seat::from_index(7),
                mark: Mark::from_index(i as u8),
                before: Before {
                    turn: Seat::from_index(6 - i as u8),
                    stones_left: i as u8 % 5,
                    stage: STAGES[i % 5],
                    board_to_play: 25,
                    closed: i % 2 == 0,
                },
            };
            assert_eq!(PackedEntry::new(entry).entry(), entry);
        }
        let (seat, mark) = (Seat::from_index(5), Mark::from_index(5));
        let placed = UndoEntry::placed(seat, mark, cell("B3"));
        assert_eq!(PackedEntry::placed(seat, cell("B3")).entry(), placed);
    }
}
