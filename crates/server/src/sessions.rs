//! Which connections a token has opened, so that they end with it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use noughts_store::{IdentityId, TokenHash};
use tokio_util::sync::CancellationToken;

/// The open connections of this server by token.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    open: Mutex<HashMap<TokenHash, Open>>,
}

#[derive(Debug)]
struct Open {
    identity: IdentityId,
    end: CancellationToken,
    connections: usize,
}

impl Sessions {
    /// What ends a connection when its token ends. Whoever opens it closes it again.
    /// `end` makes what ends all connections of the token when it is its first.
    pub(crate) fn open(
        &self,
        token: TokenHash,
        identity: IdentityId,
        end: impl FnOnce() -> CancellationToken,
    ) -> CancellationToken {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let session =
            open.entry(token).or_insert_with(|| Open { identity, end: end(), connections: 0 });
        session.connections += 1;
        session.end.clone()
    }

    pub(crate) fn close(&self, token: TokenHash) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = open.get_mut(&token) {
            session.connections -= 1;
            if session.connections == 0 {
                open.remove(&token);
            }
        }
    }

    /// Ends all connections of a token.
    pub(crate) fn end(&self, token: TokenHash) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = open.get(&token) {
            session.end.cancel();
        }
    }

    /// The tokens with which connections are open, of one identity or of all.
    pub(crate) fn tokens(&self, identity: Option<IdentityId>) -> Vec<TokenHash> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let of_whom = |open: &Open| identity.is_none_or(|identity| open.identity == identity);
        open.iter().filter(|(_, open)| of_whom(open)).map(|(token, _)| *token).collect()
    }
}
