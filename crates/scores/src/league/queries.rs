//! What can be asked of a league. Names may be written in any spelling.

use std::cmp::Reverse;
use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::League;
use crate::history::Slot;
use crate::players::PlayerId;
use crate::table::Place;
use crate::{MAX_PLAYERS, Neighbours, RatingPoint, Record, Standing, policy};

impl League {
    /// The number of players.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether nobody is in the league.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A player's rating, rank and record. Takes logarithmic time.
    #[must_use]
    pub fn standing(&self, name: &str) -> Option<Standing<'_>> {
        let place = self.place(self.players.find(name)?)?;
        Some(self.standing_at(place, self.table.rank(place.rating)))
    }

    /// A player's rank. Takes logarithmic time.
    #[must_use]
    pub fn rank(&self, name: &str) -> Option<usize> {
        let place = self.place(self.players.find(name)?)?;
        Some(self.table.rank(place.rating))
    }

    /// The first `n` rows of the table. Takes time linear in `n`.
    pub fn top(&self, n: usize) -> impl Iterator<Item = Standing<'_>> {
        self.page(1, n)
    }

    /// `n` rows of the table from a row on; the first row is 1.
    ///
    /// Rows count players, so that pages neither overlap nor leave anybody out: where the
    /// ranks are 1, 2, 2, 4, the third row has rank 2. Before the first row it takes
    /// logarithmic time and a step for every 65,536 seats of the history.
    pub fn page(&self, row: usize, n: usize) -> impl Iterator<Item = Standing<'_>> {
        let first = row.max(1);
        let mut shared: Option<(i64, usize)> = None;
        self.table.rows_from(first - 1).take(n).zip(first..).map(move |(place, row)| {
            let rank = match shared {
                Some((rating, rank)) if rating == place.rating => rank,
                Some(_) => row,
                // Equals of the first one may stand on the page before.
                None => self.table.rank(place.rating),
            };
            shared = Some((place.rating, rank));
            self.standing_at(place, rank)
        })
    }

    /// A player with up to `n` players above and up to `n` below. Takes logarithmic time
    /// for each.
    #[must_use]
    pub fn neighbours(&self, name: &str, n: usize) -> Option<Neighbours<'_>> {
        let place = self.place(self.players.find(name)?)?;
        let standing = |place: Place| self.standing_at(place, self.table.rank(place.rating));
        let mut above: Vec<_> = self.table.above(place).take(n).map(standing).collect();
        above.reverse();
        Some(Neighbours {
            above,
            player: standing(place),
            below: self.table.below(place).take(n).map(standing).collect(),
        })
    }

    /// A player's rating after each of their results, the newest first. It is empty for
    /// somebody who is not in the league.
    pub fn rating_over_time(&self, name: &str) -> impl Iterator<Item = RatingPoint> {
        self.slots(self.players.find(name)).map(|slot| {
            let row = self.history.row(self.history.result_of(slot));
            RatingPoint {
                result: row.id,
                at: row.at,
                rating: policy::rating(self.system, self.history.skill(slot)),
            }
        })
    }

    /// How the first player fared in games with the second: wins are games that the first
    /// won, losses games that the second won. A game that a third player won tells nothing
    /// about the two and is not counted.
    ///
    /// Takes a walk through the results of whoever of the two has fewer.
    #[must_use]
    pub fn head_to_head(&self, name: &str, other: &str) -> Record {
        let mut record = Record::default();
        let (Some(player), Some(other)) = (self.players.find(name), self.players.find(other))
        else {
            return record;
        };
        if player == other {
            return record;
        }
        let games = |player: PlayerId| self.players[player].record.games();
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

    /// Everybody a player has played with, and how the player fared against each as in
    /// [`League::head_to_head`]: first those with most games, then by name.
    ///
    /// Takes a walk through the player's results.
    #[must_use]
    pub fn opponents(&self, name: &str) -> Vec<(&str, Record)> {
        let player = self.players.find(name);
        let mut opponents: HashMap<PlayerId, Record> = HashMap::new();
        for slot in self.slots(player) {
            let row = self.history.row(self.history.result_of(slot));
            let parts: ArrayVec<(usize, PlayerId), MAX_PLAYERS> =
                row.slots().map(|(seat, slot)| (seat, self.history.player(slot))).collect();
            let own = parts.iter().find(|part| Some(part.1) == player).map(|part| part.0);
            let Some(own) = own else { continue };
            for &(seat, other) in parts.iter().filter(|part| part.0 != own) {
                let record = opponents.entry(other).or_default();
                match row.outcome.winner() {
                    Some(winner) if winner != own && winner != seat => {}
                    _ => *record.count_mut(row.outcome, own) += 1,
                }
            }
        }
        let mut opponents: Vec<_> =
            opponents.into_iter().map(|(other, record)| (self.name(other), record)).collect();
        opponents.sort_by_key(|&(name, record)| (Reverse(record.games()), name));
        opponents
    }

    fn standing_at(&self, place: Place, rank: usize) -> Standing<'_> {
        let player = self.history.player(place.slot);
        Standing {
            rank,
            name: self.name(player),
            rating: policy::rating(self.system, self.history.skill(place.slot)),
            record: self.players[player].record,
        }
    }

    /// The name as written in the first of the player's results.
    fn name(&self, player: PlayerId) -> &str {
        self.players[player]
            .span
            .and_then(|span| self.history.spelling(span.first))
            .unwrap_or_else(|| self.players.spelling(player))
    }

    /// A player's slots, the newest first.
    fn slots(&self, player: Option<PlayerId>) -> impl Iterator<Item = Slot> {
        player
            .and_then(|player| self.last_slot(player))
            .into_iter()
            .flat_map(|last| self.history.chain(last))
    }
}
