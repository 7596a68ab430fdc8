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

/// Below this many columns keys stand in two columns, which is calmer than lines of any length.
const NARROW: u16 = 40;

/// Keys side by side, in as many lines as they need and there is room for.
pub(crate) struct Keys<'a> {
    pub(crate) look: Look,
    pub(crate) keys: &'a [KeyHint],
}

impl Keys<'_> {
    fn lines(&self, width: u16) -> Vec<Line<'_>> {
        let width = usize::from(width);
        let column = (width < usize::from(NARROW)).then_some(width / 2);
        let mut lines: Vec<Line> = Vec::new();
        let mut used: usize = 0;
        for (key, what) in self.keys {
            let needed = key.width() + 1 + what.width();
            // Where the next one begins in this line.
            let next = column.map_or(used + 3, |column| (used + 1).next_multiple_of(column.max(1)));
            if lines.is_empty() || next + needed > width {
                lines.push(Line::default());
                used = 0;
            } else {
                let line = lines.last_mut().expect("one was pushed");
                line.push_span(Span::raw(" ".repeat(next - used)));
                used = next;
            }
            let line = lines.last_mut().expect("one was pushed");
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
    fn keys_stand_in_lines_or_in_two_columns() {
        let keys = hints(&[("Enter", "take the box"), ("u", "undo"), ("r", "redo"), ("?", "help")]);
        let look = Look { ascii: false, colour: false };
        let drawn = |width| {
            let area = Rect::new(0, 0, width, 3);
            let mut buffer = Buffer::empty(area);
            Keys { look, keys: &keys }.render(area, &mut buffer);
            let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
            (0..3).map(|y| row(y).trim_end().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(drawn(44), ["Enter take the box   u undo   r redo", "? help", ""]);
        assert_eq!(drawn(26), ["Enter take the box", "u undo       r redo", "? help"]);
        assert_eq!(Keys { look, keys: &keys }.height(80), 1);
    }
}
