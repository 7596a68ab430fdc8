//! The rights of servers on PostgreSQL, which need not own the tables.

use sqlx::AssertSqlSafe;

use crate::database::Database;
use crate::{Store, StoreError};

/// What a server needs, with the role as `%1$I`. It reads and writes rows; it creates no tables, and
/// leaves the list of migrations alone. Tables that the owner creates later are included.
const GRANTS: [&str; 7] = [
    "GRANT USAGE ON SCHEMA %2$I TO %1$I",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %2$I TO %1$I",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA %2$I TO %1$I",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA %2$I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %1$I",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA %2$I GRANT USAGE, SELECT ON SEQUENCES TO %1$I",
    "REVOKE ALL ON _sqlx_migrations FROM %1$I",
    "GRANT SELECT ON _sqlx_migrations TO %1$I",
];

impl Store {
    /// Grants a role of PostgreSQL what a server needs. A file has no roles.
    pub async fn grant_to_server(&self, role: &str) -> Result<(), StoreError> {
        let Database::Postgres(database) = &*self.database else { return Ok(()) };
        let mut transaction = database.pool().begin().await?;
        for grant in GRANTS {
            let statement: String = sqlx::query_scalar("SELECT format($1, $2, current_schema())")
                .bind(grant)
                .bind(role)
                .fetch_one(&mut *transaction)
                .await?;
            // The database has quoted the names.
            sqlx::query(AssertSqlSafe(statement)).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}
