//! What a server says, read so that it can be shown.

use noughts_rules::is_unprintable;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads what a server sent. Whose server it is nobody knows: no text of it moves the cursor,
/// changes colours or turns the writing direction. All that comes from a server comes by here.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut value: Value = serde_json::from_str(text)?;
    clean(&mut value);
    serde_json::from_value(value)
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => *text = printable(text),
        Value::Array(values) => values.iter_mut().for_each(clean),
        Value::Object(fields) => fields.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text in which nothing disturbs the line that it is printed on.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_unprintable(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Refused;
    use crate::View;

    #[test]
    fn no_text_of_a_server_disturbs_the_terminal() {
        let refused = json!({"code": "taken", "message": "B2\u{1b}[2J is\r\n\u{202e}taken"});
        let refused: Refused = read(&refused.to_string()).unwrap();
        assert_eq!(refused.message, "B2\u{fffd}[2J is\u{fffd}\u{fffd}\u{fffd}taken");
        let player = json!({"name": "B\u{9b}2J\u{2066}", "symbol": "O", "out": false});
        let view = json!({
            "id": "g\u{7}", "seq": 3, "phase": "live", "rules": "3x3", "turn": 0, "yours": [0],
            "players": [player], "moves": ["A1"], "again": [],
        });
        let view: View = read(&view.to_string()).unwrap();
        assert_eq!(
            (view.id.as_str(), view.player(0).as_str()),
            ("g\u{fffd}", "B\u{fffd}2J\u{fffd} (O)")
        );
        // Names in other scripts stay as they are.
        assert_eq!(printable("Zoë, 二, 👩‍🚀"), "Zoë, 二, 👩‍🚀");
    }

    /// What was sent is named in the error where it makes no sense.
    #[test]
    fn nor_does_what_makes_no_sense() {
        let phase = json!("\u{1b}]0;over\u{7}").to_string();
        let error = read::<crate::Phase>(&phase).unwrap_err().to_string();
        assert!(error.contains("\u{fffd}]0;over\u{fffd}"), "{error:?}");
        assert!(!error.contains(is_unprintable), "{error:?}");
    }
}
