//! Whom players follow and block.

use crate::database::{read, write};
use crate::identities::identity;
use crate::{Identity, IdentityId, Store, StoreError};

/// How many others an identity can follow and block.
pub const MAX_RELATIONS: u32 = 500;

/// What an identity has chosen about another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// It wants to see when the other is there.
    Follow,
    /// It wants to hear nothing from the other.
    Block,
}

impl Relation {
    fn as_str(self) -> &'static str {
        match self {
            Relation::Follow => "follow",
            Relation::Block => "block",
        }
    }

    fn parse(text: &str) -> Option<Relation> {
        [Relation::Follow, Relation::Block].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Removes everything that an identity has chosen, or that others have chosen about it.
pub(crate) const REMOVE_RELATIONS: &str =
    "DELETE FROM relations WHERE identity_id = $1 OR other_id = $1";

impl Store {
    /// Sets what an identity has chosen about another one. The new choice replaces the old one.
    ///
    /// # Errors
    ///
    /// Refuses more than [`MAX_RELATIONS`].
    pub async fn set_relation(
        &self,
        identity: IdentityId,
        other: IdentityId,
        relation: Relation,
        at: i64,
    ) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            let others: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM relations WHERE identity_id = $1 AND other_id <> $2",
            )
            .bind(identity.0)
            .bind(other.0)
            .fetch_one(&mut *connection)
            .await?;
            if others >= i64::from(MAX_RELATIONS) {
                return Err(StoreError::TooManyRelations);
            }
            sqlx::query(
                "INSERT INTO relations (identity_id, other_id, kind, created_at)
                 VALUES ($1, $2, $3, $4)
                 ON CONFLICT (identity_id, other_id) DO UPDATE
                     SET kind = excluded.kind, created_at = excluded.created_at
                     WHERE relations.kind <> excluded.kind",
            )
            .bind(identity.0)
            .bind(other.0)
            .bind(relation.as_str())
            .bind(at)
            .execute(connection)
            .await?;
            Ok(())
        })
    }

    /// Ends following or blocking another identity. Does nothing if the choice is not this one.
    pub async fn remove_relation(
        &self,
        identity: IdentityId,
        other: IdentityId,
        relation: Relation,
    ) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            sqlx::query(
                "DELETE FROM relations WHERE identity_id = $1 AND other_id = $2 AND kind = $3",
            )
            .bind(identity.0)
            .bind(other.0)
            .bind(relation.as_str())
            .execute(connection)
            .await?;
            Ok(())
        })
    }

    /// What an identity has chosen about another one.
    pub async fn relation(
        &self,
        identity: IdentityId,
        other: IdentityId,
    ) -> Result<Option<Relation>, StoreError> {
        let kind: Option<String> = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT kind FROM relations WHERE identity_id = $1 AND other_id = $2",
        )
        .bind(identity.0)
        .bind(other.0)
        .fetch_optional(executor)
        .await)?;
        kind.map(|kind| Relation::parse(&kind).ok_or_else(|| self.damaged())).transpose()
    }

    /// The identities that one follows or blocks, by name.
    pub async fn related(
        &self,
        of: IdentityId,
        relation: Relation,
    ) -> Result<Vec<Identity>, StoreError> {
        let rows: Vec<(i64, String, String, i64)> = read!(&*self.database, executor => {
            sqlx::query_as(
                "SELECT id, identities.kind, name, identities.created_at FROM relations
                 JOIN identities ON identities.id = other_id
                 WHERE identity_id = $1 AND relations.kind = $2 ORDER BY case_skeleton",
            )
            .bind(of.0)
            .bind(relation.as_str())
            .fetch_all(executor)
            .await
        })?;
        rows.into_iter().map(|row| identity(row).ok_or_else(|| self.damaged())).collect()
    }

    /// The identities that have blocked one, or that it has blocked.
    pub async fn blocked_either_way(&self, of: IdentityId) -> Result<Vec<IdentityId>, StoreError> {
        let ids: Vec<i64> = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT other_id FROM relations WHERE identity_id = $1 AND kind = 'block'
             UNION SELECT identity_id FROM relations WHERE other_id = $1 AND kind = 'block'",
        )
        .bind(of.0)
        .fetch_all(executor)
        .await)?;
        Ok(ids.into_iter().map(IdentityId).collect())
    }
}
