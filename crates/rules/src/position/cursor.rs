//! A cursor over legal moves that allows playing and undoing on the way.

use super::Position;
use crate::layout::Path;
use crate::{Mark, Marks, Move};

/// A cursor over the legal moves of a position in the order of the cells. It does not borrow the
/// position, which may be played on between two calls if that is undone before the next.
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
///     while let Some(mv) = moves.next(position) {
///         position.play(mv).expect("a legal move");
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
    word: u64,
    word_index: usize,
    /// Moves to return before the next cell.
    pending: Pending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pending {
    None,
    /// The same cell with the other mark.
    SecondMark(Move),
    Choice(Move),
}

impl MoveCursor {
    #[inline]
    pub(super) fn new(position: &Position) -> MoveCursor {
        let mut cursor = MoveCursor { word: 0, word_index: 0, pending: Pending::None };
        if position.outcome.is_some() {
        } else if position.rules.layout().path() != Path::General {
            cursor.word = position.legal_word(0);
        } else if position.variant.stage.is_choice() {
            cursor.pending = Pending::Choice(Move::Swap);
        } else {
            cursor.word = position.playable_word(0);
        }
        cursor
    }

    /// The next legal move of the position for which the cursor was made.
    #[inline]
    pub fn next(&mut self, position: &Position) -> Option<Move> {
        let layout = position.rules.layout();
        match layout.path() {
            Path::Simple if self.word == 0 => None,
            Path::Simple => {
                let index = self.word.trailing_zeros() as usize;
                self.word &= self.word - 1;
                Some(Move::Place(layout.cell(index)))
            }
            Path::Lines => self.next_on_lines(position),
            Path::General => {
                // By value: otherwise the cursor would live in memory on the other paths too.
                let (rest, next) = self.clone().next_general(position);
                *self = rest;
                next
            }
        }
    }

    #[inline]
    fn next_on_lines(&mut self, position: &Position) -> Option<Move> {
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
        Some(Move::Place(layout.cell(index)))
    }

    /// [`MoveCursor::next`] on the general path, with what is left.
    #[inline(never)]
    fn next_general(mut self, position: &Position) -> (MoveCursor, Option<Move>) {
        let next = self.advance(position);
        (self, next)
    }

    fn advance(&mut self, position: &Position) -> Option<Move> {
        match std::mem::replace(&mut self.pending, Pending::None) {
            Pending::None => {}
            Pending::SecondMark(mv) => return Some(mv),
            Pending::Choice(mv) => {
                let next = match mv {
                    Move::Swap => Some(Move::Keep),
                    Move::Keep => Some(Move::More).filter(|&more| position.accepts_general(more)),
                    _ => None,
                };
                self.pending = next.map_or(Pending::None, Pending::Choice);
                return Some(mv);
            }
        }
        let layout = position.rules.layout();
        loop {
            while self.word == 0 {
                self.word_index += 1;
                let is_over = position.outcome.is_some() || position.variant.stage.is_choice();
                if self.word_index >= layout.set_words() || is_over {
                    return None;
                }
                self.word = position.playable_word(self.word_index);
            }
            let index = self.word_index * 64 + self.word.trailing_zeros() as usize;
            self.word &= self.word - 1;
            let cell = layout.cell(index);
            if position.rules.parts().marks == Marks::Any {
                self.pending = Pending::SecondMark(Move::Mark(cell, Mark::from_index(1)));
                return Some(Move::Mark(cell, Mark::FIRST));
            }
            if position.forbidden(cell).is_none() {
                return Some(Move::Place(cell));
            }
        }
    }
}
