//! Retraction of results.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use super::{League, Span};
use crate::history::{PlayerId, ResultIndex, Slot};
use crate::math::Skills;
use crate::ranking::Place;
use crate::{ResultId, RetractError, Weight, policy};

/// The results to rate again: every later result of each player whose skill changed.
#[derive(Default)]
struct Replay {
    /// The players whose skill changed, with their places before.
    changed: HashMap<PlayerId, Option<Place>>,
    due: BTreeSet<ResultIndex>,
}

impl<K: Clone + Eq + Hash> League<K> {
    /// Retracts a result: the league is then exactly what it would be without it.
    ///
    /// Replays the later results of its players, and from there those of every player whose rating
    /// changes. Retracting a recent result is cheap; an old one can cost as much as reporting all
    /// results after it. The memory of the result is not freed.
    ///
    /// # Errors
    ///
    /// Refuses an id that was never reported or is already retracted.
    pub fn retract(&mut self, id: ResultId) -> Result<(), RetractError> {
        let retracted = self.history.retract(id)?;
        let mut replay = Replay::default();
        for (seat, slot) in retracted.slots() {
            let player = self.history.player(slot);
            replay.schedule(self, player, slot);
            if self.history.weight(slot) > Weight::NONE {
                *self.player_mut(player).record.count_mut(retracted.outcome, seat) -= 1;
            }
            self.unlink(player, slot);
        }
        while let Some(index) = replay.due.pop_first() {
            self.replay_result(index, &mut replay);
        }
        for (player, before) in replay.changed {
            if let Some(place) = before {
                self.ranking.purge(place);
            }
            if let Some(place) = self.place(player) {
                self.ranking.insert(place);
            }
        }
        Ok(())
    }

    /// Unlinks a slot from its player's chain.
    fn unlink(&mut self, player: PlayerId, slot: Slot) {
        let Some(span) = self.player(player).span else {
            return;
        };
        let previous = self.history.previous(slot);
        let next = self.slots_after(span, slot).last();
        if let Some(next) = next {
            self.history.set_previous(next, previous);
        }
        let first = if span.first == slot { next } else { Some(span.first) };
        let last = if span.last == slot { previous } else { Some(span.last) };
        self.player_mut(player).span = first.zip(last).map(|(first, last)| Span { first, last });
    }

    fn replay_result(&mut self, index: ResultIndex, replay: &mut Replay) {
        let row = self.history.row(index);
        let before: Skills =
            row.slots().map(|(_, slot)| self.skill_after(self.history.previous(slot))).collect();
        let weights = row.slots().map(|(_, slot)| self.history.weight(slot));
        let after = policy::rate_weighted(self.system, &before, row.outcome, weights);
        for ((_, slot), skill) in row.slots().zip(after) {
            if self.history.skill(slot) != skill {
                replay.schedule(self, self.history.player(slot), slot);
                self.ranking.purge(self.place_of(slot));
                self.history.set_skill(slot, skill);
            }
        }
    }

    /// A player's slots after one of them, newest first.
    fn slots_after(&self, span: Span, slot: Slot) -> impl Iterator<Item = Slot> {
        self.history.chain(span.last).take_while(move |&later| later > slot)
    }
}

impl Replay {
    /// Schedules a player's results after a slot. Once is enough: later changes to the same player
    /// can only affect results that are scheduled already.
    fn schedule<K: Clone + Eq + Hash>(&mut self, league: &League<K>, player: PlayerId, slot: Slot) {
        if self.changed.contains_key(&player) {
            return;
        }
        self.changed.insert(player, league.place(player));
        let span = league.player(player).span;
        let later = span.into_iter().flat_map(|span| league.slots_after(span, slot));
        self.due.extend(later.map(|slot| league.history.result_of(slot)));
    }
}
