//! What a stone would make of the row of cells it is in, looked up by what surrounds it.

/// What a seat gets in one direction by a stone in a cell, from nothing to a line. A shape is
/// *open* if one stone more makes it the next open shape; an open four can be completed in two
/// cells.
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

pub(super) const SHAPES: usize = 10;

/// The shapes of all surroundings.
///
/// Shapes are named as in five in a row: a *four* lacks one stone, a *three* lacks two. The
/// surroundings of a cell are the cells on both sides of it, as far as they matter, as a number
/// with three digits: 0 where a cell is empty, 1 where it is the seat's own, 2 where it is in the
/// way, be it another's or beyond the edge.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) reach: usize,
    by_surroundings: Vec<Shape>,
}

/// The most cells on one side of a cell that fit into a table.
const MOST_REACH: usize = 5;

impl Shapes {
    /// Whether there are shapes for lines of `k`, and not too many of them.
    pub(super) fn exist(k: usize, exact: bool) -> bool {
        k >= 3 && reach(k, exact) <= MOST_REACH
    }

    /// The shapes for lines of `k`, of which there must be some.
    pub(super) fn new(k: usize, exact: bool) -> Shapes {
        let reach = reach(k, exact);
        let count = 3usize.pow(2 * reach as u32);
        let mut shapes = Shapes { reach, by_surroundings: vec![Shape::Dead; count] };
        // One stone more makes a larger number, so that its shape is known before.
        for surroundings in (0..count).rev() {
            shapes.by_surroundings[surroundings] = shapes.shape(surroundings, k, exact);
        }
        shapes
    }

    #[inline]
    pub(super) fn of(&self, surroundings: u16) -> Shape {
        self.by_surroundings[usize::from(surroundings)]
    }

    fn shape(&self, surroundings: usize, k: usize, exact: bool) -> Shape {
        let digit = |place: usize| surroundings / 3usize.pow(place as u32) % 3;
        // The places of a side are counted outwards from the cell.
        let run = |side: usize| {
            (0..self.reach).take_while(|&i| digit(place(self.reach, side, i)) == 1).count()
        };
        let length = run(0) + 1 + run(1);
        if length == k || (length > k && !exact) {
            return Shape::Line;
        }
        let mut best = Shape::Dead;
        let mut completions = 0;
        for empty in (0..2 * self.reach).filter(|&place| digit(place) == 0) {
            let next = self.by_surroundings[surroundings + 3usize.pow(empty as u32)];
            completions += usize::from(next == Shape::Line);
            best = best.max(before(next));
        }
        if completions > 1 { Shape::OpenFour } else { best }
    }
}

/// How far on either side of a cell others matter.
fn reach(k: usize, exact: bool) -> usize {
    if exact { k } else { k - 1 }
}

/// The place, among the digits of the surroundings, of the cell that is `i + 1` steps away on one
/// side.
#[inline]
pub(super) fn place(reach: usize, side: usize, i: usize) -> usize {
    side * reach + i
}

/// The shape that one stone more makes into this one.
fn before(shape: Shape) -> Shape {
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

    /// What the stone `*` makes of a row in which `x` are its own and `o` in the way.
    fn shape(row: &str, k: usize, exact: bool) -> Shape {
        let shapes = Shapes::new(k, exact);
        let cells: Vec<char> = row.chars().collect();
        let at = cells.iter().position(|&cell| cell == '*').unwrap();
        let mut surroundings = 0;
        for side in 0..2 {
            for i in 0..shapes.reach {
                let there = if side == 0 { at.checked_sub(i + 1) } else { Some(at + i + 1) };
                let digit = match there.and_then(|there| cells.get(there)) {
                    Some('.') => 0,
                    Some('x') => 1,
                    _ => 2,
                };
                surroundings += digit * 3u16.pow(place(shapes.reach, side, i) as u32);
            }
        }
        shapes.of(surroundings)
    }

    #[test]
    fn shapes_of_five_in_a_row() {
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

    /// Runs of six are worth nothing where five must stand alone.
    #[test]
    fn shapes_of_exactly_five() {
        let check = |row: &str, expected: Shape| assert_eq!(shape(row, 5, true), expected, "{row}");
        check("xxx*xx", Shape::Dead);
        check("xx*xx", Shape::Line);
        check("x.xx*x..", Shape::Four);
        check(".xx*x.", Shape::OpenFour);
        check("x.xx*x.x", Shape::Dead);
    }

    #[test]
    fn too_long_lines_have_no_table() {
        assert!(Shapes::exist(6, false));
        assert!(!Shapes::exist(6, true));
        assert!(!Shapes::exist(7, false));
        assert!(!Shapes::exist(2, false));
    }
}
