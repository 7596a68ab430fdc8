//! Identities and their tokens.

pub(crate) mod names;
pub(crate) mod secrets;

use std::collections::HashMap;

use noughts_engine::PlayerKind;
use noughts_store::{Identity, IdentityId, IdentityKind, Store, StoreError, Token, TokenHash};

use crate::cache::Cache;

/// Looks up identities and tokens, through caches that every request and connection uses.
///
/// Code that changes an identity or its tokens calls [`Accounts::forget`] before it answers. Changes
/// on other servers arrive as notices; a resync, in case one was lost, forgets everything.
pub(crate) struct Accounts {
    store: Store,
    identities: Cache<IdentityId, Identity>,
    tokens: Cache<TokenHash, (Identity, Token)>,
    computers: HashMap<String, IdentityId>,
}

impl Accounts {
    pub(crate) async fn new(store: Store) -> Result<Accounts, StoreError> {
        let computers = computers(&store).await?;
        Ok(Accounts { store, identities: Cache::default(), tokens: Cache::default(), computers })
    }

    pub(crate) async fn identity(&self, id: IdentityId) -> Result<Option<Identity>, StoreError> {
        self.identities.get(id, self.store.identity(id)).await
    }

    /// The identity behind a token, unless the token is unknown or revoked.
    pub(crate) async fn authenticate(
        &self,
        hash: TokenHash,
    ) -> Result<Option<(Identity, Token)>, StoreError> {
        self.tokens.get(hash, self.store.authenticate(hash)).await
    }

    /// Whether a token is known to be valid without asking the store.
    pub(crate) fn is_cached(&self, hash: TokenHash) -> bool {
        self.tokens.contains(&hash)
    }

    /// The identity under which results of a computer player count.
    pub(crate) fn computer(&self, level: &str) -> Option<IdentityId> {
        self.computers.get(level).copied()
    }

    /// Drops cached entries of one identity, or of all.
    pub(crate) fn forget(&self, id: Option<IdentityId>) {
        self.identities.invalidate(|cached, _| id.is_none_or(|id| *cached == id));
        self.tokens.invalidate(|_, (identity, _)| id.is_none_or(|id| identity.id == id));
    }
}

/// The identities of computer players, created by the first server that starts.
async fn computers(store: &Store) -> Result<HashMap<String, IdentityId>, StoreError> {
    let mut computers = HashMap::new();
    for level in PlayerKind::computers().map(|kind| kind.to_string()) {
        let name = names::computer(&level);
        let found = store.identity_named(&name.case_skeleton).await?;
        let identity = match found {
            Some((identity, _)) => identity,
            None => match store.create_identity(IdentityKind::Computer, &name, None, 0).await {
                Err(StoreError::NameTaken { .. }) => {
                    let found = store.identity_named(&name.case_skeleton).await?;
                    found.map(|(identity, _)| identity).ok_or(StoreError::NotAnAccount)?
                }
                made => made?,
            },
        };
        computers.insert(level, identity.id);
    }
    Ok(computers)
}
