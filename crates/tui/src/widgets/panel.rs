//! The panel beside the board.

use noughts_rules::{Action, Game, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use unicode_width::UnicodeWidthStr;

use super::key_bar::{KeyBar, KeyHint};
use super::shortened;
use crate::theme::{TextRole, Theme};

/// Players, status, moves and keys.
pub(crate) struct Panel<'a> {
    pub(crate) theme: Theme,
    pub(crate) game: &'a Game,
    pub(crate) turn: Option<Seat>,
    /// In seat order.
    pub(crate) players: Vec<PlayerRow>,
    pub(crate) draws: Option<u32>,
    pub(crate) status: Vec<Line<'a>>,
    /// The number of the action shown, from 1, and of the losing move.
    pub(crate) shown: usize,
    pub(crate) lost: Option<usize>,
    pub(crate) keys: &'a [KeyHint],
}

/// The numbers beside a player.
pub(crate) struct PlayerRow {
    pub(crate) wins: Option<u32>,
    pub(crate) clock: Option<String>,
}

pub(crate) const WIDTH: u16 = 26;

impl Widget for Panel<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let players = self.players(area.width);
        let status = Paragraph::new(self.status.clone()).wrap(Wrap { trim: true });
        let status_lines: usize = self
            .status
            .iter()
            .map(|line| wrapped_height(line, usize::from(area.width.max(1))))
            .sum();
        let keys = KeyBar { theme: self.theme, keys: self.keys };
        let keys_height = keys.height(area.width);
        let [top, _, middle, _, moves, _, bottom] = Layout::vertical([
            Constraint::Length(players.len() as u16),
            Constraint::Length(1),
            Constraint::Length(status_lines as u16),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(keys_height),
        ])
        .areas(area);
        Paragraph::new(players).render(top, buffer);
        status.render(middle, buffer);
        Paragraph::new(self.moves(moves)).render(moves, buffer);
        keys.render(bottom, buffer);
    }
}

impl Panel<'_> {
    /// The area of the keys when the panel is drawn in `area`.
    pub(crate) fn keys_area(&self, area: Rect) -> Rect {
        let height = KeyBar { theme: self.theme, keys: self.keys }.height(area.width);
        Rect { y: area.bottom().saturating_sub(height), height, ..area }.intersection(area)
    }

    /// One line per player, and one for draws.
    fn players(&self, width: u16) -> Vec<Line<'static>> {
        let seats = self.game.rules().seats();
        let symbols = self.game.players().iter().map(|player| player.symbol().width());
        let column = symbols.max().unwrap_or(1);
        let mut lines: Vec<Line> = seats
            .zip(self.game.players())
            .zip(&self.players)
            .map(|((seat, player), row)| {
                let is_turn = self.turn == Some(seat);
                let mark = if is_turn { self.theme.pointer() } else { " " };
                let left = self.game.position().has_resigned(seat);
                let name_style = match (is_turn, left) {
                    (true, _) => self.theme.role(TextRole::Title),
                    (_, true) => self.theme.role(TextRole::Faint),
                    _ => Style::new(),
                };
                let end = self.end(row);
                let room = usize::from(width).saturating_sub(column + end.width() + 4);
                let name = shortened(player.name(), room);
                let space = " ".repeat(room.saturating_sub(name.width()) + 1);
                let pad = " ".repeat(column - player.symbol().width());
                Line::from(vec![
                    Span::styled(format!("{mark} "), self.theme.role(TextRole::Focus)),
                    Span::styled(format!("{}{pad} ", player.symbol()), self.theme.seat(seat)),
                    Span::styled(name, name_style),
                    Span::raw(format!("{space}{end}")),
                ])
            })
            .collect();
        if let Some(draws) = self.draws {
            let draws = draws.to_string();
            let room = usize::from(width).saturating_sub(column + draws.width() + 4);
            let label = format!("{}{:<room$} ", " ".repeat(column + 3), "draws");
            lines.push(Line::styled(format!("{label}{draws}"), self.theme.role(TextRole::Faint)));
        }
        lines
    }

    fn end(&self, row: &PlayerRow) -> String {
        let wins = row.wins.map(|wins| wins.to_string());
        row.clock.clone().into_iter().chain(wins).collect::<Vec<_>>().join("  ")
    }

    /// The moves, one line per round; if space is short, those around the move shown.
    fn moves(&self, area: Rect) -> Vec<Line<'static>> {
        let cell_width = 7;
        let across = (usize::from(area.width).saturating_sub(4) / cell_width).max(1);
        let across = across.min(self.game.players().len());
        let actions: Vec<Action> = self.game.history().collect();
        let height = usize::from(area.height);
        // The round shown is the last line at most.
        let first = (self.shown.saturating_sub(1) / across + 1).saturating_sub(height);
        let mut lines = Vec::new();
        for (round, part) in actions.chunks(across).enumerate().skip(first).take(height) {
            let number = format!("{:>3} ", round * across + 1);
            let mut spans = vec![Span::styled(number, self.theme.role(TextRole::Faint))];
            for (i, action) in part.iter().enumerate() {
                let ply = round * across + i + 1;
                spans.extend(self.action(*action, ply, cell_width));
            }
            lines.push(Line::from(spans));
        }
        lines
    }

    fn action(&self, action: Action, ply: usize, width: usize) -> [Span<'static>; 2] {
        let text = match action {
            Action::Move { mv, .. } => mv.to_string(),
            // By resigning or by a forfeit.
            Action::Resign { .. } => "out".to_string(),
        };
        let text = if self.lost == Some(ply) { format!("{text}??") } else { text };
        let mut style = self.theme.seat(action.seat());
        if ply == self.shown {
            style = style.patch(self.theme.selected());
        } else if ply > self.shown {
            style = self.theme.role(TextRole::Faint);
        }
        let space = " ".repeat(width.saturating_sub(text.width()).max(1));
        [Span::styled(text, style), Span::raw(space)]
    }
}

/// The height of a line wrapped between words.
pub(crate) fn wrapped_height(line: &Line, width: usize) -> usize {
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    let mut lines = 1;
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.width();
        if used > 0 && used + 1 + length > width {
            lines += 1;
            used = length;
        } else {
            used += length + usize::from(used > 0);
        }
        // Words wider than a line are broken.
        while used > width {
            lines += 1;
            used -= width;
        }
    }
    lines
}

/// The player to move, or the result.
pub(crate) fn standing(game: &Game, theme: Theme) -> Line<'static> {
    use noughts_rules::Status;
    let player = |seat: Seat| &game.players()[seat.index()];
    match game.status() {
        Status::InProgress { turn } => Line::from(vec![
            Span::styled(player(turn).name().to_string(), theme.seat(turn)),
            Span::raw(" to move"),
        ]),
        Status::Won { seat, .. } => {
            Line::styled(format!("{} wins!", player(seat)), theme.seat(seat))
        }
        Status::Draw { .. } => Line::styled("It's a draw!", theme.role(TextRole::Title)),
    }
}
