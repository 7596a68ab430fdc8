//! How to play, and all keys.

use crossterm::event::{Event, KeyCode, MouseEventKind};
use noughts_rules::Rules;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::Go;
use super::look::{Look, Tone};
use super::widgets::clicks::Clicks;
use super::widgets::keys::{Keys, hints};
use crate::play::commands::how_to_play;

/// Keys and what they do, in groups.
const KEYS: [(&str, &[(&str, &str)]); 4] = [
    (
        "During a game",
        &[
            ("arrows, hjkl", "move the frame; Home, End, Page Up and Page Down go to the edge"),
            ("Enter, Space", "take the box in the frame; while the computer thinks: move now"),
            ("B2", "typed, takes that box; capitals always begin a box name"),
            ("mouse", "takes the box you click at; the wheel scrolls large boards"),
            ("u, r", "take back the last move; do it again"),
            ("t", "hint: a star marks the best boxes"),
            ("v", "analysis: what each box is worth to whoever has the turn"),
            ("x", "swap sides: the board stays"),
            ("s", "save the game to a file"),
            ("w", "resign"),
            ("p", "new game"),
            ("Esc", "the menu with all of these, and the scoreboard"),
            ("q", "leave the game"),
        ],
    ),
    (
        "After a game",
        &[
            ("Enter", "play again; the other player starts"),
            ("v", "step through the game, with analysis"),
            ("u", "take back the end, unless the game is rated"),
        ],
    ),
    (
        "Analysis",
        &[
            ("W3  D  L4", "win in 3 moves of both, draw, loss in 4: proven"),
            ("~+250  ~win", "an estimate, the higher the better: not proven"),
            ("+2", "the same in hundreds, where cells are small"),
            ("(X)  *X*", "the last move; the winning line"),
        ],
    ),
    (
        "Everywhere",
        &[
            ("?, F1", "this page"),
            ("Ctrl-Z", "suspend; fg comes back"),
            ("Ctrl-L", "draw the screen anew"),
            ("Ctrl-C", "quit at once"),
        ],
    ),
];

pub(crate) struct HelpPage {
    rules: Rules,
    scroll: u16,
    /// How far the text can be scrolled, as it was drawn.
    furthest: u16,
    clicks: Clicks,
}

impl HelpPage {
    pub(crate) fn new(rules: &Rules) -> HelpPage {
        HelpPage { rules: rules.clone(), scroll: 0, furthest: 0, clicks: Clicks::default() }
    }

    pub(crate) fn clicks(&self) -> &Clicks {
        &self.clicks
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Go {
        let mut by: i32 = 0;
        match event {
            Event::Key(key) => match key.code {
                KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | '?') | KeyCode::F(1) => {
                    return Go::Back;
                }
                KeyCode::Down | KeyCode::Char('j') => by = 1,
                KeyCode::Up | KeyCode::Char('k') => by = -1,
                KeyCode::PageDown | KeyCode::Char(' ') => by = 10,
                KeyCode::PageUp => by = -10,
                KeyCode::Home => by = i32::MIN,
                KeyCode::End => by = i32::MAX,
                _ => {}
            },
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollDown => by = 3,
                MouseEventKind::ScrollUp => by = -3,
                _ => {}
            },
            _ => {}
        }
        let scroll = i32::from(self.scroll).saturating_add(by);
        self.scroll = scroll.clamp(0, i32::from(self.furthest)) as u16;
        Go::Stay
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look) {
        let body = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(2),
            ..area
        };
        let lines = self.lines(look);
        let text = Paragraph::new(lines.clone()).wrap(Wrap { trim: false });
        // Without counting lines that are broken; there are none from 80 columns on.
        let wide = usize::from(body.width.max(1));
        let height: usize = lines.iter().map(|line| line.width().div_ceil(wide).max(1)).sum();
        self.furthest = u16::try_from(height).unwrap_or(u16::MAX).saturating_sub(body.height);
        self.scroll = self.scroll.min(self.furthest);
        frame.render_widget(text.scroll((self.scroll, 0)), body);
        let keys = match self.furthest {
            0 => hints(&[("Esc", "back")]),
            _ => hints(&[("Esc", "back"), (look.pick("↑↓", "up/down"), "scroll")]),
        };
        let bottom = Rect { y: area.bottom().saturating_sub(1), height: 1, ..body };
        let bottom = bottom.intersection(area);
        self.clicks.clear();
        self.clicks.add_keys(&Keys { look, keys: &keys }, bottom);
        frame.render_widget(Keys { look, keys: &keys }, bottom);
    }

    fn lines(&self, look: Look) -> Vec<Line<'static>> {
        let heading = |text: &str| Line::styled(text.to_string(), look.tone(Tone::Title));
        let mut lines = vec![heading(&format!("How to play {}", self.rules)), Line::default()];
        lines.extend(how_to_play(&self.rules).lines().map(|line| Line::raw(line.to_string())));
        for (name, keys) in KEYS {
            lines.extend([Line::default(), heading(name)]);
            lines.extend(keys.iter().map(|(key, what)| {
                Line::from(vec![
                    Span::styled(format!("  {key:<13}"), look.tone(Tone::Key)),
                    Span::raw(*what),
                ])
            }));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_in_eighty_columns() {
        let page = HelpPage::new(&"26x26:25+gravity+wrap+exact".parse().unwrap());
        let look = Look { ascii: false, colour: true };
        for line in page.lines(look) {
            assert!(line.width() <= 78, "{line}");
        }
    }
}
