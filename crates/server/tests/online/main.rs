//! Real servers on free ports, each with its own file, tested over HTTP and WebSocket.

mod abuse;
mod accounts;
mod analysis;
mod client;
mod clocks;
mod family;
mod frames;
mod games;
mod leagues;
mod legacy;
mod limits;
mod memory;
mod operation;
mod own_data;
mod pairing;
mod puzzles;
mod quick_start;
mod quotas;
mod reads;
mod retention;
mod rubbish;
mod server;
mod sessions;
mod several;
mod sockets;
mod streams;
