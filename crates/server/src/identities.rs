//! Who is behind a number: leagues know players by numbers, people by names.

use noughts_store::{Identity, IdentityId, Store, StoreError};

use crate::memory::Memory;

/// Identities that were looked up before.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    known: Memory<IdentityId, Identity>,
}

impl Identities {
    /// The identity with a number, if there is one.
    pub(crate) async fn get(
        &self,
        store: &Store,
        id: IdentityId,
    ) -> Result<Option<Identity>, StoreError> {
        self.known.get(id, store.identity(id)).await
    }

    /// An identity, or all of them, may have changed.
    pub(crate) fn forget(&self, id: Option<IdentityId>) {
        self.known.forget(|known, _| id.is_none_or(|id| *known == id));
    }
}
