//! The transposition table, shared by all threads of a search.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored score relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TtEntry {
    pub(crate) score: i32,
    pub(crate) best: u16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

impl TtEntry {
    /// The score, if it is deep enough and its bound decides the window.
    pub(crate) fn cutoff(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        (u32::from(self.depth) >= depth && decides).then_some(self.score)
    }

    fn to_bits(self) -> u64 {
        let TtEntry { score, best, depth, bound } = self;
        // Bit 7 tells an entry from an empty slot.
        let low = u64::from(best) << 16 | u64::from(depth) << 8 | bound as u64 | 1 << 7;
        u64::from(score.cast_unsigned()) << 32 | low
    }

    fn from_bits(bits: u64) -> TtEntry {
        TtEntry {
            score: ((bits >> 32) as u32).cast_signed(),
            best: (bits >> 16) as u16,
            depth: (bits >> 8) as u8,
            bound: match bits & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
        }
    }
}

/// A lock-free table of fixed size with an always-replace policy.
///
/// The two words of a slot are written separately, so another thread may read a torn slot. The first
/// word is therefore the key XORed with the data: a torn slot does not yield the key.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    slots: Vec<[AtomicU64; 2]>,
}

impl TranspositionTable {
    pub(crate) const SLOT_BYTES: u64 = 16;

    /// An empty table; `slots` is a power of two.
    pub(crate) fn new(slots: usize) -> TranspositionTable {
        let empty = || [AtomicU64::new(0), AtomicU64::new(0)];
        TranspositionTable { slots: std::iter::repeat_with(empty).take(slots).collect() }
    }

    pub(crate) fn get(&self, key: u64) -> Option<TtEntry> {
        let [mixed, bits] = self.slot(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        (bits != 0 && mixed ^ bits == key).then(|| TtEntry::from_bits(bits))
    }

    pub(crate) fn insert(&self, key: u64, entry: TtEntry) {
        let bits = entry.to_bits();
        let slot = self.slot(key);
        slot[0].store(key ^ bits, Ordering::Relaxed);
        slot[1].store(bits, Ordering::Relaxed);
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_read_back() {
        let table = TranspositionTable::new(16);
        for (score, bound) in [(0, Bound::Exact), (-999_999, Bound::Lower), (7, Bound::Upper)] {
            let entry = TtEntry { score, best: 65_535, depth: 255, bound };
            table.insert(0xFEDC_BA98_7654_3210, entry);
            assert_eq!(table.get(0xFEDC_BA98_7654_3210), Some(entry));
        }
        assert_eq!(table.get(0xFEDC_BA98_7654_3200), None);
        assert_eq!(table.get(0), None);
    }

    #[test]
    fn torn_slots_are_rejected() {
        let table = TranspositionTable::new(1);
        let first = TtEntry { score: 1, best: 1, depth: 1, bound: Bound::Exact };
        table.insert(1, first);
        let other = TtEntry { score: 2, ..first };
        table.slot(1)[1].store(other.to_bits(), Ordering::Relaxed);
        assert_eq!(table.get(1), None);
    }
}
