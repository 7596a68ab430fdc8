//! Tokens, which authenticate identities.

use std::fmt;

use noughts_api::TokenKind;

use crate::database::{Database, read, write};
use crate::identities::identity;
use crate::{Identity, IdentityId, Store, StoreError};

/// The SHA-256 of a token. The token itself is not stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A stored token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The hash of the token.
    pub hash: TokenHash,
    /// Its owner.
    pub identity: IdentityId,
    /// What it is for.
    pub kind: TokenKind,
    /// The owner's label for it.
    pub label: String,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
}

impl Store {
    /// Creates a token for an identity.
    pub async fn create_token(
        &self,
        hash: TokenHash,
        identity: IdentityId,
        kind: TokenKind,
        label: &str,
        at: i64,
    ) -> Result<Token, StoreError> {
        write!(&*self.database, connection => {
            sqlx::query(
                "INSERT INTO tokens (hash, identity_id, kind, label, created_at)
                 VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(&hash.0[..])
            .bind(identity.0)
            .bind(kind.as_str())
            .bind(label)
            .bind(at)
            .execute(connection)
            .await?;
            Ok(())
        })?;
        let label = label.to_string();
        Ok(Token { hash, identity, kind, label, created_at: at })
    }

    /// The token with this hash and its owner, unless it was revoked.
    pub async fn authenticate(
        &self,
        hash: TokenHash,
    ) -> Result<Option<(Identity, Token)>, StoreError> {
        type Both = (i64, String, String, i64, String, String, i64);
        let row: Option<Both> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT identities.id, identities.kind, name, identities.created_at,
                 tokens.kind, label, tokens.created_at
             FROM tokens JOIN identities ON identities.id = identity_id
             WHERE hash = $1 AND revoked_at IS NULL",
        )
        .bind(&hash.0[..])
        .fetch_optional(executor)
        .await)?;
        let Some((id, kind, name, since, token_kind, label, created_at)) = row else {
            return Ok(None);
        };
        let identity = identity((id, kind, name, since)).ok_or_else(|| self.damaged())?;
        let kind = parse_kind(&token_kind).ok_or_else(|| self.damaged())?;
        let token = Token { hash, identity: identity.id, kind, label, created_at };
        Ok(Some((identity, token)))
    }

    /// Those of the tokens that are revoked or unknown.
    pub async fn inactive_tokens(
        &self,
        tokens: &[TokenHash],
    ) -> Result<Vec<TokenHash>, StoreError> {
        let rows: Vec<Vec<u8>> = match &*self.database {
            Database::Sqlite(file) => {
                let hashes: Vec<String> = tokens.iter().map(TokenHash::to_string).collect();
                sqlx::query_scalar(
                    "SELECT unhex(value) FROM json_each(?) WHERE NOT EXISTS (
                         SELECT 1 FROM tokens WHERE hash = unhex(value) AND revoked_at IS NULL)",
                )
                .bind(serde_json::json!(hashes).to_string())
                .fetch_all(file.readers())
                .await?
            }
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                sqlx::query_scalar(
                    "SELECT input FROM unnest($1::bytea[]) AS input WHERE NOT EXISTS (
                         SELECT 1 FROM tokens WHERE hash = input AND revoked_at IS NULL)",
                )
                .bind(tokens.iter().map(|hash| &hash.0[..]).collect::<Vec<_>>())
                .fetch_all(database.pool())
                .await?
            }
        };
        Ok(rows.into_iter().filter_map(|hash| hash.try_into().ok().map(TokenHash)).collect())
    }

    /// An identity's tokens that are not revoked, oldest first.
    pub async fn tokens(&self, identity: IdentityId) -> Result<Vec<Token>, StoreError> {
        let rows: Vec<(Vec<u8>, String, String, i64)> = read!(&*self.database, executor => sqlx::query_as(
                "SELECT hash, kind, label, created_at FROM tokens
                 WHERE identity_id = $1 AND revoked_at IS NULL ORDER BY created_at, hash",
            )
            .bind(identity.0)
            .fetch_all(executor)
            .await)?;
        let token = |(hash, kind, label, created_at): (Vec<u8>, String, String, _)| {
            let hash = TokenHash(hash.try_into().ok()?);
            let kind = parse_kind(&kind)?;
            Some(Token { hash, identity, kind, label, created_at })
        };
        rows.into_iter().map(|row| token(row).ok_or_else(|| self.damaged())).collect()
    }

    /// Revokes an identity's token, and returns whether it was active.
    pub async fn revoke_token(
        &self,
        identity: IdentityId,
        hash: TokenHash,
        at: i64,
    ) -> Result<bool, StoreError> {
        write!(&*self.database, connection => {
            let revoked = sqlx::query(
                "UPDATE tokens SET revoked_at = $1
                 WHERE hash = $2 AND identity_id = $3 AND revoked_at IS NULL",
            )
            .bind(at)
            .bind(&hash.0[..])
            .bind(identity.0)
            .execute(connection)
            .await?;
            Ok(revoked.rows_affected() == 1)
        })
    }

    /// Revokes an identity's tokens of a kind, and returns how many were active.
    pub async fn revoke_tokens(
        &self,
        identity: IdentityId,
        kind: TokenKind,
        at: i64,
    ) -> Result<u64, StoreError> {
        write!(&*self.database, connection => {
            let revoked = sqlx::query(
                "UPDATE tokens SET revoked_at = $1
                 WHERE identity_id = $2 AND kind = $3 AND revoked_at IS NULL",
            )
            .bind(at)
            .bind(identity.0)
            .bind(kind.as_str())
            .execute(connection)
            .await?;
            Ok(revoked.rows_affected())
        })
    }
}

fn parse_kind(text: &str) -> Option<TokenKind> {
    TokenKind::ALL.into_iter().find(|kind| kind.as_str() == text)
}
