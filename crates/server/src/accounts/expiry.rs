//! Sessions that end by themselves, and the record of their use.

use std::sync::PoisonError;

use noughts_api::Millis;
use noughts_store::{Identity, IdentityId, IdentityKind, StoreError, Token, TokenHash, TokenKind};

use super::Accounts;
use crate::clock;
use crate::config::Config;

/// The use of a token is stored at most this often.
const USE_INTERVAL: Millis = 3600 * 1000;

const DAY: Millis = 24 * 3600 * 1000;

/// When sessions end. Bot tokens last until they are revoked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expiry {
    /// Without use, of an account.
    unused: Millis,
    /// In any case, of an account.
    max: Millis,
    /// Without use, of a guest, who has no other way to come back. There is no other limit.
    guest_unused: Millis,
}

impl Expiry {
    pub(crate) fn new(config: &Config) -> Expiry {
        Expiry {
            unused: Millis::from(config.session_days()) * DAY,
            max: Millis::from(config.session_max_days()) * DAY,
            guest_unused: Millis::from(config.guest_days()) * DAY,
        }
    }

    fn has_expired(&self, kind: IdentityKind, token: &Token, now: Millis) -> bool {
        let (unused, age) = (now - token.last_used_at, now - token.created_at);
        match (token.kind, kind) {
            (TokenKind::Bot, _) => false,
            (TokenKind::Session, IdentityKind::Guest) => unused > self.guest_unused,
            (TokenKind::Session, _) => unused > self.unused || age > self.max,
        }
    }
}

impl Accounts {
    /// The identity behind a token, unless the token is unknown, revoked or expired. Counts as use.
    pub(crate) async fn authenticate(
        &self,
        hash: TokenHash,
    ) -> Result<Option<(Identity, Token)>, StoreError> {
        let found = self.tokens.get(hash, self.store.authenticate(hash)).await?;
        let now = clock::now();
        let has_expired = |(identity, token): &(Identity, Token)| {
            self.expiry.has_expired(identity.kind, token, now)
        };
        let found = found.filter(|found| !has_expired(found));
        if let Some((_, token)) = &found
            && now - token.last_used_at >= USE_INTERVAL
        {
            self.tokens.update(&hash, |(_, cached)| cached.last_used_at = now);
            self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
        }
        Ok(found)
    }

    /// An identity's tokens that are neither revoked nor expired, oldest first.
    pub(crate) async fn valid_tokens(&self, id: IdentityId) -> Result<Vec<Token>, StoreError> {
        let Some(identity) = self.identity(id).await? else { return Ok(Vec::new()) };
        let (mut tokens, now) = (self.store.tokens(id).await?, clock::now());
        tokens.retain(|token| !self.expiry.has_expired(identity.kind, token, now));
        Ok(tokens)
    }

    /// Stores which tokens were used.
    pub(crate) async fn store_uses(&self) {
        let used = std::mem::take(&mut *self.used.lock().unwrap_or_else(PoisonError::into_inner));
        if used.is_empty() {
            return;
        }
        let tokens: Vec<TokenHash> = used.iter().copied().collect();
        if let Err(error) = self.store.record_token_use(&tokens, clock::now()).await {
            tracing::warn!(%error, "could not store the use of tokens");
            self.used.lock().unwrap_or_else(PoisonError::into_inner).extend(used);
        }
    }

    /// Counts open connections as use of their tokens, and closes those whose session has expired.
    pub(crate) async fn refresh_sessions(&self) {
        for token in self.sessions.tokens(None) {
            match self.authenticate(token).await {
                Ok(Some(_)) => {}
                Ok(None) => self.sessions.close(token),
                Err(error) => return tracing::warn!(%error, "could not check tokens"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use noughts_store::Origin;

    use super::*;

    fn check(kind: TokenKind, owner: IdentityKind, age: i64, unused: i64, expired: bool) {
        let expiry = Expiry::new(&Config::default());
        let now = 1_000 * DAY;
        let token = Token {
            hash: TokenHash([0; 32]),
            identity: IdentityId(1),
            kind,
            label: String::new(),
            created_at: now - age * DAY,
            last_used_at: now - unused * DAY,
            origin: Origin::default(),
        };
        assert_eq!(expiry.has_expired(owner, &token, now), expired, "{kind:?} {age} {unused}");
    }

    #[test]
    fn sessions_expire_unused_or_old() {
        use IdentityKind::{Account, Guest};
        check(TokenKind::Session, Account, 100, 29, false);
        check(TokenKind::Session, Account, 100, 31, true);
        check(TokenKind::Session, Account, 364, 0, false);
        check(TokenKind::Session, Account, 366, 0, true);
        check(TokenKind::Session, Guest, 900, 179, false);
        check(TokenKind::Session, Guest, 900, 181, true);
        check(TokenKind::Bot, Account, 900, 900, false);
        // A clock that is wrong for a while ends no session for good.
        check(TokenKind::Session, Account, 10, -500, false);
    }
}
