//! The order of a league: who stands where, in logarithmic time.

use std::iter;
use std::ops::Bound::{Excluded, Unbounded};

use ftree::FenwickTree;
use roaring::RoaringBitmap;

use crate::history::Slot;

/// What decides where a player stands: the higher rating first, and among equals whoever's
/// newest result is older.
///
/// Going by the newest result makes it cheap to keep the order: whoever just played goes
/// to the end of their equals.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Place {
    /// The rating as shown.
    pub rating: i64,
    /// The player's part in their newest result.
    pub slot: Slot,
}

/// All places in order.
///
/// Whole ratings are few even where players are many, so the players of one rating form a
/// group: a compressed bitmap of slots, which is ordered, and finds its way by 16 bits at a
/// time. How many stand above a group comes from a Fenwick tree.
///
/// There are two of each, upwards from 0 and downwards from -1, so that both grow at their
/// ends only. They reach as far as the farthest rating did. That is no danger to memory:
/// where ratings have no bounds, they move by a point per result, and a result takes more
/// room in the history than a rating does here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    upwards: Side,
    downwards: Side,
}

#[derive(Clone, Debug)]
struct Side {
    groups: Vec<RoaringBitmap>,
    sizes: FenwickTree<u32>,
    total: u32,
}

impl Table {
    pub(crate) fn insert(&mut self, place: Place) {
        let (side, index) = self.side_mut(place.rating);
        while side.groups.len() <= index {
            side.groups.push(RoaringBitmap::new());
            side.sizes.push(0);
        }
        let number = place.slot.number();
        let group = &mut side.groups[index];
        // Whoever just played comes last, which needs no search.
        let fresh = group.try_push(number).is_ok() || group.insert(number);
        debug_assert!(fresh, "{place:?} is taken");
        side.sizes.add_at(index, 1);
        side.total += 1;
    }

    pub(crate) fn remove(&mut self, place: Place) {
        let (side, index) = self.side_mut(place.rating);
        let found = side.groups[index].remove(place.slot.number());
        debug_assert!(found, "{place:?} is not in the table");
        side.sizes.sub_at(index, 1);
        side.total -= 1;
    }

    pub(crate) fn contains(&self, place: Place) -> bool {
        self.group(place.rating).is_some_and(|group| group.contains(place.slot.number()))
    }

    pub(crate) fn len(&self) -> usize {
        self.upwards.total as usize + self.downwards.total as usize
    }

    /// One more than the number of places with a higher rating.
    pub(crate) fn rank(&self, rating: i64) -> usize {
        1 + self.higher_than(rating)
    }

    /// The places from a row on, downwards. The first row is 0.
    pub(crate) fn rows_from(&self, row: usize) -> impl Iterator<Item = Place> {
        self.place_in(row).into_iter().flat_map(|place| iter::once(place).chain(self.below(place)))
    }

    /// The places under a place, the nearest first.
    pub(crate) fn below(&self, place: Place) -> impl Iterator<Item = Place> {
        let after = (Excluded(place.slot.number()), Unbounded);
        let equals = self.group(place.rating).into_iter();
        let lower = iter::successors(self.next_lower(place.rating), |&r| self.next_lower(r));
        equals.flat_map(move |group| places(place.rating, group.range(after))).chain(
            lower.flat_map(|rating| {
                let group = self.group(rating).into_iter();
                places(rating, group.flatten())
            }),
        )
    }

    /// The places over a place, the nearest first.
    pub(crate) fn above(&self, place: Place) -> impl Iterator<Item = Place> {
        let before = ..place.slot.number();
        let equals = self.group(place.rating).into_iter();
        let higher = iter::successors(self.next_higher(place.rating), |&r| self.next_higher(r));
        equals.flat_map(move |group| places(place.rating, group.range(before).rev())).chain(
            higher.flat_map(|rating| {
                let group = self.group(rating).into_iter();
                places(rating, group.flat_map(|group| group.iter().rev()))
            }),
        )
    }

    pub(crate) fn bytes(&self) -> usize {
        self.upwards.bytes() + self.downwards.bytes()
    }

    fn place_in(&self, row: usize) -> Option<Place> {
        let rating = self.rating_in(row)?;
        let equals_before = row - self.higher_than(rating);
        let number = self.group(rating)?.select(equals_before as u32)?;
        let slot = Slot::from_number(number)?;
        Some(Place { rating, slot })
    }

    fn rating_in(&self, row: usize) -> Option<i64> {
        let row = u32::try_from(row).ok()?;
        if row < self.upwards.total {
            let from_below = self.upwards.total - row;
            return Some(self.upwards.sizes.index_of(from_below) as i64);
        }
        let row = row - self.upwards.total;
        (row < self.downwards.total).then(|| -1 - self.downwards.sizes.index_of(row + 1) as i64)
    }

    fn next_lower(&self, rating: i64) -> Option<i64> {
        self.rating_in(self.higher_than(rating - 1))
    }

    fn next_higher(&self, rating: i64) -> Option<i64> {
        self.rating_in(self.higher_than(rating).checked_sub(1)?)
    }

    fn higher_than(&self, rating: i64) -> usize {
        let (upwards, downwards) = (&self.upwards, &self.downwards);
        let higher = match split(rating) {
            (false, index) => upwards.total - upwards.size_before(index + 1),
            (true, index) => upwards.total + downwards.size_before(index),
        };
        higher as usize
    }

    fn group(&self, rating: i64) -> Option<&RoaringBitmap> {
        match split(rating) {
            (false, index) => self.upwards.groups.get(index),
            (true, index) => self.downwards.groups.get(index),
        }
    }

    fn side_mut(&mut self, rating: i64) -> (&mut Side, usize) {
        match split(rating) {
            (false, index) => (&mut self.upwards, index),
            (true, index) => (&mut self.downwards, index),
        }
    }
}

/// Whether a rating is on the downward side, and its index on its side.
fn split(rating: i64) -> (bool, usize) {
    match usize::try_from(rating) {
        Ok(index) => (false, index),
        Err(_) => (true, (-1 - rating) as usize),
    }
}

fn places(rating: i64, numbers: impl Iterator<Item = u32>) -> impl Iterator<Item = Place> {
    numbers.filter_map(Slot::from_number).map(move |slot| Place { rating, slot })
}

impl Side {
    /// How many are in the groups before an index. Past the end there is nobody.
    fn size_before(&self, index: usize) -> u32 {
        self.sizes.prefix_sum(index.min(self.sizes.len()), 0)
    }

    fn bytes(&self) -> usize {
        let numbers = self.groups.iter().map(|group| {
            let statistics = group.statistics();
            // A container's header takes 32 bytes beside its numbers.
            u64::from(statistics.n_containers) * 32
                + statistics.n_bytes_array_containers
                + statistics.n_bytes_bitset_containers
                + statistics.n_bytes_run_containers
        });
        numbers.sum::<u64>() as usize
            + size_of_val(self.groups.as_slice())
            + self.sizes.len() * size_of::<u32>()
    }
}

impl Default for Side {
    fn default() -> Self {
        Self { groups: Vec::new(), sizes: FenwickTree::new(), total: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(rating: i64, number: u32) -> Place {
        Place { rating, slot: Slot::from_number(number).expect("numbers start at 1") }
    }

    fn check_order(table: &Table, mut expected: Vec<Place>) {
        expected.sort_by_key(|place| (-place.rating, place.slot.number()));
        assert_eq!(table.len(), expected.len());
        for row in 0..=expected.len() {
            let found: Vec<Place> = table.rows_from(row).collect();
            assert_eq!(found, expected[row..]);
        }
        for (row, &place) in expected.iter().enumerate() {
            let higher = expected.iter().filter(|p| p.rating > place.rating).count();
            assert_eq!(table.rank(place.rating), 1 + higher);
            let above: Vec<Place> = table.above(place).collect();
            assert!(above.iter().rev().eq(&expected[..row]));
            let below: Vec<Place> = table.below(place).collect();
            assert_eq!(below, expected[row + 1..]);
        }
    }

    #[test]
    fn ratings_far_apart() {
        let places = [
            place(1_000_000, 1),
            place(-1_000_000, 2),
            place(0, u32::MAX),
            place(-1, 65_536),
            place(1_000_000, 65_535),
        ];
        let mut table = Table::default();
        for place in places {
            table.insert(place);
        }
        check_order(&table, places.to_vec());
        assert_eq!(table.rank(i64::from(u32::MAX)), 1);
        assert_eq!(table.rank(-i64::from(u32::MAX)), 6);
    }

    proptest! {
        #[test]
        fn any_inserts_and_removals_leave_what_sorting_would(
            ratings in prop::collection::vec(-20_i64..20, 0..60),
            removed in prop::collection::vec(any::<bool>(), 60),
        ) {
            let places: Vec<Place> = (1..).zip(ratings).map(|(n, r)| place(r, n)).collect();
            let mut table = Table::default();
            for &place in &places {
                table.insert(place);
            }
            let (gone, left): (Vec<_>, Vec<_>) =
                places.iter().zip(removed).partition(|&(_, removed)| removed);
            for (&place, _) in gone {
                table.remove(place);
            }
            check_order(&table, left.into_iter().map(|(&place, _)| place).collect());
        }
    }
}
