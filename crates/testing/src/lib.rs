//! What the tests of several crates need. Nothing of it goes into the program.
//!
//! [`Postgres`] is a PostgreSQL server of the test's own; [`FaultyLog`] is a log that fails on
//! demand. `crates/store` and `crates/server` have this crate as a dev-dependency.

#![forbid(unsafe_code)]

mod faulty;
mod postgres;

pub use faulty::{Fault, FaultyLog};
pub use postgres::Postgres;
