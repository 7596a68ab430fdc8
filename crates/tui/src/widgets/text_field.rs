//! A single-line text editor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Position;
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

const MAX_GRAPHEMES: usize = 200;
const MAX_GRAPHEME_BYTES: usize = 64;

/// A line of text with a caret in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TextField {
    graphemes: Vec<String>,
    caret: usize,
}

impl TextField {
    pub(crate) fn new(text: &str) -> TextField {
        let mut field = TextField::default();
        field.insert(text);
        field
    }

    pub(crate) fn text(&self) -> String {
        self.graphemes.concat()
    }

    /// Inserts text at the caret, without control characters.
    pub(crate) fn insert(&mut self, text: &str) {
        // What is typed may combine with the character before it: an accent, the rest of a flag.
        let before: String = self.graphemes[..self.caret].concat();
        let after = self.graphemes.split_off(self.caret);
        let printable = text.chars().filter(|c| !c.is_control()).take(MAX_GRAPHEMES * 4);
        let joined: String = before.chars().chain(printable).collect();
        self.graphemes = joined
            .graphemes(true)
            .filter(|grapheme| grapheme.len() <= MAX_GRAPHEME_BYTES)
            .take(MAX_GRAPHEMES)
            .map(str::to_string)
            .collect();
        self.caret = self.graphemes.len();
        self.graphemes.extend(after);
        self.graphemes.truncate(MAX_GRAPHEMES);
    }

    /// Applies an editing key; `false` if the key edits nothing.
    pub(crate) fn handle(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('u') if control => *self = TextField::default(),
            KeyCode::Char('a') if control => self.caret = 0,
            KeyCode::Char('e') if control => self.caret = self.graphemes.len(),
            KeyCode::Char(c) if !control => self.insert(&c.to_string()),
            KeyCode::Backspace => {
                if self.caret > 0 {
                    self.caret -= 1;
                    self.graphemes.remove(self.caret);
                }
            }
            KeyCode::Delete => {
                if self.caret < self.graphemes.len() {
                    self.graphemes.remove(self.caret);
                }
            }
            KeyCode::Left => self.caret = self.caret.saturating_sub(1),
            KeyCode::Right => self.caret = (self.caret + 1).min(self.graphemes.len()),
            KeyCode::Home => self.caret = 0,
            KeyCode::End => self.caret = self.graphemes.len(),
            _ => return false,
        }
        true
    }

    /// The visible part of the text in this many columns, and the column of the caret.
    pub(crate) fn view(&self, width: u16) -> (String, u16) {
        let room = usize::from(width.saturating_sub(1));
        let mut first = self.caret;
        let mut before = 0;
        while first > 0 && before + self.graphemes[first - 1].width() <= room {
            first -= 1;
            before += self.graphemes[first].width();
        }
        let mut seen = String::new();
        for grapheme in &self.graphemes[first..] {
            if seen.width() + grapheme.width() > usize::from(width) {
                break;
            }
            seen.push_str(grapheme);
        }
        (seen, before as u16)
    }

    /// Where the terminal's cursor belongs when the field is drawn in `area`.
    pub(crate) fn caret_in(&self, area: Rect) -> Position {
        Position::new(area.x + self.view(area.width).1, area.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(field: &mut TextField, keys: &[KeyCode]) -> String {
        for &code in keys {
            field.handle(KeyEvent::new(code, KeyModifiers::NONE));
        }
        field.text()
    }

    #[test]
    fn keys_edit_the_text() {
        use KeyCode::{Backspace, Char, Delete, End, Home, Left, Right};
        let mut field = TextField::new("Bo");
        assert_eq!(typed(&mut field, &[Char('b')]), "Bob");
        assert_eq!(typed(&mut field, &[Left, Backspace, Char('i')]), "Bib");
        assert_eq!(typed(&mut field, &[Home, Delete, Char('C'), End, Char('!')]), "Cib!");
        assert_eq!(
            typed(
                &mut field,
                &[Right, Right, Backspace, Backspace, Backspace, Backspace, Backspace]
            ),
            ""
        );
    }

    #[test]
    fn grapheme_clusters_edit_as_one() {
        let mut field = TextField::new("");
        for c in "👩\u{200d}🚀e\u{301}".chars() {
            typed(&mut field, &[KeyCode::Char(c)]);
        }
        assert_eq!(field.text(), "👩\u{200d}🚀e\u{301}");
        assert_eq!(typed(&mut field, &[KeyCode::Backspace]), "👩\u{200d}🚀");
        assert_eq!(typed(&mut field, &[KeyCode::Backspace]), "");
    }

    #[test]
    fn caret_stays_visible() {
        let field = TextField::new("abcdefgh");
        assert_eq!(field.view(4), ("fgh".to_string(), 3));
        assert_eq!(TextField::new("漢字漢字").view(4), ("字".to_string(), 2));
        assert_eq!(field.view(0), (String::new(), 0));
    }

    #[test]
    fn control_characters_and_overflow_dropped() {
        assert_eq!(TextField::new("a\u{1b}[31m\nb").text(), "a[31mb");
        assert_eq!(TextField::new(&"x".repeat(100_000)).text().len(), MAX_GRAPHEMES);
        assert_eq!(TextField::new(&format!("a{}", "\u{301}".repeat(300))).text(), "");
    }
}
