#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod cluster;
mod faulty;
mod memory;
mod postgres;

pub use cluster::Cluster;
pub use faulty::{Fault, FaultyLog, connection_lost};
pub use memory::{LogContents, MemoryLog, StoredResult};
pub use postgres::{Frozen, Postgres, TlsPostgres, Usage};
