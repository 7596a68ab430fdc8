//! Changes of identities and tokens.

use std::sync::Arc;

use noughts_api::{IdentityId, Millis};
use noughts_store::{
    Identity, Notice, Origin, StoreError, Token, TokenHash, TokenKind, UniqueName,
};
use tokio::task::JoinError;

use super::{Accounts, names, secrets};
use crate::clock;

/// Older sessions make room for new ones; there can't be more bot tokens.
pub(crate) const MAX_TOKENS_PER_IDENTITY: usize = 50;

/// The label of all sessions.
const SESSION_LABEL: &str = "session";

/// How long nobody else gets a name that its owner gave up: long enough for others to notice.
const NAME_RESERVATION: Millis = 90 * 24 * 3600 * 1000;

/// Why an identity or its tokens were not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChangeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the change was interrupted")]
    Interrupted(#[from] JoinError),
}

impl Accounts {
    /// Turns a guest into an account, and revokes the guest's tokens.
    pub(crate) async fn upgrade_guest(
        self: &Arc<Self>,
        guest: IdentityId,
        name: UniqueName,
        password_hash: String,
    ) -> Result<Identity, ChangeError> {
        let store = self.store.clone();
        let upgrade =
            async move { store.upgrade_guest(guest, &name, &password_hash, clock::now()).await };
        self.revoke_with(guest, upgrade).await
    }

    /// Changes the password, and revokes all sessions and bot tokens.
    pub(crate) async fn set_password(
        self: &Arc<Self>,
        identity: IdentityId,
        password_hash: String,
    ) -> Result<(), ChangeError> {
        let store = self.store.clone();
        let set = async move { store.set_password(identity, &password_hash, clock::now()).await };
        self.revoke_with(identity, set).await
    }

    /// Uses up a recovery code: sets a new password and the next code, and revokes all sessions and
    /// bot tokens.
    pub(crate) async fn recover(
        self: &Arc<Self>,
        identity: IdentityId,
        code: TokenHash,
        password_hash: String,
        next_code: TokenHash,
    ) -> Result<(), ChangeError> {
        let store = self.store.clone();
        let recover = async move {
            store.recover(identity, code, &password_hash, next_code, clock::now()).await
        };
        self.revoke_with(identity, recover).await
    }

    /// Gives a guest or an account another name. An account's old one stays reserved for a while.
    pub(crate) async fn rename(
        self: &Arc<Self>,
        identity: IdentityId,
        name: UniqueName,
    ) -> Result<Identity, ChangeError> {
        let store = self.store.clone();
        let rename = async move {
            let now = clock::now();
            store.rename(identity, &name, now, now + NAME_RESERVATION).await
        };
        self.change(identity, Vec::new(), rename).await
    }

    /// Deletes an identity, except for its name in games. Returns it with the name that it has now.
    pub(crate) async fn delete(
        self: &Arc<Self>,
        identity: IdentityId,
    ) -> Result<UniqueName, ChangeError> {
        let store = self.store.clone();
        let name = names::deleted(identity);
        let delete = async move {
            let now = clock::now();
            store.delete_identity(identity, &name, now, now + NAME_RESERVATION).await?;
            Ok(name)
        };
        self.revoke_with(identity, delete).await
    }

    /// Creates a session and returns its token.
    pub(crate) async fn begin_session(
        self: &Arc<Self>,
        identity: IdentityId,
        origin: Origin,
    ) -> Result<String, ChangeError> {
        let tokens = self.valid_tokens(identity).await?;
        let excess = (tokens.len() + 1).saturating_sub(MAX_TOKENS_PER_IDENTITY);
        let sessions = tokens.iter().filter(|token| token.kind == TokenKind::Session);
        for oldest in sessions.take(excess) {
            self.revoke(oldest).await?;
        }
        let token = secrets::token();
        let now = clock::now();
        self.store
            .insert_token(Token {
                hash: secrets::hash(&token),
                identity,
                kind: TokenKind::Session,
                label: SESSION_LABEL.into(),
                created_at: now,
                last_used_at: now,
                origin,
            })
            .await?;
        Ok(token)
    }

    /// Revokes a token. Returns whether it was valid.
    pub(crate) async fn revoke(self: &Arc<Self>, token: &Token) -> Result<bool, ChangeError> {
        let (hash, owner, at) = (token.hash, token.identity, clock::now());
        let store = self.store.clone();
        let revoke = async move { store.revoke_token(owner, hash, at).await };
        self.change(owner, vec![hash], revoke).await
    }

    pub(crate) async fn revoke_sessions(
        self: &Arc<Self>,
        identity: IdentityId,
    ) -> Result<(), ChangeError> {
        let store = self.store.clone();
        let tokens = self.store.tokens(identity).await?;
        let sessions = tokens.iter().filter(|token| token.kind == TokenKind::Session);
        let revoke =
            async move { store.revoke_tokens(identity, TokenKind::Session, clock::now()).await };
        self.change(identity, sessions.map(|token| token.hash).collect(), revoke).await?;
        Ok(())
    }

    /// Stores a change that revokes all tokens of an identity.
    async fn revoke_with<T: Send + 'static>(
        self: &Arc<Self>,
        identity: IdentityId,
        change: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, ChangeError> {
        let tokens = self.store.tokens(identity).await?;
        self.change(identity, tokens.iter().map(|token| token.hash).collect(), change).await
    }

    /// Stores a change, then drops cached entries, here at once and on other servers soon, and closes
    /// the connections of revoked tokens.
    ///
    /// Runs in a task of its own: if the client disconnects, a change that was stored must still reach
    /// the caches.
    async fn change<T: Send + 'static>(
        self: &Arc<Self>,
        identity: IdentityId,
        revoked: Vec<TokenHash>,
        change: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, ChangeError> {
        let accounts = self.clone();
        let task = self.tasks.spawn(async move {
            let outcome = change.await;
            // A change that failed may have been stored nevertheless.
            accounts.forget(Some(identity));
            if outcome.is_ok() {
                revoked.iter().for_each(|token| accounts.sessions.close(*token));
            }
            accounts.notices.publish(Notice::Identity { identity });
            outcome
        });
        Ok(task.await??)
    }
}
