//! The results of a league in order, linked into a chain for each player.

use std::iter;
use std::num::NonZeroU32;

use crate::skill::{Skill, SkillColumn};
use crate::{MAX_PLAYERS, Outcome, Report, ReportError, ResultId, RetractError, System, Weight};

/// The most slots, since their numbers have 32 bits.
const MAX_SLOTS: usize = u32::MAX as usize;

/// A player's index in a league.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) struct PlayerId(u32);

impl PlayerId {
    /// Every player has a slot of their own, so there is a number for each.
    pub(crate) fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("no more players than slots"))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// One seat of one result. Slots are numbered from 1 in the order of the results,
/// and within a result by seat.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Slot(NonZeroU32);

impl Slot {
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }

    pub(crate) fn number(self) -> u32 {
        self.0.get()
    }

    fn index(self) -> usize {
        self.number() as usize - 1
    }
}

/// The index of a result in the history.
pub(crate) type ResultIndex = u32;

/// A result without its players; the slots have them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultRow {
    pub id: ResultId,
    pub at: i64,
    pub outcome: Outcome,
    first_slot: Slot,
    pub seats: u8,
    retracted: bool,
}

impl ResultRow {
    /// The slots of the result with their seats.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (usize, Slot)> + use<> {
        let first = self.first_slot.number();
        let numbers = first..first + u32::from(self.seats);
        numbers.filter_map(Slot::from_number).enumerate()
    }
}

/// All results, with the skill of each player after each of their results.
///
/// A player's slots form a linked list from the newest to the oldest. A retracted result keeps its
/// row, so that its id stays known, but is no part of any list.
#[derive(Clone, Debug)]
pub(crate) struct History {
    results: Vec<ResultRow>,
    entries: Vec<Entry>,
    skills: SkillColumn,
    /// How much each slot counts.
    weights: Vec<Weight>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    player: PlayerId,
    previous: Option<Slot>,
}

/// What a result adds for one seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewEntry {
    pub player: PlayerId,
    /// The player's newest slot so far.
    pub previous: Option<Slot>,
    pub weight: Weight,
    /// The player's skill after the result.
    pub skill: Skill,
}

impl History {
    pub(crate) fn new(system: System) -> Self {
        Self {
            results: Vec::new(),
            entries: Vec::new(),
            skills: SkillColumn::new(system),
            weights: Vec::new(),
        }
    }

    /// Refuses ids that do not increase, and more slots than can be numbered.
    pub(crate) fn check<K>(&self, reports: &[Report<K>]) -> Result<(), ReportError> {
        let mut newest = self.newest();
        for &Report { id, .. } in reports {
            if let Some(newest) = newest.filter(|&newest| id <= newest) {
                let known = id == newest || self.find(id).is_some();
                return Err(match known {
                    true => ReportError::DuplicateId(id),
                    false => ReportError::IdOutOfOrder { id, newest },
                });
            }
            newest = Some(id);
        }
        if self.has_room_for(reports.len()) { Ok(()) } else { Err(ReportError::Full) }
    }

    /// Whether there are slots for this many results.
    pub(crate) fn has_room_for(&self, results: usize) -> bool {
        self.entries.len() + results * MAX_PLAYERS <= MAX_SLOTS
    }

    /// Appends a checked result.
    pub(crate) fn push(
        &mut self,
        id: ResultId,
        at: i64,
        outcome: Outcome,
        entries: &[NewEntry],
    ) -> ResultRow {
        let number = u32::try_from(self.entries.len() + 1).ok();
        let row = ResultRow {
            id,
            at,
            outcome,
            first_slot: number.and_then(Slot::from_number).expect("a checked result has room"),
            seats: entries.len() as u8,
            retracted: false,
        };
        self.results.push(row);
        for entry in entries {
            self.entries.push(Entry { player: entry.player, previous: entry.previous });
            self.skills.push(entry.skill);
            self.weights.push(entry.weight);
        }
        row
    }

    /// The results after one of them, or all, without those that were retracted.
    pub(crate) fn rows_after(&self, id: Option<ResultId>) -> impl Iterator<Item = &ResultRow> {
        let first = id.map_or(0, |id| self.results.partition_point(|row| row.id <= id));
        self.results[first..].iter().filter(|row| !row.retracted)
    }

    /// The newest id.
    pub(crate) fn newest(&self) -> Option<ResultId> {
        self.results.last().map(|row| row.id)
    }

    /// Marks a result as retracted. Unlinking its slots is up to the caller.
    pub(crate) fn retract(&mut self, id: ResultId) -> Result<ResultRow, RetractError> {
        let index = self.find(id).ok_or(RetractError::Unknown(id))?;
        let row = &mut self.results[index];
        if row.retracted {
            return Err(RetractError::AlreadyRetracted(id));
        }
        row.retracted = true;
        Ok(*row)
    }

    /// The row of a result, unless it is unknown or retracted.
    pub(crate) fn row_of(&self, id: ResultId) -> Option<ResultRow> {
        self.find(id).map(|index| self.results[index]).filter(|row| !row.retracted)
    }

    pub(crate) fn row(&self, index: ResultIndex) -> ResultRow {
        self.results[index as usize]
    }

    /// The result of a slot.
    pub(crate) fn result_of(&self, slot: Slot) -> ResultIndex {
        let after = self.results.partition_point(|row| row.first_slot <= slot);
        (after - 1) as ResultIndex
    }

    pub(crate) fn player(&self, slot: Slot) -> PlayerId {
        self.entries[slot.index()].player
    }

    /// The slot before this one in the player's chain.
    pub(crate) fn previous(&self, slot: Slot) -> Option<Slot> {
        self.entries[slot.index()].previous
    }

    pub(crate) fn set_previous(&mut self, slot: Slot, previous: Option<Slot>) {
        self.entries[slot.index()].previous = previous;
    }

    /// A player's chain from a slot back to their first.
    pub(crate) fn chain(&self, newest: Slot) -> impl Iterator<Item = Slot> {
        iter::successors(Some(newest), |&slot| self.previous(slot))
    }

    /// The player's skill after the result.
    pub(crate) fn skill(&self, slot: Slot) -> Skill {
        self.skills.get(slot.index())
    }

    /// The numbers of a skill, as many as the system uses.
    pub(crate) fn skill_numbers(&self, slot: Slot) -> &[f64] {
        self.skills.numbers(slot.index())
    }

    pub(crate) fn skill_width(&self) -> usize {
        self.skills.width()
    }

    pub(crate) fn set_skill(&mut self, slot: Slot, skill: Skill) {
        self.skills.set(slot.index(), skill);
    }

    /// How much the result counts for the player.
    pub(crate) fn weight(&self, slot: Slot) -> Weight {
        self.weights[slot.index()]
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.results.as_slice())
            + size_of_val(self.entries.as_slice())
            + self.skills.bytes()
            + size_of_val(self.weights.as_slice())
    }

    fn find(&self, id: ResultId) -> Option<usize> {
        self.results.binary_search_by_key(&id, |row| row.id).ok()
    }
}
