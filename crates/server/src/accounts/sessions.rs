//! Open connections by token: they close when their token is revoked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_store::{IdentityId, TokenHash};
use tokio_util::sync::CancellationToken;

/// The open connections of this server.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    open: Mutex<HashMap<TokenHash, Session>>,
}

/// The connections of one token.
#[derive(Debug)]
struct Session {
    identity: IdentityId,
    connections: Vec<(u64, CancellationToken)>,
    next_id: u64,
}

/// A registered connection, until it is dropped.
#[derive(Debug)]
pub(crate) struct SessionGuard {
    sessions: Arc<Sessions>,
    token: TokenHash,
    id: u64,
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, HashMap<TokenHash, Session>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a connection. `close` is cancelled if its token is revoked.
    pub(crate) fn open(
        self: &Arc<Self>,
        token: TokenHash,
        identity: IdentityId,
        close: CancellationToken,
    ) -> SessionGuard {
        let mut open = self.lock();
        let new = || Session { identity, connections: Vec::with_capacity(1), next_id: 0 };
        let session = open.entry(token).or_insert_with(new);
        let id = session.next_id;
        session.next_id += 1;
        session.connections.push((id, close));
        SessionGuard { sessions: self.clone(), token, id }
    }

    /// Closes all connections of a revoked token.
    pub(crate) fn close(&self, token: TokenHash) {
        let open = self.lock();
        let connections = open.get(&token).into_iter().flat_map(|session| &session.connections);
        connections.for_each(|(_, close)| close.cancel());
    }

    /// The tokens of open connections, of one identity or of all.
    pub(crate) fn tokens(&self, identity: Option<IdentityId>) -> Vec<TokenHash> {
        let open = self.lock();
        let matches = |session: &Session| identity.is_none_or(|id| session.identity == id);
        open.iter().filter(|(_, session)| matches(session)).map(|(token, _)| *token).collect()
    }
}

impl Drop for SessionGuard {
    fn drop(&mut self) {
        let mut open = self.sessions.lock();
        if let Some(session) = open.get_mut(&self.token) {
            session.connections.retain(|(id, _)| *id != self.id);
            if session.connections.is_empty() {
                open.remove(&self.token);
            }
        }
    }
}
