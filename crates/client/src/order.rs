//! What players can ask a server to do in a game.

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// To take the box of this name.
    Move(String),
    /// To take back the last move.
    Undo,
    /// To let another player take one back, or not.
    Answer {
        agree: bool,
    },
    Resign,
    Abort,
    /// To win because others have left.
    Claim,
    /// To play again.
    Rematch,
}

impl Order {
    /// Where it is sent to, below the game, and what is sent besides who saw what.
    pub fn request(&self) -> (&'static str, Value) {
        match self {
            Order::Move(cell) => ("moves", json!({"cell": cell})),
            Order::Undo => ("undo", json!({})),
            Order::Answer { agree } => ("undo/answer", json!({"agree": agree})),
            Order::Resign => ("resign", json!({})),
            Order::Abort => ("abort", json!({})),
            Order::Claim => ("claim", json!({})),
            Order::Rematch => ("rematch", json!({})),
        }
    }
}
