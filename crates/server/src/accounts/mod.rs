//! Identities and their tokens.

mod changes;
pub(crate) mod erasure;
mod expiry;
pub(crate) mod names;
pub(crate) mod passwords;
pub(crate) mod recovery;
pub(crate) mod secrets;
mod sessions;

pub(crate) use changes::{ChangeError, MAX_TOKENS_PER_IDENTITY};
pub(crate) use expiry::Expiry;
pub(crate) use sessions::Sessions;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use noughts_api::Level;
use noughts_store::{
    Identity, IdentityId, IdentityKind, Notices, Store, StoreError, Token, TokenHash,
};
use tokio_util::task::TaskTracker;

use crate::cache::Cache;

/// Tokens compared with the database at once.
const TOKEN_CHECK_SIZE: usize = 500;

/// Identities and tokens, read through caches that every request and connection uses.
///
/// Changes drop cached entries before they return. Changes on other servers arrive as notices; a
/// resync, in case one was lost, forgets everything.
pub(crate) struct Accounts {
    store: Store,
    notices: Notices,
    identities: Cache<IdentityId, Identity>,
    tokens: Cache<TokenHash, (Identity, Token)>,
    computers: HashMap<Level, IdentityId>,
    pub(crate) sessions: Arc<Sessions>,
    expiry: Expiry,
    /// Tokens in use whose use has yet to be stored.
    used: Mutex<HashSet<TokenHash>>,
    /// Runs changes to their end.
    tasks: TaskTracker,
}

impl Accounts {
    pub(crate) async fn new(
        store: Store,
        notices: Notices,
        expiry: Expiry,
        tasks: TaskTracker,
    ) -> Result<Accounts, StoreError> {
        Ok(Accounts {
            computers: computers(&store).await?,
            store,
            notices,
            identities: Cache::default(),
            tokens: Cache::default(),
            sessions: Arc::default(),
            expiry,
            used: Mutex::default(),
            tasks,
        })
    }

    pub(crate) async fn identity(&self, id: IdentityId) -> Result<Option<Identity>, StoreError> {
        self.identities.get(id, self.store.identity(id)).await
    }

    /// The identity under which results of a computer player count.
    pub(crate) fn computer(&self, level: Level) -> Option<IdentityId> {
        self.computers.get(&level).copied()
    }

    /// Drops cached entries of one identity, or of all.
    pub(crate) fn forget(&self, id: Option<IdentityId>) {
        self.identities.invalidate(|cached, _| id.is_none_or(|id| *cached == id));
        self.tokens.invalidate(|_, (identity, _)| id.is_none_or(|id| identity.id == id));
    }

    /// Closes the connections of a token that was revoked before they were registered.
    pub(crate) async fn check_session(&self, token: TokenHash) {
        if !self.tokens.contains(&token) && matches!(self.authenticate(token).await, Ok(None)) {
            self.sessions.close(token);
        }
    }

    /// Closes connections whose tokens were revoked on another server, of one identity or of all.
    pub(crate) async fn check_sessions(&self, identity: Option<IdentityId>) {
        for tokens in self.sessions.tokens(identity).chunks(TOKEN_CHECK_SIZE) {
            match self.store.inactive_tokens(tokens).await {
                Ok(revoked) => revoked.into_iter().for_each(|token| self.sessions.close(token)),
                Err(error) => {
                    tracing::warn!(%error, "could not check tokens");
                    return;
                }
            }
        }
    }
}

/// The kind of player that an identity is. A bot is a matter of its token.
pub(crate) fn player_kind(kind: IdentityKind) -> noughts_api::IdentityKind {
    match kind {
        IdentityKind::Guest => noughts_api::IdentityKind::Guest,
        IdentityKind::Account => noughts_api::IdentityKind::Account,
        IdentityKind::Computer => noughts_api::IdentityKind::Computer,
    }
}

/// The identities of computer players, created by the first server that starts.
async fn computers(store: &Store) -> Result<HashMap<Level, IdentityId>, StoreError> {
    let mut computers = HashMap::new();
    for level in Level::ALL {
        let name = names::computer(level);
        let found = store.identity_named(&name.case_skeleton).await?;
        let identity = match found {
            Some((identity, _)) => identity,
            None => match store.create_identity(IdentityKind::Computer, &name, None, 0).await {
                Err(StoreError::NameTaken { .. }) => {
                    let found = store.identity_named(&name.case_skeleton).await?;
                    found.map(|(identity, _)| identity).ok_or(StoreError::NotAnAccount)?
                }
                created => created?,
            },
        };
        computers.insert(level, identity.id);
    }
    Ok(computers)
}
