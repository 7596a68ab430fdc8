//! Change notices, to invalidate what is kept in memory.
//!
//! A notice is a hint; the truth is in the database. It may arrive late, twice or, if a connection
//! breaks, not at all; then [`Notice::Resync`] follows.
//!
//! Within a program, notices go straight to the subscribers. Between servers on PostgreSQL they go by
//! `NOTIFY`, after the commit and coalesced: inside a transaction, `NOTIFY` takes a lock that makes
//! all commits of the database wait for each other. Programs that share an SQLite file poll it for
//! changes by others instead.

#[cfg(feature = "postgres")]
mod payload;
#[cfg(feature = "postgres")]
mod postgres;

use std::sync::{Arc, Weak};
use std::time::Duration;

use noughts_rules::Seat;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{MissedTickBehavior, interval};

#[cfg(feature = "postgres")]
use crate::database::Database;
use noughts_api::TournamentId;

use crate::{Emote, GameId, IdentityId, Store};
#[cfg(feature = "postgres")]
use postgres::Outbox;

/// How many notices are kept for a subscriber. One that falls further behind has to resynchronise.
const SUBSCRIPTION_CAPACITY: usize = 4096;

/// How often a program checks whether another one has written to the same file.
const FILE_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Something may have changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Notice {
    /// A game has new events.
    Game {
        /// The game.
        game: GameId,
        /// The number of its events, or fewer.
        sequence: u64,
    },
    /// A league has new results or retractions.
    League {
        /// The league.
        name: String,
    },
    /// A tournament has new events.
    Tournament {
        /// The tournament.
        tournament: TournamentId,
        /// The number of its events, or fewer.
        sequence: u32,
    },
    /// An identity's name, password or tokens have changed.
    Identity {
        /// The identity.
        identity: IdentityId,
    },
    /// A player says something in a game. It is not kept.
    Emote {
        /// The game.
        game: GameId,
        /// The player's seat.
        seat: Seat,
        /// What they say.
        emote: Emote,
    },
    /// Notices were lost: anything may have changed.
    Resync,
}

/// Publishes notices and subscribes to them. Clones share the subscribers.
#[derive(Debug, Clone)]
pub struct Notices {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    subscribers: broadcast::Sender<Notice>,
    #[cfg(feature = "postgres")]
    outbox: Option<Arc<Outbox>>,
}

impl Notices {
    /// Notices within this program.
    #[must_use]
    pub fn local() -> Notices {
        Notices {
            shared: Arc::new(Shared {
                subscribers: broadcast::channel(SUBSCRIPTION_CAPACITY).0,
                #[cfg(feature = "postgres")]
                outbox: None,
            }),
        }
    }

    /// Notices to and from all programs that use the store's database. The background tasks end when
    /// the last clone is dropped.
    #[must_use]
    pub fn start(store: &Store) -> Notices {
        let subscribers = broadcast::channel(SUBSCRIPTION_CAPACITY).0;
        #[cfg(feature = "postgres")]
        if let Database::Postgres(_) = &*store.database {
            let outbox = Arc::new(Outbox::new());
            let server = outbox.server();
            tokio::spawn(postgres::send(store.clone(), Arc::downgrade(&outbox)));
            let shared = Arc::new(Shared { subscribers, outbox: Some(outbox) });
            tokio::spawn(postgres::listen(store.clone(), server, Arc::downgrade(&shared)));
            return Notices { shared };
        }
        let shared = Arc::new(Shared {
            subscribers,
            #[cfg(feature = "postgres")]
            outbox: None,
        });
        tokio::spawn(poll_file(store.clone(), Arc::downgrade(&shared)));
        Notices { shared }
    }

    /// Publishes a notice to the subscribers of all programs.
    pub fn publish(&self, notice: Notice) {
        self.publish_remote(&notice);
        self.shared.publish_local(notice);
    }

    /// Publishes a notice to other programs only.
    pub fn publish_remote(&self, notice: &Notice) {
        #[cfg(feature = "postgres")]
        if let Some(outbox) = &self.shared.outbox {
            outbox.push(notice);
        }
        #[cfg(not(feature = "postgres"))]
        let _ = notice;
    }

    /// Subscribes to all notices from now on.
    #[must_use]
    pub fn subscribe(&self) -> Subscription {
        Subscription { receiver: self.shared.subscribers.subscribe() }
    }
}

impl Shared {
    fn publish_local(&self, notice: Notice) {
        // Fails without subscribers, which is fine.
        let _ = self.subscribers.send(notice);
    }
}

/// A subscription to notices.
#[derive(Debug)]
pub struct Subscription {
    receiver: broadcast::Receiver<Notice>,
}

impl Subscription {
    /// The next notice, or `None` at the end. A subscriber that fell behind gets a
    /// [`Notice::Resync`] in place of the notices it missed.
    pub async fn next(&mut self) -> Option<Notice> {
        match self.receiver.recv().await {
            Ok(notice) => Some(notice),
            Err(RecvError::Lagged(_)) => Some(Notice::Resync),
            Err(RecvError::Closed) => None,
        }
    }
}

/// Polls the file for changes by other programs.
async fn poll_file(store: Store, shared: Weak<Shared>) {
    let Some(file) = store.database.sqlite() else { return };
    let mut poll = interval(FILE_POLL_INTERVAL);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut first = true;
    loop {
        poll.tick().await;
        if file.is_closed() {
            return;
        }
        let changed = file.changed_by_others().await;
        let Some(shared) = shared.upgrade() else { return };
        match changed {
            // The first poll has nothing to compare with.
            Ok(changed) if changed && !first => shared.publish_local(Notice::Resync),
            Ok(_) => first = false,
            Err(error) => tracing::warn!(%error, "can't poll the file for changes"),
        }
    }
}
