//! The keys that work, and what they do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::theme::{TextRole, Theme};

/// A key and what it does.
pub(crate) type KeyHint = (String, String);

/// Makes hints of texts.
pub(crate) fn hints(keys: &[(&str, &str)]) -> Vec<KeyHint> {
    keys.iter().map(|(key, what)| (key.to_string(), what.to_string())).collect()
}

/// Below this many columns keys stand in two columns, which is calmer than lines of any length.
const NARROW: u16 = 40;

/// Keys side by side, in as many lines as they need and there is room for.
pub(crate) struct KeyBar<'a> {
    pub(crate) theme: Theme,
    pub(crate) keys: &'a [KeyHint],
}

impl KeyBar<'_> {
    /// Where each key begins, and how wide it is with what it does: column, line and width.
    fn layout(&self, width: u16) -> Vec<(usize, usize, usize)> {
        let width = usize::from(width);
        let column = (width < usize::from(NARROW)).then_some(width / 2);
        let (mut used, mut line) = (0usize, 0);
        let place = |(key, what): &KeyHint| {
            let needed = key.width() + 1 + what.width();
            if used > 0 {
                let next = match column {
                    Some(column) => (used + 1).next_multiple_of(column.max(1)),
                    None => used + 3,
                };
                if next + needed > width {
                    (used, line) = (0, line + 1);
                } else {
                    used = next;
                }
            }
            let at = (used, line, needed);
            used += needed;
            at
        };
        self.keys.iter().map(place).collect()
    }

    /// How many lines they need.
    pub(crate) fn height(&self, width: u16) -> u16 {
        self.layout(width).last().map_or(0, |(_, line, _)| *line as u16 + 1)
    }

    /// Where the keys are when they are drawn in an area, those that there is room for.
    pub(crate) fn places(&self, area: Rect) -> Vec<(Rect, &str)> {
        let place = |(column, line, width): (usize, usize, usize)| {
            let (x, y) = (area.x + column as u16, area.y + line as u16);
            Rect { x, y, width: width as u16, height: 1 }.intersection(area)
        };
        let places = self.layout(area.width).into_iter().zip(self.keys);
        let places = places.map(|(at, (key, _))| (place(at), key.as_str()));
        places.filter(|(place, _)| !place.is_empty()).collect()
    }
}

impl Widget for KeyBar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        for ((place, _), (key, what)) in self.places(area).into_iter().zip(self.keys) {
            let key = Span::styled(key.as_str(), self.theme.role(TextRole::Key));
            Line::from(vec![key, Span::raw(format!(" {what}"))]).render(place, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_lines_or_in_two_columns() {
        let keys = hints(&[("Enter", "take the box"), ("u", "undo"), ("r", "redo"), ("?", "help")]);
        let theme = Theme { ascii: false, colour: false };
        let drawn = |width| {
            let area = Rect::new(0, 0, width, 3);
            let mut buffer = Buffer::empty(area);
            KeyBar { theme, keys: &keys }.render(area, &mut buffer);
            let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
            (0..3).map(|y| row(y).trim_end().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(drawn(44), ["Enter take the box   u undo   r redo", "? help", ""]);
        assert_eq!(drawn(26), ["Enter take the box", "u undo       r redo", "? help"]);
        assert_eq!(KeyBar { theme, keys: &keys }.height(80), 1);
    }
}
