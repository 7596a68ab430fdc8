//! Who is connected to each server that shares a database.

use serde::{Deserialize, Serialize};

use crate::database::{read, write};
use crate::{GameId, IdentityId, Store, StoreError};

/// Who is connected to a server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ServerPresence {
    /// People with a connection.
    #[serde(default)]
    pub people: Vec<IdentityId>,
    /// Identities of which only a bot has a connection.
    #[serde(default)]
    pub bots: Vec<IdentityId>,
    /// How many spectators games have.
    #[serde(default)]
    pub spectators: Vec<(GameId, u32)>,
}

impl Store {
    /// Tells other servers who is connected to this one.
    pub async fn set_presence(&self, here: &ServerPresence, at: i64) -> Result<(), StoreError> {
        let body = serde_json::to_string(here).expect("presence is JSON");
        write!(&*self.database, connection => {
            sqlx::query(
                "INSERT INTO presence (server_id, at, body) VALUES ($1, $2, $3)
                 ON CONFLICT (server_id) DO UPDATE SET at = excluded.at, body = excluded.body",
            )
            .bind(self.instance)
            .bind(at)
            .bind(&body)
            .execute(connection)
            .await?;
            Ok(())
        })
    }

    /// Removes this server from those that somebody is connected to, and others that have not said
    /// anything since a time.
    pub async fn remove_presence(&self, since: i64) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            sqlx::query("DELETE FROM presence WHERE server_id = $1 OR at < $2")
                .bind(self.instance)
                .bind(since)
                .execute(connection)
                .await?;
            Ok(())
        })
    }

    /// Who is connected to the other servers, as far as they have said since a time.
    pub async fn presence_elsewhere(&self, since: i64) -> Result<Vec<ServerPresence>, StoreError> {
        let bodies: Vec<String> = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT body FROM presence WHERE server_id <> $1 AND at >= $2",
        )
        .bind(self.instance)
        .bind(since)
        .fetch_all(executor)
        .await)?;
        // What a server of another version says may be unreadable.
        Ok(bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect())
    }
}
