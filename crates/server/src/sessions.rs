//! Which connections a token has opened, so that they end with it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use noughts_store::{IdentityId, TokenHash};

use crate::live::{Ended, Outbox};

/// The open connections of this server by token.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    open: Mutex<HashMap<TokenHash, Open>>,
}

#[derive(Debug)]
struct Open {
    identity: IdentityId,
    connections: Vec<Arc<Outbox>>,
}

impl Sessions {
    /// A connection is there, which ends when its token ends. Whoever opens it closes it again.
    pub(crate) fn open(&self, token: TokenHash, identity: IdentityId, connection: &Arc<Outbox>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let none = || Open { identity, connections: Vec::with_capacity(1) };
        open.entry(token).or_insert_with(none).connections.push(connection.clone());
    }

    pub(crate) fn close(&self, token: TokenHash, connection: &Arc<Outbox>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = open.get_mut(&token) {
            session.connections.retain(|other| !Arc::ptr_eq(other, connection));
            if session.connections.is_empty() {
                open.remove(&token);
            }
        }
    }

    /// Ends all connections of a token.
    pub(crate) fn end(&self, token: TokenHash) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let connections = open.get(&token).into_iter().flat_map(|session| &session.connections);
        connections.for_each(|connection| connection.close(Ended::SignedOut));
    }

    /// The tokens with which connections are open, of one identity or of all.
    pub(crate) fn tokens(&self, identity: Option<IdentityId>) -> Vec<TokenHash> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let of_whom = |open: &Open| identity.is_none_or(|identity| open.identity == identity);
        open.iter().filter(|(_, open)| of_whom(open)).map(|(token, _)| *token).collect()
    }
}
