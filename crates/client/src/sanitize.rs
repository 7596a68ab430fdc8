//! Making text from a server safe to print.

use noughts_rules::is_unprintable;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads JSON from a server. Servers are not trusted: control characters in any string are replaced,
/// so that printing it can't move the cursor, change colours or turn the writing direction.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut value: Value = serde_json::from_str(text)?;
    sanitize(&mut value);
    serde_json::from_value(value)
}

fn sanitize(value: &mut Value) {
    match value {
        Value::String(text) => *text = printable(text),
        Value::Array(values) => values.iter_mut().for_each(sanitize),
        Value::Object(fields) => fields.values_mut().for_each(sanitize),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The text with a replacement character for everything that would disturb the line it is printed on.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_unprintable(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use noughts_api::{ErrorBody, GamePhase, PlayerView};
    use serde_json::json;

    use super::*;

    #[test]
    fn control_characters_are_replaced() {
        let error = json!({"code": "taken", "message": "B2\u{1b}[2J is\r\n\u{202e}taken"});
        let error: ErrorBody = from_json(&error.to_string()).unwrap();
        assert_eq!(error.message, "B2\u{fffd}[2J is\u{fffd}\u{fffd}\u{fffd}taken");
        let player = json!({"seat": 0, "name": "B\u{9b}2J\u{2066}", "symbol": "O", "out": false});
        let player: PlayerView = from_json(&player.to_string()).unwrap();
        assert_eq!(player.name.unwrap(), "B\u{fffd}2J\u{fffd}");
    }

    #[test]
    fn names_in_other_scripts_stay() {
        assert_eq!(printable("Zoë, 二, 👩‍🚀"), "Zoë, 二, 👩‍🚀");
    }

    #[test]
    fn errors_quote_sanitised_text() {
        let phase = json!("\u{1b}]0;over\u{7}").to_string();
        let error = from_json::<GamePhase>(&phase).unwrap_err().to_string();
        assert!(error.contains("\u{fffd}]0;over\u{fffd}"), "{error:?}");
        assert!(!error.contains(is_unprintable), "{error:?}");
    }
}
