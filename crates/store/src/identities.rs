//! Identities: guests, accounts and computer players.

use std::collections::HashMap;

use crate::database::{Database, read, write};
use crate::{IdentityId, Store, StoreError, TokenHash};

/// How many identities are looked up at once.
const PAGE_SIZE: usize = 5_000;

/// What kind of player an identity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdentityKind {
    /// A person without an account.
    Guest,
    /// A person with a name of their own and a password.
    Account,
    /// A computer player.
    Computer,
}

/// Guests as stored; deleted players too.
pub(crate) const GUEST: &str = "guest";

impl IdentityKind {
    /// The kind as stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            IdentityKind::Guest => GUEST,
            IdentityKind::Account => "account",
            IdentityKind::Computer => "computer",
        }
    }

    fn parse(text: &str) -> Option<IdentityKind> {
        let kinds = [IdentityKind::Guest, IdentityKind::Account, IdentityKind::Computer];
        kinds.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A stored identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its id.
    pub id: IdentityId,
    /// Its kind.
    pub kind: IdentityKind,
    /// Its name.
    pub name: String,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
}

/// A name with the skeletons that keep it unique: names that look alike have a skeleton in common
/// (Unicode Technical Standard #39).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueName {
    /// The name as written.
    pub name: String,
    /// The skeleton of the name with its case folded. Names that differ only in case share it.
    pub case_skeleton: String,
    /// The skeleton of the name as written: some letters look alike only as capitals.
    pub written_skeleton: String,
}

/// Identities with a lookalike name: at most one by each skeleton.
pub(crate) const LOOKALIKES: &str = "SELECT id FROM identities WHERE case_skeleton = $1
    UNION SELECT id FROM identities WHERE written_skeleton = $2";

/// Revokes all tokens of an identity.
pub(crate) const REVOKE_ALL: &str =
    "UPDATE tokens SET revoked_at = $1 WHERE identity_id = $2 AND revoked_at IS NULL";

/// Refuses a name that looks like one that another identity has given up a short time ago.
///
/// Runs in the transaction that has just taken the name: the name's unique index made it wait for
/// the transaction that gave it up, whose reservation is visible by now.
macro_rules! check_reservation {
    ($connection:expr, $name:expr, $owner:expr, $at:expr) => {{
        let reserved: Option<i64> = sqlx::query_scalar(
            "SELECT identity_id FROM former_names
             WHERE (case_skeleton = $1 OR written_skeleton = $2)
                 AND identity_id <> $3 AND reserved_until > $4 LIMIT 1",
        )
        .bind(&$name.case_skeleton)
        .bind(&$name.written_skeleton)
        .bind($owner)
        .bind($at)
        .fetch_optional($connection)
        .await?;
        match reserved {
            Some(_) => Err(StoreError::NameTaken { name: $name.name.clone() }),
            None => Ok(()),
        }
    }};
}

pub(crate) use check_reservation;

impl Store {
    /// Creates an identity. Accounts have a password hash.
    ///
    /// # Errors
    ///
    /// Refuses a name that looks like another one.
    pub async fn create_identity(
        &self,
        kind: IdentityKind,
        name: &UniqueName,
        password_hash: Option<&str>,
        at: i64,
    ) -> Result<Identity, StoreError> {
        let id: i64 = write!(&*self.database, connection => {
            let id: Option<i64> = sqlx::query_scalar(
                "INSERT INTO identities
                     (kind, name, case_skeleton, written_skeleton, password_hash, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id",
            )
            .bind(kind.as_str())
            .bind(&name.name)
            .bind(&name.case_skeleton)
            .bind(&name.written_skeleton)
            .bind(password_hash)
            .bind(at)
            .fetch_optional(&mut *connection)
            .await?;
            let id = id.ok_or_else(|| StoreError::NameTaken { name: name.name.clone() })?;
            check_reservation!(connection, name, id, at)?;
            Ok(id)
        })?;
        Ok(Identity { id: IdentityId(id), kind, name: name.name.clone(), created_at: at })
    }

    /// Turns a guest into an account, and revokes the guest's tokens. Games, results and ratings stay
    /// with the identity.
    ///
    /// # Errors
    ///
    /// Refuses a name that looks like another one, and an identity that is not a guest.
    pub async fn upgrade_guest(
        &self,
        id: IdentityId,
        name: &UniqueName,
        password_hash: &str,
        at: i64,
    ) -> Result<Identity, StoreError> {
        let upgraded = write!(&*self.database, connection => {
            let lookalikes: Vec<i64> = sqlx::query_scalar(LOOKALIKES)
                .bind(&name.case_skeleton)
                .bind(&name.written_skeleton)
                .fetch_all(&mut *connection)
                .await?;
            if lookalikes.iter().any(|lookalike| *lookalike != id.0) {
                return Err(StoreError::NameTaken { name: name.name.clone() });
            }
            let updated = sqlx::query(
                "UPDATE identities
                 SET kind = 'account', name = $1, case_skeleton = $2, written_skeleton = $3,
                     password_hash = $4
                 WHERE id = $5 AND kind = 'guest'",
            )
            .bind(&name.name)
            .bind(&name.case_skeleton)
            .bind(&name.written_skeleton)
            .bind(password_hash)
            .bind(id.0)
            .execute(&mut *connection)
            .await?;
            if updated.rows_affected() != 1 {
                return Err(StoreError::NotAGuest);
            }
            check_reservation!(&mut *connection, name, id.0, at)?;
            sqlx::query(REVOKE_ALL).bind(at).bind(id.0).execute(connection).await?;
            Ok(())
        });
        self.renamed(id, name, upgraded).await
    }

    /// The identity after a change of its name.
    pub(crate) async fn renamed(
        &self,
        id: IdentityId,
        name: &UniqueName,
        change: Result<(), StoreError>,
    ) -> Result<Identity, StoreError> {
        match change {
            Ok(()) => self.identity(id).await?.ok_or_else(|| self.damaged()),
            // The name was taken in between.
            Err(StoreError::Database(error)) if is_unique_violation(&error) => {
                Err(StoreError::NameTaken { name: name.name.clone() })
            }
            Err(error) => Err(error),
        }
    }

    /// Changes the password of an account, and revokes its sessions and bot tokens.
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
                "UPDATE identities SET password_hash = $1 WHERE id = $2 AND kind = 'account'",
            )
            .bind(password_hash)
            .bind(id.0)
            .execute(&mut *connection)
            .await?;
            sqlx::query(REVOKE_ALL).bind(at).bind(id.0).execute(connection).await?;
            if updated.rows_affected() == 1 { Ok(()) } else { Err(StoreError::NotAnAccount) }
        })
    }

    /// Sets the recovery code of an account. The one before becomes invalid.
    ///
    /// # Errors
    ///
    /// Refuses an identity that is not an account.
    pub async fn set_recovery_code(
        &self,
        id: IdentityId,
        code: TokenHash,
    ) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            let updated = sqlx::query(
                "UPDATE identities SET recovery_hash = $1 WHERE id = $2 AND kind = 'account'",
            )
            .bind(&code.0[..])
            .bind(id.0)
            .execute(connection)
            .await?;
            if updated.rows_affected() == 1 { Ok(()) } else { Err(StoreError::NotAnAccount) }
        })
    }

    /// Whether this is the recovery code of an account.
    pub async fn has_recovery_code(
        &self,
        id: IdentityId,
        code: TokenHash,
    ) -> Result<bool, StoreError> {
        let found: i64 = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT count(*) FROM identities WHERE id = $1 AND recovery_hash = $2",
        )
        .bind(id.0)
        .bind(&code.0[..])
        .fetch_one(executor)
        .await)?;
        Ok(found == 1)
    }

    /// Uses up an account's recovery code: sets a new password and the next code, and revokes all
    /// tokens.
    ///
    /// # Errors
    ///
    /// Refuses a wrong code.
    pub async fn recover(
        &self,
        id: IdentityId,
        code: TokenHash,
        password_hash: &str,
        next_code: TokenHash,
        at: i64,
    ) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            let updated = sqlx::query(
                "UPDATE identities SET password_hash = $1, recovery_hash = $2
                 WHERE id = $3 AND kind = 'account' AND recovery_hash = $4",
            )
            .bind(password_hash)
            .bind(&next_code.0[..])
            .bind(id.0)
            .bind(&code.0[..])
            .execute(&mut *connection)
            .await?;
            if updated.rows_affected() != 1 {
                return Err(StoreError::WrongCode);
            }
            sqlx::query(REVOKE_ALL).bind(at).bind(id.0).execute(connection).await?;
            Ok(())
        })
    }

    /// The identity with this id.
    pub async fn identity(&self, id: IdentityId) -> Result<Option<Identity>, StoreError> {
        let row: Option<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT id, kind, name, created_at FROM identities WHERE id = $1",
        )
        .bind(id.0)
        .fetch_optional(executor)
        .await)?;
        row.map(|row| identity(row).ok_or_else(|| self.damaged())).transpose()
    }

    /// The identities whose names look like this one.
    pub async fn lookalikes(&self, name: &UniqueName) -> Result<Vec<IdentityId>, StoreError> {
        let lookalikes: Vec<i64> = read!(&*self.database, executor => sqlx::query_scalar(LOOKALIKES)
            .bind(&name.case_skeleton)
            .bind(&name.written_skeleton)
            .fetch_all(executor)
            .await)?;
        Ok(lookalikes.into_iter().map(IdentityId).collect())
    }

    /// The identity whose name has this case skeleton, with its password hash.
    pub async fn identity_named(
        &self,
        skeleton: &str,
    ) -> Result<Option<(Identity, Option<String>)>, StoreError> {
        let row: Option<(i64, String, String, i64, Option<String>)> = read!(&*self.database, executor => sqlx::query_as(
                "SELECT id, kind, name, created_at, password_hash FROM identities
                 WHERE case_skeleton = $1",
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

    /// Identities whose names begin with a text, given the case skeleton of the text.
    pub async fn search_identities(
        &self,
        prefix: &str,
        limit: u32,
    ) -> Result<Vec<Identity>, StoreError> {
        let after = format!("{prefix}{}", char::MAX);
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT id, kind, name, created_at FROM identities
             WHERE case_skeleton >= $1 AND case_skeleton < $2 ORDER BY case_skeleton LIMIT $3",
        )
        .bind(prefix)
        .bind(&after)
        .bind(i64::from(limit))
        .fetch_all(executor)
        .await)?;
        rows.into_iter().map(|row| identity(row).ok_or_else(|| self.damaged())).collect()
    }

    /// Some identities, without those that don't exist.
    pub async fn identities(&self, ids: &[IdentityId]) -> Result<Vec<Identity>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for page in ids.chunks(PAGE_SIZE) {
            let rows: Vec<Row> = match &*self.database {
                Database::Sqlite(file) => {
                    sqlx::query_as(
                        "SELECT identities.id, kind, name, created_at FROM json_each($1)
                         JOIN identities ON identities.id = value",
                    )
                    .bind(serde_json::json!(page).to_string())
                    .fetch_all(file.readers())
                    .await?
                }
                #[cfg(feature = "postgres")]
                Database::Postgres(database) => {
                    sqlx::query_as(
                        "SELECT id, kind, name, created_at FROM identities WHERE id = ANY ($1)",
                    )
                    .bind(page.iter().map(|identity| identity.0).collect::<Vec<_>>())
                    .fetch_all(database.pool())
                    .await?
                }
            };
            for row in rows {
                found.push(identity(row).ok_or_else(|| self.damaged())?);
            }
        }
        Ok(found)
    }

    /// The kinds of some identities, without those that don't exist. Deleted players are guests.
    pub async fn kinds_of(
        &self,
        identities: &[IdentityId],
    ) -> Result<HashMap<IdentityId, IdentityKind>, StoreError> {
        let players = self.kinds_and_names_of(identities).await?.into_iter();
        Ok(players.map(|(id, (kind, _))| (id, kind)).collect())
    }

    /// The kinds and names of some identities, without those that don't exist.
    pub(crate) async fn kinds_and_names_of(
        &self,
        identities: &[IdentityId],
    ) -> Result<HashMap<IdentityId, (IdentityKind, String)>, StoreError> {
        let mut players = HashMap::with_capacity(identities.len());
        for page in identities.chunks(PAGE_SIZE) {
            let rows: Vec<(i64, String, String)> = match &*self.database {
                Database::Sqlite(file) => {
                    sqlx::query_as(
                        "SELECT identities.id, kind, name FROM json_each($1)
                         JOIN identities ON identities.id = value",
                    )
                    .bind(serde_json::json!(page).to_string())
                    .fetch_all(file.readers())
                    .await?
                }
                #[cfg(feature = "postgres")]
                Database::Postgres(database) => {
                    sqlx::query_as("SELECT id, kind, name FROM identities WHERE id = ANY ($1)")
                        .bind(page.iter().map(|identity| identity.0).collect::<Vec<_>>())
                        .fetch_all(database.pool())
                        .await?
                }
            };
            for (id, kind, name) in rows {
                let kind = IdentityKind::parse(&kind).ok_or_else(|| self.damaged())?;
                players.insert(IdentityId(id), (kind, name));
            }
        }
        Ok(players)
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
