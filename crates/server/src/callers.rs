//! Who is behind a token: asked with every request and every connection.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use noughts_store::{Identity, IdentityId, Store, StoreError, Token, TokenHash};

/// When so many are known, all are forgotten.
const MOST: usize = 20_000;

/// Tokens that were looked up before. Whoever changes an identity or its tokens has them forgotten
/// before they answer. What another server changes is forgotten when its notice comes, and all is
/// forgotten now and then, in case a notice was lost.
#[derive(Debug, Default)]
pub(crate) struct Callers {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    tokens: HashMap<TokenHash, (Identity, Token)>,
    /// How often something was forgotten: what was read before that may be what was forgotten.
    forgotten: u64,
}

/// A lookup that has begun.
#[derive(Debug)]
enum Lookup {
    Known(Identity, Token),
    /// To be read; what was forgotten until then.
    Unknown(u64),
}

impl Callers {
    /// Whose token it is, unless it was revoked.
    pub(crate) async fn find(
        &self,
        store: &Store,
        hash: TokenHash,
    ) -> Result<Option<(Identity, Token)>, StoreError> {
        match self.begin(hash) {
            Lookup::Known(identity, token) => Ok(Some((identity, token))),
            Lookup::Unknown(forgotten) => {
                let found = store.authenticate(hash).await?;
                if let Some((identity, token)) = &found {
                    self.remember(forgotten, identity, token);
                }
                Ok(found)
            }
        }
    }

    /// Whether a token is in force as far as is known without reading.
    pub(crate) fn knows(&self, hash: TokenHash) -> bool {
        self.known().tokens.contains_key(&hash)
    }

    /// An identity or its tokens, or those of all, may have changed.
    pub(crate) fn forget(&self, id: Option<IdentityId>) {
        let mut known = self.known();
        known.forgotten += 1;
        match id {
            Some(id) => known.tokens.retain(|_, (identity, _)| identity.id != id),
            None => known.tokens.clear(),
        }
    }

    fn begin(&self, hash: TokenHash) -> Lookup {
        let known = self.known();
        match known.tokens.get(&hash) {
            Some((identity, token)) => Lookup::Known(identity.clone(), token.clone()),
            None => Lookup::Unknown(known.forgotten),
        }
    }

    /// Keeps what was read, unless something was forgotten after the reading began.
    fn remember(&self, forgotten: u64, identity: &Identity, token: &Token) {
        let mut known = self.known();
        if known.forgotten != forgotten {
            return;
        }
        if known.tokens.len() >= MOST {
            known.tokens.clear();
        }
        known.tokens.insert(token.hash, (identity.clone(), token.clone()));
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use noughts_store::{IdentityKind, TokenKind};

    use super::*;

    fn ann(token: u8) -> (Identity, Token) {
        of(1, token)
    }

    fn of(id: i64, token: u8) -> (Identity, Token) {
        let (id, hash) = (IdentityId(id), TokenHash([token; 32]));
        let identity = Identity { id, kind: IdentityKind::Guest, name: "G".into(), created_at: 0 };
        let kind = TokenKind::Session;
        let (label, created_at, used_at) = ("session".into(), 0, 0);
        (identity, Token { hash, identity: id, kind, label, created_at, used_at })
    }

    fn learn(callers: &Callers, (identity, token): &(Identity, Token)) {
        let Lookup::Unknown(forgotten) = callers.begin(token.hash) else {
            panic!("known before it was learnt")
        };
        callers.remember(forgotten, identity, token);
    }

    #[test]
    fn tokens_are_forgotten_with_their_identity() {
        let callers = Callers::default();
        let (one, two, bob) = (ann(1), ann(2), of(2, 3));
        for caller in [&one, &two, &bob] {
            learn(&callers, caller);
            assert!(callers.knows(caller.1.hash));
        }
        callers.forget(Some(IdentityId(1)));
        let known = [&one, &two, &bob].map(|caller| callers.knows(caller.1.hash));
        assert_eq!(known, [false, false, true]);
        callers.forget(None);
        assert!(!callers.knows(bob.1.hash));
    }

    #[test]
    fn what_was_read_before_the_forgetting_is_not_remembered() {
        let callers = Callers::default();
        let (identity, token) = ann(1);
        let Lookup::Unknown(forgotten) = callers.begin(token.hash) else { panic!("known") };
        // The store has answered, and before that is remembered the token is revoked.
        callers.forget(Some(identity.id));
        callers.remember(forgotten, &identity, &token);
        assert!(!callers.knows(token.hash));
        learn(&callers, &(identity, token.clone()));
        assert!(callers.knows(token.hash));
    }

    #[test]
    fn what_is_known_is_bounded() {
        let callers = Callers::default();
        for number in 0..=MOST {
            let (identity, mut token) = ann(0);
            token.hash.0[..8].copy_from_slice(&(number as u64).to_le_bytes());
            learn(&callers, &(identity, token));
        }
        assert_eq!(callers.known().tokens.len(), 1);
    }
}
