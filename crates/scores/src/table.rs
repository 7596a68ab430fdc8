//! The order of a league: who stands where, in logarithmic time.

use std::iter;

use ftree::FenwickTree;

use crate::bits::Bits;
use crate::group::Group;
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
/// group: an ordered set of slots. How many stand above a group comes from a Fenwick tree.
///
/// There are two of each, upwards from 0 and downwards from -1, so that both grow at their
/// ends only. They reach as far as the farthest rating did. That is no danger to memory:
/// where ratings have no bounds, they move by a point per result, and a result takes more
/// room in the history than a rating does here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    upwards: Side,
    downwards: Side,
    /// The slots of all places.
    standing: Bits,
}

#[derive(Clone, Debug)]
struct Side {
    groups: Vec<Group>,
    sizes: FenwickTree<u32>,
    total: u32,
}

impl Table {
    pub(crate) fn insert(&mut self, place: Place) {
        debug_assert!(!self.stands(place.slot), "{place:?} is taken");
        self.standing.insert(place.slot.number());
        let (side, index) = self.side_mut(place.rating);
        while side.groups.len() <= index {
            side.groups.push(Group::default());
            side.sizes.push(0);
        }
        side.groups[index].insert(place.slot.number());
        side.sizes.add_at(index, 1);
        side.total += 1;
    }

    /// Removes a place whose slot keeps its rating as long as it can come back.
    pub(crate) fn remove(&mut self, place: Place) {
        debug_assert!(self.stands(place.slot), "{place:?} is not in the table");
        self.standing.remove(place.slot.number());
        let (side, standing, index) = self.side_and_standing(place.rating);
        side.groups[index].leave(place.slot.number(), standing);
        side.sizes.sub_at(index, 1);
        side.total -= 1;
    }

    /// Forgets a slot that had this rating, whether it stands or not: it may come back with
    /// another.
    pub(crate) fn erase(&mut self, place: Place) {
        let stood = self.stands(place.slot);
        self.standing.remove(place.slot.number());
        let (side, index) = self.side_mut(place.rating);
        let Some(group) = side.groups.get_mut(index) else {
            return;
        };
        group.erase(place.slot.number(), stood);
        if stood {
            side.sizes.sub_at(index, 1);
            side.total -= 1;
        }
    }

    /// Whether a slot is that of a place.
    pub(crate) fn stands(&self, slot: Slot) -> bool {
        self.standing.contains(slot.number())
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
        let number = place.slot.number();
        let equals = self.group(place.rating).into_iter();
        let lower = iter::successors(self.next_lower(place.rating), |&r| self.next_lower(r));
        equals
            .flat_map(move |group| places(place.rating, group.after(number, &self.standing)))
            .chain(lower.flat_map(|rating| {
                let group = self.group(rating).into_iter();
                places(rating, group.flat_map(|group| group.iter(&self.standing)))
            }))
    }

    /// The places over a place, the nearest first.
    pub(crate) fn above(&self, place: Place) -> impl Iterator<Item = Place> {
        let number = place.slot.number();
        let equals = self.group(place.rating).into_iter();
        let higher = iter::successors(self.next_higher(place.rating), |&r| self.next_higher(r));
        equals
            .flat_map(move |group| places(place.rating, group.before(number, &self.standing)))
            .chain(higher.flat_map(|rating| {
                let group = self.group(rating).into_iter();
                places(rating, group.flat_map(|group| group.iter(&self.standing).rev()))
            }))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.upwards.bytes() + self.downwards.bytes() + self.standing.bytes()
    }

    fn place_in(&self, row: usize) -> Option<Place> {
        let rating = self.rating_in(row)?;
        let equals_before = row - self.higher_than(rating);
        let number = self.group(rating)?.select(equals_before, &self.standing)?;
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

    fn group(&self, rating: i64) -> Option<&Group> {
        match split(rating) {
            (false, index) => self.upwards.groups.get(index),
            (true, index) => self.downwards.groups.get(index),
        }
    }

    fn side_mut(&mut self, rating: i64) -> (&mut Side, usize) {
        let (side, _, index) = self.side_and_standing(rating);
        (side, index)
    }

    fn side_and_standing(&mut self, rating: i64) -> (&mut Side, &Bits, usize) {
        match split(rating) {
            (false, index) => (&mut self.upwards, &self.standing, index),
            (true, index) => (&mut self.downwards, &self.standing, index),
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
        self.groups.iter().map(Group::bytes).sum::<usize>()
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
