//! Who plays online.

use crate::database::{read, write};
use crate::{IdentityId, Store, StoreError};

/// What an identity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdentityKind {
    /// Somebody who just plays.
    Guest,
    /// Somebody with a name of their choice and a password.
    Account,
    /// A computer player.
    Computer,
}

impl IdentityKind {
    /// The kind as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            IdentityKind::Guest => "guest",
            IdentityKind::Account => "account",
            IdentityKind::Computer => "computer",
        }
    }

    fn parse(text: &str) -> Option<IdentityKind> {
        let kinds = [IdentityKind::Guest, IdentityKind::Account, IdentityKind::Computer];
        kinds.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// An identity as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its number.
    pub id: IdentityId,
    /// What it is.
    pub kind: IdentityKind,
    /// What it is called.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
}

/// A name that nobody else may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueName {
    /// The name as written.
    pub name: String,
    /// What all names that could be taken for this one have in common. Names that a league takes
    /// for one person, which differ in case only, must share it.
    pub skeleton: String,
    /// The same for the name exactly as it is written: some letters look like others only as capitals.
    pub as_written: String,
}

/// Those with a name that could be taken for another. There may be two, each in another way.
const TAKERS: &str = "SELECT id FROM identities WHERE skeleton = $1
    UNION SELECT id FROM identities WHERE as_written = $2";

impl Store {
    /// Makes an identity. An account has a password, of which the hash is stored.
    ///
    /// # Errors
    ///
    /// Refuses a name that could be taken for another one.
    pub async fn create_identity(
        &self,
        kind: IdentityKind,
        name: &UniqueName,
        password_hash: Option<&str>,
        at: i64,
    ) -> Result<Identity, StoreError> {
        let id: Option<i64> = write!(&*self.database, connection => {
            Ok(sqlx::query_scalar(
                "INSERT INTO identities (kind, name, skeleton, as_written, password, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id",
            )
            .bind(kind.as_str())
            .bind(&name.name)
            .bind(&name.skeleton)
            .bind(&name.as_written)
            .bind(password_hash)
            .bind(at)
            .fetch_optional(connection)
            .await?)
        })?;
        let id = id.ok_or_else(|| StoreError::NameTaken { name: name.name.clone() })?;
        Ok(Identity { id: IdentityId(id), kind, name: name.name.clone(), created_at: at })
    }

    /// Makes an account of a guest, with a name and a password. Games, results and ratings stay
    /// with the identity.
    ///
    /// # Errors
    ///
    /// Refuses a name that could be taken for another one, and an identity that is not a guest.
    pub async fn upgrade_guest(
        &self,
        id: IdentityId,
        name: &UniqueName,
        password_hash: &str,
    ) -> Result<Identity, StoreError> {
        let upgraded = write!(&*self.database, connection => {
            let takers: Vec<i64> = sqlx::query_scalar(TAKERS)
                .bind(&name.skeleton)
                .bind(&name.as_written)
                .fetch_all(&mut *connection)
                .await?;
            if takers.iter().any(|taker| *taker != id.0) {
                return Err(StoreError::NameTaken { name: name.name.clone() });
            }
            let updated = sqlx::query(
                "UPDATE identities
                 SET kind = 'account', name = $1, skeleton = $2, as_written = $3, password = $4
                 WHERE id = $5 AND kind = 'guest'",
            )
            .bind(&name.name)
            .bind(&name.skeleton)
            .bind(&name.as_written)
            .bind(password_hash)
            .bind(id.0)
            .execute(connection)
            .await?;
            if updated.rows_affected() == 1 { Ok(()) } else { Err(StoreError::NotAGuest) }
        });
        match upgraded {
            Ok(()) => self.identity(id).await?.ok_or_else(|| self.damaged()),
            // Somebody took the name in between.
            Err(StoreError::Database(error)) if is_unique_violation(&error) => {
                Err(StoreError::NameTaken { name: name.name.clone() })
            }
            Err(error) => Err(error),
        }
    }

    /// Gives an account another password, which ends its sessions.
    ///
    /// # Errors
    ///
    /// Refuses an identity that is not an account.
    pub async fn set_password(
        &self,
        id: IdentityId,
        password_hash: &str,
        at: i64,
    ) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            let updated = sqlx::query(
                "UPDATE identities SET password = $1 WHERE id = $2 AND kind = 'account'",
            )
            .bind(password_hash)
            .bind(id.0)
            .execute(&mut *connection)
            .await?;
            sqlx::query(
                "UPDATE tokens SET revoked_at = $1
                 WHERE identity = $2 AND kind = 'session' AND revoked_at IS NULL",
            )
            .bind(at)
            .bind(id.0)
            .execute(connection)
            .await?;
            if updated.rows_affected() == 1 { Ok(()) } else { Err(StoreError::NotAnAccount) }
        })
    }

    /// An identity by its number.
    pub async fn identity(&self, id: IdentityId) -> Result<Option<Identity>, StoreError> {
        let row: Option<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT id, kind, name, created_at FROM identities WHERE id = $1",
        )
        .bind(id.0)
        .fetch_optional(executor)
        .await)?;
        row.map(|row| identity(row).ok_or_else(|| self.damaged())).transpose()
    }

    /// Who have a name, or others that could be taken for it.
    pub async fn takers(&self, name: &UniqueName) -> Result<Vec<IdentityId>, StoreError> {
        let takers: Vec<i64> = read!(&*self.database, executor => sqlx::query_scalar(TAKERS)
            .bind(&name.skeleton)
            .bind(&name.as_written)
            .fetch_all(executor)
            .await)?;
        Ok(takers.into_iter().map(IdentityId).collect())
    }

    /// An identity by what all names like its own have in common, with the hash of its password.
    pub async fn identity_named(
        &self,
        skeleton: &str,
    ) -> Result<Option<(Identity, Option<String>)>, StoreError> {
        let row: Option<(i64, String, String, i64, Option<String>)> = read!(&*self.database, executor => sqlx::query_as(
                "SELECT id, kind, name, created_at, password FROM identities WHERE skeleton = $1",
            )
            .bind(skeleton)
            .fetch_optional(executor)
            .await)?;
        row.map(|(id, kind, name, created_at, password)| {
            let identity = identity((id, kind, name, created_at)).ok_or_else(|| self.damaged())?;
            Ok((identity, password))
        })
        .transpose()
    }
}

impl Store {
    /// Identities whose names begin like a name, by what all names like it have in common.
    pub async fn identities_beginning(
        &self,
        skeleton: &str,
        most: u32,
    ) -> Result<Vec<Identity>, StoreError> {
        let after = format!("{skeleton}{}", char::MAX);
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT id, kind, name, created_at FROM identities
             WHERE skeleton >= $1 AND skeleton < $2 ORDER BY skeleton LIMIT $3",
        )
        .bind(skeleton)
        .bind(&after)
        .bind(i64::from(most))
        .fetch_all(executor)
        .await)?;
        rows.into_iter().map(|row| identity(row).ok_or_else(|| self.damaged())).collect()
    }
}

type Row = (i64, String, String, i64);

pub(crate) fn identity((id, kind, name, created_at): Row) -> Option<Identity> {
    let kind = IdentityKind::parse(&kind)?;
    Some(Identity { id: IdentityId(id), kind, name, created_at })
}

fn is_unique_violation(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.is_unique_violation())
}
