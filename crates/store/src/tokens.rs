//! What identities prove themselves with.

use std::fmt;

use crate::database::{Database, read, write};
use crate::identities::identity;
use crate::{Identity, IdentityId, Store, StoreError};

/// The SHA-256 of a token. The token itself is stored nowhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| std::write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A browser or a terminal, until it logs out.
    Session,
    /// A program, until its token is revoked.
    Bot,
}

impl TokenKind {
    /// The kind as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TokenKind::Session => "session",
            TokenKind::Bot => "bot",
        }
    }

    fn parse(text: &str) -> Option<TokenKind> {
        [TokenKind::Session, TokenKind::Bot].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A token as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What is known of the token itself.
    pub hash: TokenHash,
    /// Whose it is.
    pub identity: IdentityId,
    /// What it is for.
    pub kind: TokenKind,
    /// What its owner calls it.
    pub label: String,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
}

impl Store {
    /// Makes a token for an identity.
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
                "INSERT INTO tokens (hash, identity, kind, label, created_at)
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

    /// Whose token it is, unless it was revoked.
    pub async fn authenticate(
        &self,
        hash: TokenHash,
    ) -> Result<Option<(Identity, Token)>, StoreError> {
        type Both = (i64, String, String, i64, String, String, i64);
        let row: Option<Both> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT identities.id, identities.kind, name, identities.created_at,
                 tokens.kind, label, tokens.created_at
             FROM tokens JOIN identities ON identities.id = identity
             WHERE hash = $1 AND revoked_at IS NULL",
        )
        .bind(&hash.0[..])
        .fetch_optional(executor)
        .await)?;
        let Some((id, kind, name, since, token_kind, label, created_at)) = row else {
            return Ok(None);
        };
        let identity = identity((id, kind, name, since)).ok_or_else(|| self.damaged())?;
        let kind = TokenKind::parse(&token_kind).ok_or_else(|| self.damaged())?;
        let token = Token { hash, identity: identity.id, kind, label, created_at };
        Ok(Some((identity, token)))
    }

    /// Those of the tokens that are not in force: they were revoked, or never were.
    pub async fn tokens_not_in_force(
        &self,
        tokens: &[TokenHash],
    ) -> Result<Vec<TokenHash>, StoreError> {
        let rows: Vec<Vec<u8>> = match &*self.database {
            Database::Sqlite(file) => {
                let hashes: Vec<String> = tokens.iter().map(|hash| format!("\"{hash}\"")).collect();
                sqlx::query_scalar(
                    "SELECT unhex(value) FROM json_each(?) WHERE NOT EXISTS (
                         SELECT 1 FROM tokens WHERE hash = unhex(value) AND revoked_at IS NULL)",
                )
                .bind(format!("[{}]", hashes.join(",")))
                .fetch_all(file.readers())
                .await?
            }
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                sqlx::query_scalar(
                    "SELECT asked FROM unnest($1::bytea[]) AS asked WHERE NOT EXISTS (
                         SELECT 1 FROM tokens WHERE hash = asked AND revoked_at IS NULL)",
                )
                .bind(tokens.iter().map(|hash| &hash.0[..]).collect::<Vec<_>>())
                .fetch_all(database.pool())
                .await?
            }
        };
        Ok(rows.into_iter().filter_map(|hash| hash.try_into().ok().map(TokenHash)).collect())
    }

    /// The tokens of an identity that are in force, the oldest first.
    pub async fn tokens(&self, identity: IdentityId) -> Result<Vec<Token>, StoreError> {
        let rows: Vec<(Vec<u8>, String, String, i64)> = read!(&*self.database, executor => sqlx::query_as(
                "SELECT hash, kind, label, created_at FROM tokens
                 WHERE identity = $1 AND revoked_at IS NULL ORDER BY created_at, hash",
            )
            .bind(identity.0)
            .fetch_all(executor)
            .await)?;
        let token = |(hash, kind, label, created_at): (Vec<u8>, String, String, _)| {
            let hash = TokenHash(hash.try_into().ok()?);
            let kind = TokenKind::parse(&kind)?;
            Some(Token { hash, identity, kind, label, created_at })
        };
        rows.into_iter().map(|row| token(row).ok_or_else(|| self.damaged())).collect()
    }

    /// Revokes a token of an identity and answers whether it was in force.
    pub async fn revoke_token(
        &self,
        identity: IdentityId,
        hash: TokenHash,
        at: i64,
    ) -> Result<bool, StoreError> {
        write!(&*self.database, connection => {
            let revoked = sqlx::query(
                "UPDATE tokens SET revoked_at = $1
                 WHERE hash = $2 AND identity = $3 AND revoked_at IS NULL",
            )
            .bind(at)
            .bind(&hash.0[..])
            .bind(identity.0)
            .execute(connection)
            .await?;
            Ok(revoked.rows_affected() == 1)
        })
    }

    /// Revokes all tokens of one kind that an identity has, and answers how many were in force.
    pub async fn revoke_tokens(
        &self,
        identity: IdentityId,
        kind: TokenKind,
        at: i64,
    ) -> Result<u64, StoreError> {
        write!(&*self.database, connection => {
            let revoked = sqlx::query(
                "UPDATE tokens SET revoked_at = $1
                 WHERE identity = $2 AND kind = $3 AND revoked_at IS NULL",
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
