//! The combined threat of the shapes in all four directions through a cell.

use std::sync::{Arc, LazyLock};

use super::shape::{SHAPE_COUNT, Shape};

/// What a seat threatens with a stone in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Threat {
    None,
    /// To make an open four.
    Three,
    DoubleThree,
    /// To complete a line.
    Four,
    FourAndThree,
    /// To complete a line in one of two cells.
    DoubleFour,
    /// The stone completes a line.
    Line,
}

pub(super) const THREAT_COUNT: usize = 7;

/// The shapes that a stone would make in each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellShapes {
    shapes: [Shape; 4],
    /// The shapes as digits: the index into the [`ScoreTable`].
    index: u16,
}

/// The place value of each direction in the index.
const PLACE_VALUES: [u16; 4] = [1, 10, 100, 1000];

impl CellShapes {
    pub(super) const DEAD: CellShapes = CellShapes { shapes: [Shape::Dead; 4], index: 0 };

    /// The shapes in order of direction, as digits.
    #[inline]
    pub(super) fn index(&self) -> usize {
        self.index.into()
    }

    #[inline]
    pub(super) fn shape(&self, direction: usize) -> Shape {
        self.shapes[direction]
    }

    #[inline]
    pub(super) fn set(&mut self, direction: usize, shape: Shape) {
        let before = std::mem::replace(&mut self.shapes[direction], shape);
        let change = (shape as u16).wrapping_sub(before as u16);
        self.index = self.index.wrapping_add(change.wrapping_mul(PLACE_VALUES[direction]));
    }

    /// The shapes whatever their directions: in ascending order, as digits.
    #[cfg(feature = "training")]
    pub(super) fn sorted_digits(&self) -> u16 {
        let mut sorted = self.shapes.map(|shape| shape as u16);
        sorted.sort_unstable();
        sorted.iter().zip(PLACE_VALUES).map(|(shape, value)| shape * value).sum()
    }
}

/// The evaluation of a cell for one seat.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellScore {
    pub(super) threat: Threat,
    /// Move ordering.
    pub(super) urgency: u16,
    /// The cell's part of the static evaluation when the seat is to move, and when it is not.
    pub(super) eval: [i16; 2],
}

/// The scores of all combinations of shapes.
#[derive(Debug)]
pub(super) struct ScoreTable {
    by_shapes: Vec<CellScore>,
}

/// The urgency of a shape.
const URGENCY: [u16; SHAPE_COUNT] = [0, 1, 2, 4, 10, 12, 40, 44, 500, 2000];

/// The evaluation of a shape for the seat to move and for the other, from a logistic regression of
/// game results on the quiet positions of 1200 games: 400 points multiply the odds by e.
const EVAL: [[i16; SHAPE_COUNT]; 2] =
    [[0, -2, -5, -3, 9, 14, 86, 91, 200, 300], [0, -2, -5, -2, 5, 13, 52, 84, 200, 300]];

/// The extra evaluation of combined threats.
const DOUBLE_THREE: [i16; 2] = [318, 0];
const FOUR_AND_THREE: [i16; 2] = [0, 233];

impl ScoreTable {
    /// The scores of a seat; `restricted` if renju forbids it double threes and double fours.
    pub(super) fn shared(restricted: bool) -> Arc<ScoreTable> {
        static TABLES: [LazyLock<Arc<ScoreTable>>; 2] = [
            LazyLock::new(|| Arc::new(ScoreTable::new(false))),
            LazyLock::new(|| Arc::new(ScoreTable::new(true))),
        ];
        Arc::clone(&TABLES[usize::from(restricted)])
    }

    fn new(restricted: bool) -> ScoreTable {
        let by_shapes = (0..SHAPE_COUNT.pow(4)).map(|index| {
            let shape = |direction: u32| index / SHAPE_COUNT.pow(direction) % SHAPE_COUNT;
            let shapes = [shape(0), shape(1), shape(2), shape(3)];
            if restricted { CellScore::restricted(shapes) } else { CellScore::new(shapes) }
        });
        ScoreTable { by_shapes: by_shapes.collect() }
    }

    #[inline]
    pub(super) fn get(&self, shapes: CellShapes) -> CellScore {
        self.by_shapes[usize::from(shapes.index)]
    }
}

impl CellScore {
    /// The score of an occupied cell.
    pub(super) const NONE: CellScore = CellScore { threat: Threat::None, urgency: 0, eval: [0; 2] };

    /// The score for a seat that renju restricts. Two fours are always forbidden, two threes nearly
    /// always.
    fn restricted(shapes: [usize; 4]) -> CellScore {
        let score = CellScore::new(shapes);
        let count = |shape: Shape| shapes.iter().filter(|&&other| other == shape as usize).count();
        match score.threat {
            Threat::DoubleFour if count(Shape::OpenFour) + count(Shape::Four) > 1 => {
                CellScore { threat: Threat::None, urgency: 1, eval: [0; 2] }
            }
            Threat::DoubleThree => CellScore { threat: Threat::None, urgency: 1, eval: [0; 2] },
            _ => score,
        }
    }

    fn new(shapes: [usize; 4]) -> CellScore {
        let count = |shape: Shape| shapes.iter().filter(|&&other| other == shape as usize).count();
        let (fours, threes) = (count(Shape::Four), count(Shape::OpenThree));
        let threat = if count(Shape::Line) > 0 {
            Threat::Line
        } else if count(Shape::OpenFour) > 0 || fours > 1 {
            Threat::DoubleFour
        } else if fours > 0 {
            if threes > 0 { Threat::FourAndThree } else { Threat::Four }
        } else if threes > 0 {
            if threes > 1 { Threat::DoubleThree } else { Threat::Three }
        } else {
            Threat::None
        };
        let bonus = match threat {
            Threat::DoubleFour => 400,
            Threat::FourAndThree => 200,
            Threat::DoubleThree => 100,
            _ => 0,
        };
        CellScore {
            threat,
            urgency: bonus + shapes.iter().map(|&shape| URGENCY[shape]).sum::<u16>(),
            eval: [0, 1].map(|i| {
                let bonus = match threat {
                    Threat::DoubleThree => DOUBLE_THREE[i],
                    Threat::FourAndThree => FOUR_AND_THREE[i],
                    _ => 0,
                };
                bonus + shapes.iter().map(|&shape| EVAL[i][shape]).sum::<i16>()
            }),
        }
    }
}
