//! A league: the one place where names, history and table meet.

mod queries;
mod retract;

use std::{hint, slice};

use arrayvec::ArrayVec;

use crate::history::{History, NewPart, ResultRow, Slot};
use crate::math::Skills;
use crate::players::{Player, PlayerId, Players, Span};
use crate::skill::Skill;
use crate::table::{Place, Table};
use crate::{MAX_PLAYERS, Memory, Rating, Report, ReportError, System, policy};

/// How many reports are read ahead together.
const READ_AHEAD: usize = 16;

/// Something for each seat of the reports that are read ahead.
type Batch<T> = ArrayVec<T, { READ_AHEAD * MAX_PLAYERS }>;

/// A group of players with ratings.
///
/// A player is in the league as long as they have a result in it. The table is ordered by
/// rating as shown, best first. Among equals, whoever's newest result is older stands
/// first, and of the players of one result whoever had the lower seat.
///
/// Everything is a function of the results that were reported and not retracted, in the
/// order of their ids.
#[derive(Clone, Debug)]
pub struct League {
    system: System,
    players: Players,
    history: History,
    table: Table,
}

/// What a result has made of one of its players.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    league: &'a League,
    report: &'a Report,
    seat: usize,
    place: Place,
}

impl Change<'_> {
    /// The result.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.report
    }

    /// The player's seat in it, from 0.
    #[must_use]
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The player's rating after it.
    #[must_use]
    pub fn rating(&self) -> Rating {
        policy::rating(self.league.system, self.league.history.skill(self.place.slot))
    }

    /// The player's rank after it. Takes logarithmic time.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.league.table.rank(self.place.rating)
    }
}

impl League {
    /// A league without results.
    #[must_use]
    pub fn new(system: System) -> Self {
        Self {
            system,
            players: Players::default(),
            history: History::new(system),
            table: Table::default(),
        }
    }

    /// The league's rating system.
    #[must_use]
    pub fn system(&self) -> System {
        self.system
    }

    /// Takes a result into account, in time logarithmic in the number of players.
    ///
    /// # Errors
    ///
    /// Refuses a game of more players than the system can rate, an id that is not higher
    /// than every id before it, and any result when the league is full, at four thousand
    /// million seats or bytes of names.
    pub fn report(&mut self, report: &Report) -> Result<(), ReportError> {
        self.report_all(slice::from_ref(report))
    }

    /// Takes results into account in the order given, all or none of them.
    ///
    /// It does the same as one report after the other, and does it faster where players are
    /// many: this is the way to build a league from a store.
    ///
    /// # Errors
    ///
    /// Refuses all if it would refuse one, for the same reasons as [`League::report`].
    pub fn report_all(&mut self, reports: &[Report]) -> Result<(), ReportError> {
        self.report_and_tell(reports, |_| {})
    }

    /// Takes results into account as [`League::report_all`] does, and tells after each of them
    /// what has become of its players, seat by seat, without looking them up by name again.
    ///
    /// ```
    /// # use noughts_scores::{GameResult, League, Outcome, Report, ResultId, System};
    /// let mut league = League::new(System::Elo);
    /// let result = GameResult::new(["Ann", "Bob"], Outcome::Won { seat: 1 })?;
    /// let report = Report { id: ResultId(1), at: 0, result };
    /// let mut told = Vec::new();
    /// league.report_and_tell(&[report], |change| told.push((change.rating().shown, change.rank())))?;
    /// assert_eq!(told, [(1484, 2), (1516, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Refuses all if it would refuse one, for the same reasons as [`League::report`]; then
    /// nothing is told.
    pub fn report_and_tell(
        &mut self,
        reports: &[Report],
        mut tell: impl FnMut(Change<'_>),
    ) -> Result<(), ReportError> {
        self.admit(reports)?;
        for batch in reports.chunks(READ_AHEAD) {
            let names = batch.iter().flat_map(|report| report.result.players());
            let hashes: Batch<u32> = names.map(|name| self.players.hash(name)).collect();
            self.read_ahead(&hashes);
            let mut hashes = hashes.into_iter();
            for report in batch {
                let row = self.take(report, hashes.by_ref());
                for (seat, slot) in row.slots() {
                    tell(Change { league: self, report, seat, place: self.place_of(slot) });
                }
            }
        }
        Ok(())
    }

    /// The memory in use. Counting it takes a look at every part of the table.
    #[must_use]
    pub fn memory(&self) -> Memory {
        Memory {
            players: self.players.bytes(),
            table: self.table.bytes(),
            history: self.history.bytes(),
        }
    }

    fn admit(&self, reports: &[Report]) -> Result<(), ReportError> {
        let mut bytes = 0;
        for report in reports {
            let players = report.result.players();
            policy::admit(self.system, players.len())?;
            bytes += players.iter().map(|name| name.as_str().len()).sum::<usize>();
        }
        if !self.players.has_room_for(bytes) {
            return Err(ReportError::Full);
        }
        self.history.admit(reports)
    }

    /// Reads for many players what taking a report reads for one after the other.
    ///
    /// In a large league nearly every such read waits for memory. Where no read needs the
    /// outcome of the one before, as in each of these loops, the processor waits for many
    /// at once.
    fn read_ahead(&self, hashes: &[u32]) {
        hashes.iter().for_each(|&hash| self.players.touch(hash));
        let likely = hashes.iter().map(|&hash| self.players.likely(hash));
        let players: Batch<PlayerId> = likely.flatten().collect();
        let last_slots = players.iter().map(|&player| self.last_slot(player));
        let slots: Batch<Slot> = last_slots.flatten().collect();
        for &player in &players {
            hint::black_box(self.players.spelling(player));
        }
        for &slot in &slots {
            hint::black_box((self.history.skill(slot), self.table.stands(slot)));
        }
    }

    /// Takes a report that was admitted. The first hashes are those of its names.
    fn take(&mut self, report: &Report, hashes: impl Iterator<Item = u32>) -> ResultRow {
        let names = report.result.players();
        let players: ArrayVec<PlayerId, MAX_PLAYERS> =
            names.iter().zip(hashes).map(|(name, hash)| self.players.intern(name, hash)).collect();
        let before: Skills = players.iter().map(|&player| self.skill(player)).collect();
        let after = policy::rate(self.system, &before, report.result.outcome());
        let parts: ArrayVec<NewPart, MAX_PLAYERS> = players
            .iter()
            .zip(after)
            .map(|(&player, skill)| NewPart { player, previous: self.last_slot(player), skill })
            .collect();
        let row = self.history.push(report, &parts);

        for (seat, slot) in row.slots() {
            let player = players[seat];
            let spelling = names[seat].as_str();
            if spelling != self.players.spelling(player) {
                self.history.set_spelling(slot, spelling);
            }
            if let Some(place) = self.place(player) {
                self.table.remove(place);
            }
            let Player { record, span, .. } = &mut self.players[player];
            *record.count_mut(row.outcome, seat) += 1;
            *span = Some(Span { first: span.map_or(slot, |span| span.first), last: slot });
            self.table.insert(self.place_of(slot));
        }
        row
    }

    fn last_slot(&self, player: PlayerId) -> Option<Slot> {
        self.players[player].span.map(|span| span.last)
    }

    fn skill(&self, player: PlayerId) -> Skill {
        self.skill_after(self.last_slot(player))
    }

    /// A player's skill after a slot of theirs, or that of a newcomer before all slots.
    fn skill_after(&self, slot: Option<Slot>) -> Skill {
        match slot {
            Some(slot) => self.history.skill(slot),
            None => policy::newcomer(self.system),
        }
    }

    /// Where a player stands, if they have results.
    fn place(&self, player: PlayerId) -> Option<Place> {
        self.last_slot(player).map(|slot| self.place_of(slot))
    }

    /// Where a player stands whose newest slot this is.
    fn place_of(&self, slot: Slot) -> Place {
        Place { rating: policy::shown(self.system, self.history.skill(slot)), slot }
    }
}
