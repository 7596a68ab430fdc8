//! The proof table: a transposition table of the attack search.

use crate::Budget;

/// ProofBounds on the plies in which the attacker wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofBounds {
    /// The attacker cannot win within this many plies.
    pub(super) holds: u16,
    /// The attacker wins within this many plies, or [`NEVER`] if no win is known.
    pub(super) wins: u16,
    /// The best move of the last search.
    pub(super) best: u16,
}

/// More plies than any game has.
pub(super) const NEVER: u16 = u16::MAX;

impl ProofBounds {
    pub(super) const UNKNOWN: ProofBounds = ProofBounds { holds: 0, wins: NEVER, best: u16::MAX };
}

/// A hash table that grows up to a limit and then replaces the entries that took the fewest nodes.
///
/// Positions are identified by their 64-bit keys. In a search of a billion positions, a collision
/// within a bucket has a probability of about one in a hundred million.
#[derive(Debug)]
pub(super) struct ProofTable {
    buckets: Vec<Bucket>,
    entry_count: usize,
    max_buckets: usize,
}

/// Entries that share the low bits of their keys; one cache line.
type Bucket = [ProofEntry; 4];

#[derive(Debug, Clone, Copy)]
struct ProofEntry {
    key: u64,
    bounds: ProofBounds,
    /// log2 of the nodes it took, plus 1; 0 for a free entry.
    work: u8,
}

const FREE: ProofEntry = ProofEntry { key: 0, bounds: ProofBounds::UNKNOWN, work: 0 };

/// 2^20 buckets are 64 MiB.
const MAX_BUCKETS: usize = 1 << 20;

impl ProofTable {
    pub(super) fn new(budget: &Budget) -> ProofTable {
        // While the table grows, the old one is still allocated.
        let bytes = 2 * size_of::<Bucket>() as u64;
        let max_buckets = budget.table_slots(MAX_BUCKETS as u64, bytes) as usize;
        ProofTable { buckets: vec![[FREE; 4]; max_buckets.min(16)], entry_count: 0, max_buckets }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> ProofBounds {
        let bucket = &self.buckets[self.index(key)];
        let entry = bucket.iter().find(|entry| entry.key == key && entry.work > 0);
        entry.map_or(ProofBounds::UNKNOWN, |entry| entry.bounds)
    }

    pub(super) fn insert(&mut self, key: u64, bounds: ProofBounds, nodes: u64) {
        let work = nodes.max(1).ilog2() as u8 + 1;
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let slot = bucket.iter().position(|entry| entry.key == key && entry.work > 0);
        let slot = slot.unwrap_or_else(|| {
            let cheapest = (0..bucket.len()).min_by_key(|&i| bucket[i].work);
            cheapest.unwrap_or_default()
        });
        let entry = &mut bucket[slot];
        self.entry_count += usize::from(entry.work == 0);
        let work = if entry.key == key { work.max(entry.work) } else { work };
        *entry = ProofEntry { key, bounds, work };
        if self.entry_count > 2 * self.buckets.len() && self.buckets.len() < self.max_buckets {
            self.grow();
        }
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.buckets);
        // By four, so that the entries of a bucket spread over four.
        self.buckets = vec![[FREE; 4]; (old.len() * 4).min(self.max_buckets)];
        self.entry_count = 0;
        for entry in old.iter().flatten().filter(|entry| entry.work > 0) {
            let index = self.index(entry.key);
            if let Some(free) = self.buckets[index].iter_mut().find(|entry| entry.work == 0) {
                *free = *entry;
                self.entry_count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist::splitmix64;

    #[test]
    fn entries_survive_growth() {
        let mut table = ProofTable::new(&Budget::unlimited());
        let bounds = |i: u64| ProofBounds { holds: i as u16, ..ProofBounds::UNKNOWN };
        for i in 0..10_000 {
            table.insert(splitmix64(i), bounds(i), 1);
        }
        let kept = (0..10_000).filter(|&i| table.get(splitmix64(i)) == bounds(i)).count();
        assert!(kept > 9_000, "{kept}");
        assert_eq!(table.get(splitmix64(10_000)), ProofBounds::UNKNOWN);
    }

    #[test]
    fn growth_respects_the_memory_limit() {
        let mut table = ProofTable::new(&Budget::unlimited().with_memory(1 << 16));
        (0..10_000).for_each(|i| table.insert(splitmix64(i), ProofBounds::UNKNOWN, 1));
        assert!(size_of_val(&*table.buckets) <= 1 << 14);
    }
}
