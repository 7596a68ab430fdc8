//! A scrolling list with one selected row.

use crossterm::event::{Event, KeyCode, MouseButton, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::theme::{TextRole, Theme};
use super::widgets::shortened;

/// The rows, and which of them is selected.
#[derive(Default)]
pub(crate) struct SelectList {
    pub(crate) rows: Vec<String>,
    pub(crate) selected: usize,
    first: usize,
    /// Where the rows were drawn last.
    area: Rect,
}

impl SelectList {
    pub(crate) fn new(rows: Vec<String>) -> SelectList {
        SelectList { rows, ..SelectList::default() }
    }

    /// Selects a row, in view.
    pub(crate) fn select(&mut self, row: usize) {
        self.selected = row;
        self.first = self.first.min(row);
    }

    /// Moves the selection. Returns whether a click opened the selected row.
    pub(crate) fn handle(&mut self, event: &Event) -> bool {
        let page = usize::from(self.area.height.max(1));
        let last = self.rows.len().saturating_sub(1);
        let down = |by: usize| self.selected.saturating_add(by).min(last);
        match event {
            Event::Key(key) => match key.code {
                KeyCode::Down | KeyCode::Char('j') => self.selected = down(1),
                KeyCode::PageDown | KeyCode::Char(' ') => self.selected = down(page),
                KeyCode::End => self.selected = last,
                KeyCode::Up | KeyCode::Char('k') => self.selected = self.selected.saturating_sub(1),
                KeyCode::PageUp => self.selected = self.selected.saturating_sub(page),
                KeyCode::Home => self.selected = 0,
                _ => {}
            },
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => self.selected = down(1),
                MouseEventKind::ScrollUp => self.selected = self.selected.saturating_sub(1),
                MouseEventKind::Down(MouseButton::Left)
                    if self.area.contains((mouse.column, mouse.row).into()) =>
                {
                    let row = self.first + usize::from(mouse.row - self.area.y);
                    if row < self.rows.len() {
                        let again = self.selected == row;
                        self.selected = row;
                        return again;
                    }
                }
                _ => {}
            },
            _ => {}
        }
        false
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        self.area = area;
        let height = usize::from(area.height);
        let least = (self.selected + 1).saturating_sub(height.max(1));
        self.first = self.first.clamp(least, self.selected);
        let rows = self.rows.iter().enumerate().skip(self.first).take(height);
        let lines = rows.map(|(i, row)| {
            let text = shortened(row, usize::from(area.width.saturating_sub(2)));
            if i == self.selected {
                let width = usize::from(area.width.saturating_sub(2));
                let space = width.saturating_sub(unicode_width::UnicodeWidthStr::width(&*text));
                let line = format!("{} {text}{}", theme.pointer(), " ".repeat(space));
                Line::styled(line, theme.selected())
            } else {
                Line::raw(format!("  {text}"))
            }
        });
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
        if self.first + height < self.rows.len() && area.height > 0 {
            let more = self.rows.len() - self.first - height;
            let text = format!("{more} more {}", theme.pick("▼", "v"));
            let line = Line::styled(text, theme.role(TextRole::Key)).right_aligned();
            let below = Rect { y: area.bottom(), height: 1, ..area };
            frame.render_widget(Paragraph::new(line), below.intersection(frame.area()));
        }
    }
}
