//! Bulk access for searches and learning: boards and moves as arrays.

use super::Position;
use crate::layout::Path;
use crate::{Mark, Marks, Move, Opening, Rules};

/// The opening choices in the order of their indices.
const CHOICES: [Move; 3] = [Move::Swap, Move::Keep, Move::More];

/// Move indices: the cells in the order of their indices; where the mover chooses the mark, all cells
/// with X and then all with O; then the opening choices, if the rules have any.
impl Rules {
    /// The number of move indices.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// assert_eq!(Rules::classic().move_index_count(), 9);
    /// assert_eq!("3x3+wild".parse::<Rules>()?.move_index_count(), 18);
    /// assert_eq!("3x3+swap".parse::<Rules>()?.move_index_count(), 12);
    /// # Ok::<(), noughts_rules::ParseRulesError>(())
    /// ```
    #[must_use]
    pub fn move_index_count(&self) -> usize {
        let choices = if self.parts().opening == Opening::Free { 0 } else { CHOICES.len() };
        self.placement_count() + choices
    }

    /// The index of a move, or `None` if no position of these rules has it.
    #[must_use]
    pub fn move_index(&self, mv: impl Into<Move>) -> Option<usize> {
        match (mv.into(), self.parts().marks) {
            (Move::Place(cell), Marks::Own | Marks::One) => self.cell_index(cell),
            (Move::Mark(cell, mark), Marks::Any) if mark.index() < 2 => {
                Some(mark.index() * self.cell_count() + self.cell_index(cell)?)
            }
            (Move::Place(_) | Move::Mark(..), _) => None,
            (choice, _) => {
                let index = CHOICES.iter().position(|&other| other == choice)?;
                Some(self.placement_count() + index).filter(|&i| i < self.move_index_count())
            }
        }
    }

    /// The move with an index.
    #[must_use]
    pub fn move_at(&self, index: usize) -> Option<Move> {
        let cells = self.cell_count();
        if index >= self.move_index_count() {
            None
        } else if index >= self.placement_count() {
            CHOICES.get(index - self.placement_count()).copied()
        } else if self.parts().marks == Marks::Any {
            let mark = Mark::from_index((index / cells) as u8);
            Some(Move::Mark(self.cell_at(index % cells)?, mark))
        } else {
            self.cell_at(index).map(Move::Place)
        }
    }

    fn placement_count(&self) -> usize {
        let marks = if self.parts().marks == Marks::Any { 2 } else { 1 };
        marks * self.cell_count()
    }
}

/// Bulk access for searches and learning.
impl Position {
    /// The number of legal moves.
    #[must_use]
    pub fn move_count(&self) -> usize {
        if self.outcome.is_some() {
            return 0;
        }
        let words = 0..self.rules.layout().set_words();
        let count = |word: u64| word.count_ones() as usize;
        match self.rules.layout().path() {
            Path::General if self.needs_cursor() => self.legal_moves().count(),
            Path::General => {
                let marks = if self.rules.parts().marks == Marks::Any { 2 } else { 1 };
                marks * words.map(|i| count(self.playable_word(i))).sum::<usize>()
            }
            _ => words.map(|i| count(self.legal_word(i))).sum(),
        }
    }

    /// The legal move with this number, from 0, in the order of
    /// [`legal_moves`](Position::legal_moves).
    ///
    /// ```
    /// use noughts_rules::{Position, Rules};
    ///
    /// let position = Position::new(&"15x15:5".parse::<Rules>()?);
    /// assert_eq!(position.move_count(), 225);
    /// assert_eq!(position.nth_move(16).unwrap().to_string(), "B2");
    /// # Ok::<(), noughts_rules::ParseRulesError>(())
    /// ```
    #[must_use]
    pub fn nth_move(&self, n: usize) -> Option<Move> {
        if self.outcome.is_some() {
            return None;
        }
        let layout = self.rules.layout();
        if layout.path() != Path::General {
            let index = nth_bit(n, |i| self.legal_word(i), layout.set_words())?;
            return Some(Move::Place(layout.cell(index)));
        }
        if self.needs_cursor() {
            return self.legal_moves().nth(n);
        }
        let (n, mark) = match self.rules.parts().marks {
            Marks::Any => (n / 2, Some(Mark::from_index((n % 2) as u8))),
            Marks::Own | Marks::One => (n, None),
        };
        let cell = layout.cell(nth_bit(n, |i| self.playable_word(i), layout.set_words())?);
        Some(mark.map_or(Move::Place(cell), |mark| Move::Mark(cell, mark)))
    }

    /// Writes what stands on each cell, by cell index: 0 for nothing, otherwise the index of the mark
    /// and 1. Cells beyond the end of `out` are left out.
    pub fn fill_marks(&self, out: &mut [u8]) {
        let layout = self.rules.layout();
        let count = out.len().min(self.rules.cell_count());
        let out = &mut out[..count];
        out.fill(0);
        for i in 0..layout.set_words() {
            let mut taken = !self.stones.empty.word(i);
            while taken != 0 {
                let index = i * 64 + taken.trailing_zeros() as usize;
                // The bits beyond the last cell are set, too.
                let Some(out) = out.get_mut(index) else { return };
                *out = self.mark_at(layout.cell(index)).map_or(0, |mark| mark.index() as u8 + 1);
                taken &= taken - 1;
            }
        }
    }

    /// Writes which moves are legal, by [move index](Rules::move_index). Moves beyond the end of `out`
    /// are left out.
    pub fn fill_legal(&self, out: &mut [bool]) {
        if self.outcome.is_some()
            || (self.rules.layout().path() == Path::General && self.needs_cursor())
        {
            out.fill(false);
            let legal = self.legal_moves().filter_map(|mv| self.rules.move_index(mv));
            legal.for_each(|index| {
                if let Some(out) = out.get_mut(index) {
                    *out = true;
                }
            });
            return;
        }
        let general = self.rules.layout().path() == Path::General;
        let word = |i| if general { self.playable_word(i) } else { self.legal_word(i) };
        let cells = self.rules.cell_count();
        let (first, rest) = out.split_at_mut(cells.min(out.len()));
        fill_bits(first, word);
        let (second, choices) = rest.split_at_mut(cells.min(rest.len()));
        if self.rules.parts().marks == Marks::Any {
            second.copy_from_slice(&first[..second.len()]);
        } else {
            second.fill(false);
        }
        choices.fill(false);
    }

    /// Whether the legal moves are not simply the playable cells.
    fn needs_cursor(&self) -> bool {
        self.variant.stage.is_choice() || self.variant.renju.is_some()
    }
}

/// The index of the set bit with this number.
fn nth_bit(mut n: usize, word: impl Fn(usize) -> u64, words: usize) -> Option<usize> {
    for i in 0..words {
        let mut word = word(i);
        let count = word.count_ones() as usize;
        if n < count {
            for _ in 0..n {
                word &= word - 1;
            }
            return Some(i * 64 + word.trailing_zeros() as usize);
        }
        n -= count;
    }
    None
}

/// The bits of each byte as bools, the lowest first.
static BITS: [[bool; 8]; 256] = bits_of_bytes();

const fn bits_of_bytes() -> [[bool; 8]; 256] {
    let mut table = [[false; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = byte >> bit & 1 != 0;
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Writes the bits of words as bools.
fn fill_bits(out: &mut [bool], word: impl Fn(usize) -> u64) {
    for (i, out) in out.chunks_mut(64).enumerate() {
        let bytes = word(i).to_le_bytes();
        for (out, byte) in out.chunks_mut(8).zip(bytes) {
            let bits = &BITS[usize::from(byte)];
            match out.as_mut_array::<8>() {
                Some(out) => *out = *bits,
                None => out.copy_from_slice(&bits[..out.len()]),
            }
        }
    }
}
