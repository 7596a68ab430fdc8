//! The sockets that receive a game's updates.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::ws::Utf8Bytes;
use noughts_api::{CommandRequest, GameId, GameUpdate, IdentityId, Participant, ServerMessage};
use tokio::sync::{mpsc, oneshot};

use super::LiveGames;
use super::message::{Failure, GameMessage, PlayerMessage, ReplyTo};
use crate::limits::GamePermit;

/// Messages that wait for a client. A client that is further behind is disconnected.
const SUBSCRIBER_QUEUE: usize = 128;

/// A message as JSON, made once for all subscribers.
pub(crate) type Text = Utf8Bytes;

/// A message as JSON.
pub(crate) fn text(message: &ServerMessage) -> Text {
    serde_json::to_string(message).expect("messages have string keys only").into()
}

/// What a client has seen of a game when it subscribes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Resume {
    /// It has the game as it was at this event, and needs the updates after it.
    pub(crate) since: Option<u32>,
    /// It must not get an older state than this one.
    pub(crate) seq: u32,
}

/// The task's end of a subscription.
pub(crate) struct Subscriber {
    id: u64,
    pub(super) identity: Option<IdentityId>,
    queue: mpsc::Sender<Text>,
}

impl Subscriber {
    pub(super) fn new(identity: Option<IdentityId>) -> (Subscriber, mpsc::Receiver<Text>) {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let (queue, messages) = mpsc::channel(SUBSCRIBER_QUEUE);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        (Subscriber { id, identity, queue }, messages)
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }
}

/// Everyone who receives a game's updates.
#[derive(Default)]
pub(super) struct Subscribers {
    all: Vec<Subscriber>,
    /// The last event that was sent.
    pub(super) last_broadcast_seq: u32,
}

impl Subscribers {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn add(&mut self, subscriber: Subscriber) {
        self.all.push(subscriber);
    }

    pub(super) fn remove(&mut self, id: u64) -> Option<Subscriber> {
        let index = self.all.iter().position(|subscriber| subscriber.id == id)?;
        Some(self.all.swap_remove(index))
    }

    /// Whether an identity has a socket open.
    pub(super) fn includes(&self, identity: IdentityId) -> bool {
        self.all.iter().any(|subscriber| subscriber.identity == Some(identity))
    }

    /// Who has a socket open; none for those without a token.
    pub(super) fn identities(&self) -> impl Iterator<Item = Option<IdentityId>> + '_ {
        self.all.iter().map(|subscriber| subscriber.identity)
    }

    /// Sends updates that were not sent before.
    pub(super) fn broadcast_updates(&mut self, updates: Vec<GameUpdate>) {
        for update in updates {
            if update.seq > self.last_broadcast_seq {
                self.last_broadcast_seq = update.seq;
                if !self.is_empty() {
                    self.broadcast(&ServerMessage::Update(Box::new(update)));
                }
            }
        }
    }

    pub(super) fn broadcast(&mut self, message: &ServerMessage) {
        let text = text(message);
        // Dropping the sender disconnects a client that is too slow.
        self.all.retain(|subscriber| match subscriber.queue.try_send(text.clone()) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => {
                metrics::counter!("noughts_slow_clients_dropped_total").increment(1);
                false
            }
            // The socket's `Unsubscribe` is on its way.
            Err(mpsc::error::TrySendError::Closed(_)) => true,
        });
    }

    /// Sends a reply to one subscriber.
    pub(super) fn send_to(&mut self, id: u64, message: &ServerMessage) {
        let Some(subscriber) = self.all.iter().find(|subscriber| subscriber.id == id) else {
            return;
        };
        if let Err(mpsc::error::TrySendError::Full(_)) = subscriber.queue.try_send(text(message)) {
            metrics::counter!("noughts_slow_clients_dropped_total").increment(1);
            self.remove(id);
        }
    }
}

/// The socket's end of a subscription. Dropping it unsubscribes.
pub(crate) struct Subscription {
    games: Arc<LiveGames>,
    game: GameId,
    id: u64,
    inbox: mpsc::Sender<GameMessage>,
    messages: mpsc::Receiver<Text>,
}

impl LiveGames {
    /// Subscribes to a game's updates. Also returns the messages to send first: what the client
    /// missed since an event, or else the whole game.
    pub(crate) async fn subscribe(
        self: &Arc<LiveGames>,
        game: GameId,
        identity: Option<IdentityId>,
        resume: Resume,
    ) -> Result<(Subscription, Vec<Text>), Failure> {
        let (subscriber, messages) = Subscriber::new(identity);
        let id = subscriber.id;
        let (reply, replied) = oneshot::channel();
        let subscriber = Box::new(subscriber);
        let inbox = self.send(game, GameMessage::Subscribe { subscriber, resume, reply }).await;
        // Made before waiting: a client that goes away meanwhile is unsubscribed again.
        let subscription = Subscription { games: self.clone(), game, id, inbox, messages };
        let first = replied.await.map_err(|_| Failure::Unavailable)??;
        Ok((subscription, first))
    }
}

impl Subscription {
    /// The game.
    pub(crate) fn game(&self) -> GameId {
        self.game
    }

    /// The next message for the client. None if the client was too slow.
    pub(crate) async fn next(&mut self) -> Option<Text> {
        self.messages.recv().await
    }

    /// The next message for the client, if there is one already.
    pub(crate) fn try_next(&mut self) -> Option<Text> {
        self.messages.try_recv().ok()
    }

    /// Sends a command. The reply comes as a message for the client.
    pub(crate) async fn command(
        &mut self,
        player: Arc<Participant>,
        request: CommandRequest,
        permit: Option<GamePermit>,
    ) {
        let reply_to = ReplyTo::Subscriber(self.id);
        let message = PlayerMessage { player, request, reply_to, permit };
        self.send(GameMessage::Command(Box::new(message))).await;
    }

    /// Reports the round-trip time of the client.
    pub(crate) async fn report_lag(&mut self, identity: IdentityId, ms: u64) {
        self.send(GameMessage::Lag { identity, ms }).await;
    }

    async fn send(&mut self, message: GameMessage) {
        // If the task has ended, the next one gets the message.
        if let Err(mpsc::error::SendError(message)) = self.inbox.send(message).await {
            self.inbox = self.games.send(self.game, message).await;
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let message = GameMessage::Unsubscribe { id: self.id };
        let (inbox, message) = match self.inbox.try_send(message) {
            Ok(()) => return,
            Err(mpsc::error::TrySendError::Full(message)) => (Some(self.inbox.clone()), message),
            Err(mpsc::error::TrySendError::Closed(message)) => {
                (self.games.registry.running(self.game), message)
            }
        };
        if let Some(inbox) = inbox {
            self.games.lifecycle.tasks.spawn(async move {
                let _ = inbox.send(message).await;
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lag(ms: u64) -> ServerMessage {
        ServerMessage::Lag { seat: noughts_rules::Seat::FIRST, ms }
    }

    #[tokio::test]
    async fn replies_follow_earlier_broadcasts() {
        let mut subscribers = Subscribers::default();
        let (one, mut to_one) = Subscriber::new(None);
        let (other, mut to_other) = Subscriber::new(Some(IdentityId(1)));
        let id = one.id();
        subscribers.add(one);
        subscribers.add(other);
        assert!(subscribers.includes(IdentityId(1)) && !subscribers.includes(IdentityId(2)));
        subscribers.broadcast(&lag(1));
        subscribers.send_to(id, &lag(2));
        assert_eq!(to_one.recv().await, Some(text(&lag(1))));
        assert_eq!(to_one.recv().await, Some(text(&lag(2))));
        assert_eq!(to_other.recv().await, Some(text(&lag(1))));
        assert!(to_other.try_recv().is_err());
    }

    #[tokio::test]
    async fn slow_subscribers_are_dropped() {
        let mut subscribers = Subscribers::default();
        let (slow, mut messages) = Subscriber::new(None);
        subscribers.add(slow);
        for ms in 0..=SUBSCRIBER_QUEUE as u64 {
            assert_eq!(subscribers.len(), 1);
            subscribers.broadcast(&lag(ms));
        }
        assert!(subscribers.is_empty());
        for ms in 0..SUBSCRIBER_QUEUE as u64 {
            assert_eq!(messages.recv().await, Some(text(&lag(ms))));
        }
        assert_eq!(messages.recv().await, None);
    }
}
