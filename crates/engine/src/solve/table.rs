//! What the search has found out about positions, by their keys.

use crate::Budget;

/// What is known about one question: in how many plies does the attacker win from here?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// The attacker cannot win within so many plies.
    pub(super) holds: u16,
    /// The attacker wins within so many plies; [`FOREVER`] where no win is known.
    pub(super) wins: u16,
    /// The move that was best when the question was asked last.
    pub(super) best: u16,
}

/// More plies than any game has.
pub(super) const FOREVER: u16 = u16::MAX;

impl Known {
    pub(super) const NOTHING: Known = Known { holds: 0, wins: FOREVER, best: u16::MAX };
}

/// A hash table that grows with its use up to a size, and from then on forgets what was cheapest
/// to find out.
///
/// Keys of 64 bits are taken for the positions they stand for. In a search of a billion
/// positions the chance that any two are mixed up in the same bucket is about one in a hundred
/// million.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    used: usize,
    most_buckets: usize,
}

/// Entries that share the low bits of their keys; a line of the processor's cache.
type Bucket = [Entry; 4];

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    known: Known,
    /// The logarithm of the nodes it took, counted from 1; 0 where the entry is free.
    work: u8,
}

const FREE: Entry = Entry { key: 0, known: Known::NOTHING, work: 0 };

/// 2^20 buckets are 64 MiB.
const MOST_BUCKETS: usize = 1 << 20;

impl Table {
    pub(super) fn new(budget: &Budget) -> Table {
        // While it grows, the old table stands beside the larger one.
        let bytes = 2 * size_of::<Bucket>() as u64;
        let most_buckets = budget.places(MOST_BUCKETS as u64, bytes) as usize;
        Table { buckets: vec![[FREE; 4]; most_buckets.min(16)], used: 0, most_buckets }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Known {
        let bucket = &self.buckets[self.index(key)];
        let entry = bucket.iter().find(|entry| entry.key == key && entry.work > 0);
        entry.map_or(Known::NOTHING, |entry| entry.known)
    }

    pub(super) fn put(&mut self, key: u64, known: Known, nodes: u64) {
        let work = nodes.max(1).ilog2() as u8 + 1;
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let place = bucket.iter().position(|entry| entry.key == key && entry.work > 0);
        let place = place.unwrap_or_else(|| {
            let cheapest = (0..bucket.len()).min_by_key(|&i| bucket[i].work);
            cheapest.unwrap_or_default()
        });
        let entry = &mut bucket[place];
        self.used += usize::from(entry.work == 0);
        let work = if entry.key == key { work.max(entry.work) } else { work };
        *entry = Entry { key, known, work };
        if self.used > 2 * self.buckets.len() && self.buckets.len() < self.most_buckets {
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
        // Fourfold, so that the entries of a bucket spread over four.
        self.buckets = vec![[FREE; 4]; (old.len() * 4).min(self.most_buckets)];
        self.used = 0;
        for entry in old.iter().flatten().filter(|entry| entry.work > 0) {
            let index = self.index(entry.key);
            if let Some(free) = self.buckets[index].iter_mut().find(|entry| entry.work == 0) {
                *free = *entry;
                self.used += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::scatter;

    #[test]
    fn keeps_what_it_was_told_while_it_grows() {
        let mut table = Table::new(&Budget::unlimited());
        let known = |i: u64| Known { holds: i as u16, ..Known::NOTHING };
        for i in 0..10_000 {
            table.put(scatter(i), known(i), 1);
        }
        let kept = (0..10_000).filter(|&i| table.get(scatter(i)) == known(i)).count();
        assert!(kept > 9_000, "{kept}");
        assert_eq!(table.get(scatter(10_000)), Known::NOTHING);
    }

    #[test]
    fn grows_no_larger_than_the_budget_allows() {
        let mut table = Table::new(&Budget::unlimited().with_memory(1 << 16));
        (0..10_000).for_each(|i| table.put(scatter(i), Known::NOTHING, 1));
        assert!(size_of_val(&*table.buckets) <= 1 << 14);
    }
}
