//! Where a game is watched: light enough to stay while the game itself is not in memory.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use noughts_store::{GameId, IdentityId};
use smallvec::SmallVec;

use super::Letter;
use super::frames::Frames;
use super::mailbox::{Letters, Mailbox};
use super::outbox::{Ended, Outbox};

/// How many watchers are told without waking anybody for it.
const AT_ONCE: usize = 4;

/// A game's place in the registry: its mailbox, if its task runs, and who watches.
#[derive(Debug)]
pub(crate) struct Room {
    pub(super) game: GameId,
    /// Held for moments only: nobody waits while holding it.
    state: Mutex<RoomState>,
    /// The last event that watchers were told.
    told: AtomicU32,
    /// How often a computer was asked to think.
    asked: AtomicU32,
}

#[derive(Debug, Default)]
struct RoomState {
    mailbox: Mailbox,
    /// Most often both players.
    watchers: SmallVec<[Watcher; 2]>,
    /// Who plays, as the game's task last saw it.
    players: Vec<(IdentityId, u8)>,
    /// Whether it knows that nobody has to be there any more.
    is_over: bool,
    /// When players last looked, or did something, without a connection that stays.
    looks: Vec<(IdentityId, Instant)>,
}

/// Someone who is told what happens.
#[derive(Debug)]
pub(crate) struct Watcher {
    /// Tells watchers apart.
    pub(crate) id: u64,
    /// Who it is, if they said.
    pub(crate) identity: Option<IdentityId>,
    /// Where it is told. When it is full the watcher is too slow, and is dropped.
    pub(crate) outbox: Arc<Outbox>,
}

static NEXT_WATCHER: AtomicU64 = AtomicU64::new(1);

impl Watcher {
    /// A watcher with a number of its own.
    pub(crate) fn new(identity: Option<IdentityId>, outbox: Arc<Outbox>) -> Watcher {
        Watcher { id: NEXT_WATCHER.fetch_add(1, Ordering::Relaxed), identity, outbox }
    }
}

impl Room {
    pub(super) fn new(game: GameId) -> Room {
        Room { game, state: Mutex::default(), told: AtomicU32::new(0), asked: AtomicU32::new(0) }
    }

    fn state(&self) -> MutexGuard<'_, RoomState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks a computer to think. What was asked before need not be answered any more.
    pub(super) fn ask(&self) -> u32 {
        self.asked.fetch_add(1, Ordering::AcqRel).wrapping_add(1)
    }

    /// Whether what was asked is still to be answered.
    pub(super) fn is_asked(&self, number: u32) -> bool {
        self.asked.load(Ordering::Acquire) == number
    }

    /// The letters to the game, for a task that is to be started. None where one reads them.
    pub(super) fn letters(self: &Arc<Room>) -> Option<Letters> {
        self.with_mailbox(Mailbox::open).then(|| Letters::new(self.clone()))
    }

    /// Looks into the mailbox.
    pub(super) fn with_mailbox<T>(&self, look: impl FnOnce(&mut Mailbox) -> T) -> T {
        look(&mut self.state().mailbox)
    }

    /// Gives a letter to the game's task, where there is one that has room for it.
    pub(crate) fn post(&self, letter: Letter) -> Result<(), Letter> {
        self.with_mailbox(|mailbox| mailbox.put(letter))
    }

    /// The same, and waits for room. It comes back where there is no task.
    pub(super) async fn post_in_turn(&self, letter: Letter) -> Result<(), Letter> {
        let mut letter = Some(letter);
        poll_fn(|cx| self.with_mailbox(|mailbox| mailbox.poll_put(&mut letter, cx))).await
    }

    /// Gives the server's own letter to the game's task. Where there is none, nobody needs it.
    pub(super) fn post_own(&self, letter: Letter) {
        let _ = self.with_mailbox(|mailbox| mailbox.put_anyway(letter));
    }

    /// Whether the game's task runs.
    pub(super) fn is_in_memory(&self) -> bool {
        self.with_mailbox(|mailbox| mailbox.is_open())
    }

    /// Whether nobody watches and no task runs.
    pub(super) fn is_empty(&self) -> bool {
        let state = self.state();
        state.watchers.is_empty() && !state.mailbox.is_open()
    }

    /// How many watch.
    pub(crate) fn watchers(&self) -> usize {
        self.state().watchers.len()
    }

    /// Whether someone watches as this identity, or has looked within a time.
    pub(crate) fn is_here(&self, identity: IdentityId, within: Duration) -> bool {
        let state = self.state();
        let mut looks = state.looks.iter();
        state.watchers.iter().any(|watcher| watcher.identity == Some(identity))
            || looks.any(|(who, at)| *who == identity && at.elapsed() <= within)
    }

    /// A player has looked.
    pub(super) fn note_look(&self, identity: IdentityId) {
        let mut state = self.state();
        let RoomState { looks, players, .. } = &mut *state;
        let is_player = |who: IdentityId| players.iter().any(|(player, _)| *player == who);
        looks.retain(|(who, _)| *who != identity && is_player(*who));
        if is_player(identity) {
            looks.push((identity, Instant::now()));
        }
    }

    /// The seats of an identity.
    pub(crate) fn seats_of(&self, identity: IdentityId) -> Vec<u8> {
        let state = self.state();
        let own = state.players.iter().filter(|(who, _)| *who == identity);
        own.map(|(_, seat)| *seat).collect()
    }

    /// Whether the game waits for an identity that is not there.
    pub(crate) fn misses(&self, identity: IdentityId) -> bool {
        let state = self.state();
        !state.is_over && state.players.iter().any(|(who, _)| *who == identity)
    }

    pub(super) fn set_players(&self, players: Vec<(IdentityId, u8)>, is_over: bool) {
        let mut state = self.state();
        state.players = players;
        state.is_over = is_over;
    }

    /// The game.
    pub(crate) fn key(&self) -> GameId {
        self.game
    }

    /// Lets a watcher in who knows the game as it is. What of that is news, only the others are told.
    pub(super) fn add(&self, watcher: Watcher, news: &mut Frames) {
        self.tell(news, None);
        self.state().watchers.push(watcher);
    }

    /// A watcher has gone.
    pub(crate) fn leave(&self, id: u64) {
        let mut state = self.state();
        state.watchers.retain(|watcher| watcher.id != id);
        if state.watchers.is_empty() {
            state.watchers = SmallVec::new();
            if state.is_over {
                let _ = state.mailbox.put_anyway(Letter::Unwatched);
            }
        }
    }

    /// The last event that watchers were told.
    pub(super) fn told(&self) -> u32 {
        self.told.load(Ordering::Acquire)
    }

    pub(super) fn set_told(&self, seq: u32) {
        self.told.fetch_max(seq, Ordering::AcqRel);
    }

    /// Ends the connections of everyone who watches.
    pub(super) fn close(&self, why: Ended) {
        self.state().watchers.iter().for_each(|watcher| watcher.outbox.close(why));
    }

    /// Tells everyone the news, of which nothing is left then, and one watcher an answer after it.
    ///
    /// Whoever has not read what they were told before hears no more: their outbox has closed, and
    /// with it their connection. Whose connection has ended finds everything in the log.
    pub(crate) fn tell(&self, news: &mut Frames, answer: Option<(u64, &str)>) {
        let for_all = news.len();
        if let Some((_, text)) = answer {
            news.push(text);
        }
        if news.is_empty() {
            return;
        }
        let for_one = |id: u64| match answer {
            Some((whom, _)) if whom == id => &news[..],
            _ => &news[..for_all],
        };
        // Players do not wait for a crowd, which is told by its own tasks.
        let mut first = ArrayVec::<(u64, Arc<Outbox>), AT_ONCE>::new();
        {
            let state = self.state();
            let (few, crowd) = state.watchers.split_at(AT_ONCE.min(state.watchers.len()));
            first.extend(few.iter().map(|watcher| (watcher.id, watcher.outbox.clone())));
            for watcher in crowd {
                let _ = watcher.outbox.put(for_one(watcher.id));
                watcher.outbox.flush_later();
            }
        }
        for (id, outbox) in first {
            let frames = for_one(id);
            if !frames.is_empty() {
                let _ = outbox.send(frames);
            }
        }
        news.clear();
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::super::outbox::tests::connect;
    use super::*;

    fn room() -> Arc<Room> {
        Arc::new(Room::new(GameId::from_bytes([7; 16])))
    }

    #[test]
    fn players_are_missed_until_the_game_is_over() {
        let [ann, bob, watcher] = [1, 2, 3].map(IdentityId);
        let room = room();
        assert!(!room.misses(ann), "nobody plays yet");
        room.set_players(vec![(ann, 0), (bob, 1)], false);
        assert!(room.misses(ann) && room.misses(bob) && !room.misses(watcher));
        room.set_players(vec![(ann, 0), (bob, 1)], true);
        assert!(!room.misses(ann));
    }

    #[tokio::test]
    async fn everyone_hears_the_news_and_one_the_answer_after_it() {
        let room = room();
        let mut ends = Vec::new();
        // One more than are told at once.
        for _ in 0..=AT_ONCE {
            let outbox = Arc::new(Outbox::default());
            let (stream, client) = connect(&outbox).await;
            let watcher = Watcher::new(None, outbox.clone());
            ends.push((watcher.id, outbox, stream, client));
            room.add(watcher, &mut Frames::default());
        }
        let mut news: Frames = ["one", "two"].iter().collect();
        room.tell(&mut news, Some((ends[1].0, "done")));
        assert!(news.is_empty());
        room.tell(&mut news, Some((ends[2].0, "no")));
        room.tell(&mut news, None);

        let (_, outbox, stream, _) = &ends[AT_ONCE];
        outbox.changed().await.unwrap();
        outbox.drain(stream.as_ref()).await.unwrap();
        let both = b"\x81\x03one\x81\x03two";
        for (place, (id, outbox, stream, mut client)) in ends.into_iter().enumerate() {
            room.leave(id);
            outbox.end();
            drop(stream);
            let mut heard = Vec::new();
            client.read_to_end(&mut heard).await.unwrap();
            let own: &[u8] = match place {
                1 => b"\x81\x04done",
                2 => b"\x81\x02no",
                _ => b"",
            };
            assert_eq!(heard, [both, own].concat(), "{place}");
        }
    }

    #[tokio::test]
    async fn who_comes_in_is_not_told_what_was_news_before() {
        let room = room();
        let mut clients = Vec::new();
        for text in ["one", "two"] {
            let outbox = Arc::new(Outbox::default());
            clients.push(connect(&outbox).await);
            let mut news = Frames::of(text);
            room.add(Watcher::new(None, outbox), &mut news);
            assert!(news.is_empty());
        }
        room.tell(&mut Frames::of("three"), None);
        for ((_, client), expected) in
            clients.iter_mut().zip([&b"\x81\x03two\x81\x05three"[..], b"\x81\x05three"])
        {
            let mut heard = vec![0; expected.len()];
            client.read_exact(&mut heard).await.unwrap();
            assert_eq!(heard, expected);
        }
    }

    #[tokio::test]
    async fn the_task_hears_when_the_last_watcher_of_a_finished_game_leaves() {
        let room = room();
        let mut letters = room.letters().unwrap();
        let watch = || {
            let watcher = Watcher::new(None, Arc::default());
            let id = watcher.id;
            room.add(watcher, &mut Frames::default());
            id
        };
        room.leave(watch());
        room.set_players(Vec::new(), true);
        let (first, last) = (watch(), watch());
        room.leave(first);
        room.post_own(Letter::Tick);
        room.leave(last);
        assert!(matches!(letters.next().await, Letter::Tick));
        assert!(matches!(letters.next().await, Letter::Unwatched));
    }
}
