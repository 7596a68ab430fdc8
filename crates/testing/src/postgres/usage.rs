//! What a database costs its server.

use std::fs;
use std::time::Duration;

use sqlx::Connection;

use super::Postgres;

/// What a server has spent so far.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// Stored events.
    pub events: i64,
    /// The size of the database on disk, in bytes.
    pub disk: i64,
    /// Bytes written to the write-ahead log.
    pub wal: i64,
    /// Processor time of all its processes.
    pub processor: Duration,
}

impl Postgres {
    /// What the server has spent so far, mostly on this database of the program.
    ///
    /// # Panics
    ///
    /// Panics if the database does not answer.
    pub async fn usage(&self, url: &str) -> Usage {
        let mut connection =
            sqlx::PgConnection::connect(url).await.expect("the database accepts connections");
        let query = "SELECT (SELECT count(*) FROM events), pg_database_size(current_database()),
            CAST(pg_current_wal_insert_lsn() - '0/0' AS BIGINT)";
        let (events, disk, wal) =
            sqlx::query_as(query).fetch_one(&mut connection).await.expect("the database answers");
        let processor = self.processor_time();
        connection.close().await.expect("the connection closes");
        Usage { events, disk, wal, processor }
    }

    /// The time of the running processes, and of those that have ended.
    fn processor_time(&self) -> Duration {
        let postmaster = self.postmaster();
        let children = format!("/proc/{postmaster}/task/{postmaster}/children");
        let children = fs::read_to_string(children).unwrap_or_default();
        let processes = children.split_whitespace().chain([postmaster.as_str()]);
        // From `utime`, in ticks of 10 ms: its own time, and that of its children that have ended.
        let ticks = processes.map(|process| {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
            fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>()
        });
        Duration::from_millis(ticks.sum::<u64>() * 10)
    }
}
