//! The results of a league in order, and every player's way through them.

use std::collections::HashMap;
use std::iter;
use std::num::NonZeroU32;

use crate::players::PlayerId;
use crate::skill::{Skill, SkillColumn};
use crate::{MAX_PLAYERS, Outcome, Report, ReportError, ResultId, RetractError, System};

/// One player's part in one result. Slots are numbered from 1 in the order of the results,
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

/// The place of a result in the history; earlier results have lower numbers.
pub(crate) type ResultIndex = u32;

/// A result without its players, who are in the slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultRow {
    pub id: ResultId,
    pub at: i64,
    pub outcome: Outcome,
    first_slot: Slot,
    seats: u8,
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

/// All results, with what everybody's skill was after each.
///
/// A player's slots form a chain from the newest to the oldest, which is their way through
/// the history. A retracted result keeps its row, so that its id stays known, but no chain
/// leads to it.
#[derive(Clone, Debug)]
pub(crate) struct History {
    results: Vec<ResultRow>,
    parts: Vec<Part>,
    skills: SkillColumn,
    /// The spellings that differ from the one under which the player is interned.
    spellings: HashMap<Slot, Box<str>>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    player: PlayerId,
    previous: Option<Slot>,
}

/// What a report adds for one seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewPart {
    pub player: PlayerId,
    /// The player's newest slot so far.
    pub previous: Option<Slot>,
    /// The player's skill after the result.
    pub skill: Skill,
}

impl History {
    pub(crate) fn new(system: System) -> Self {
        Self {
            results: Vec::new(),
            parts: Vec::new(),
            skills: SkillColumn::new(system),
            spellings: HashMap::new(),
        }
    }

    /// Refuses ids that do not increase, and more results than slots can be numbered for.
    pub(crate) fn admit(&self, reports: &[Report]) -> Result<(), ReportError> {
        let mut newest = self.results.last().map(|row| row.id);
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
        match self.parts.len() + reports.len() * MAX_PLAYERS {
            slots if slots > u32::MAX as usize => Err(ReportError::Full),
            _ => Ok(()),
        }
    }

    /// Appends a result that was admitted.
    pub(crate) fn push(&mut self, report: &Report, parts: &[NewPart]) -> ResultRow {
        let number = u32::try_from(self.parts.len() + 1).ok();
        let row = ResultRow {
            id: report.id,
            at: report.at,
            outcome: report.result.outcome(),
            first_slot: number.and_then(Slot::from_number).expect("an admitted result has room"),
            seats: parts.len() as u8,
            retracted: false,
        };
        self.results.push(row);
        for part in parts {
            self.parts.push(Part { player: part.player, previous: part.previous });
            self.skills.push(part.skill);
        }
        row
    }

    /// Marks a result as retracted. Its slots stay in their chains until they are unlinked.
    pub(crate) fn retract(&mut self, id: ResultId) -> Result<ResultRow, RetractError> {
        let index = self.find(id).ok_or(RetractError::Unknown(id))?;
        let row = &mut self.results[index];
        if row.retracted {
            return Err(RetractError::AlreadyRetracted(id));
        }
        row.retracted = true;
        Ok(*row)
    }

    pub(crate) fn row(&self, index: ResultIndex) -> ResultRow {
        self.results[index as usize]
    }

    /// The result that a slot is a part of.
    pub(crate) fn result_of(&self, slot: Slot) -> ResultIndex {
        let after = self.results.partition_point(|row| row.first_slot <= slot);
        (after - 1) as ResultIndex
    }

    pub(crate) fn player(&self, slot: Slot) -> PlayerId {
        self.parts[slot.index()].player
    }

    /// The slot before this one in the player's chain.
    pub(crate) fn previous(&self, slot: Slot) -> Option<Slot> {
        self.parts[slot.index()].previous
    }

    pub(crate) fn set_previous(&mut self, slot: Slot, previous: Option<Slot>) {
        self.parts[slot.index()].previous = previous;
    }

    /// A player's chain from a slot back to their first.
    pub(crate) fn chain(&self, newest: Slot) -> impl Iterator<Item = Slot> {
        iter::successors(Some(newest), |&slot| self.previous(slot))
    }

    /// The player's skill after the result.
    pub(crate) fn skill(&self, slot: Slot) -> Skill {
        self.skills.get(slot.index())
    }

    pub(crate) fn set_skill(&mut self, slot: Slot, skill: Skill) {
        self.skills.set(slot.index(), skill);
    }

    /// How the player was spelled in this result, if unlike the interned spelling.
    pub(crate) fn spelling(&self, slot: Slot) -> Option<&str> {
        self.spellings.get(&slot).map(AsRef::as_ref)
    }

    pub(crate) fn set_spelling(&mut self, slot: Slot, spelling: &str) {
        self.spellings.insert(slot, spelling.into());
    }

    pub(crate) fn bytes(&self) -> usize {
        let spellings: usize = self
            .spellings
            .values()
            .map(|spelling| size_of::<(Slot, Box<str>)>() + spelling.len())
            .sum();
        size_of_val(self.results.as_slice())
            + size_of_val(self.parts.as_slice())
            + self.skills.bytes()
            + spellings
    }

    fn find(&self, id: ResultId) -> Option<usize> {
        self.results.binary_search_by_key(&id, |row| row.id).ok()
    }
}
