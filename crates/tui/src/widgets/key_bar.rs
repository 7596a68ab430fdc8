//! The bar of keys and what they do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::theme::{TextRole, Theme};

/// A key and what it does.
pub(crate) type KeyHint = (String, String);

/// Builds hints from pairs of key and meaning.
pub(crate) fn hints(keys: &[(&str, &str)]) -> Vec<KeyHint> {
    keys.iter().map(|(key, what)| (key.to_string(), what.to_string())).collect()
}

/// Bars narrower than this have two aligned columns.
const MIN_FLOW_WIDTH: u16 = 40;

/// The hints that fit: the first and the last stay, which are the usual key and the way to all others,
/// and of the rest as many as have room.
fn fitting(keys: &[KeyHint], theme: Theme, area: Rect) -> Vec<KeyHint> {
    let mut keys = keys.to_vec();
    while keys.len() > 2 && (KeyBar { theme, keys: &keys }).height(area.width) > area.height {
        keys.remove(keys.len() - 2);
    }
    keys
}

/// Key hints side by side, on as many lines as they need. Where not all of them fit, the important ones
/// stay.
pub(crate) struct KeyBar<'a> {
    pub(crate) theme: Theme,
    pub(crate) keys: &'a [KeyHint],
}

impl KeyBar<'_> {
    /// The column, line and width of each hint.
    fn layout(&self, width: u16) -> Vec<(usize, usize, usize)> {
        let width = usize::from(width);
        let column = (width < usize::from(MIN_FLOW_WIDTH)).then_some(width / 2);
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

    /// The lines that the bar needs.
    pub(crate) fn height(&self, width: u16) -> u16 {
        self.layout(width).last().map_or(0, |(_, line, _)| *line as u16 + 1)
    }

    /// The visible hints and their areas when the bar is drawn in `area`.
    pub(crate) fn places(&self, area: Rect) -> Vec<(Rect, KeyHint)> {
        let place = |(column, line, width): (usize, usize, usize)| {
            let (x, y) = (area.x + column as u16, area.y + line as u16);
            Rect { x, y, width: width as u16, height: 1 }.intersection(area)
        };
        let keys = fitting(self.keys, self.theme, area);
        let layout = KeyBar { theme: self.theme, keys: &keys }.layout(area.width);
        let places = layout.into_iter().map(place).zip(keys);
        places.filter(|(place, _)| !place.is_empty()).collect()
    }
}

impl Widget for KeyBar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        for (place, (key, what)) in self.places(area) {
            let key = Span::styled(key, self.theme.role(TextRole::Key));
            Line::from(vec![key, Span::raw(format!(" {what}"))]).render(place, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_bars_have_two_columns() {
        let keys = hints(&[("Enter", "take the box"), ("u", "undo"), ("r", "redo"), ("?", "help")]);
        let theme = Theme::new(false, false);
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

    #[test]
    fn small_bars_keep_the_important_keys() {
        let keys = hints(&[("Enter", "take"), ("u", "undo"), ("r", "redo"), ("Esc", "menu")]);
        let fit = |width| {
            let kept = fitting(&keys, Theme::new(false, false), Rect::new(0, 0, width, 1));
            kept.into_iter().map(|(key, _)| key).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(fit(80), "Enter u r Esc");
        assert_eq!(fit(40), "Enter u r Esc");
        assert_eq!(fit(24), "Enter Esc");
        assert_eq!(fit(5), "Enter Esc");
    }
}
