//! A window in front of the others.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph, Widget};

use crate::screen::look::{Look, Tone};

/// Lines of text in a frame with a title, in the middle of an area.
pub(crate) struct Popup<'a> {
    pub(crate) look: Look,
    pub(crate) title: &'a str,
    pub(crate) lines: Vec<Line<'a>>,
}

impl Popup<'_> {
    /// Where the lines are when the window is drawn in an area.
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
        let height = u16::try_from(self.lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
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
            .border_set(self.look.border())
            .border_style(self.look.tone(Tone::Focus))
            .title(format!(" {} ", self.title))
            .render(frame, buffer);
        Paragraph::new(self.lines).render(inside, buffer);
    }
}
