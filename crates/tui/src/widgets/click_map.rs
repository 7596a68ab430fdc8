//! Places on the screen where a click is as good as a key.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::keys::Keys;

/// What was drawn where, and which key it stands for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clicks(Vec<(Rect, KeyCode)>);

impl Clicks {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn add(&mut self, area: Rect, key: KeyCode) {
        self.0.push((area, key));
    }

    /// Makes keys that are drawn in an area clickable.
    pub(crate) fn add_keys(&mut self, keys: &Keys, area: Rect) {
        for (place, name) in keys.places(area) {
            let mut characters = name.chars();
            let key = match (name, characters.next(), characters.next()) {
                ("Enter", ..) => KeyCode::Enter,
                ("Esc", ..) => KeyCode::Esc,
                // The first of two keys.
                (name, ..) if name.starts_with("Esc ") => KeyCode::Esc,
                ("Home", ..) => KeyCode::Home,
                ("End", ..) => KeyCode::End,
                ("F1", ..) => KeyCode::F(1),
                (_, Some(character), None) => KeyCode::Char(character),
                _ => continue,
            };
            self.add(place, key);
        }
    }

    /// The key that a click at a place stands for.
    pub(crate) fn key_at(&self, column: u16, row: u16) -> Option<KeyCode> {
        let at = (column, row).into();
        self.0.iter().find(|(area, _)| area.contains(at)).map(|(_, key)| *key)
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::hints;
    use super::*;
    use crate::look::Look;

    #[test]
    fn a_click_at_a_key_is_the_key() {
        let keys = hints(&[("Enter", "play"), ("u", "undo"), ("B2", "takes a box")]);
        let keys = Keys { look: Look { ascii: true, colour: false }, keys: &keys };
        let mut clicks = Clicks::default();
        clicks.add_keys(&keys, Rect::new(5, 3, 60, 1));
        assert_eq!(clicks.key_at(5, 3), Some(KeyCode::Enter));
        assert_eq!(clicks.key_at(5 + "Enter play   u".len() as u16, 3), Some(KeyCode::Char('u')));
        assert_eq!(clicks.key_at(5 + "Enter play   u undo   B".len() as u16, 3), None);
        assert_eq!(clicks.key_at(5, 4), None);
    }
}
