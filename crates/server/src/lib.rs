//! Who meets whom: games online, for browsers, terminals and programs.

pub mod game;
