//! Queries.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

use arrayvec::ArrayVec;

use super::League;
use crate::history::{PlayerId, Slot};
use crate::ranking::Place;
use crate::{
    MAX_PLAYERS, Neighbours, Rating, RatingChange, RatingPoint, Record, ResultId, Standing, policy,
};

impl<K: Clone + Eq + Hash> League<K> {
    /// The number of players in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranking.len()
    }

    /// Whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All players with a result that was not retracted, listed or not, in no particular order.
    pub fn players(&self) -> impl Iterator<Item = &K> {
        self.keys.iter().zip(&self.players).filter(|(_, p)| p.span.is_some()).map(|(key, _)| key)
    }

    /// The newest result, retracted or not.
    #[must_use]
    pub fn newest(&self) -> Option<ResultId> {
        self.history.newest()
    }

    /// The keys of all players, also of those without results that were not retracted.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.keys.iter()
    }

    /// The rating of a player with results, listed or not.
    #[must_use]
    pub fn rating(&self, player: &K) -> Option<Rating> {
        let slot = self.last_slot(self.find(player)?)?;
        Some(policy::rating(self.system, self.history.skill(slot)))
    }

    /// The record of a player, listed or not.
    #[must_use]
    pub fn record(&self, player: &K) -> Record {
        self.find(player).map(|player| self.player(player).record).unwrap_or_default()
    }

    /// What a result did to the ratings of its players, in seat order; empty for one that is unknown
    /// or retracted.
    pub fn changes(&self, result: ResultId) -> impl Iterator<Item = RatingChange> {
        let slots = self.history.row_of(result).into_iter().flat_map(|row| row.slots());
        slots.map(|(_, slot)| RatingChange {
            before: policy::rating(self.system, self.skill_after(self.history.previous(slot))),
            after: policy::rating(self.system, self.history.skill(slot)),
            weight: self.history.weight(slot),
        })
    }

    /// A player's rating, rank and record. Takes logarithmic time.
    #[must_use]
    pub fn standing(&self, player: &K) -> Option<Standing<'_, K>> {
        let place = self.place(self.find(player)?)?;
        Some(self.standing_at(place, self.ranking.rank(place.rating)))
    }

    /// A player's rank. Takes logarithmic time.
    #[must_use]
    pub fn rank(&self, player: &K) -> Option<usize> {
        let place = self.place(self.find(player)?)?;
        Some(self.ranking.rank(place.rating))
    }

    /// The first `n` rows of the table, in time linear in `n`.
    pub fn top(&self, n: usize) -> impl Iterator<Item = Standing<'_, K>> {
        self.page(1, n)
    }

    /// `n` rows of the table from a row on; the first row is 1.
    ///
    /// Rows count players, so pages never overlap: where the ranks are 1, 2, 2, 4, the third row
    /// has rank 2. Finding the first row takes logarithmic time, plus a step for every 65,536 seats
    /// of the history.
    pub fn page(&self, row: usize, n: usize) -> impl Iterator<Item = Standing<'_, K>> {
        let first = row.max(1);
        let mut shared: Option<(i64, usize)> = None;
        self.ranking.rows_from(first - 1).take(n).zip(first..).map(move |(place, row)| {
            let rank = match shared {
                Some((rating, rank)) if rating == place.rating => rank,
                Some(_) => row,
                // Equals of the first row may be on the page before.
                None => self.ranking.rank(place.rating),
            };
            shared = Some((place.rating, rank));
            self.standing_at(place, rank)
        })
    }

    /// A player's standing, with up to `n` players above and below. Takes logarithmic time for
    /// each.
    #[must_use]
    pub fn neighbours(&self, player: &K, n: usize) -> Option<Neighbours<'_, K>> {
        let place = self.place(self.find(player)?)?;
        let standing = |place: Place| self.standing_at(place, self.ranking.rank(place.rating));
        let mut above: Vec<_> = self.ranking.above(place).take(n).map(standing).collect();
        above.reverse();
        Some(Neighbours {
            above,
            standing: standing(place),
            below: self.ranking.below(place).take(n).map(standing).collect(),
        })
    }

    /// A player's rating after each of their results, newest first; empty for a player who is not
    /// in the league.
    pub fn rating_over_time(&self, player: &K) -> impl Iterator<Item = RatingPoint> {
        self.slots(self.find(player)).map(|slot| {
            let row = self.history.row(self.history.result_of(slot));
            RatingPoint {
                result: row.id,
                at: row.at,
                rating: policy::rating(self.system, self.history.skill(slot)),
            }
        })
    }

    /// The first player's record in games with the second. A game that a third player won says
    /// nothing about the two and does not count.
    ///
    /// Walks the results of the player who has fewer.
    #[must_use]
    pub fn head_to_head(&self, player: &K, other: &K) -> Record {
        let mut record = Record::default();
        let (Some(player), Some(other)) = (self.find(player), self.find(other)) else {
            return record;
        };
        if player == other {
            return record;
        }
        let games = |player: PlayerId| self.player(player).record.games();
        let fewer = if games(player) <= games(other) { player } else { other };
        for slot in self.slots(Some(fewer)) {
            let row = self.history.row(self.history.result_of(slot));
            let seat_of = |player| {
                let mut slots = row.slots();
                slots.find_map(|(seat, slot)| (self.history.player(slot) == player).then_some(seat))
            };
            let (Some(seat), Some(other_seat)) = (seat_of(player), seat_of(other)) else {
                continue;
            };
            match row.outcome.winner() {
                Some(winner) if winner != seat && winner != other_seat => {}
                _ => *record.count_mut(row.outcome, seat) += 1,
            }
        }
        record
    }

    /// A player's opponents, and the player's record against each as in
    /// [`League::head_to_head`]: most games first, then by key.
    ///
    /// Walks the player's results.
    #[must_use]
    pub fn opponents(&self, player: &K) -> Vec<(&K, Record)>
    where
        K: Ord,
    {
        let player = self.find(player);
        let mut opponents: HashMap<PlayerId, Record> = HashMap::new();
        for slot in self.slots(player) {
            let row = self.history.row(self.history.result_of(slot));
            let seats: ArrayVec<(usize, PlayerId), MAX_PLAYERS> =
                row.slots().map(|(seat, slot)| (seat, self.history.player(slot))).collect();
            let own = seats.iter().find(|(_, other)| Some(*other) == player).map(|&(seat, _)| seat);
            let Some(own) = own else { continue };
            for &(seat, other) in seats.iter().filter(|(seat, _)| *seat != own) {
                let record = opponents.entry(other).or_default();
                match row.outcome.winner() {
                    Some(winner) if winner != own && winner != seat => {}
                    _ => *record.count_mut(row.outcome, own) += 1,
                }
            }
        }
        let mut opponents: Vec<_> =
            opponents.into_iter().map(|(other, record)| (self.key(other), record)).collect();
        opponents.sort_by_key(|&(key, record)| (Reverse(record.games()), key));
        opponents
    }

    fn standing_at(&self, place: Place, rank: usize) -> Standing<'_, K> {
        let player = self.history.player(place.slot);
        Standing {
            rank,
            player: self.key(player),
            rating: policy::rating(self.system, self.history.skill(place.slot)),
            record: self.player(player).record,
        }
    }

    fn key(&self, player: PlayerId) -> &K {
        &self.keys[player.index()]
    }

    /// A player's slots, newest first.
    fn slots(&self, player: Option<PlayerId>) -> impl Iterator<Item = Slot> {
        player
            .and_then(|player| self.last_slot(player))
            .into_iter()
            .flat_map(|last| self.history.chain(last))
    }
}
