//! Real servers on free ports, each with a file of its own, talked to as programs do.

mod abuse;
mod accounts;
mod client;
mod clocks;
mod games;
mod limits;
mod operation;
mod server;
mod sockets;
