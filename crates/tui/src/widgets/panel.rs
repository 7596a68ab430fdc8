//! The panel beside the board.

use noughts_play::describe_result;
use noughts_rules::{Action, Game, Goal, Marks, Outcome, Seat};
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

    /// The clocks in a line, if there are any.
    pub(crate) fn clocks(&self) -> Option<Line<'static>> {
        let seats = self.game.rules().seats().zip(&self.players);
        let clock = |(seat, player): (Seat, &PlayerRow)| {
            let text = format!("{} {}", sign(self.game, seat), player.clock.as_ref()?);
            Some(text.trim().to_string())
        };
        let clocks: Vec<String> = seats.filter_map(clock).collect();
        (!clocks.is_empty()).then(|| Line::raw(clocks.join("  ")))
    }

    /// One line per player, and one for draws.
    fn players(&self, width: u16) -> Vec<Line<'static>> {
        let seats = self.game.rules().seats();
        let signs: Vec<String> =
            self.game.rules().seats().map(|seat| sign(self.game, seat)).collect();
        let column = signs.iter().map(|sign| sign.width()).max().unwrap_or(0);
        // A blank after the signs, if there are any.
        let column = if column > 0 { column + 1 } else { 0 };
        let mut lines: Vec<Line> = seats
            .zip(self.game.players())
            .zip(&self.players)
            .zip(&signs)
            .map(|(((seat, player), row), sign)| {
                let is_turn = self.turn == Some(seat);
                let mark = if is_turn { self.theme.pointer() } else { " " };
                let left = self.game.position().has_resigned(seat);
                let name_style = match (is_turn, left) {
                    (true, _) => self.theme.role(TextRole::Title),
                    (_, true) => self.theme.role(TextRole::Faint),
                    _ => Style::new(),
                };
                let end = self.end(row);
                let room = usize::from(width).saturating_sub(column + end.width() + 3);
                let name = shortened(player.name(), room);
                let space = " ".repeat(room.saturating_sub(name.width()) + 1);
                let pad = " ".repeat(column - sign.width());
                Line::from(vec![
                    Span::styled(format!("{mark} "), self.theme.role(TextRole::Focus)),
                    Span::styled(format!("{sign}{pad}"), player_style(self.game, seat, self.theme)),
                    Span::styled(name, name_style),
                    Span::raw(format!("{space}{end}")),
                ])
            })
            .collect();
        if let Some(draws) = self.draws {
            let draws = draws.to_string();
            let room = usize::from(width).saturating_sub(column + draws.width() + 3);
            let label = format!("{}{:<room$} ", " ".repeat(column + 2), "draws");
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
        let mark = action.cell().and_then(|cell| self.game.position().mark_at(cell));
        let own = || player_style(self.game, action.seat(), self.theme);
        let mut style = mark.map_or_else(own, |mark| self.theme.mark(mark));
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
    match (game.turn(), game.status()) {
        (Some(turn), _) => Line::from(vec![
            Span::styled(
                game.players()[turn.index()].name().to_string(),
                player_style(game, turn, theme),
            ),
            Span::raw(" to move"),
        ]),
        (None, status) => {
            let style = match status.outcome() {
                Some(Outcome::Win(seat)) => player_style(game, seat, theme),
                _ => theme.role(TextRole::Title),
            };
            Line::styled(describe_result(game).unwrap_or_default(), style)
        }
    }
}

/// The colour of a player: that of the mark, which a swap in the opening changes.
pub(crate) fn player_style(game: &Game, seat: Seat, theme: Theme) -> Style {
    game.position().mark_of(seat).map_or(theme.seat(seat), |mark| theme.mark(mark))
}

/// The symbol that a player places; the role, or nothing, where marks belong to nobody.
pub(crate) fn sign(game: &Game, seat: Seat) -> String {
    let parts = game.rules().parts();
    match (parts.marks, parts.goal) {
        (Marks::Own, _) => game.seat_symbol(seat).map_or(String::new(), ToString::to_string),
        (_, Goal::Maker) if seat == Seat::FIRST => "Order".into(),
        (_, Goal::Maker) => "Chaos".into(),
        _ => String::new(),
    }
}
