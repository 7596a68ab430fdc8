//! A hash table of players that looks at one place in memory.

use std::hint;

use crate::players::PlayerId;

/// Players by the hashes of their names.
///
/// Where a league has millions of players, finding one is waiting for memory. Here the part of the
/// hash that tells players apart lies beside the player's number, at the place that the hash gives
/// or right behind it, so that there is one wait. (The hash tables of the standard library keep
/// the two apart, and wait twice.)
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    /// None, or a hash above a player's number. Their places ascend with the hashes, so that
    /// growing goes through memory in order.
    places: Vec<Option<Entry>>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    player: PlayerId,
}

impl Entries {
    /// Looks where the search for a hash begins, and decides nothing by what is there.
    pub(crate) fn touch(&self, hash: u32) {
        hint::black_box(self.places.get(place(hash, self.places.len())).copied());
    }

    /// The first player with this hash of whom it is true.
    pub(crate) fn find(&self, hash: u32, is: impl Fn(PlayerId) -> bool) -> Option<PlayerId> {
        let from = place(hash, self.places.len());
        let (before, behind) = self.places.split_at(from);
        // There always is an empty place, so this ends.
        for entry in behind.iter().chain(before) {
            match entry {
                Some(entry) if entry.hash == hash && is(entry.player) => return Some(entry.player),
                Some(_) => {}
                None => return None,
            }
        }
        None
    }

    pub(crate) fn insert(&mut self, hash: u32, player: PlayerId) {
        // At three quarters, a search still ends after a few places.
        if (self.len + 1) * 4 > self.places.len() * 3 {
            self.grow();
        }
        self.put(Entry { hash, player });
        self.len += 1;
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.places.as_slice())
    }

    fn put(&mut self, entry: Entry) {
        let mut at = place(entry.hash, self.places.len());
        while self.places[at].is_some() {
            at = (at + 1) % self.places.len();
        }
        self.places[at] = Some(entry);
    }

    #[cold]
    fn grow(&mut self) {
        let room = usize::max(2 * self.places.len(), 8);
        let old = std::mem::replace(&mut self.places, vec![None; room]);
        old.into_iter().flatten().for_each(|entry| self.put(entry));
    }
}

/// Where the search for a hash begins.
fn place(hash: u32, places: usize) -> usize {
    ((u64::from(hash) * places as u64) >> 32) as usize
}
