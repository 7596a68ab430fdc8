//! What goes over a WebSocket from the server: one text for each event, made once and shared by
//! everyone who gets it.

use std::fmt::Write;

use noughts_api::{ErrorBody, ErrorCode};
use serde::Serialize;

use crate::game::{CommandKey, GameView, Millis, OnlineGame, Refusal, StoredCell};

/// An event as clients get it: the stored event with its number and time, and what follows from
/// it, so that no client needs to know the rules.
pub(super) fn event(body: &str, at: Millis, after: &OnlineGame) -> String {
    let mut text = String::with_capacity(body.len() + 48);
    // A stored event is an object with at least its type.
    let inner = body.strip_suffix('}').unwrap_or(body).strip_prefix('{').unwrap_or(body);
    let _ = write!(text, r#"{{"seq":{},"at":{at},{inner}"#, after.seq());
    match after.turn() {
        Some(seat) => {
            let _ = write!(text, r#","turn":{}"#, seat.index());
        }
        None => text.push_str(r#","turn":null"#),
    }
    if let Some(result) = after.result_view() {
        append(&mut text, "result", &result);
    } else if after.rules().gravity()
        && let Some(game) = after.game()
    {
        let legal: Vec<_> = game.position().legal_moves().map(StoredCell).collect();
        append(&mut text, "legal", &legal);
    }
    // What made the game says which clock it has.
    if after.seq() > 1
        && let Some(clock) = after.clock_view(at)
    {
        append(&mut text, "clock", &clock);
    }
    text.push('}');
    text
}

fn append(text: &mut String, name: &str, value: &impl Serialize) {
    if let Ok(json) = serde_json::to_string(value) {
        let _ = write!(text, r#","{name}":{json}"#);
    }
}

/// The whole game, for whoever has seen nothing of it.
pub(super) fn state(game: GameView) -> String {
    #[derive(Serialize)]
    struct State {
        r#type: &'static str,
        game: GameView,
    }
    json(&State { r#type: "state", game })
}

/// A command was done; the game was at this sequence number afterwards.
pub(super) fn done(key: Option<&CommandKey>, seq: u32) -> String {
    #[derive(Serialize)]
    struct Done<'a> {
        r#type: &'static str,
        key: Option<&'a CommandKey>,
        seq: u32,
    }
    json(&Done { r#type: "done", key, seq })
}

/// A command was refused. Whoever was late gets the game as it is.
pub(crate) fn refused(
    key: Option<&CommandKey>,
    code: ErrorCode,
    message: &str,
    game: Option<GameView>,
) -> String {
    #[derive(Serialize)]
    struct Refused<'a> {
        r#type: &'static str,
        key: Option<&'a CommandKey>,
        code: ErrorCode,
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<GameView>,
    }
    let ErrorBody { message, .. } = ErrorBody::new(code, &message);
    json(&Refused { r#type: "refused", key, code, message, game })
}

/// How long messages take to a player and back.
pub(crate) fn lag(seat: u8, ms: u64) -> String {
    format!(r#"{{"type":"lag","seat":{seat},"ms":{ms}}}"#)
}

/// Whether a refusal comes with the game as it is: when the sender did not know it.
pub(super) fn needs_state(refusal: &Refusal) -> bool {
    refusal.depends_on_state()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
