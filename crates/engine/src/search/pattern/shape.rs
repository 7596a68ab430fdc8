//! The shape that a stone makes in one direction, looked up by its neighbourhood.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a seat gets in one direction by a stone in a cell, from nothing to a line.
///
/// Named as in five in a row: a *four* lacks one stone, a *three* lacks two. A shape is *open* if
/// one more stone makes it the next open shape; an open four can be completed in two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Shape {
    Dead,
    One,
    OpenOne,
    Two,
    OpenTwo,
    Three,
    OpenThree,
    Four,
    OpenFour,
    Line,
}

pub(super) const SHAPE_COUNT: usize = 10;

/// The shapes of all neighbourhoods.
///
/// A neighbourhood is a ternary number with a digit for each cell within reach on both sides: 0 if
/// it is empty, 1 if it is the seat's own, 2 if it is the opponent's or off the board.
#[derive(Debug)]
pub(super) struct ShapeTable {
    pub(super) reach: usize,
    by_neighbourhood: Vec<Shape>,
}

/// A larger reach would make the table too large.
const MAX_REACH: usize = 5;

impl ShapeTable {
    /// Whether there is a table for lines of `k`.
    pub(super) fn supports(k: usize, exact: bool) -> bool {
        k >= 3 && reach(k, exact) <= MAX_REACH
    }

    /// The table for lines of `k`, which must be supported. The reach may be larger than
    /// [needed](reach). Tables take milliseconds to fill, so all boards share them.
    pub(super) fn shared(k: usize, exact: bool, reach: usize) -> Arc<ShapeTable> {
        static TABLES: Mutex<BTreeMap<(usize, bool, usize), Arc<ShapeTable>>> =
            Mutex::new(BTreeMap::new());
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        let table = tables.entry((k, exact, reach));
        Arc::clone(table.or_insert_with(|| Arc::new(ShapeTable::new(k, exact, reach))))
    }

    fn new(k: usize, exact: bool, reach: usize) -> ShapeTable {
        let count = 3usize.pow(2 * reach as u32);
        let mut table = ShapeTable { reach, by_neighbourhood: vec![Shape::Dead; count] };
        // One more stone makes a larger number, whose shape is then already known.
        for neighbourhood in (0..count).rev() {
            table.by_neighbourhood[neighbourhood] = table.shape(neighbourhood, k, exact);
        }
        table
    }

    #[inline]
    pub(super) fn get(&self, neighbourhood: u16) -> Shape {
        self.by_neighbourhood[usize::from(neighbourhood)]
    }

    fn shape(&self, neighbourhood: usize, k: usize, exact: bool) -> Shape {
        let digit = |index: usize| neighbourhood / 3usize.pow(index as u32) % 3;
        let run = |side: usize| {
            (0..self.reach).take_while(|&i| digit(digit_index(self.reach, side, i)) == 1).count()
        };
        let length = run(0) + 1 + run(1);
        if length == k || (length > k && !exact) {
            return Shape::Line;
        }
        let mut best = Shape::Dead;
        let mut completions = 0;
        for empty in (0..2 * self.reach).filter(|&index| digit(index) == 0) {
            let next = self.by_neighbourhood[neighbourhood + 3usize.pow(empty as u32)];
            completions += usize::from(next == Shape::Line);
            best = best.max(predecessor(next));
        }
        if completions > 1 { Shape::OpenFour } else { best }
    }
}

/// How many cells on either side matter.
pub(super) fn reach(k: usize, exact: bool) -> usize {
    if exact { k } else { k - 1 }
}

/// The digit of the cell that is `i + 1` steps away on a side, 0 or 1.
#[inline]
pub(super) fn digit_index(reach: usize, side: usize, i: usize) -> usize {
    side * reach + i
}

/// The shape that one more stone turns into this one.
fn predecessor(shape: Shape) -> Shape {
    match shape {
        Shape::Line => Shape::Four,
        Shape::OpenFour => Shape::OpenThree,
        Shape::Four => Shape::Three,
        Shape::OpenThree => Shape::OpenTwo,
        Shape::Three => Shape::Two,
        Shape::OpenTwo => Shape::OpenOne,
        Shape::Two => Shape::One,
        Shape::OpenOne | Shape::One | Shape::Dead => Shape::Dead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of the stone `*` in a row where `x` is its own seat and `o` is the opponent.
    fn shape(row: &str, k: usize, exact: bool) -> Shape {
        let table = ShapeTable::new(k, exact, reach(k, exact));
        let cells: Vec<char> = row.chars().collect();
        let at = cells.iter().position(|&cell| cell == '*').unwrap();
        let mut neighbourhood = 0;
        for side in 0..2 {
            for i in 0..table.reach {
                let there = if side == 0 { at.checked_sub(i + 1) } else { Some(at + i + 1) };
                let digit = match there.and_then(|there| cells.get(there)) {
                    Some('.') => 0,
                    Some('x') => 1,
                    _ => 2,
                };
                neighbourhood += digit * 3u16.pow(digit_index(table.reach, side, i) as u32);
            }
        }
        table.get(neighbourhood)
    }

    #[test]
    fn shapes_of_freestyle_five() {
        let check =
            |row: &str, expected: Shape| assert_eq!(shape(row, 5, false), expected, "{row}");
        check("....*....", Shape::OpenOne);
        check("oxx*.o", Shape::Dead);
        check("oxx*x.", Shape::Four);
        check(".xx*x.", Shape::OpenFour);
        check("x.xx*.x", Shape::OpenFour);
        check("x.x*x", Shape::Four);
        check("xx*xx", Shape::Line);
        check("xxx*xx", Shape::Line);
        check("..xx*..", Shape::OpenThree);
        check("o.xx*.o", Shape::Three);
        check("o.xx*..o", Shape::OpenThree);
        check(".x.x*..", Shape::OpenThree);
        check("oxx*...", Shape::Three);
        check("...x*...", Shape::OpenTwo);
        check("ox*...o", Shape::Two);
        check("ox..*.o", Shape::Two);
    }

    /// Overlines do not win.
    #[test]
    fn shapes_of_exact_five() {
        let check = |row: &str, expected: Shape| assert_eq!(shape(row, 5, true), expected, "{row}");
        check("xxx*xx", Shape::Dead);
        check("xx*xx", Shape::Line);
        check("x.xx*x..", Shape::Four);
        check(".xx*x.", Shape::OpenFour);
        check("x.xx*x.x", Shape::Dead);
    }

    #[test]
    fn long_lines_are_unsupported() {
        assert!(ShapeTable::supports(6, false));
        assert!(!ShapeTable::supports(6, true));
        assert!(!ShapeTable::supports(7, false));
        assert!(!ShapeTable::supports(2, false));
    }
}
