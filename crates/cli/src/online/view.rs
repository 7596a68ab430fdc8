//! Games as a server shows them, as far as the terminal needs to know.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub(super) struct View {
    pub(super) id: String,
    pub(super) seq: u32,
    pub(super) phase: Phase,
    pub(super) turn: Option<usize>,
    pub(super) yours: Vec<usize>,
    pub(super) players: Vec<Seated>,
    pub(super) moves: Vec<String>,
    pub(super) result: Option<Ended>,
    pub(super) undo: Option<Undo>,
    pub(super) next: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    Open,
    Live,
    Over,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Seated {
    pub(super) name: Option<String>,
    pub(super) symbol: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Ended {
    pub(super) winner: Option<usize>,
    pub(super) how: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Undo {
    pub(super) seat: usize,
    pub(super) agreed: Vec<usize>,
}

impl View {
    /// Whether it is the turn of whoever looks.
    pub(super) fn is_own_turn(&self) -> bool {
        self.turn.is_some_and(|turn| self.yours.contains(&turn))
    }

    /// Whether another player asks whoever looks to agree to something.
    pub(super) fn is_asked(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| {
            !self.yours.contains(&undo.seat)
                && self.yours.iter().any(|seat| !undo.agreed.contains(seat))
        })
    }

    /// How a player is called, with their symbol.
    pub(super) fn player(&self, seat: usize) -> String {
        match self.players.get(seat) {
            Some(Seated { name: Some(name), symbol }) => format!("{name} ({symbol})"),
            Some(Seated { name: None, symbol }) => format!("someone ({symbol})"),
            None => format!("player {}", seat + 1),
        }
    }
}

/// A refusal of a server.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Refused {
    pub(super) code: String,
    pub(super) message: String,
}
