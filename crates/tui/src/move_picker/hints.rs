//! Hints for the keys that pick a move.

use noughts_rules::{Game, Mark, Move, Rules};

use super::{MovePicker, chooses_mark, is_row};
use crate::theme::Theme;
use crate::widgets::key_bar::{KeyHint, hints};

impl MovePicker {
    /// What the keys of the picker do now. `enter` says what Enter does if that is not to take a box.
    pub(crate) fn key_hints(
        &self,
        game: &Game,
        choices: &[Move],
        theme: Theme,
        enter: Option<&str>,
    ) -> Vec<KeyHint> {
        let (arrows, rules) = (theme.pick("←↓↑→", "arrows"), game.rules());
        if !choices.is_empty() {
            let sides = theme.pick("←→", "left/right");
            return hints(&[(sides, "select"), ("Enter", enter.unwrap_or("choose"))]);
        }
        if !chooses_mark(rules) {
            return match self.typed.is_empty() {
                true => hints(&[(arrows, "move"), ("Enter", enter.unwrap_or("take"))]),
                false => hints(&[("Enter", "take"), ("Esc", "clear")]),
            };
        }
        let place = |mark: Mark| format!("place {}", game.mark_symbol(mark));
        if self.typed.is_empty() {
            let letter = self.other_mark().letter();
            let names_row = is_row(rules, letter.to_ascii_uppercase());
            let key = if names_row { "Tab".to_string() } else { letter.to_string() };
            let switch = format!("switch to {}", game.mark_symbol(self.other_mark()));
            let own = place(self.mark);
            let mut keys = hints(&[(arrows, "move"), ("Enter", enter.unwrap_or(&own))]);
            keys.push((key, switch));
            return keys;
        }
        let mut keys = vec![("Enter".to_string(), place(self.mark))];
        if self.typed.column().is_some() {
            keys.extend(rules.marks().map(|mark| (mark.letter().to_string(), place(mark))));
        }
        keys.push(("Esc".into(), "clear".into()));
        keys
    }
}

/// The hint for a command's key. A key that names a row of this board works in the menu only.
pub(crate) fn command_hint(rules: &Rules, key: &str, name: &str) -> KeyHint {
    let names_row = key.chars().all(|c| is_row(rules, c.to_ascii_uppercase()));
    let menu = if names_row { "Esc " } else { "" };
    (format!("{menu}{key}"), name.to_string())
}
