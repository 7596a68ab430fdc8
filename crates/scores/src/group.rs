//! The players of one rating, in order.

use crate::bits::Bits;

/// The slots of one rating, in order, in blocks of those that share their high half.
///
/// Whoever plays leaves one group and goes to the end of another. Going to the end is cheap;
/// finding the slot that is left, among millions, would wait for memory. So a slot that is left
/// stays as a *ghost*: which slots stand is known to a set of [`Bits`] that is small enough to be
/// near. A block in which ghosts outnumber the others is cleaned, so they cost little time or room.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// The high halves of the blocks, ascending.
    keys: Vec<u16>,
    /// How many slots of each block stand.
    standing: Vec<u32>,
    /// The low halves of the slots of each block, ascending, with ghosts.
    blocks: Vec<Vec<u16>>,
}

/// How many ghosts a block can have beside one for each slot that stands.
const GHOSTS: usize = 16;

impl Group {
    /// Takes in a slot that stands from here on.
    pub(crate) fn insert(&mut self, slot: u32) {
        let (key, low) = halves(slot);
        // Whoever just played comes last, which needs no search.
        let found = match self.keys.last() {
            Some(&last) if last == key => Ok(self.keys.len() - 1),
            Some(&last) if last > key => self.keys.binary_search(&key),
            _ => Err(self.keys.len()),
        };
        let at = found.unwrap_or_else(|at| {
            self.keys.insert(at, key);
            self.standing.insert(at, 0);
            self.blocks.insert(at, Vec::new());
            at
        });
        self.standing[at] += 1;
        let block = &mut self.blocks[at];
        if block.last().is_none_or(|&last| last < low) {
            block.push(low);
        } else if let Err(place) = block.binary_search(&low) {
            block.insert(place, low);
        }
    }

    /// Lets go of a slot that stood here and does not stand any more.
    pub(crate) fn leave(&mut self, slot: u32, bits: &Bits) {
        let (key, _) = halves(slot);
        let Ok(at) = self.keys.binary_search(&key) else {
            debug_assert!(false, "slot {slot} is in another group");
            return;
        };
        self.standing[at] -= 1;
        if self.standing[at] == 0 {
            self.remove_block(at);
        } else if self.blocks[at].len() > 2 * self.standing[at] as usize + GHOSTS {
            let block = &mut self.blocks[at];
            block.retain(|&low| bits.contains(whole(key, low)));
            block.shrink_to(2 * block.len());
        }
    }

    /// Removes a slot without a ghost. `stood` is whether it stood here.
    pub(crate) fn erase(&mut self, slot: u32, stood: bool) {
        let (key, low) = halves(slot);
        let Ok(at) = self.keys.binary_search(&key) else {
            return;
        };
        if let Ok(place) = self.blocks[at].binary_search(&low) {
            self.blocks[at].remove(place);
            self.standing[at] -= u32::from(stood);
        }
        if self.standing[at] == 0 {
            self.remove_block(at);
        }
    }

    /// The slot that so many others stand before. Takes a step for each block.
    pub(crate) fn select(&self, before: usize, bits: &Bits) -> Option<u32> {
        let mut left = before;
        for (at, &standing) in self.standing.iter().enumerate() {
            match left.checked_sub(standing as usize) {
                None => return self.slots(at, bits).nth(left),
                Some(rest) => left = rest,
            }
        }
        None
    }

    pub(crate) fn iter<'a>(&'a self, bits: &'a Bits) -> impl DoubleEndedIterator<Item = u32> + 'a {
        (0..self.keys.len()).flat_map(|at| self.slots(at, bits))
    }

    /// The slots after one, the nearest first.
    pub(crate) fn after<'a>(&'a self, slot: u32, bits: &'a Bits) -> impl Iterator<Item = u32> + 'a {
        let (key, low) = halves(slot);
        let from = self.keys.partition_point(|&other| other < key);
        let own = self.keys.get(from).is_some_and(|&other| other == key);
        let rest = from + usize::from(own);
        let near = own.then(|| {
            let block = &self.blocks[from];
            &block[block.partition_point(|&other| other <= low)..]
        });
        let near = near.into_iter().flatten().map(move |&low| whole(key, low));
        near.filter(|&slot| bits.contains(slot))
            .chain((rest..self.keys.len()).flat_map(|at| self.slots(at, bits)))
    }

    /// The slots before one, the nearest first.
    pub(crate) fn before<'a>(
        &'a self,
        slot: u32,
        bits: &'a Bits,
    ) -> impl Iterator<Item = u32> + 'a {
        let (key, low) = halves(slot);
        let rest = self.keys.partition_point(|&other| other < key);
        let near = self.keys.get(rest).filter(|&&other| other == key).map(|_| {
            let block = &self.blocks[rest];
            &block[..block.partition_point(|&other| other < low)]
        });
        let near = near.into_iter().flatten().rev().map(move |&low| whole(key, low));
        near.filter(|&slot| bits.contains(slot))
            .chain((0..rest).rev().flat_map(|at| self.slots(at, bits).rev()))
    }

    pub(crate) fn bytes(&self) -> usize {
        let lows: usize = self.blocks.iter().map(|block| block.capacity() * size_of::<u16>()).sum();
        let block = size_of::<u16>() + size_of::<u32>() + size_of::<Vec<u16>>();
        lows + self.blocks.len() * block
    }

    fn remove_block(&mut self, at: usize) {
        self.keys.remove(at);
        self.standing.remove(at);
        self.blocks.remove(at);
    }

    /// The slots of a block that stand.
    fn slots<'a>(&'a self, at: usize, bits: &'a Bits) -> impl DoubleEndedIterator<Item = u32> + 'a {
        let slots = self.blocks[at].iter().map(move |&low| whole(self.keys[at], low));
        slots.filter(|&slot| bits.contains(slot))
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
        Leave(u32),
        Erase(u32),
    }

    /// Slots on both sides of the border between two blocks.
    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let slot = 65_536 - 60..65_536 + 60_u32;
        let change = prop_oneof![
            3 => slot.clone().prop_map(Change::Insert),
            3 => slot.clone().prop_map(Change::Leave),
            1 => slot.prop_map(Change::Erase),
        ];
        prop::collection::vec(change, 0..1_000)
    }

    fn check(group: &Group, bits: &Bits, expected: &BTreeSet<u32>) {
        assert!(group.iter(bits).eq(expected.iter().copied()));
        assert!(group.iter(bits).rev().eq(expected.iter().rev().copied()));
        for (before, &slot) in expected.iter().enumerate() {
            assert_eq!(group.select(before, bits), Some(slot));
            assert!(group.after(slot, bits).eq(expected.range(slot + 1..).copied()));
            assert!(group.before(slot, bits).eq(expected.range(..slot).rev().copied()));
        }
        assert_eq!(group.select(expected.len(), bits), None);
    }

    proptest! {
        #[test]
        fn it_is_an_ordered_set(changes in changes()) {
            let (mut group, mut bits) = (Group::default(), Bits::default());
            let mut expected = BTreeSet::new();
            for change in changes {
                match change {
                    Change::Insert(slot) if expected.insert(slot) => {
                        bits.insert(slot);
                        group.insert(slot);
                    }
                    Change::Leave(slot) if expected.remove(&slot) => {
                        bits.remove(slot);
                        group.leave(slot, &bits);
                    }
                    Change::Erase(slot) => {
                        let stood = expected.remove(&slot);
                        bits.remove(slot);
                        group.erase(slot, stood);
                    }
                    Change::Insert(_) | Change::Leave(_) => {}
                }
            }
            check(&group, &bits, &expected);
        }
    }

    #[test]
    fn ghosts_do_not_pile_up() {
        let (mut group, mut bits) = (Group::default(), Bits::default());
        for slot in 0..1_000_000 {
            bits.insert(slot);
            group.insert(slot);
            if let Some(old) = slot.checked_sub(100) {
                bits.remove(old);
                group.leave(old, &bits);
            }
        }
        check(&group, &bits, &(999_900..1_000_000).collect());
        assert!(group.bytes() < 2_000, "{} bytes", group.bytes());
    }
}
