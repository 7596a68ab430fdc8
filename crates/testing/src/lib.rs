#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod faulty;
mod postgres;

pub use faulty::{Fault, FaultyLog};
pub use postgres::{Frozen, Postgres};
