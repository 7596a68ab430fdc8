//! Scores that the search has found, by the keys of positions. Threads share it.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a remembered score says about the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Remembered {
    pub(super) score: i32,
    pub(super) best: u16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

impl Remembered {
    /// The score, if it was searched deep enough to settle the question that is asked.
    pub(super) fn cuts(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.score >= beta,
            Bound::AtMost => self.score <= alpha,
        };
        (u32::from(self.depth) >= depth && settles).then_some(self.score)
    }

    fn to_bits(self) -> u64 {
        let Remembered { score, best, depth, bound } = self;
        let high = u64::from(best) << 16 | u64::from(depth) << 8 | bound as u64 | 1 << 7;
        u64::from(score.cast_unsigned()) << 32 | high
    }

    fn from_bits(bits: u64) -> Remembered {
        Remembered {
            score: ((bits >> 32) as u32).cast_signed(),
            best: (bits >> 16) as u16,
            depth: (bits >> 8) as u8,
            bound: match bits & 3 {
                0 => Bound::Exact,
                1 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
        }
    }
}

/// A table of fixed size in which the newest stays.
///
/// A place holds two words that are written one after the other, so that another thread may see
/// one of one position and one of another. The first is therefore mixed with the second: what does
/// not belong together does not give the key that is asked for.
#[derive(Debug)]
pub(super) struct Memory {
    places: Vec<[AtomicU64; 2]>,
}

impl Memory {
    pub(super) const BYTES_OF_A_PLACE: u64 = 16;

    /// A memory of so many places, a power of two.
    pub(super) fn new(places: usize) -> Memory {
        let free = || [AtomicU64::new(0), AtomicU64::new(0)];
        Memory { places: std::iter::repeat_with(free).take(places).collect() }
    }

    pub(super) fn get(&self, key: u64) -> Option<Remembered> {
        let [mixed, bits] = self.place(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        (bits != 0 && mixed ^ bits == key).then(|| Remembered::from_bits(bits))
    }

    pub(super) fn put(&self, key: u64, remembered: Remembered) {
        let bits = remembered.to_bits();
        let place = self.place(key);
        place[0].store(key ^ bits, Ordering::Relaxed);
        place[1].store(bits, Ordering::Relaxed);
    }

    fn place(&self, key: u64) -> &[AtomicU64; 2] {
        &self.places[key as usize & (self.places.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_got() {
        let memory = Memory::new(16);
        for (score, bound) in [(0, Bound::Exact), (-999_999, Bound::AtLeast), (7, Bound::AtMost)] {
            let remembered = Remembered { score, best: 65_535, depth: 255, bound };
            memory.put(0xFEDC_BA98_7654_3210, remembered);
            assert_eq!(memory.get(0xFEDC_BA98_7654_3210), Some(remembered));
        }
        assert_eq!(memory.get(0xFEDC_BA98_7654_3200), None);
        assert_eq!(memory.get(0), None);
    }

    /// A second word that belongs to another position is noticed.
    #[test]
    fn torn_places_are_not_believed() {
        let memory = Memory::new(1);
        let first = Remembered { score: 1, best: 1, depth: 1, bound: Bound::Exact };
        memory.put(1, first);
        let other = Remembered { score: 2, ..first };
        memory.place(1)[1].store(other.to_bits(), Ordering::Relaxed);
        assert_eq!(memory.get(1), None);
    }
}
