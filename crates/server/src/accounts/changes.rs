//! Changes of identities and tokens.

use std::sync::Arc;

use noughts_api::IdentityId;
use noughts_store::{Identity, Notice, StoreError, Token, TokenHash, TokenKind, UniqueName};
use tokio::task::JoinError;

use super::{Accounts, secrets};
use crate::clock;

/// Older sessions make room for new ones; there can't be more bot tokens.
pub(crate) const MAX_TOKENS_PER_IDENTITY: usize = 50;

/// The label of a session that was not begun by a guest.
pub(crate) const SESSION_LABEL: &str = "session";

/// Why an identity or its tokens were not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChangeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the change was interrupted")]
    Interrupted(#[from] JoinError),
}

impl Accounts {
    /// Turns a guest into an account.
    pub(crate) async fn upgrade_guest(
        self: &Arc<Self>,
        guest: IdentityId,
        name: UniqueName,
        password_hash: String,
    ) -> Result<Identity, ChangeError> {
        let store = self.store.clone();
        let upgrade = async move { store.upgrade_guest(guest, &name, &password_hash).await };
        self.change(guest, Vec::new(), upgrade).await
    }

    /// Changes the password and revokes all sessions.
    pub(crate) async fn set_password(
        self: &Arc<Self>,
        identity: IdentityId,
        password_hash: String,
    ) -> Result<(), ChangeError> {
        let store = self.store.clone();
        let sessions = self.session_tokens(identity).await?;
        let set = async move { store.set_password(identity, &password_hash, clock::now()).await };
        self.change(identity, sessions, set).await
    }

    /// Creates a session and returns its token. If a guest begins it by creating an account, the
    /// session's label is the guest's token, which stays valid until they sign out.
    pub(crate) async fn begin_session(
        self: &Arc<Self>,
        identity: IdentityId,
        guest: Option<TokenHash>,
    ) -> Result<String, ChangeError> {
        let tokens = self.store.tokens(identity).await?;
        let excess = (tokens.len() + 1).saturating_sub(MAX_TOKENS_PER_IDENTITY);
        let sessions = tokens.iter().filter(|token| token.kind == TokenKind::Session);
        for oldest in sessions.take(excess) {
            self.revoke(oldest).await?;
        }
        let token = secrets::token();
        let hash = secrets::hash(&token);
        let label = guest.map_or(SESSION_LABEL.into(), |guest| guest.to_string());
        let (kind, at) = (TokenKind::Session, clock::now());
        self.store.create_token(hash, identity, kind, &label, at).await?;
        Ok(token)
    }

    /// Revokes a token, and that of the guest who began its session. Returns whether it was valid.
    pub(crate) async fn revoke(self: &Arc<Self>, token: &Token) -> Result<bool, ChangeError> {
        let (hash, owner, at) = (token.hash, token.identity, clock::now());
        let tokens = self.store.tokens(owner).await?;
        let is_guest = |other: &&Token| {
            token.kind == TokenKind::Session && other.hash.to_string() == token.label
        };
        let guest = tokens.iter().find(is_guest).map(|other| other.hash);
        let store = self.store.clone();
        let revoke = async move {
            if let Some(guest) = guest {
                store.revoke_token(owner, guest, at).await?;
            }
            store.revoke_token(owner, hash, at).await
        };
        self.change(owner, guest.into_iter().chain([hash]).collect(), revoke).await
    }

    pub(crate) async fn revoke_sessions(
        self: &Arc<Self>,
        identity: IdentityId,
    ) -> Result<(), ChangeError> {
        let store = self.store.clone();
        let sessions = self.session_tokens(identity).await?;
        let revoke =
            async move { store.revoke_tokens(identity, TokenKind::Session, clock::now()).await };
        self.change(identity, sessions, revoke).await?;
        Ok(())
    }

    async fn session_tokens(&self, identity: IdentityId) -> Result<Vec<TokenHash>, StoreError> {
        let tokens = self.store.tokens(identity).await?;
        let sessions = tokens.iter().filter(|token| token.kind == TokenKind::Session);
        Ok(sessions.map(|token| token.hash).collect())
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
            accounts.notices.tell(Notice::Identity { identity });
            outcome
        });
        Ok(task.await??)
    }
}
