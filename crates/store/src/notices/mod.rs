//! Hints that something has changed, for whoever keeps something in memory.
//!
//! A notice is never the truth, which is in the database: it may come twice, late or, when a
//! connection breaks, not at all. In that last case [`Notice::Resync`] says so.
//!
//! Within one program notices go straight to the subscribers. Between servers with one PostgreSQL
//! they go by `NOTIFY`, after the commit and many in one, because a `NOTIFY` inside a transaction
//! makes all commits of the whole database wait for each other. Between programs that share an
//! SQLite file there are no notices: each looks twice a second whether another one has written.

#[cfg(feature = "postgres")]
mod payload;
#[cfg(feature = "postgres")]
mod postgres;

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{MissedTickBehavior, interval};

use crate::database::Database;
use crate::{GameId, IdentityId, Store};
#[cfg(feature = "postgres")]
use postgres::Outbox;

/// How many notices a subscriber may be behind before it has to resynchronise.
const BEHIND: usize = 4096;

/// How often a program looks whether another one has written to the same file.
const POLL: Duration = Duration::from_millis(500);

/// Something may have changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Notice {
    /// A game has got this far.
    Game {
        /// The game.
        game: GameId,
        /// How many events it has, at least.
        sequence: u64,
    },
    /// A league has results that it did not have, or lost some.
    League {
        /// The league.
        name: String,
    },
    /// An identity's name, password or tokens are not what they were.
    Identity {
        /// Whose.
        identity: IdentityId,
    },
    /// Notices were missed: anything may have changed.
    Resync,
}

/// Where notices are sent and heard. Clones share it.
#[derive(Debug, Clone)]
pub struct Notices {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    heard: broadcast::Sender<Notice>,
    #[cfg(feature = "postgres")]
    outbox: Option<Arc<Outbox>>,
}

impl Notices {
    /// Notices within this program only.
    #[must_use]
    pub fn local() -> Notices {
        Notices {
            shared: Arc::new(Shared {
                heard: broadcast::channel(BEHIND).0,
                #[cfg(feature = "postgres")]
                outbox: None,
            }),
        }
    }

    /// Notices to and from all programs that use the store's database. What this takes in the
    /// background ends when the last clone is dropped.
    #[must_use]
    pub fn start(store: &Store) -> Notices {
        let heard = broadcast::channel(BEHIND).0;
        #[cfg(feature = "postgres")]
        if let Database::Postgres(_) = &*store.database {
            let outbox = Arc::new(Outbox::new());
            let server = outbox.server();
            tokio::spawn(postgres::send(store.clone(), Arc::downgrade(&outbox)));
            let shared = Arc::new(Shared { heard, outbox: Some(outbox) });
            tokio::spawn(postgres::listen(store.clone(), server, Arc::downgrade(&shared)));
            return Notices { shared };
        }
        let shared = Arc::new(Shared {
            heard,
            #[cfg(feature = "postgres")]
            outbox: None,
        });
        tokio::spawn(watch_file(store.clone(), Arc::downgrade(&shared)));
        Notices { shared }
    }

    /// Tells everybody, here and elsewhere.
    pub fn tell(&self, notice: Notice) {
        self.tell_elsewhere(&notice);
        self.shared.hear(notice);
    }

    /// Tells other programs what everybody in this one learns in another way.
    pub fn tell_elsewhere(&self, notice: &Notice) {
        #[cfg(feature = "postgres")]
        if let Some(outbox) = &self.shared.outbox {
            outbox.put(notice);
        }
        #[cfg(not(feature = "postgres"))]
        let _ = notice;
    }

    /// Everything that is told from here on.
    #[must_use]
    pub fn subscribe(&self) -> Subscription {
        Subscription { heard: self.shared.heard.subscribe() }
    }
}

impl Shared {
    /// Tells everybody here. It does not matter if there is nobody.
    fn hear(&self, notice: Notice) {
        let _ = self.heard.send(notice);
    }
}

/// Notices for one subscriber.
#[derive(Debug)]
pub struct Subscription {
    heard: broadcast::Receiver<Notice>,
}

impl Subscription {
    /// The next notice, or none when there will be none any more. Whoever falls behind gets a
    /// [`Notice::Resync`] in place of what they missed.
    pub async fn next(&mut self) -> Option<Notice> {
        match self.heard.recv().await {
            Ok(notice) => Some(notice),
            Err(RecvError::Lagged(_)) => Some(Notice::Resync),
            Err(RecvError::Closed) => None,
        }
    }
}

/// Looks again and again whether another program has written to the file.
async fn watch_file(store: Store, shared: Weak<Shared>) {
    let file = match &*store.database {
        Database::Sqlite(file) => file,
        #[cfg(feature = "postgres")]
        Database::Postgres(_) => return,
    };
    let mut poll = interval(POLL);
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
            // At first there is nothing to compare with.
            Ok(changed) if changed && !first => shared.hear(Notice::Resync),
            Ok(_) => first = false,
            Err(error) => tracing::warn!(%error, "can't look for changes by others"),
        }
    }
}
