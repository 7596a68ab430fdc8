//! What players ask of a game.

use std::sync::Arc;

use noughts_rules::{Move, Seat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

use crate::GameView;

/// A command of a player, the same over HTTP and WebSocket.
///
/// `seq` is the last event the sender has seen: a command based on an outdated game is refused with
/// `stale`. Sending the same `key` again is safe: the command takes effect once and gets the same reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandRequest {
    /// What to do.
    pub command: PlayerCommand,
    /// The sequence number of the last event you have seen. `join` and `rematch` ignore it.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295i64)]
    pub seq: u32,
    /// An idempotency key of your choice, different for each command.
    #[schema(value_type = String, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    pub key: IdempotencyKey,
    /// The seat to act for, if you hold several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u8>, maximum = 7)]
    pub seat: Option<Seat>,
}

/// Everything a player can do in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlayerCommand {
    /// Take the requested seat, or any free one.
    #[schema(title = "JoinCommand")]
    Join {
        /// The symbol for your cells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// Make a move.
    #[schema(title = "MoveCommand")]
    Move {
        /// A box such as `B3`; on a level or board `2B3`; with the mark that you choose `B3=o`; or an
        /// opening choice: `swap`, `keep` or `more`.
        #[serde(rename = "move")]
        #[schema(value_type = String, example = "A1")]
        mv: Move,
    },
    /// Ask to take back your last turn, with all of its stones and choices. Computers agree at once.
    #[schema(title = "RequestUndoCommand")]
    RequestUndo,
    /// Answer another player's undo request.
    #[schema(title = "AnswerUndoCommand")]
    AnswerUndo {
        /// Whether the move may be taken back.
        accept: bool,
    },
    /// Resign.
    #[schema(title = "ResignCommand")]
    Resign,
    /// End the game until the second player has moved, or decline an invitation. The game does not
    /// count.
    #[schema(title = "AbortCommand")]
    Abort,
    /// Claim the win after the other players have been away too long.
    #[schema(title = "ClaimCommand")]
    Claim,
    /// Offer a rematch, or accept the offer. The player who moved second starts the next game.
    #[schema(title = "RematchCommand")]
    Rematch,
}

/// The reply to an accepted command over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommandReply {
    /// The sequence number right after the command. Sending the command again gives the same.
    pub seq: u32,
    /// The game as it is now.
    pub game: GameView,
}

/// A key that makes a command safe to send again: 1 to 64 printable ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Arc<str>);

impl IdempotencyKey {
    /// The key with this text, if it is valid.
    #[must_use]
    pub fn new(text: &str) -> Option<IdempotencyKey> {
        let fits = (1..=64).contains(&text.len()) && text.bytes().all(|b| matches!(b, b' '..=b'~'));
        fits.then(|| IdempotencyKey(text.into()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for IdempotencyKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for IdempotencyKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<IdempotencyKey, D::Error> {
        let text = String::deserialize(deserializer)?;
        IdempotencyKey::new(&text).ok_or_else(|| {
            de::Error::custom("expected a key of 1 to 64 printable ASCII characters")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_requests_read_back() {
        let texts = [
            r#"{"command":{"type":"move","move":"A1"},"seq":4,"key":"k7"}"#,
            r#"{"command":{"type":"move","move":"2B3=o"},"seq":5,"key":"k8"}"#,
            r#"{"command":{"type":"answer_undo","accept":true},"seq":4,"key":"k7","seat":1}"#,
            r#"{"command":{"type":"join"},"seq":0,"key":"k"}"#,
            r#"{"command":{"type":"rematch"},"seq":9,"key":"again"}"#,
        ];
        for text in texts {
            let request: CommandRequest = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&request).unwrap(), text);
        }
    }

    #[test]
    fn invalid_requests_say_what_is_expected() {
        let cases = [
            (r#"{"command":{"type":"jump"},"seq":4,"key":"k"}"#, "unknown variant `jump`"),
            (r#"{"command":{"type":"move"},"seq":4,"key":"k"}"#, "missing field `move`"),
            (r#"{"command":{"type":"move","move":"?"},"seq":4,"key":"k"}"#, "box"),
            (r#"{"command":{"type":"resign"},"seq":4,"key":""}"#, "1 to 64 printable"),
            (r#"{"command":{"type":"resign"},"seq":4,"key":"k","seat":8}"#, "expected a seat"),
            (r#"{"command":{"type":"resign"},"key":"k"}"#, "missing field `seq`"),
            (r#"{"command":{"type":"resign"},"seq":4,"key":"k","x":1}"#, "unknown field `x`"),
        ];
        for (text, expected) in cases {
            let error = serde_json::from_str::<CommandRequest>(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
