//! What waits to be sent to a client.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;

/// How many texts wait for a client. One that is further behind is dropped.
const MOST: usize = 128;

/// How many texts have room to wait while none does.
const KEPT: usize = 4;

/// Texts on their way from games to one connection.
///
/// A channel of `tokio` would do, but it keeps room for 32 texts from the beginning. Most of many
/// thousand connections are quiet, and then this takes next to nothing.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// Held for moments only: nobody waits while holding it.
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    texts: VecDeque<Utf8Bytes>,
    is_closed: bool,
}

/// Why a text is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotSent {
    /// Too many wait already: the client does not read.
    Full,
    /// The connection ends.
    Closed,
}

impl Outbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a text wait until the connection sends it.
    pub(crate) fn put(&self, text: Utf8Bytes) -> Result<(), NotSent> {
        let mut waiting = self.waiting();
        if waiting.is_closed {
            return Err(NotSent::Closed);
        }
        if waiting.texts.len() >= MOST {
            return Err(NotSent::Full);
        }
        waiting.texts.push_back(text);
        drop(waiting);
        self.changed.notify_one();
        Ok(())
    }

    /// Takes no more texts. Those that wait are still to be had.
    pub(crate) fn close(&self) {
        self.waiting().is_closed = true;
        self.changed.notify_one();
    }

    /// The text that has waited longest, if one waits.
    pub(crate) fn take(&self) -> Option<Utf8Bytes> {
        let mut waiting = self.waiting();
        let text = waiting.texts.pop_front();
        if waiting.texts.is_empty() {
            waiting.texts.shrink_to(KEPT);
        }
        text
    }

    /// Waits for a text. There is none any more once this is closed and empty. Only one may wait.
    pub(crate) async fn next(&self) -> Option<Utf8Bytes> {
        loop {
            // What changes from here on is noticed below.
            let changed = self.changed.notified();
            if let Some(text) = self.take() {
                return Some(text);
            }
            if self.waiting().is_closed {
                return None;
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn text(number: usize) -> Utf8Bytes {
        number.to_string().into()
    }

    #[tokio::test]
    async fn texts_come_in_order_to_whoever_waits() {
        let outbox = Arc::new(Outbox::default());
        let reading = tokio::spawn({
            let outbox = outbox.clone();
            async move {
                let mut read = Vec::new();
                while let Some(text) = outbox.next().await {
                    read.push(text);
                }
                read
            }
        });
        for number in 0..1_000 {
            while outbox.put(text(number)) == Err(NotSent::Full) {
                tokio::task::yield_now().await;
            }
        }
        outbox.close();
        assert_eq!(outbox.put(text(0)), Err(NotSent::Closed));
        assert_eq!(reading.await.unwrap(), (0..1_000).map(text).collect::<Vec<_>>());
    }

    #[test]
    fn whoever_does_not_read_gets_no_more_and_a_quiet_one_costs_little() {
        let outbox = Outbox::default();
        for number in 0..MOST {
            outbox.put(text(number)).unwrap();
        }
        assert_eq!(outbox.put(text(MOST)), Err(NotSent::Full));
        let read: Vec<_> = std::iter::from_fn(|| outbox.take()).collect();
        assert_eq!(read, (0..MOST).map(text).collect::<Vec<_>>());
        assert!(outbox.waiting().texts.capacity() <= KEPT);
    }
}
