//! Parts of a league as bytes, from which it is loaded without rating its results again.

use std::collections::HashMap;
use std::hash::Hash;

use arrayvec::ArrayVec;

use super::League;
use crate::history::{NewEntry, PlayerId, ResultRow};
use crate::skill::Skill;
use crate::{MAX_PLAYERS, Outcome, ResultId, SegmentError, System, Weight};

/// Stands for the winner of a draw.
const NO_WINNER: u8 = u8::MAX;

/// Consecutive results of a league with the ratings after each of them, without those that were retracted.
///
/// A league is its segments in order: [`LeagueLoader`] puts it together again, the same to the last bit.
///
/// ```
/// # use noughts_scores::{GameResult, League, LeagueLoader, Outcome, Report, ResultId, System};
/// let mut league = League::new(System::Glicko2);
/// for id in 1..=10 {
///     let result = GameResult::new(["Ann", "Bob"], Outcome::Won { seat: 0 })?;
///     league.report(&Report { id: ResultId(id), at: 0, result })?;
/// }
/// let first = league.segment(None, 5).unwrap();
/// let second = league.segment(Some(first.last), 5).unwrap();
/// assert_eq!((first.last, second.last), (ResultId(5), ResultId(10)));
/// assert!(league.segment(Some(second.last), 5).is_none());
///
/// let mut loader = LeagueLoader::new(System::Glicko2);
/// loader.append(&first)?;
/// loader.append(&second)?;
/// assert!(loader.finish().top(9).eq(league.top(9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Segment<K> {
    /// The players of the results, in the order of their first appearance.
    pub players: Vec<K>,
    /// The number of results.
    pub results: usize,
    /// The newest result.
    pub last: ResultId,
    /// The results. Little-endian: id, time, winner and number of seats; then for each seat the index of the
    /// player, the weight and the numbers of the skill.
    pub body: Vec<u8>,
}

impl<K: Clone + Eq + Hash> League<K> {
    /// The oldest results after one of them, or of all: exactly this many, or `None` if there are fewer.
    #[must_use]
    pub fn segment(&self, after: Option<ResultId>, results: usize) -> Option<Segment<K>> {
        let rows: Vec<&ResultRow> = self.history.rows_after(after).take(results).collect();
        let last = rows.last().filter(|_| rows.len() == results)?.id;
        let mut indexes: HashMap<PlayerId, u32> = HashMap::new();
        let mut segment = Segment { players: Vec::new(), results, last, body: Vec::new() };
        for row in rows {
            let body = &mut segment.body;
            body.extend(row.id.0.to_le_bytes());
            body.extend(row.at.to_le_bytes());
            body.push(row.outcome.winner().map_or(NO_WINNER, |seat| seat as u8));
            body.push(row.seats);
            for (_, slot) in row.slots() {
                let player = self.history.player(slot);
                let index = *indexes.entry(player).or_insert_with(|| {
                    segment.players.push(self.keys[player.index()].clone());
                    (segment.players.len() - 1) as u32
                });
                body.extend(index.to_le_bytes());
                body.push(self.history.weight(slot).percent());
                let numbers = self.history.skill_numbers(slot).iter();
                body.extend(numbers.flat_map(|number| number.to_le_bytes()));
            }
        }
        Some(segment)
    }

    /// The same league with other keys for its players; `None` if two of them get the same.
    #[must_use]
    pub fn map_keys<L: Clone + Eq + Hash>(self, map: impl FnMut(K) -> L) -> Option<League<L>> {
        let Self { system, keys, players, history, ranking, .. } = self;
        let keys: Vec<L> = keys.into_iter().map(map).collect();
        let ids: HashMap<L, PlayerId> = (0..)
            .map(PlayerId::from_index)
            .zip(&keys)
            .map(|(player, key)| (key.clone(), player))
            .collect();
        (ids.len() == keys.len()).then_some(League { system, ids, keys, players, history, ranking })
    }
}

/// Puts a league together from its segments. Players are ranked once, at the end.
#[derive(Clone, Debug)]
pub struct LeagueLoader<K> {
    league: League<K>,
}

impl<K: Clone + Eq + Hash> LeagueLoader<K> {
    /// A loader without segments.
    #[must_use]
    pub fn new(system: System) -> Self {
        Self { league: League::new(system) }
    }

    /// Adds the next segment.
    ///
    /// # Errors
    ///
    /// Refuses bytes that no league of this system has written, and results that are not newer than those
    /// before. The loader is then of no more use.
    pub fn append(&mut self, segment: &Segment<K>) -> Result<(), SegmentError> {
        let league = &mut self.league;
        let players: Vec<PlayerId> =
            segment.players.iter().map(|key| league.find_or_insert(key)).collect();
        let width = league.history.skill_width();
        let mut rest = Reader(&segment.body);
        for _ in 0..segment.results {
            let id = ResultId(u64::from_le_bytes(rest.take()?));
            let at = i64::from_le_bytes(rest.take()?);
            let [winner, seats] = rest.take()?;
            let outcome = match winner {
                NO_WINNER => Outcome::Draw,
                seat if seat < seats => Outcome::Won { seat },
                _ => return Err(SegmentError),
            };
            let is_newer = league.newest().is_none_or(|newest| newest < id) && id <= segment.last;
            let fits = (2..=league.system.max_players()).contains(&usize::from(seats));
            if !is_newer || !fits || !league.history.has_room_for(1) {
                return Err(SegmentError);
            }
            let mut entries: ArrayVec<NewEntry, MAX_PLAYERS> = ArrayVec::new();
            for _ in 0..seats {
                let index = u32::from_le_bytes(rest.take()?) as usize;
                let player = *players.get(index).ok_or(SegmentError)?;
                let [percent] = rest.take()?;
                let weight = Weight::from_percent(percent).ok_or(SegmentError)?;
                let mut numbers = [0.0; 3];
                for number in &mut numbers[..width] {
                    *number = f64::from_le_bytes(rest.take()?);
                }
                let is_sound = numbers.iter().all(|number| number.is_finite())
                    && entries.iter().all(|entry| entry.player != player);
                if !is_sound {
                    return Err(SegmentError);
                }
                let skill = Skill::from_numbers(&numbers);
                let previous = league.last_slot(player);
                entries.push(NewEntry { player, previous, weight, skill });
            }
            let row = league.history.push(id, at, outcome, &entries);
            for ((seat, slot), entry) in row.slots().zip(&entries) {
                league.count(row, seat, slot, entry.player);
            }
        }
        let is_complete = rest.0.is_empty() && league.newest() == Some(segment.last);
        if is_complete { Ok(()) } else { Err(SegmentError) }
    }

    /// The league.
    #[must_use]
    pub fn finish(self) -> League<K> {
        let mut league = self.league;
        let players = (0..league.players.len()).map(PlayerId::from_index);
        let mut places: Vec<_> = players.filter_map(|player| league.place(player)).collect();
        places.sort_unstable_by_key(|place| place.slot);
        places.into_iter().for_each(|place| league.ranking.insert(place));
        league
    }
}

/// What is left of a segment's bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SegmentError> {
        let (&taken, rest) = self.0.split_first_chunk().ok_or(SegmentError)?;
        self.0 = rest;
        Ok(taken)
    }
}
