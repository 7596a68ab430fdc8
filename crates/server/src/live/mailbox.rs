//! Letters on their way to the task of a game.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use smallvec::SmallVec;

use super::Letter;
use super::room::Room;

/// How many letters wait for a game at most. Whoever sends more waits until there is room.
const MOST: usize = 32;

/// What waits for the task of a game. It is a part of the game's room and behind the same lock:
/// thousands of games are in memory, and most have one letter at a time.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    /// The next one first.
    letters: SmallVec<[Letter; 1]>,
    /// Whether there is a task that reads them.
    is_open: bool,
    /// The task, while it waits for a letter.
    task: Option<Waker>,
    /// Those who wait for room.
    senders: Vec<Waker>,
}

impl Mailbox {
    /// Opens it for a task. Answers whether that has to be started: none reads it yet.
    pub(super) fn open(&mut self) -> bool {
        !std::mem::replace(&mut self.is_open, true)
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Takes a letter if there is room for it.
    pub(super) fn put(&mut self, letter: Letter) -> Result<(), Letter> {
        if self.letters.len() < MOST { self.put_anyway(letter) } else { Err(letter) }
    }

    /// The same for the server's own letters, of which there are few: they need no room.
    pub(super) fn put_anyway(&mut self, letter: Letter) -> Result<(), Letter> {
        if !self.is_open {
            return Err(letter);
        }
        self.letters.push(letter);
        if let Some(task) = self.task.take() {
            task.wake();
        }
        Ok(())
    }

    /// Waits for room and takes the letter, which is there until then, or gives it back where nobody
    /// reads it.
    pub(super) fn poll_put(
        &mut self,
        letter: &mut Option<Letter>,
        cx: &Context<'_>,
    ) -> Poll<Result<(), Letter>> {
        if self.is_open && self.letters.len() >= MOST {
            self.senders.push(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(letter.take().map_or(Ok(()), |letter| self.put_anyway(letter)))
    }

    fn poll_next(&mut self, cx: &Context<'_>) -> Poll<Letter> {
        if !self.letters.is_empty() {
            self.wake_senders();
            return Poll::Ready(self.letters.remove(0));
        }
        self.task = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Takes no more. What is in it comes out, and those who wait for room hear of it.
    fn close(&mut self) -> SmallVec<[Letter; 1]> {
        let mut closed = std::mem::take(self);
        closed.wake_senders();
        closed.letters
    }

    fn wake_senders(&mut self) {
        self.senders.drain(..).for_each(Waker::wake);
    }
}

/// The task's end of a mailbox. When it is dropped, what is still in the mailbox is dropped as well,
/// and the next letter starts another task.
#[derive(Debug)]
pub(super) struct Letters {
    room: Arc<Room>,
    is_open: bool,
}

impl Letters {
    /// Of a mailbox that was just opened.
    pub(super) fn new(room: Arc<Room>) -> Letters {
        Letters { room, is_open: true }
    }

    pub(super) fn room(&self) -> &Arc<Room> {
        &self.room
    }

    /// Waits for the next letter.
    pub(super) async fn next(&mut self) -> Letter {
        poll_fn(|cx| self.room.with_mailbox(|mailbox| mailbox.poll_next(cx))).await
    }

    /// Takes no more, and answers what has come so far.
    pub(super) fn close(&mut self) -> SmallVec<[Letter; 1]> {
        match std::mem::take(&mut self.is_open) {
            true => self.room.with_mailbox(Mailbox::close),
            // It may be another task's by now.
            false => SmallVec::new(),
        }
    }
}

impl Drop for Letters {
    fn drop(&mut self) {
        drop(self.close());
    }
}

#[cfg(test)]
mod tests {
    use noughts_store::GameId;
    use tokio::task::JoinHandle;
    use tokio::time::{Duration, timeout};

    use super::*;

    fn room() -> Arc<Room> {
        Arc::new(Room::new(GameId::from_bytes([7; 16])))
    }

    fn is_catch_up(letter: &Letter) -> bool {
        matches!(letter, Letter::CatchUp)
    }

    /// Fills a mailbox, and sends one letter more, which waits.
    async fn overfill(room: &Arc<Room>) -> JoinHandle<Result<(), Letter>> {
        for _ in 0..MOST {
            room.post(Letter::Tick).unwrap();
        }
        assert!(room.post(Letter::CatchUp).is_err());
        let room = room.clone();
        let waiting = tokio::spawn(async move { room.post_in_turn(Letter::CatchUp).await });
        tokio::task::yield_now().await;
        waiting
    }

    #[tokio::test]
    async fn letters_come_in_order_and_wake_the_task() {
        let room = room();
        assert!(room.post(Letter::Tick).is_err(), "nobody reads it");
        let mut letters = room.letters().unwrap();
        assert!(room.letters().is_none(), "a second task would read the same letters");
        let reading = tokio::spawn(async move { (letters.next().await, letters.next().await) });
        tokio::task::yield_now().await;
        room.post(Letter::Tick).unwrap();
        tokio::task::yield_now().await;
        room.post(Letter::CatchUp).unwrap();
        let read = timeout(Duration::from_secs(10), reading).await.unwrap().unwrap();
        assert!(matches!(read, (Letter::Tick, Letter::CatchUp)), "{read:?}");
    }

    #[tokio::test]
    async fn a_full_mailbox_lets_senders_wait_but_not_the_server() {
        let room = room();
        let mut letters = room.letters().unwrap();
        let waiting = overfill(&room).await;
        room.post_own(Letter::Stop);
        for _ in 0..MOST {
            assert!(matches!(letters.next().await, Letter::Tick));
        }
        assert!(matches!(letters.next().await, Letter::Stop));
        let last = timeout(Duration::from_secs(10), letters.next()).await.unwrap();
        assert!(is_catch_up(&last), "{last:?}");
        waiting.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn what_a_task_leaves_is_its_own_and_the_next_one_starts_empty() {
        let room = room();
        let mut letters = room.letters().unwrap();
        let waiting = overfill(&room).await;
        assert_eq!(letters.close().len(), MOST);
        let back = timeout(Duration::from_secs(10), waiting).await.unwrap().unwrap();
        assert!(is_catch_up(&back.unwrap_err()));
        let mut next = room.letters().unwrap();
        room.post(Letter::CatchUp).unwrap();
        assert!(letters.close().is_empty(), "it took what another task is to read");
        drop(letters);
        assert!(is_catch_up(&next.next().await));
    }

    #[tokio::test]
    async fn whoever_drops_it_closes_it() {
        let room = room();
        let letters = room.letters().unwrap();
        room.post(Letter::Tick).unwrap();
        drop(letters);
        assert!(room.is_empty());
        assert!(room.post(Letter::Tick).is_err());
    }
}
