//! The transposition table of the gravity search.

/// Bounds on the score of a position for the seat to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    /// What follows from both.
    #[inline]
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// A score that ends a search with this window.
    #[inline]
    pub(super) fn cutoff(self, alpha: i32, beta: i32) -> Option<i32> {
        if self.lower >= beta {
            Some(self.lower)
        } else if self.upper <= alpha || self.lower == self.upper {
            Some(self.upper)
        } else {
            None
        }
    }
}

/// A hash table that replaces the entries that took the fewest nodes.
#[derive(Debug)]
pub(super) struct BoundsTable {
    // Numbers rather than structs, so that untouched parts of a large table never take memory.
    buckets: Vec<[[u64; 2]; 4]>,
    /// The bits of a hash that are not part of the bucket's index.
    shift: u32,
}

impl BoundsTable {
    pub(super) const BUCKET_BYTES: u64 = 64;

    /// Creates an empty table. `buckets` must be a power of two.
    pub(super) fn new(buckets: u64) -> BoundsTable {
        let buckets = buckets.max(2);
        let shift = u64::BITS - buckets.ilog2();
        BoundsTable { buckets: vec![[[0; 2]; 4]; buckets as usize], shift }
    }

    /// What is known of the position with this key, which must not be zero.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let [_, bounds] = self.buckets[self.index(key)].iter().find(|entry| entry[0] == key)?;
        let [lower, upper, ..] = bounds.to_le_bytes();
        Some(Bounds { lower: lower.cast_signed().into(), upper: upper.cast_signed().into() })
    }

    #[inline]
    pub(super) fn insert(&mut self, key: u64, bounds: Bounds, nodes: u64) {
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let work = |entry: &[u64; 2]| entry[1].to_le_bytes()[2];
        let slot = bucket.iter().position(|entry| entry[0] == key).unwrap_or_else(|| {
            (0..bucket.len()).min_by_key(|&slot| work(&bucket[slot])).unwrap_or_default()
        });
        let byte = |score: i32| (score as i8).cast_unsigned();
        let work = nodes.max(1).ilog2() as u8 + 1;
        let packed = [byte(bounds.lower), byte(bounds.upper), work, 0, 0, 0, 0, 0];
        bucket[slot] = [key, u64::from_le_bytes(packed)];
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_entries_that_took_many_nodes() {
        let mut table = BoundsTable::new(2);
        let bounds = |key: u64| Bounds { lower: -(key as i32 % 30), upper: key as i32 % 30 };
        (1..=100).for_each(|key| table.insert(key, bounds(key), 1_000 * key));
        let kept: Vec<u64> = (1..=100).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(kept.len(), 8);
        assert!(kept.iter().all(|&key| key >= 66 && table.get(key) == Some(bounds(key))));
    }
}
