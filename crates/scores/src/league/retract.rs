//! Taking back a result.

use std::collections::{BTreeSet, HashMap};

use super::League;
use crate::history::{ResultIndex, Slot};
use crate::math::Skills;
use crate::players::{PlayerId, Span};
use crate::table::Place;
use crate::{ResultId, RetractError, policy};

/// The work that a retraction leaves to do.
///
/// Every later result of a player whose skill changed is due; results of players whose
/// skills did not change are never looked at.
#[derive(Default)]
struct Replay {
    /// The players whose skill changed, and where they stood before.
    changed: HashMap<PlayerId, Option<Place>>,
    due: BTreeSet<ResultIndex>,
}

impl League {
    /// Takes a result back: the league is then exactly what it would be without it.
    ///
    /// The later results of its players are rated again in order, and from there those of
    /// everybody whose rating thereby changes. Taking back a recent result costs little;
    /// taking back an old one can cost as much as reporting all that came after it.
    ///
    /// The memory of a retracted result is not freed before the league is built anew.
    ///
    /// # Errors
    ///
    /// Refuses an id that was never reported and one that is already retracted.
    pub fn retract(&mut self, id: ResultId) -> Result<(), RetractError> {
        let retracted = self.history.retract(id)?;
        let mut replay = Replay::default();
        for (seat, slot) in retracted.slots() {
            let player = self.history.player(slot);
            replay.schedule(self, player, slot);
            *self.players[player].record.count_mut(retracted.outcome, seat) -= 1;
            self.unlink(player, slot);
        }
        while let Some(index) = replay.due.pop_first() {
            self.rate_again(index, &mut replay);
        }
        for (player, before) in replay.changed {
            if let Some(place) = before {
                self.table.erase(place);
            }
            if let Some(place) = self.place(player) {
                self.table.insert(place);
            }
        }
        Ok(())
    }

    /// Takes a slot out of its player's chain.
    fn unlink(&mut self, player: PlayerId, slot: Slot) {
        let Some(span) = self.players[player].span else {
            return;
        };
        let previous = self.history.previous(slot);
        let next = self.slots_after(span, slot).last();
        if let Some(next) = next {
            self.history.set_previous(next, previous);
        }
        let first = if span.first == slot { next } else { Some(span.first) };
        let last = if span.last == slot { previous } else { Some(span.last) };
        self.players[player].span = first.zip(last).map(|(first, last)| Span { first, last });
    }

    fn rate_again(&mut self, index: ResultIndex, replay: &mut Replay) {
        let row = self.history.row(index);
        let before: Skills =
            row.slots().map(|(_, slot)| self.skill_after(self.history.previous(slot))).collect();
        let after = policy::rate(self.system, &before, row.outcome);
        for ((_, slot), skill) in row.slots().zip(after) {
            if self.history.skill(slot) != skill {
                replay.schedule(self, self.history.player(slot), slot);
                self.table.erase(self.place_of(slot));
                self.history.set_skill(slot, skill);
            }
        }
    }

    /// The slots of a player after one of theirs, the newest first.
    fn slots_after(&self, span: Span, slot: Slot) -> impl Iterator<Item = Slot> {
        self.history.chain(span.last).take_while(move |&later| later > slot)
    }
}

impl Replay {
    /// Makes all results of a player after a slot due, once: whatever changes later in the
    /// player's chain is due already.
    fn schedule(&mut self, league: &League, player: PlayerId, slot: Slot) {
        if self.changed.contains_key(&player) {
            return;
        }
        self.changed.insert(player, league.place(player));
        let span = league.players[player].span;
        let later = span.into_iter().flat_map(|span| league.slots_after(span, slot));
        self.due.extend(later.map(|slot| league.history.result_of(slot)));
    }
}
