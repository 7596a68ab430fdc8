//! A small neural network that evaluates positions of five in a row, in integer arithmetic.
//!
//! It sums a vector for each empty cell and seat, chosen by the shapes that a stone of the seat would
//! make there, and feeds the sums, the accumulators, to two layers. A move changes few of the
//! shapes, so the accumulators of a position are made from those of the position before.
//! `train/README.md` says how the weights were found.

use std::sync::LazyLock;

use super::shape::SHAPE_COUNT;
use super::threat::CellShapes;

/// The length of an accumulator.
const WIDTH: usize = 32;

/// The neurons of the hidden layer.
const HIDDEN: usize = 16;

/// The combinations of four shapes, whatever their order.
const CLASS_COUNT: usize = 715;

/// What stands for 1 in an accumulator, in a weight and in a neuron of the hidden layer.
const ACCUMULATOR_ONE: i32 = 512;
const WEIGHT_ONE: i32 = 256;
const HIDDEN_ONE: i32 = 256;

/// The upper end of the clipped rectifier of the accumulators.
const MAX_ACTIVATION: i16 = 4 * ACCUMULATOR_ONE as i16;

/// The evaluation that multiplies the odds by e.
const EVAL_ONE: i64 = 400;

/// The weights file: these bytes, a checksum, and the weights.
const MAGIC: &[u8; 8] = b"NOUGHTS1";

static WEIGHTS: &[u8] = include_bytes!("network.bin");

static NETWORK: LazyLock<Option<Network>> = LazyLock::new(|| Network::parse(WEIGHTS));

type Vector = [i16; WIDTH];

#[derive(Debug)]
pub(super) struct Network {
    /// The class of each combination of shapes in order of direction.
    classes: Vec<u16>,
    /// For each class, what the cell adds to the accumulator of the seat whose shapes these are, and
    /// to that of its opponent.
    own: Vec<Vector>,
    other: Vec<Vector>,
    bias: Vector,
    hidden_weights: [Vector; HIDDEN],
    hidden_bias: [i32; HIDDEN],
    output_weights: [i32; HIDDEN],
    output_bias: i32,
}

/// The sum of the vectors of all cells, from the point of view of one seat.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accumulator {
    seat: usize,
    sums: Vector,
}

impl Network {
    /// The network of this program; `None` if its weights are damaged.
    pub(super) fn shared() -> Option<&'static Network> {
        NETWORK.as_ref()
    }

    fn parse(bytes: &[u8]) -> Option<Network> {
        let (checksum, weights) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if checksum_of(weights) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let (numbers, []) = weights.as_chunks() else { return None };
        let mut numbers = numbers.iter().map(|&bytes| i16::from_le_bytes(bytes));
        let mut vector = || {
            let mut vector = [0; WIDTH];
            for number in &mut vector {
                *number = numbers.next()?;
            }
            Some(vector)
        };
        let own = (0..CLASS_COUNT).map(|_| vector()).collect::<Option<_>>()?;
        let other = (0..CLASS_COUNT).map(|_| vector()).collect::<Option<_>>()?;
        let bias = vector()?;
        let mut hidden_weights = [[0; WIDTH]; HIDDEN];
        for weights in &mut hidden_weights {
            *weights = vector()?;
        }
        let mut wide =
            || Some(i32::from(numbers.next()?) << 16 | i32::from(numbers.next()? as u16));
        let mut wide_array = || {
            let mut array = [0; HIDDEN];
            for number in &mut array {
                *number = wide()?;
            }
            Some(array)
        };
        let (hidden_bias, output_weights) = (wide_array()?, wide_array()?);
        let output_bias = wide()?;
        numbers.next().is_none().then_some(Network {
            classes: classes(),
            own,
            other,
            bias,
            hidden_weights,
            hidden_bias,
            output_weights,
            output_bias,
        })
    }

    /// The accumulator of a seat on a board without empty cells.
    pub(super) fn empty(&self, seat: usize) -> Accumulator {
        Accumulator { seat, sums: self.bias }
    }

    /// Adds the shapes of a seat in an empty cell.
    pub(super) fn add(&self, to: &mut Accumulator, seat: usize, shapes: CellShapes) {
        let vector = self.vector(to.seat, seat, shapes);
        for (sum, added) in to.sums.iter_mut().zip(vector) {
            *sum = sum.wrapping_add(*added);
        }
    }

    /// Removes the shapes of a seat in a cell that is no longer empty.
    pub(super) fn remove(&self, from: &mut Accumulator, seat: usize, shapes: CellShapes) {
        let vector = self.vector(from.seat, seat, shapes);
        for (sum, removed) in from.sums.iter_mut().zip(vector) {
            *sum = sum.wrapping_sub(*removed);
        }
    }

    /// Replaces the shapes of a seat in an empty cell.
    #[inline]
    pub(super) fn replace(
        &self,
        within: &mut Accumulator,
        seat: usize,
        before: CellShapes,
        after: CellShapes,
    ) {
        let removed = self.vector(within.seat, seat, before);
        let added = self.vector(within.seat, seat, after);
        for ((sum, removed), added) in within.sums.iter_mut().zip(removed).zip(added) {
            *sum = sum.wrapping_add(*added).wrapping_sub(*removed);
        }
    }

    /// What the shapes of a seat add to the accumulator of another or the same.
    #[inline]
    fn vector(&self, accumulator_seat: usize, seat: usize, shapes: CellShapes) -> &Vector {
        let class = usize::from(self.classes[shapes.index()]);
        if accumulator_seat == seat { &self.own[class] } else { &self.other[class] }
    }

    /// The evaluation for the seat of the accumulator, if it is to move.
    pub(super) fn evaluate(&self, accumulator: &Accumulator) -> i32 {
        let input = accumulator.sums.map(|sum| sum.clamp(0, MAX_ACTIVATION));
        let mut output = self.output_bias;
        for (j, weights) in self.hidden_weights.iter().enumerate() {
            let sum = self.hidden_bias[j] + dot(&input, weights);
            let activation = sum.max(0) / (ACCUMULATOR_ONE * WEIGHT_ONE / HIDDEN_ONE);
            output += activation.min(i16::MAX.into()) * self.output_weights[j];
        }
        (i64::from(output) * EVAL_ONE / i64::from(HIDDEN_ONE * WEIGHT_ONE)) as i32
    }
}

fn dot(one: &Vector, other: &Vector) -> i32 {
    one.iter().zip(other).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// The class of each index of [`CellShapes`]: the combinations in ascending order of their sorted
/// shapes, as digits with the lowest shape first.
fn classes() -> Vec<u16> {
    let sorted = |index: usize| {
        let mut shapes = [1, 10, 100, 1000].map(|place_value| index / place_value % SHAPE_COUNT);
        shapes.sort_unstable();
        shapes
    };
    let combinations = (0..SHAPE_COUNT.pow(4)).map(sorted);
    let mut distinct: Vec<[usize; 4]> = combinations.clone().collect();
    distinct.sort_unstable();
    distinct.dedup();
    combinations.map(|shapes| distinct.binary_search(&shapes).unwrap_or_default() as u16).collect()
}

/// FNV-1a.
fn checksum_of(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_are_valid() {
        assert!(Network::parse(WEIGHTS).is_some());
    }

    #[test]
    fn damaged_weights_are_refused() {
        let mut damaged = WEIGHTS.to_vec();
        damaged[5000] ^= 1;
        assert!(Network::parse(&damaged).is_none());
        assert!(Network::parse(&WEIGHTS[..WEIGHTS.len() - 2]).is_none());
        assert!(Network::parse(b"").is_none());
    }

    #[test]
    fn every_combination_has_a_class() {
        let classes = classes();
        assert_eq!(classes.iter().max(), Some(&(CLASS_COUNT as u16 - 1)));
        // The same shapes in other directions.
        assert_eq!(classes[1234], classes[4321]);
        assert_ne!(classes[1234], classes[1233]);
    }
}
