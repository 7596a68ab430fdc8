//! Who is behind a number: leagues know players by numbers, people by names.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use noughts_store::{Identity, IdentityId, Store, StoreError};

/// When so many are known, all are forgotten.
const MOST: usize = 20_000;

/// Identities that were looked up before.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    known: Mutex<HashMap<IdentityId, Identity>>,
}

impl Identities {
    /// The identity with a number, if there is one.
    pub(crate) async fn get(
        &self,
        store: &Store,
        id: IdentityId,
    ) -> Result<Option<Identity>, StoreError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let found = store.identity(id).await?;
        if let Some(identity) = &found {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(id, identity.clone());
        }
        Ok(found)
    }

    /// An identity, or all of them, may have changed.
    pub(crate) fn forget(&self, id: Option<IdentityId>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match id {
            Some(id) => drop(known.remove(&id)),
            None => known.clear(),
        }
    }
}
