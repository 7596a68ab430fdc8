//! Real servers on free ports, each with a file of its own, talked to as programs do.

mod abuse;
mod accounts;
mod analysis;
mod client;
mod clocks;
mod frames;
mod games;
mod leagues;
mod limits;
mod memory;
mod operation;
mod quotas;
mod rubbish;
mod server;
mod several;
mod sockets;
