//! Changing the names of guests and accounts.

use crate::database::write;
use crate::identities::{LOOKALIKES, check_reservation};
use crate::{Identity, IdentityId, Store, StoreError, UniqueName};

/// How many of its former names an account may keep reserved at the same time.
const MAX_FORMER_NAMES: i64 = 3;

impl Store {
    /// Changes the name of a guest or an account. Until `reserved_until`, nobody else gets the old name
    /// of an account; a guest's is free at once.
    ///
    /// # Errors
    ///
    /// Refuses a name that looks like another one, a computer player, and an account that was renamed
    /// several times within the reservation.
    pub async fn rename(
        &self,
        id: IdentityId,
        name: &UniqueName,
        at: i64,
        reserved_until: i64,
    ) -> Result<Identity, StoreError> {
        let renamed = write!(&*self.database, connection => {
            let old: Option<(String, String, String)> = sqlx::query_as(
                "SELECT case_skeleton, written_skeleton, kind FROM identities
                 WHERE id = $1 AND kind IN ('account', 'guest')",
            )
            .bind(id.0)
            .fetch_optional(&mut *connection)
            .await?;
            let (old_case, old_written, kind) = old.ok_or(StoreError::NotAnAccount)?;
            let lookalikes: Vec<i64> = sqlx::query_scalar(LOOKALIKES)
                .bind(&name.case_skeleton)
                .bind(&name.written_skeleton)
                .fetch_all(&mut *connection)
                .await?;
            if lookalikes.iter().any(|lookalike| *lookalike != id.0) {
                return Err(StoreError::NameTaken { name: name.name.clone() });
            }
            // Reservations that are over, and the own one of a name that is taken back.
            sqlx::query(
                "DELETE FROM former_names WHERE reserved_until <= $1
                     OR identity_id = $2 AND case_skeleton = $3",
            )
            .bind(at)
            .bind(id.0)
            .bind(&name.case_skeleton)
            .execute(&mut *connection)
            .await?;
            if kind == "account" && old_case != name.case_skeleton {
                let former: i64 =
                    sqlx::query_scalar("SELECT count(*) FROM former_names WHERE identity_id = $1")
                        .bind(id.0)
                        .fetch_one(&mut *connection)
                        .await?;
                if former >= MAX_FORMER_NAMES {
                    return Err(StoreError::RenamedTooOften);
                }
                sqlx::query(RESERVE)
                    .bind(&old_case)
                    .bind(&old_written)
                    .bind(id.0)
                    .bind(reserved_until)
                    .execute(&mut *connection)
                    .await?;
            }
            sqlx::query(
                "UPDATE identities SET name = $1, case_skeleton = $2, written_skeleton = $3
                 WHERE id = $4",
            )
            .bind(&name.name)
            .bind(&name.case_skeleton)
            .bind(&name.written_skeleton)
            .bind(id.0)
            .execute(&mut *connection)
            .await?;
            check_reservation!(connection, name, id.0, at)
        });
        self.renamed(id, name, renamed).await
    }
}

/// Reserves a name that its owner gives up.
pub(crate) const RESERVE: &str =
    "INSERT INTO former_names (case_skeleton, written_skeleton, identity_id, reserved_until)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (case_skeleton) DO UPDATE SET identity_id = $3, reserved_until = $4";
