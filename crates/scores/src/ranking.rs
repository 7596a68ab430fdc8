//! The order of a league: ranks and pages in logarithmic time.

use std::iter;

use ftree::FenwickTree;

use crate::bit_set::BitSet;
use crate::bucket::Bucket;
use crate::history::Slot;

/// A player's sort key: higher ratings first, ties broken by the older newest result.
///
/// That tie-break keeps the order cheaply: a player who just played goes to the end of a bucket.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Place {
    /// The shown rating.
    pub rating: i64,
    /// The player's slot in their newest result.
    pub slot: Slot,
}

/// All places in order.
///
/// Shown ratings are whole numbers, few even where players are many. Each has a [`Bucket`] of the
/// players who share it; a Fenwick tree over the bucket sizes counts the players with a higher
/// rating.
///
/// Buckets lie in two arrays, upwards from 0 and downwards from -1, so that both only grow at the
/// end. They reach to the most extreme rating so far. Systems without bounds move a rating by one
/// point per result, so the history always outgrows the buckets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranking {
    upwards: Side,
    downwards: Side,
    /// The slots of all places.
    live: BitSet,
}

#[derive(Clone, Debug)]
struct Side {
    buckets: Vec<Bucket>,
    sizes: FenwickTree<u32>,
    total: u32,
}

impl Ranking {
    pub(crate) fn insert(&mut self, place: Place) {
        debug_assert!(!self.is_live(place.slot), "{place:?} is taken");
        self.live.insert(place.slot.number());
        let (side, index) = self.side_mut(place.rating);
        while side.buckets.len() <= index {
            side.buckets.push(Bucket::default());
            side.sizes.push(0);
        }
        side.buckets[index].insert(place.slot.number());
        side.sizes.add_at(index, 1);
        side.total += 1;
    }

    /// Removes a place. Its slot may be inserted again with the same rating only.
    pub(crate) fn remove(&mut self, place: Place) {
        debug_assert!(self.is_live(place.slot), "{place:?} is not ranked");
        self.live.remove(place.slot.number());
        let (side, live, index) = self.side_and_live(place.rating);
        side.buckets[index].remove(place.slot.number(), live);
        side.sizes.sub_at(index, 1);
        side.total -= 1;
    }

    /// Removes a place, or what [`Ranking::remove`] left of it. Its slot may be inserted again with
    /// another rating.
    pub(crate) fn purge(&mut self, place: Place) {
        let was_live = self.is_live(place.slot);
        self.live.remove(place.slot.number());
        let (side, index) = self.side_mut(place.rating);
        let Some(bucket) = side.buckets.get_mut(index) else {
            return;
        };
        bucket.purge(place.slot.number(), was_live);
        if was_live {
            side.sizes.sub_at(index, 1);
            side.total -= 1;
        }
    }

    /// Whether the slot belongs to a place.
    pub(crate) fn is_live(&self, slot: Slot) -> bool {
        self.live.contains(slot.number())
    }

    pub(crate) fn len(&self) -> usize {
        self.upwards.total as usize + self.downwards.total as usize
    }

    /// One more than the number of places with a higher rating.
    pub(crate) fn rank(&self, rating: i64) -> usize {
        1 + self.higher_than(rating)
    }

    /// The places from a row down; the first row is 0.
    pub(crate) fn rows_from(&self, row: usize) -> impl Iterator<Item = Place> {
        self.place_in(row).into_iter().flat_map(|place| iter::once(place).chain(self.below(place)))
    }

    /// The places below a place, nearest first.
    pub(crate) fn below(&self, place: Place) -> impl Iterator<Item = Place> {
        let number = place.slot.number();
        let equals = self.bucket(place.rating).into_iter();
        let lower = iter::successors(self.next_lower(place.rating), |&r| self.next_lower(r));
        equals.flat_map(move |bucket| places(place.rating, bucket.after(number, &self.live))).chain(
            lower.flat_map(|rating| {
                let bucket = self.bucket(rating).into_iter();
                places(rating, bucket.flat_map(|bucket| bucket.iter(&self.live)))
            }),
        )
    }

    /// The places above a place, nearest first.
    pub(crate) fn above(&self, place: Place) -> impl Iterator<Item = Place> {
        let number = place.slot.number();
        let equals = self.bucket(place.rating).into_iter();
        let higher = iter::successors(self.next_higher(place.rating), |&r| self.next_higher(r));
        equals
            .flat_map(move |bucket| places(place.rating, bucket.before(number, &self.live)))
            .chain(higher.flat_map(|rating| {
                let bucket = self.bucket(rating).into_iter();
                places(rating, bucket.flat_map(|bucket| bucket.iter(&self.live).rev()))
            }))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.upwards.bytes() + self.downwards.bytes() + self.live.bytes()
    }

    fn place_in(&self, row: usize) -> Option<Place> {
        let rating = self.rating_in(row)?;
        let equals_before = row - self.higher_than(rating);
        let number = self.bucket(rating)?.select(equals_before, &self.live)?;
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

    fn bucket(&self, rating: i64) -> Option<&Bucket> {
        match split(rating) {
            (false, index) => self.upwards.buckets.get(index),
            (true, index) => self.downwards.buckets.get(index),
        }
    }

    fn side_mut(&mut self, rating: i64) -> (&mut Side, usize) {
        let (side, _, index) = self.side_and_live(rating);
        (side, index)
    }

    fn side_and_live(&mut self, rating: i64) -> (&mut Side, &BitSet, usize) {
        match split(rating) {
            (false, index) => (&mut self.upwards, &self.live, index),
            (true, index) => (&mut self.downwards, &self.live, index),
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
    /// The number of players in the buckets before an index, which may be past the end.
    fn size_before(&self, index: usize) -> u32 {
        self.sizes.prefix_sum(index.min(self.sizes.len()), 0)
    }

    fn bytes(&self) -> usize {
        self.buckets.iter().map(Bucket::bytes).sum::<usize>()
            + size_of_val(self.buckets.as_slice())
            + self.sizes.len() * size_of::<u32>()
    }
}

impl Default for Side {
    fn default() -> Self {
        Self { buckets: Vec::new(), sizes: FenwickTree::new(), total: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(rating: i64, number: u32) -> Place {
        Place { rating, slot: Slot::from_number(number).expect("numbers start at 1") }
    }

    fn check_order(ranking: &Ranking, mut expected: Vec<Place>) {
        expected.sort_by_key(|place| (-place.rating, place.slot.number()));
        assert_eq!(ranking.len(), expected.len());
        for row in 0..=expected.len() {
            let found: Vec<Place> = ranking.rows_from(row).collect();
            assert_eq!(found, expected[row..]);
        }
        for (row, &place) in expected.iter().enumerate() {
            let higher = expected.iter().filter(|p| p.rating > place.rating).count();
            assert_eq!(ranking.rank(place.rating), 1 + higher);
            let above: Vec<Place> = ranking.above(place).collect();
            assert!(above.iter().rev().eq(&expected[..row]));
            let below: Vec<Place> = ranking.below(place).collect();
            assert_eq!(below, expected[row + 1..]);
        }
    }

    #[test]
    fn extreme_ratings_keep_their_order() {
        let places = [
            place(1_000_000, 1),
            place(-1_000_000, 2),
            place(0, u32::MAX),
            place(-1, 65_536),
            place(1_000_000, 65_535),
        ];
        let mut ranking = Ranking::default();
        for place in places {
            ranking.insert(place);
        }
        check_order(&ranking, places.to_vec());
        assert_eq!(ranking.rank(i64::from(u32::MAX)), 1);
        assert_eq!(ranking.rank(-i64::from(u32::MAX)), 6);
    }

    proptest! {
        #[test]
        fn matches_a_sorted_list(
            ratings in prop::collection::vec(-20_i64..20, 0..60),
            removed in prop::collection::vec(any::<bool>(), 60),
        ) {
            let places: Vec<Place> = (1..).zip(ratings).map(|(n, r)| place(r, n)).collect();
            let mut ranking = Ranking::default();
            for &place in &places {
                ranking.insert(place);
            }
            let (gone, left): (Vec<_>, Vec<_>) =
                places.iter().zip(removed).partition(|&(_, removed)| removed);
            for (&place, _) in gone {
                ranking.remove(place);
            }
            check_order(&ranking, left.into_iter().map(|(&place, _)| place).collect());
        }
    }
}
