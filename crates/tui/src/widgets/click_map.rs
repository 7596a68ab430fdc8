//! Screen areas that act as keys when clicked.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::key_bar::KeyBar;

/// Areas with the keys that they stand for.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClickMap(Vec<(Rect, KeyCode)>);

impl ClickMap {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn add(&mut self, area: Rect, key: KeyCode) {
        self.0.push((area, key));
    }

    /// Adds the keys of a bar drawn in this area.
    pub(crate) fn add_keys(&mut self, keys: &KeyBar, area: Rect) {
        for (place, (name, _)) in keys.places(area) {
            let mut characters = name.chars();
            let key = match (name.as_str(), characters.next(), characters.next()) {
                ("Enter", ..) => KeyCode::Enter,
                ("Esc", ..) => KeyCode::Esc,
                // Of two keys, the first.
                (name, ..) if name.starts_with("Esc ") => KeyCode::Esc,
                ("Space", ..) => KeyCode::Char(' '),
                ("Home", ..) => KeyCode::Home,
                ("End", ..) => KeyCode::End,
                ("F1", ..) => KeyCode::F(1),
                (_, Some(character), None) => KeyCode::Char(character),
                _ => continue,
            };
            self.add(place, key);
        }
    }

    /// The key at a screen position.
    pub(crate) fn key_at(&self, column: u16, row: u16) -> Option<KeyCode> {
        let at = (column, row).into();
        self.0.iter().find(|(area, _)| area.contains(at)).map(|(_, key)| *key)
    }
}

#[cfg(test)]
mod tests {
    use super::super::key_bar::hints;
    use super::*;
    use crate::theme::Theme;

    #[test]
    fn clicking_a_hint_yields_its_key() {
        let keys = hints(&[("Enter", "play"), ("u", "undo"), ("B2", "takes a box")]);
        let keys = KeyBar { theme: Theme::new(true, false), keys: &keys };
        let mut click_map = ClickMap::default();
        click_map.add_keys(&keys, Rect::new(5, 3, 60, 1));
        assert_eq!(click_map.key_at(5, 3), Some(KeyCode::Enter));
        assert_eq!(
            click_map.key_at(5 + "Enter play   u".len() as u16, 3),
            Some(KeyCode::Char('u'))
        );
        assert_eq!(click_map.key_at(5 + "Enter play   u undo   B".len() as u16, 3), None);
        assert_eq!(click_map.key_at(5, 4), None);
    }
}
