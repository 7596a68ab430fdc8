//! Walking the legal moves of a position that changes on the way.

use super::Position;
use crate::Cell;

/// A walk over the legal moves of a position, row by row, that does not borrow it: the position
/// may be played on between two steps, if it is taken back before the next.
///
/// ```
/// use noughts_rules::{Position, Rules};
///
/// fn games(position: &mut Position) -> u64 {
///     if position.outcome().is_some() {
///         return 1;
///     }
///     let mut count = 0;
///     let mut walk = position.walk();
///     while let Some(cell) = walk.next(position) {
///         position.play(cell).expect("a legal move");
///         count += games(position);
///         position.undo().expect("a move was made");
///     }
///     count
/// }
/// assert_eq!(games(&mut Position::new(&Rules::classic())), 255_168);
/// ```
#[derive(Debug, Clone)]
pub struct Walk {
    /// What is left of the word that is walked, and which word that is.
    pub(super) word: u64,
    pub(super) at: usize,
}

impl Walk {
    /// The next legal move of the position on which the walk began.
    #[inline]
    pub fn next(&mut self, position: &Position) -> Option<Cell> {
        let layout = position.rules.layout();
        while self.word == 0 {
            self.at += 1;
            if self.at >= layout.set_words() || position.outcome.is_some() {
                return None;
            }
            self.word = position.legal_word(self.at);
        }
        let number = self.at * 64 + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(layout.cell(number))
    }
}
