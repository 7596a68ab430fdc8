//! Who is behind a token: asked with every request and every connection.

use noughts_store::{Identity, IdentityId, Store, StoreError, Token, TokenHash};

use crate::memory::Memory;

/// Tokens that were looked up before. Whoever changes an identity or its tokens has them forgotten
/// before they answer. What another server changes is forgotten when its notice comes, and all is
/// forgotten now and then, in case a notice was lost.
#[derive(Debug, Default)]
pub(crate) struct Callers {
    known: Memory<TokenHash, (Identity, Token)>,
}

impl Callers {
    /// Whose token it is, unless it was revoked.
    pub(crate) async fn find(
        &self,
        store: &Store,
        hash: TokenHash,
    ) -> Result<Option<(Identity, Token)>, StoreError> {
        self.known.get(hash, store.authenticate(hash)).await
    }

    /// Whether a token is in force as far as is known without reading.
    pub(crate) fn knows(&self, hash: TokenHash) -> bool {
        self.known.knows(&hash)
    }

    /// An identity or its tokens, or those of all, may have changed.
    pub(crate) fn forget(&self, id: Option<IdentityId>) {
        self.known.forget(|_, (identity, _)| id.is_none_or(|id| identity.id == id));
    }
}
