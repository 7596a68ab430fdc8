//! Everybody who was ever in a league, by name and by number.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

use crate::entries::Entries;
use crate::history::Slot;
use crate::name::{fold, folds_to};
use crate::{Name, Record};

/// A player's number in a league.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) struct PlayerId(NonZeroU32);

impl PlayerId {
    /// The number of the player with this index. A player is in so many bytes of names that
    /// there is one.
    fn of_index(index: usize) -> Self {
        Self(NonZeroU32::new(number(index + 1)).expect("one more than an index"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// What a league keeps about a player beside the history. Aligned so that it lies in one line of
/// the processor's cache: to look at two, in a large league, is to wait for memory twice.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Player {
    /// Where the spelling is among all.
    spelling: (u32, u32),
    pub record: Record,
    /// `None` once every result of the player is retracted.
    pub span: Option<Span>,
}

/// The ends of a player's chain of slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub first: Slot,
    pub last: Slot,
}

/// The players in the order in which they came, one text that holds all their spellings
/// end to end, and a hash table of numbers that finds them.
///
/// People choose their names, so the hash is keyed: no choice of names can make it slow.
/// With half of the hash in the table, growing it needs no names, and a name is compared
/// only when it is almost certainly the right one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Players {
    rows: Vec<Player>,
    spellings: String,
    entries: Entries,
    hasher: RandomState,
}

impl Players {
    pub(crate) fn find(&self, text: &str) -> Option<PlayerId> {
        let folded = fold(text);
        self.find_folded(&folded, self.hash_folded(&folded))
    }

    /// Finds a player by name and its hash, or makes them one. The spelling of the first
    /// time is kept.
    pub(crate) fn intern(&mut self, name: &Name, hash: u32) -> PlayerId {
        self.find_folded(name.folded(), hash).unwrap_or_else(|| self.add(name, hash))
    }

    pub(crate) fn hash(&self, name: &Name) -> u32 {
        self.hash_folded(name.folded())
    }

    /// Reads what looking for a name with this hash reads first.
    pub(crate) fn touch(&self, hash: u32) {
        self.entries.touch(hash);
    }

    /// A player whose name has this hash: whoever is looked for, as good as always.
    pub(crate) fn likely(&self, hash: u32) -> Option<PlayerId> {
        self.entries.find(hash, |_| true)
    }

    /// The spelling with which the player was first interned.
    pub(crate) fn spelling(&self, player: PlayerId) -> &str {
        let (start, end) = self.rows[player.index()].spelling;
        &self.spellings[start as usize..end as usize]
    }

    /// Whether names of this many bytes can still be numbered.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        self.spellings.len() + bytes <= u32::MAX as usize
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.rows.as_slice()) + self.spellings.len() + self.entries.bytes()
    }

    fn add(&mut self, name: &Name, hash: u32) -> PlayerId {
        let player = PlayerId::of_index(self.rows.len());
        let start = number(self.spellings.len());
        self.spellings.push_str(name.as_str());
        self.rows.push(Player {
            spelling: (start, number(self.spellings.len())),
            record: Record::default(),
            span: None,
        });
        self.entries.insert(hash, player);
        player
    }

    fn find_folded(&self, folded: &str, hash: u32) -> Option<PlayerId> {
        self.entries.find(hash, |player| folds_to(self.spelling(player), folded))
    }

    fn hash_folded(&self, folded: &str) -> u32 {
        self.hasher.hash_one(folded) as u32
    }
}

impl Index<PlayerId> for Players {
    type Output = Player;

    fn index(&self, player: PlayerId) -> &Player {
        &self.rows[player.index()]
    }
}

impl IndexMut<PlayerId> for Players {
    fn index_mut(&mut self, player: PlayerId) -> &mut Player {
        &mut self.rows[player.index()]
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("the league checks for room before it takes a result")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intern(players: &mut Players, text: &str) -> PlayerId {
        let name = Name::new(text).unwrap();
        players.intern(&name, players.hash(&name))
    }

    #[test]
    fn one_person_has_one_number_and_the_first_spelling() {
        let mut players = Players::default();
        let [ann, eva] = ["Ann", "\u{c9}va"].map(|text| intern(&mut players, text));
        assert_ne!(ann, eva);
        assert_eq!(intern(&mut players, "ANN"), ann);
        assert_eq!(players.find("E\u{301}VA"), Some(eva));
        assert_eq!(players.find("Bob"), None);
        assert_eq!(players.spelling(ann), "Ann");
        assert_eq!(players.spelling(eva), "\u{c9}va");
    }

    #[test]
    fn everybody_is_still_found_after_the_table_has_grown() {
        let mut players = Players::default();
        let ids: Vec<PlayerId> =
            (0..1000).map(|n| intern(&mut players, &format!("Spieler-Ä{n}"))).collect();
        for (n, &id) in ids.iter().enumerate() {
            assert_eq!(players.find(&format!("SPIELER-ä{n}")), Some(id));
        }
    }

    #[test]
    fn equal_hashes_do_not_make_equal_people() {
        let mut players = Players::default();
        let [ann, bob] = ["Ann", "Bob"].map(|text| players.add(&Name::new(text).unwrap(), 7));
        assert_eq!(players.find_folded("ann", 7), Some(ann));
        assert_eq!(players.find_folded("bob", 7), Some(bob));
        assert_eq!(players.find_folded("cid", 7), None);
    }
}
