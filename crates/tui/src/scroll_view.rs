//! Text that scrolls.

use crossterm::event::{Event, KeyCode, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::widgets::panel::wrapped_height;

/// The scroll position of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ScrollView {
    at: u16,
    /// The largest position, as of the last drawing.
    furthest: u16,
}

impl ScrollView {
    /// Whether the text is longer than the window.
    pub(crate) fn has_more(&self) -> bool {
        self.furthest > 0
    }

    pub(crate) fn handle(&mut self, event: &Event) {
        let by: i32 = match event {
            Event::Key(key) => match key.code {
                KeyCode::Down | KeyCode::Char('j') => 1,
                KeyCode::Up | KeyCode::Char('k') => -1,
                KeyCode::PageDown | KeyCode::Char(' ') => 10,
                KeyCode::PageUp => -10,
                KeyCode::Home => i32::MIN,
                KeyCode::End => i32::MAX,
                _ => 0,
            },
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => 3,
                MouseEventKind::ScrollUp => -3,
                _ => 0,
            },
            _ => 0,
        };
        let at = i32::from(self.at).saturating_add(by);
        self.at = at.clamp(0, i32::from(self.furthest)) as u16;
    }

    /// Draws the visible part, wrapping long lines.
    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, lines: Vec<Line>) {
        let width = usize::from(area.width.max(1));
        let height: usize = lines.iter().map(|line| wrapped_height(line, width)).sum();
        self.furthest = u16::try_from(height).unwrap_or(u16::MAX).saturating_sub(area.height);
        self.at = self.at.min(self.furthest);
        let text = Paragraph::new(lines).wrap(Wrap { trim: false });
        frame.render_widget(text.scroll((self.at, 0)), area);
    }
}
