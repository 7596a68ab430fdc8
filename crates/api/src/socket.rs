//! Messages over a game's WebSocket. Clients send [`CommandRequest`](crate::CommandRequest)s.

use noughts_rules::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Emote, ErrorBody, GameUpdate, GameView, IdempotencyKey};

/// A message from the server over a game's WebSocket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The whole game, for a client that has not seen it or missed too much.
    #[schema(title = "StateMessage")]
    State {
        /// The game.
        game: Box<GameView>,
    },
    /// Something happened.
    #[schema(title = "UpdateMessage")]
    Update(Box<GameUpdate>),
    /// Your command was accepted.
    #[schema(title = "AcceptedMessage")]
    Accepted {
        /// The command's key.
        #[schema(value_type = String)]
        key: IdempotencyKey,
        /// The sequence number right after the command.
        seq: u32,
    },
    /// Your command was refused.
    #[schema(title = "RefusedMessage")]
    Refused {
        /// The command's key, if it could be read.
        #[schema(value_type = Option<String>)]
        key: Option<IdempotencyKey>,
        /// Why, with the game as it is if you did not know it.
        #[serde(flatten)]
        error: ErrorBody,
    },
    /// The round-trip time of a player.
    #[schema(title = "LagMessage")]
    Lag {
        /// The player's seat.
        #[schema(value_type = u8)]
        seat: Seat,
        /// Milliseconds.
        ms: u64,
    },
    /// A player says something. It is not part of the game, and not kept.
    #[schema(title = "EmoteMessage")]
    Emote {
        /// The player's seat.
        #[schema(value_type = u8)]
        seat: Seat,
        /// What they say.
        emote: Emote,
    },
    /// How many spectators there are, if there are any or were any before.
    #[schema(title = "SpectatorsMessage")]
    Spectators {
        /// How many. Large numbers are not sent at every change.
        count: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_messages_read_back() {
        let texts = [
            r#"{"type":"update","seq":5,"at":1,"event":{"type":"moved","seat":0,"move":"A1"},"phase":"live","turn":1}"#,
            r#"{"type":"accepted","key":"k7","seq":5}"#,
            r#"{"type":"refused","key":null,"code":"not_your_turn","message":"it is O's turn"}"#,
            r#"{"type":"lag","seat":0,"ms":43}"#,
            r#"{"type":"emote","seat":1,"emote":"good_game"}"#,
            r#"{"type":"spectators","count":3}"#,
        ];
        for text in texts {
            let message: ServerMessage = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&message).unwrap(), text);
        }
    }

    #[test]
    fn codes_of_later_versions_are_unknown() {
        let text = r#"{"type":"refused","key":"k","code":"new_code","message":"?"}"#;
        let ServerMessage::Refused { error, .. } = serde_json::from_str(text).unwrap() else {
            panic!("not a refusal");
        };
        assert_eq!(error.code, crate::ErrorCode::Unknown);
    }
}
