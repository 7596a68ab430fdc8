//! The players who share a rating.

use crate::bit_set::BitSet;

/// An ordered set of slots, in blocks keyed by the slot's high half, as in a Roaring bitmap.
///
/// A player who plays moves from one bucket to the end of another. Appending is cheap; finding the
/// old slot among millions would be a cache miss. So the old slot stays behind as a tombstone: the
/// ranking's bit set of live slots, which is small enough to stay cached, tells them apart. A block
/// is compacted when its tombstones outnumber its live slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bucket {
    /// The high halves of the blocks, ascending.
    keys: Vec<u16>,
    /// The number of live slots in each block.
    live_counts: Vec<u32>,
    /// The low halves of each block's slots, ascending, tombstones included.
    blocks: Vec<Vec<u16>>,
}

/// A block may have this many tombstones more than live slots.
const EXTRA_TOMBSTONES: usize = 16;

impl Bucket {
    /// Adds a live slot.
    pub(crate) fn insert(&mut self, slot: u32) {
        let (key, low) = halves(slot);
        // The newest slot is the highest, so as a rule no search is needed.
        let found = match self.keys.last() {
            Some(&last) if last == key => Ok(self.keys.len() - 1),
            Some(&last) if last > key => self.keys.binary_search(&key),
            _ => Err(self.keys.len()),
        };
        let at = found.unwrap_or_else(|at| {
            self.keys.insert(at, key);
            self.live_counts.insert(at, 0);
            self.blocks.insert(at, Vec::new());
            at
        });
        self.live_counts[at] += 1;
        let block = &mut self.blocks[at];
        if block.last().is_none_or(|&last| last < low) {
            block.push(low);
        } else if let Err(place) = block.binary_search(&low) {
            block.insert(place, low);
        }
    }

    /// Turns a live slot into a tombstone.
    pub(crate) fn remove(&mut self, slot: u32, live: &BitSet) {
        let (key, _) = halves(slot);
        let Ok(at) = self.keys.binary_search(&key) else {
            debug_assert!(false, "slot {slot} is in another bucket");
            return;
        };
        self.live_counts[at] -= 1;
        if self.live_counts[at] == 0 {
            self.remove_block(at);
        } else if self.blocks[at].len() > 2 * self.live_counts[at] as usize + EXTRA_TOMBSTONES {
            let block = &mut self.blocks[at];
            block.retain(|&low| live.contains(whole(key, low)));
            block.shrink_to(2 * block.len());
        }
    }

    /// Removes a slot without a tombstone, or the tombstone itself.
    pub(crate) fn purge(&mut self, slot: u32, was_live: bool) {
        let (key, low) = halves(slot);
        let Ok(at) = self.keys.binary_search(&key) else {
            return;
        };
        if let Ok(place) = self.blocks[at].binary_search(&low) {
            self.blocks[at].remove(place);
            self.live_counts[at] -= u32::from(was_live);
        }
        if self.live_counts[at] == 0 {
            self.remove_block(at);
        }
    }

    /// The live slot at this index. Linear in the number of blocks.
    pub(crate) fn select(&self, index: usize, live: &BitSet) -> Option<u32> {
        let mut left = index;
        for (at, &count) in self.live_counts.iter().enumerate() {
            match left.checked_sub(count as usize) {
                None => return self.slots(at, live).nth(left),
                Some(rest) => left = rest,
            }
        }
        None
    }

    pub(crate) fn iter<'a>(
        &'a self,
        live: &'a BitSet,
    ) -> impl DoubleEndedIterator<Item = u32> + 'a {
        (0..self.keys.len()).flat_map(|at| self.slots(at, live))
    }

    /// The live slots after one, ascending.
    pub(crate) fn after<'a>(
        &'a self,
        slot: u32,
        live: &'a BitSet,
    ) -> impl Iterator<Item = u32> + 'a {
        let (key, low) = halves(slot);
        let from = self.keys.partition_point(|&other| other < key);
        let own = self.keys.get(from).is_some_and(|&other| other == key);
        let rest = from + usize::from(own);
        let near = own.then(|| {
            let block = &self.blocks[from];
            &block[block.partition_point(|&other| other <= low)..]
        });
        let near = near.into_iter().flatten().map(move |&low| whole(key, low));
        near.filter(|&slot| live.contains(slot))
            .chain((rest..self.keys.len()).flat_map(|at| self.slots(at, live)))
    }

    /// The live slots before one, descending.
    pub(crate) fn before<'a>(
        &'a self,
        slot: u32,
        live: &'a BitSet,
    ) -> impl Iterator<Item = u32> + 'a {
        let (key, low) = halves(slot);
        let rest = self.keys.partition_point(|&other| other < key);
        let near = self.keys.get(rest).filter(|&&other| other == key).map(|_| {
            let block = &self.blocks[rest];
            &block[..block.partition_point(|&other| other < low)]
        });
        let near = near.into_iter().flatten().rev().map(move |&low| whole(key, low));
        near.filter(|&slot| live.contains(slot))
            .chain((0..rest).rev().flat_map(|at| self.slots(at, live).rev()))
    }

    pub(crate) fn bytes(&self) -> usize {
        let lows: usize = self.blocks.iter().map(|block| block.capacity() * size_of::<u16>()).sum();
        let block = size_of::<u16>() + size_of::<u32>() + size_of::<Vec<u16>>();
        lows + self.blocks.len() * block
    }

    fn remove_block(&mut self, at: usize) {
        self.keys.remove(at);
        self.live_counts.remove(at);
        self.blocks.remove(at);
    }

    /// The live slots of a block.
    fn slots<'a>(
        &'a self,
        at: usize,
        live: &'a BitSet,
    ) -> impl DoubleEndedIterator<Item = u32> + 'a {
        let slots = self.blocks[at].iter().map(move |&low| whole(self.keys[at], low));
        slots.filter(|&slot| live.contains(slot))
    }
}

fn halves(slot: u32) -> (u16, u16) {
    ((slot >> 16) as u16, slot as u16)
}

fn whole(key: u16, low: u16) -> u32 {
    u32::from(key) << 16 | u32::from(low)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Change {
        Insert(u32),
        Remove(u32),
        Purge(u32),
    }

    /// Changes to slots on both sides of a block boundary.
    fn any_changes() -> impl Strategy<Value = Vec<Change>> {
        let slot = 65_536 - 60..65_536 + 60_u32;
        let change = prop_oneof![
            3 => slot.clone().prop_map(Change::Insert),
            3 => slot.clone().prop_map(Change::Remove),
            1 => slot.prop_map(Change::Purge),
        ];
        prop::collection::vec(change, 0..1_000)
    }

    fn check(bucket: &Bucket, live: &BitSet, expected: &BTreeSet<u32>) {
        assert!(bucket.iter(live).eq(expected.iter().copied()));
        assert!(bucket.iter(live).rev().eq(expected.iter().rev().copied()));
        for (index, &slot) in expected.iter().enumerate() {
            assert_eq!(bucket.select(index, live), Some(slot));
            assert!(bucket.after(slot, live).eq(expected.range(slot + 1..).copied()));
            assert!(bucket.before(slot, live).eq(expected.range(..slot).rev().copied()));
        }
        assert_eq!(bucket.select(expected.len(), live), None);
    }

    proptest! {
        #[test]
        fn behaves_like_an_ordered_set(changes in any_changes()) {
            let (mut bucket, mut live) = (Bucket::default(), BitSet::default());
            let mut expected = BTreeSet::new();
            for change in changes {
                match change {
                    Change::Insert(slot) if expected.insert(slot) => {
                        live.insert(slot);
                        bucket.insert(slot);
                    }
                    Change::Remove(slot) if expected.remove(&slot) => {
                        live.remove(slot);
                        bucket.remove(slot, &live);
                    }
                    Change::Purge(slot) => {
                        let was_live = expected.remove(&slot);
                        live.remove(slot);
                        bucket.purge(slot, was_live);
                    }
                    Change::Insert(_) | Change::Remove(_) => {}
                }
            }
            check(&bucket, &live, &expected);
        }
    }

    #[test]
    fn tombstones_are_compacted() {
        let (mut bucket, mut live) = (Bucket::default(), BitSet::default());
        for slot in 0..1_000_000 {
            live.insert(slot);
            bucket.insert(slot);
            if let Some(old) = slot.checked_sub(100) {
                live.remove(old);
                bucket.remove(old, &live);
            }
        }
        check(&bucket, &live, &(999_900..1_000_000).collect());
        assert!(bucket.bytes() < 2_000, "{} bytes", bucket.bytes());
    }
}
