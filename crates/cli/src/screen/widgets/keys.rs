//! The keys that work, and what they do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::screen::look::{Look, Tone};

/// A key and what it does.
pub(crate) type KeyHint = (String, String);

/// Makes hints of texts.
pub(crate) fn hints(keys: &[(&str, &str)]) -> Vec<KeyHint> {
    keys.iter().map(|(key, what)| (key.to_string(), what.to_string())).collect()
}

/// Keys side by side, in as many lines as they need and there is room for.
pub(crate) struct Keys<'a> {
    pub(crate) look: Look,
    pub(crate) keys: &'a [KeyHint],
}

impl Keys<'_> {
    fn lines(&self, width: u16) -> Vec<Line<'_>> {
        let mut lines: Vec<Line> = Vec::new();
        let mut used = 0;
        for (key, what) in self.keys {
            let needed = key.width() + 1 + what.width();
            if lines.is_empty() || used + 3 + needed > usize::from(width) {
                lines.push(Line::default());
                used = 0;
            } else {
                used += 3;
            }
            let line = lines.last_mut().expect("one was pushed");
            if used > 0 {
                line.push_span(Span::raw("   "));
            }
            line.push_span(Span::styled(key.as_str(), self.look.tone(Tone::Key)));
            line.push_span(Span::raw(format!(" {what}")));
            used += needed;
        }
        lines
    }

    /// How many lines they need.
    pub(crate) fn height(&self, width: u16) -> u16 {
        self.lines(width).len() as u16
    }
}

impl Widget for Keys<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        for (row, line) in area.rows().zip(self.lines(area.width)) {
            line.render(row, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_on_in_the_next_line() {
        let keys = hints(&[("Enter", "take the box"), ("u", "undo"), ("?", "help")]);
        let look = Look { ascii: false, colour: false };
        let area = Rect::new(0, 0, 30, 2);
        let mut buffer = Buffer::empty(area);
        Keys { look, keys: &keys }.render(area, &mut buffer);
        let row = |y| (0..30).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        assert_eq!(row(0).trim_end(), "Enter take the box   u undo");
        assert_eq!(row(1).trim_end(), "? help");
        assert_eq!(Keys { look, keys: &keys }.height(80), 1);
    }
}
