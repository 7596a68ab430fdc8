//! Tokens, which authenticate identities.

use std::fmt;

use noughts_api::TokenKind;

use crate::database::{Database, read, write};
use crate::identities::identity;
use crate::{Identity, IdentityId, Store, StoreError};

/// The SHA-256 of a token or a recovery code, which is not stored itself.
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
    /// When it was used last, as far as that was recorded.
    pub last_used_at: i64,
    /// Where its session began.
    pub origin: Origin,
}

/// Where a session began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The device, such as `Firefox on Linux`.
    pub device: Option<String>,
    /// The address: an IPv4 address or an IPv6 network.
    pub address: Option<String>,
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
        self.insert_token(Token {
            hash,
            identity,
            kind,
            label: label.into(),
            created_at: at,
            last_used_at: at,
            origin: Origin::default(),
        })
        .await
    }

    /// Stores a new token.
    pub async fn insert_token(&self, token: Token) -> Result<Token, StoreError> {
        write!(&*self.database, connection => {
            sqlx::query(
                "INSERT INTO tokens (hash, identity_id, kind, label, created_at, last_used_at,
                     device, address)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(&token.hash.0[..])
            .bind(token.identity.0)
            .bind(token.kind.as_str())
            .bind(&token.label)
            .bind(token.created_at)
            .bind(token.last_used_at)
            .bind(&token.origin.device)
            .bind(&token.origin.address)
            .execute(connection)
            .await?;
            Ok(())
        })?;
        Ok(token)
    }

    /// Records that tokens are in use.
    pub async fn record_token_use(&self, tokens: &[TokenHash], at: i64) -> Result<(), StoreError> {
        match &*self.database {
            Database::Sqlite(file) => {
                let hashes: Vec<String> = tokens.iter().map(TokenHash::to_string).collect();
                let mut transaction = file.begin().await?;
                sqlx::query(
                    "UPDATE tokens SET last_used_at = $1
                     WHERE hash IN (SELECT unhex(value) FROM json_each($2))",
                )
                .bind(at)
                .bind(serde_json::json!(hashes).to_string())
                .execute(transaction.connection())
                .await?;
                transaction.commit().await?;
            }
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                sqlx::query("UPDATE tokens SET last_used_at = $1 WHERE hash = ANY ($2)")
                    .bind(at)
                    .bind(tokens.iter().map(|hash| &hash.0[..]).collect::<Vec<_>>())
                    .execute(database.pool())
                    .await?;
            }
        }
        Ok(())
    }

    /// Whether a session of an identity began at an address and was in use after a time.
    pub async fn knows_address(
        &self,
        identity: IdentityId,
        address: &str,
        since: i64,
    ) -> Result<bool, StoreError> {
        let sessions: i64 = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT count(*) FROM tokens
             WHERE identity_id = $1 AND address = $2 AND last_used_at >= $3",
        )
        .bind(identity.0)
        .bind(address)
        .bind(since)
        .fetch_one(executor)
        .await)?;
        Ok(sessions > 0)
    }

    /// The token with this hash and its owner, unless it was revoked.
    pub async fn authenticate(
        &self,
        hash: TokenHash,
    ) -> Result<Option<(Identity, Token)>, StoreError> {
        type Row = (
            i64,
            String,
            String,
            i64,
            String,
            String,
            i64,
            Option<i64>,
            Option<String>,
            Option<String>,
        );
        let row: Option<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT identities.id, identities.kind, name, identities.created_at,
                 tokens.kind, label, tokens.created_at, last_used_at, device, address
             FROM tokens JOIN identities ON identities.id = identity_id
             WHERE hash = $1 AND revoked_at IS NULL",
        )
        .bind(&hash.0[..])
        .fetch_optional(executor)
        .await)?;
        let Some((id, kind, name, since, token_kind, label, created, used, device, address)) = row
        else {
            return Ok(None);
        };
        let identity = identity((id, kind, name, since)).ok_or_else(|| self.damaged())?;
        let row = (token_kind, label, created, used, device, address);
        let token = token(hash, identity.id, row).ok_or_else(|| self.damaged())?;
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
        type Row = (Vec<u8>, String, String, i64, Option<i64>, Option<String>, Option<String>);
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
                "SELECT hash, kind, label, created_at, last_used_at, device, address FROM tokens
                 WHERE identity_id = $1 AND revoked_at IS NULL ORDER BY created_at, hash",
            )
            .bind(identity.0)
            .fetch_all(executor)
            .await)?;
        let row = |(hash, kind, label, created, used, device, address): Row| {
            let hash = TokenHash(hash.try_into().ok()?);
            token(hash, identity, (kind, label, created, used, device, address))
        };
        rows.into_iter().map(|found| row(found).ok_or_else(|| self.damaged())).collect()
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

type TokenRow = (String, String, i64, Option<i64>, Option<String>, Option<String>);

fn token(
    hash: TokenHash,
    identity: IdentityId,
    (kind, label, created_at, last_used_at, device, address): TokenRow,
) -> Option<Token> {
    Some(Token {
        hash,
        identity,
        kind: parse_kind(&kind)?,
        label,
        created_at,
        last_used_at: last_used_at.unwrap_or(created_at),
        origin: Origin { device, address },
    })
}

fn parse_kind(text: &str) -> Option<TokenKind> {
    TokenKind::ALL.into_iter().find(|kind| kind.as_str() == text)
}
