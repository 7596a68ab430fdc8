//! The layout of a page with a board, and the parts that such pages share.

use noughts_rules::{Rules, describe};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};
use unicode_width::UnicodeWidthStr;

use super::move_picker::opening::ChoiceBar;
use super::theme::{TextRole, Theme};
use super::widgets::click_map::ClickMap;
use super::widgets::key_bar::KeyBar;
use super::widgets::panel::{self, Panel, wrapped_height};

/// In smaller windows there is no panel beside the board.
const MIN_PANEL_WIDTH: u16 = 60;
const MIN_PANEL_HEIGHT: u16 = 18;

/// In lower windows there is no title, and messages cover the keys.
const MIN_TITLE_HEIGHT: u16 = 10;

/// The layout of a page with a board.
pub(crate) struct ScreenLayout {
    pub(crate) title: Rect,
    pub(crate) board: Rect,
    pub(crate) message: Rect,
    pub(crate) side: InfoArea,
}

/// Where the players, status and keys go.
pub(crate) enum InfoArea {
    /// In a panel beside the board.
    Panel(Rect),
    /// In one line above the board and one for the keys below. A long status takes the place of the title,
    /// which may be empty.
    Lines { title: Rect, status: Rect, keys: Rect },
}

impl InfoArea {
    /// Lines with a margin on the left, as everything on the screen has.
    fn lines(title: Rect, status: Rect, keys: Rect) -> InfoArea {
        let inside = |row: Rect| Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row };
        InfoArea::Lines { title, status: inside(status), keys: inside(keys) }
    }
}

impl ScreenLayout {
    /// A layout with room for the whole message.
    pub(crate) fn of(area: Rect, message: Option<&str>) -> ScreenLayout {
        let line = Constraint::Length(1);
        let height = message.map_or(1, |message| message_height(message, area.width));
        let announcements = Constraint::Length(height);
        if area.height < MIN_TITLE_HEIGHT {
            let [status, board, keys] =
                Layout::vertical([line, Constraint::Fill(1), line]).areas(area);
            let title = Rect::default();
            let y = area.bottom().saturating_sub(height).max(board.y);
            let message = Rect { y, height, ..area }.intersection(area);
            return ScreenLayout {
                title,
                board,
                message,
                side: InfoArea::lines(title, status, keys),
            };
        }
        if area.width < MIN_PANEL_WIDTH || area.height < MIN_PANEL_HEIGHT {
            let [title, status, board, message, keys] =
                Layout::vertical([line, line, Constraint::Fill(1), announcements, line])
                    .areas(area);
            return ScreenLayout {
                title,
                board,
                message,
                side: InfoArea::lines(title, status, keys),
            };
        }
        let [title, body, message] =
            Layout::vertical([line, Constraint::Fill(1), announcements]).areas(area);
        let [board, _, panel, _] =
            Layout::horizontal([Constraint::Fill(1), line, Constraint::Length(panel::WIDTH), line])
                .areas(body);
        let panel = Rect { y: panel.y + 1, height: panel.height - 1, ..panel };
        ScreenLayout { title, board, message, side: InfoArea::Panel(panel) }
    }
}

/// Draws opening choices below the board. Returns the area that is left for the board.
pub(crate) fn draw_choices(
    frame: &mut Frame,
    board: Rect,
    choices: ChoiceBar,
    click_map: &mut ClickMap,
) -> Rect {
    let inside = board.inner(Margin::new(1, 0));
    let height = choices.height(inside.width).min(board.height);
    let below = Rect { y: board.bottom() - height, height, ..inside };
    choices.add_clicks(below, click_map);
    frame.render_widget(choices, below);
    Rect { height: board.height - height, ..board }
}

/// Draws players, status and keys, and makes the keys clickable.
pub(crate) fn draw_side(frame: &mut Frame, side: InfoArea, panel: Panel, click_map: &mut ClickMap) {
    let theme = panel.theme;
    match side {
        InfoArea::Panel(area) => {
            let keys = KeyBar { theme, keys: panel.keys };
            click_map.add_keys(&keys, panel.keys_area(area));
            frame.render_widget(panel, area);
        }
        InfoArea::Lines { title, status: above, keys: below } => {
            let clocks = panel.clocks();
            let mut status = panel.status;
            if let Some(clocks) = clocks {
                status.insert(status.len().min(1), clocks);
            }
            let (first, rest) = flowing(status, theme, usize::from(above.width));
            match rest.filter(|_| !title.is_empty()) {
                None => frame.render_widget(Paragraph::new(first), above),
                Some(rest) => {
                    frame.render_widget(Clear, title);
                    frame.render_widget(Paragraph::new(first), Rect { y: title.y, ..above });
                    frame.render_widget(Paragraph::new(rest), above);
                }
            }
            let keys = KeyBar { theme, keys: panel.keys };
            click_map.add_keys(&keys, below);
            frame.render_widget(keys, below);
        }
    }
}

/// Parts of a status side by side: those that fit this width, and the others, if there are any.
fn flowing(
    parts: Vec<Line<'_>>,
    theme: Theme,
    width: usize,
) -> (Line<'static>, Option<Line<'static>>) {
    let (mut first, mut rest): (Line, Option<Line>) = (Line::default(), None);
    for part in parts {
        let needed = first.width() + theme.separator().width() + part.width();
        let fits = first.spans.is_empty() || needed <= width;
        let line = match &mut rest {
            None if fits => &mut first,
            rest => rest.get_or_insert_default(),
        };
        if !line.spans.is_empty() {
            line.push_span(Span::raw(theme.separator().to_string()));
        }
        let style = part.style;
        let owned = |span: Span| Span::styled(span.content.into_owned(), style.patch(span.style));
        line.extend(part.spans.into_iter().map(owned));
    }
    (first, rest)
}

/// Draws a message over the last lines.
pub(crate) fn draw_message(frame: &mut Frame, area: Rect, message: &str, theme: Theme) {
    frame.render_widget(Clear, area);
    let text = Paragraph::new(message).style(theme.role(TextRole::Title)).wrap(Wrap { trim: true });
    frame.render_widget(text, area.inner(Margin::new(1, 0)));
}

/// The lines that a message takes, limited so that the board stays visible.
pub(crate) fn message_height(message: &str, width: u16) -> u16 {
    const MAX_LINES: usize = 4;
    let width = usize::from(width.saturating_sub(2).max(1));
    wrapped_height(&Line::raw(message), width).min(MAX_LINES) as u16
}

/// The title: the program and the rules.
pub(crate) fn title(rules: &Rules, theme: Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(" Noughts", theme.role(TextRole::Title)),
        Span::raw(format!("{}{rules}", theme.separator())),
        Span::styled(
            format!("{}{}", theme.separator(), describe::title(rules)),
            theme.role(TextRole::Faint),
        ),
    ])
}
