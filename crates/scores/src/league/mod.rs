//! A league: players, history and ranking joined.

mod queries;
mod retract;
mod segment;

use std::collections::HashMap;
use std::hash::Hash;
use std::{hint, slice};

use arrayvec::ArrayVec;

use crate::history::{History, NewEntry, PlayerId, ResultRow, Slot};
use crate::math::Skills;
use crate::ranking::{Place, Ranking};
use crate::skill::Skill;
use crate::{
    MAX_PLAYERS, MemoryUsage, Rating, Record, Report, ReportError, System, Weight, policy,
};
pub use segment::{LeagueLoader, Segment};

/// How many reports are prefetched together.
const PREFETCHED_REPORTS: usize = 16;

/// One value for each seat of the prefetched reports.
type Batch<T> = ArrayVec<T, { PREFETCHED_REPORTS * MAX_PLAYERS }>;

/// A rated group of players, each identified by a key `K`.
///
/// A player is in the table while they are listed and have a result that is not retracted and counts
/// for them. Players are ordered by shown rating, best first. Among equals the player whose newest result is older comes first;
/// players of the same result go by seat.
///
/// Equal keys are one player, listed under the key of their first report. Everything else is a
/// function of the results that are not retracted, in the order of their ids, and of who is listed.
#[derive(Clone, Debug)]
pub struct League<K> {
    system: System,
    /// The standard library's hash is keyed at random: people choose names, and no choice of names
    /// must make it slow.
    ids: HashMap<K, PlayerId>,
    keys: Vec<K>,
    players: Vec<Player>,
    history: History,
    ranking: Ranking,
}

/// Aligned to lie within one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Player {
    record: Record,
    /// `None` while the player has no result.
    span: Option<Span>,
    is_unlisted: bool,
}

/// The ends of a player's chain of slots.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: Slot,
    last: Slot,
}

/// What a result did to one of its players.
#[derive(Debug)]
pub struct PlayerUpdate<'a, K> {
    league: &'a League<K>,
    report: &'a Report<K>,
    seat: usize,
    place: Place,
}

impl<K: Clone + Eq + Hash> PlayerUpdate<'_, K> {
    /// The result.
    #[must_use]
    pub fn report(&self) -> &Report<K> {
        self.report
    }

    /// The player's seat in the result, from 0.
    #[must_use]
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The player's rating after the result.
    #[must_use]
    pub fn rating(&self) -> Rating {
        policy::rating(self.league.system, self.league.history.skill(self.place.slot))
    }

    /// The player's rank after the result, in logarithmic time.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.league.ranking.rank(self.place.rating)
    }
}

impl<K: Clone + Eq + Hash> League<K> {
    /// A league without results.
    #[must_use]
    pub fn new(system: System) -> Self {
        Self {
            system,
            ids: HashMap::new(),
            keys: Vec::new(),
            players: Vec::new(),
            history: History::new(system),
            ranking: Ranking::default(),
        }
    }

    /// The league's rating system.
    #[must_use]
    pub fn system(&self) -> System {
        self.system
    }

    /// Adds a result, in time logarithmic in the number of players.
    ///
    /// # Errors
    ///
    /// Refuses a game with more players than the system rates, an id that is not higher than all
    /// ids before, and any result once the league holds four thousand million seats.
    pub fn report(&mut self, report: &Report<K>) -> Result<(), ReportError> {
        self.report_all(slice::from_ref(report))
    }

    /// Adds results in the order given: all of them, or none.
    ///
    /// Faster than single reports where players are many; use it to rebuild a league from a store.
    ///
    /// # Errors
    ///
    /// Refuses all if [`League::report`] would refuse one.
    pub fn report_all(&mut self, reports: &[Report<K>]) -> Result<(), ReportError> {
        self.report_with_updates(reports, |_| {})
    }

    /// Adds results like [`League::report_all`], and passes on the updated rating and rank of each
    /// player of each result, seat by seat.
    ///
    /// ```
    /// # use noughts_scores::{GameResult, League, Outcome, Report, ResultId, System};
    /// let mut league = League::new(System::Elo);
    /// let result = GameResult::new(["Ann", "Bob"], Outcome::Won { seat: 1 })?;
    /// let report = Report { id: ResultId(1), at: 0, result };
    /// let mut updates = Vec::new();
    /// league.report_with_updates(&[report], |update| {
    ///     updates.push((update.rating().shown, update.rank()));
    /// })?;
    /// assert_eq!(updates, [(1484, 2), (1516, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Refuses all if [`League::report`] would refuse one; then there are no updates.
    pub fn report_with_updates(
        &mut self,
        reports: &[Report<K>],
        mut on_update: impl FnMut(PlayerUpdate<'_, K>),
    ) -> Result<(), ReportError> {
        for report in reports {
            self.system.check_player_count(report.result.players().len())?;
        }
        self.history.check(reports)?;
        for batch in reports.chunks(PREFETCHED_REPORTS) {
            let mut known = self.prefetch(batch).into_iter();
            for report in batch {
                let row = self.add(report, known.by_ref());
                for (seat, slot) in row.slots() {
                    on_update(PlayerUpdate {
                        league: self,
                        report,
                        seat,
                        place: self.place_of(slot),
                    });
                }
            }
        }
        Ok(())
    }

    /// Lists a player in the table, or not. Everybody is listed at first. An unlisted player has
    /// ratings, but no rank. Takes logarithmic time, and may come before the first result.
    ///
    /// ```
    /// # use noughts_scores::{GameResult, League, Outcome, Report, ResultId, System};
    /// let mut league = League::new(System::Elo);
    /// let result = GameResult::new(["Ann", "Guest"], Outcome::Won { seat: 1 })?;
    /// league.report(&Report { id: ResultId(1), at: 0, result })?;
    /// league.set_listed(&"Guest", false);
    /// assert_eq!((league.rank(&"Ann"), league.rank(&"Guest")), (Some(1), None));
    /// assert_eq!(league.rating(&"Guest").unwrap().shown, 1516);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_listed(&mut self, player: &K, is_listed: bool) {
        let player = self.find_or_insert(player);
        if let Some(place) = self.place(player) {
            self.ranking.remove(place);
        }
        self.player_mut(player).is_unlisted = !is_listed;
        if let Some(place) = self.place(player) {
            self.ranking.insert(place);
        }
    }

    /// The memory in use. Takes time linear in the size of the ranking.
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        // A hash table has a control byte for each entry, and is at most seven eighths full.
        let entries = self.ids.capacity() * 8 / 7 * (size_of::<(K, PlayerId)>() + 1);
        let rows = size_of_val(self.keys.as_slice()) + size_of_val(self.players.as_slice());
        MemoryUsage {
            players: entries + rows,
            ranking: self.ranking.bytes(),
            history: self.history.bytes(),
        }
    }

    /// Looks up the players of the reports and reads what adding them will read.
    ///
    /// In a large league nearly every such read is a cache miss. Within each of these loops no read
    /// depends on the one before, so the processor overlaps the misses.
    fn prefetch(&self, reports: &[Report<K>]) -> Batch<Option<PlayerId>> {
        let keys = reports.iter().flat_map(|report| report.result.players());
        let known: Batch<Option<PlayerId>> = keys.map(|key| self.find(key)).collect();
        let last_slots = known.iter().flatten().map(|&player| self.last_slot(player));
        let slots: Batch<Slot> = last_slots.flatten().collect();
        for &slot in &slots {
            hint::black_box((self.history.skill(slot), self.ranking.is_live(slot)));
        }
        known
    }

    /// Adds a valid report. The first ids of `known` are those of its players, `None` for players
    /// who were new before the batch.
    fn add(
        &mut self,
        report: &Report<K>,
        known: impl Iterator<Item = Option<PlayerId>>,
    ) -> ResultRow {
        let players: ArrayVec<PlayerId, MAX_PLAYERS> = report
            .result
            .players()
            .iter()
            .zip(known)
            .map(|(key, known)| known.unwrap_or_else(|| self.find_or_insert(key)))
            .collect();
        let before: Skills = players.iter().map(|&player| self.skill(player)).collect();
        let weights = (0..players.len()).map(|seat| report.result.weight(seat));
        let after = policy::rate_weighted(self.system, &before, report.result.outcome(), weights);
        let entries: ArrayVec<NewEntry, MAX_PLAYERS> = players
            .iter()
            .zip(after)
            .enumerate()
            .map(|(seat, (&player, skill))| NewEntry {
                player,
                previous: self.last_slot(player),
                weight: report.result.weight(seat),
                skill,
            })
            .collect();
        let row = self.history.push(report.id, report.at, report.result.outcome(), &entries);

        for (seat, slot) in row.slots() {
            let player = players[seat];
            if let Some(place) = self.place(player) {
                self.ranking.remove(place);
            }
            self.count(row, seat, slot, player);
            if let Some(place) = self.place(player) {
                self.ranking.insert(place);
            }
        }
        row
    }

    /// Adds a slot of a new result to its player's record and chain.
    fn count(&mut self, row: ResultRow, seat: usize, slot: Slot, player: PlayerId) {
        let counts = self.history.weight(slot) > Weight::NONE;
        let Player { record, span, .. } = self.player_mut(player);
        if counts {
            *record.count_mut(row.outcome, seat) += 1;
        }
        *span = Some(Span { first: span.map_or(slot, |span| span.first), last: slot });
    }

    fn find(&self, key: &K) -> Option<PlayerId> {
        self.ids.get(key).copied()
    }

    fn find_or_insert(&mut self, key: &K) -> PlayerId {
        *self.ids.entry(key.clone()).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            self.players.push(Player::default());
            PlayerId::from_index(self.players.len() - 1)
        })
    }

    fn player(&self, player: PlayerId) -> &Player {
        &self.players[player.index()]
    }

    fn player_mut(&mut self, player: PlayerId) -> &mut Player {
        &mut self.players[player.index()]
    }

    fn last_slot(&self, player: PlayerId) -> Option<Slot> {
        self.player(player).span.map(|span| span.last)
    }

    fn skill(&self, player: PlayerId) -> Skill {
        self.skill_after(self.last_slot(player))
    }

    /// A player's skill after one of their slots; the initial skill without one.
    fn skill_after(&self, slot: Option<Slot>) -> Skill {
        match slot {
            Some(slot) => self.history.skill(slot),
            None => policy::initial(self.system),
        }
    }

    /// A player's place in the table, if they have one.
    fn place(&self, player: PlayerId) -> Option<Place> {
        let is_ranked = !self.player(player).is_unlisted && self.player(player).record.games() > 0;
        self.last_slot(player).filter(|_| is_ranked).map(|slot| self.place_of(slot))
    }

    /// The place of the player whose newest slot this is.
    fn place_of(&self, slot: Slot) -> Place {
        Place { rating: policy::shown(self.system, self.history.skill(slot)), slot }
    }
}
