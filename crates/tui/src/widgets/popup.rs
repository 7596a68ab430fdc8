//! A popup window.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};

use super::panel::wrapped_height;
use crate::theme::{TextRole, Theme};

/// A centred frame with a title and lines of text.
pub(crate) struct Popup<'a> {
    pub(crate) theme: Theme,
    pub(crate) title: &'a str,
    pub(crate) lines: Vec<Line<'a>>,
    /// Whether long lines wrap instead of being cut.
    pub(crate) wrap: bool,
}

impl Popup<'_> {
    /// The area of the lines when the popup is drawn in `area`.
    pub(crate) fn inside(&self, area: Rect) -> Rect {
        let frame = self.frame(area);
        Rect {
            x: frame.x + 2.min(frame.width),
            y: frame.y + 1.min(frame.height),
            width: frame.width.saturating_sub(4),
            height: frame.height.saturating_sub(2),
        }
    }

    fn frame(&self, area: Rect) -> Rect {
        let title = Line::raw(self.title).width() + 2;
        let width = self.lines.iter().map(Line::width).chain([title]).max().unwrap_or(0) + 4;
        let width = u16::try_from(width).unwrap_or(u16::MAX).min(area.width);
        let room = usize::from(width).saturating_sub(4).max(1);
        let height = |line| if self.wrap { wrapped_height(line, room) } else { 1 };
        let rows = self.lines.iter().map(height);
        let height = u16::try_from(rows.sum::<usize>() + 2).unwrap_or(u16::MAX).min(area.height);
        Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        }
    }
}

impl Widget for Popup<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (frame, inside) = (self.frame(area), self.inside(area));
        Clear.render(frame, buffer);
        Block::bordered()
            .border_set(self.theme.border())
            .border_style(self.theme.role(TextRole::Focus))
            .title(format!(" {} ", self.title))
            .render(frame, buffer);
        let text = Paragraph::new(self.lines);
        let text = if self.wrap { text.wrap(Wrap { trim: false }) } else { text };
        text.render(inside, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_popup_lines_wrap() {
        let area = Rect::new(0, 0, 24, 8);
        let mut buffer = Buffer::empty(area);
        let lines = vec![Line::raw("It can't be written: there is no such folder.")];
        let theme = Theme::new(false, true);
        Popup { theme, title: "Save", lines, wrap: true }.render(area, &mut buffer);
        let rows = (0..8).map(|y| (0..24).map(|x| buffer[(x, y)].symbol()).collect::<String>());
        let words: Vec<String> = rows.map(|row| row.trim_matches(['│', ' ']).to_string()).collect();
        assert!(
            words.join(" ").contains("It can't be written: there is no such folder."),
            "{words:?}"
        );
    }
}
