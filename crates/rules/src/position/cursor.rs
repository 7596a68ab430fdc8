//! A cursor over legal moves that allows playing and undoing on the way.

use super::Position;
use crate::Cell;

/// A cursor over the legal moves of a position, row by row. It does not borrow the position, which
/// may be played on between two calls if that is undone before the next.
///
/// ```
/// use noughts_rules::{Position, Rules};
///
/// fn games(position: &mut Position) -> u64 {
///     if position.outcome().is_some() {
///         return 1;
///     }
///     let mut count = 0;
///     let mut moves = position.move_cursor();
///     while let Some(cell) = moves.next(position) {
///         position.play(cell).expect("a legal move");
///         count += games(position);
///         position.undo().expect("a move was made");
///     }
///     count
/// }
/// assert_eq!(games(&mut Position::new(&Rules::classic())), 255_168);
/// ```
#[derive(Debug, Clone)]
pub struct MoveCursor {
    /// The rest of the current word of the set of legal cells.
    pub(super) word: u64,
    pub(super) word_index: usize,
}

impl MoveCursor {
    /// The next legal move of the position for which the cursor was made.
    #[inline]
    pub fn next(&mut self, position: &Position) -> Option<Cell> {
        let layout = position.rules.layout();
        while self.word == 0 {
            self.word_index += 1;
            if self.word_index >= layout.set_words() || position.outcome.is_some() {
                return None;
            }
            self.word = position.legal_word(self.word_index);
        }
        let index = self.word_index * 64 + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(layout.cell(index))
    }
}
