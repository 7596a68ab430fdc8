//! The opening book of Connect Four: the scores of all positions with eight stones.

use noughts_rules::{Rules, RulesParts};

use super::alpha_beta::{Score, Stones};
use super::columns::Columns;

/// Sorted entries: the symmetric key of a position and its score.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpeningBook {
    entries: &'static [Entry],
}

/// A key and, in the lowest bits, a score; the most significant byte first.
pub(super) type Entry = [u8; 7];

/// The stones in the positions of the book.
pub(super) const STONES: usize = 8;

pub(super) const ROWS: u8 = 6;
pub(super) const COLS: u8 = 7;
pub(super) const K: usize = 4;
const EMPTY: Score = ROWS as Score * COLS as Score - STONES as Score;

const SCORE_BITS: u32 = 6;
const SCORE_OFFSET: Score = 1 << (SCORE_BITS - 1);

/// Made by `cargo run --release -p noughts-engine --example connect4_book`.
static CONNECT4: &[u8] = include_bytes!("connect4.book");

impl OpeningBook {
    /// The book of these rules, if there is one.
    pub(super) fn of(rules: &Rules) -> Option<OpeningBook> {
        let (entries, _) = CONNECT4.as_chunks();
        (*rules == connect4()).then_some(OpeningBook { entries })
    }

    /// The score of a position that has as many stones as those of the book.
    #[inline]
    pub(super) fn score(self, columns: &Columns, stones: Stones, empty: Score) -> Option<Score> {
        if empty != EMPTY {
            return None;
        }
        self.score_of(columns.symmetric_key(stones.own, stones.occupied))
    }

    fn score_of(self, key: u64) -> Option<Score> {
        let index = self.entries.binary_search_by_key(&key, |&entry| unpack(entry).0).ok()?;
        Some(unpack(self.entries[index]).1)
    }
}

pub(super) fn connect4() -> Rules {
    let parts = RulesParts::grid(ROWS, COLS).k(K as u8).gravity(true);
    parts.build().expect("the rules of Connect Four are valid")
}

pub(super) fn pack(key: u64, score: Score) -> Entry {
    let number = key << SCORE_BITS | (score + SCORE_OFFSET) as u64;
    let [_, entry @ ..] = number.to_be_bytes();
    entry
}

pub(super) fn unpack(entry: Entry) -> (u64, Score) {
    let mut bytes = [0; 8];
    bytes[1..].copy_from_slice(&entry);
    let number = u64::from_be_bytes(bytes);
    let score = number & ((1 << SCORE_BITS) - 1);
    (number >> SCORE_BITS, score as Score - SCORE_OFFSET)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use crate::solve::gravity::alpha_beta::AlphaBeta;
    use crate::solve::gravity::book_builder::Connect4BookBuilder;

    #[test]
    fn entries_are_sorted_positions_of_the_game() {
        let book = OpeningBook::of(&connect4()).unwrap();
        assert!(book.entries.is_sorted_by(|a, b| unpack(*a).0 < unpack(*b).0));
        let builder = Connect4BookBuilder::new(CONNECT4);
        assert_eq!(builder.solved(), book.entries.len());
        assert_eq!(book.entries.as_flattened(), builder.entries());
        assert_eq!(OpeningBook::of(&"7x6:4+gravity".parse().unwrap()).map(|_| ()), None);
    }

    #[test]
    fn scores_are_those_of_the_search() {
        let columns = Columns::new(&connect4());
        let book = OpeningBook::of(&connect4()).unwrap();
        // The slowest of these take some thousand nodes.
        let is_quick = |stones: &&Stones| {
            let key = columns.symmetric_key(stones.own, stones.occupied);
            book.score_of(key).is_some_and(|score| score.abs() >= 14)
        };
        let builder = Connect4BookBuilder::new(&[]);
        let quick: Vec<&Stones> = builder.positions().iter().filter(is_quick).collect();
        assert!(quick.len() > 100);
        for &&stones in quick.iter().step_by(quick.len() / 100) {
            let mut search = AlphaBeta::<K>::new(columns.clone(), None, 34, &Budget::unlimited());
            let score = search.score(stones).unwrap();
            assert_eq!(book.score(&columns, stones, EMPTY), Some(score), "{stones:?}");
            assert_eq!(book.score(&columns, stones, EMPTY - 1), None);
        }
    }
}
