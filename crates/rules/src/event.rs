//! What happens in a game.

use crate::{Cell, Player, Rules, Seat, Status};

/// Something that happened in a game. A game is its events: whoever has them all can rebuild it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The players sat down to an empty board.
    Started {
        /// The rules they play by.
        rules: Rules,
        /// The players in seat order.
        players: Vec<Player>,
    },
    /// A seat took a cell.
    Moved {
        /// Who moved.
        seat: Seat,
        /// Where.
        cell: Cell,
    },
    /// A move was taken back and its cell is empty again.
    MoveUndone {
        /// Who had made the move.
        seat: Seat,
        /// Where.
        cell: Cell,
    },
    /// A seat left the game.
    Resigned {
        /// Who resigned.
        seat: Seat,
    },
    /// A resignation was taken back.
    ResignationUndone {
        /// Who is back in the game.
        seat: Seat,
    },
    /// It is this seat's turn.
    Turn {
        /// Whose turn it is.
        seat: Seat,
    },
    /// The game ended.
    Over {
        /// How it stands.
        status: Status,
    },
}
