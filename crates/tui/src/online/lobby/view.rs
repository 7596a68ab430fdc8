//! Drawing the lobby.

use std::time::Duration;

use noughts_api::{GameSummary, GameView, TimeControl};
use noughts_play::{Table, short_duration};
use noughts_rules::Rules;
use noughts_rules::describe::title;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::{Entry, LobbyPage, Prompt};
use crate::theme::{TextRole, Theme};
use crate::widgets::key_bar::{KeyBar, KeyHint, hints};

impl LobbyPage {
    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let row = |y: u16, height: u16| {
            let width = area.width.saturating_sub(2);
            Rect { x: area.x + 1, y: area.y + y, width, height }.intersection(area)
        };
        let heading = Line::from(vec![
            Span::styled("Lobby", theme.role(TextRole::Title)),
            Span::raw(format!("{}{}", theme.separator(), self.server)),
            Span::styled(
                format!("{}{}", theme.separator(), self.who()),
                theme.role(TextRole::Faint),
            ),
        ]);
        frame.render_widget(Paragraph::new(heading), row(0, 1));
        let keys = self.keys(theme);
        let bar = KeyBar { theme, keys: &keys };
        let bar_height = bar.height(area.width.saturating_sub(2)).min(3);
        let below = bar_height + 2;
        self.lay_out(usize::from(area.width.saturating_sub(4)));
        if self.entries.is_empty() {
            let text = match self.is_loaded {
                true => {
                    "Nobody plays here now. n starts a game and waits for somebody, c challenges a player."
                }
                false => theme.pick("Loading…", "Loading..."),
            };
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), row(3, 2));
        } else {
            let columns = Line::styled(format!("  {}", self.heading), theme.role(TextRole::Faint));
            frame.render_widget(Paragraph::new(columns), row(2, 1));
            self.list.draw(frame, row(3, area.height.saturating_sub(4 + below)), theme);
        }
        self.draw_message(frame, row(area.height.saturating_sub(below), 1), theme);
        let bottom = row(area.height.saturating_sub(bar_height), bar_height);
        self.click_map.clear();
        self.click_map.add_keys(&bar, bottom);
        frame.render_widget(bar, bottom);
    }

    fn who(&self) -> String {
        match &self.name {
            Some(name) => format!("you are {name}"),
            None => "you are watching".to_string(),
        }
    }

    /// The prompt, or else what there is to say.
    fn draw_message(&self, frame: &mut Frame, row: Rect, theme: Theme) {
        let Some(prompt) = &self.prompt else {
            let waiting = theme.pick("Waiting for the server…", "Waiting for the server...");
            let waiting = self.is_waiting.then_some(waiting);
            if let Some(text) = self.message.as_deref().or(waiting) {
                frame.render_widget(Paragraph::new(text).style(theme.role(TextRole::Key)), row);
            }
            return;
        };
        let (label, field) = match prompt {
            Prompt::NewGame(field) => ("Board, and a level to play the computer: ".into(), field),
            Prompt::Opponent(field) => ("Challenge: ".to_string(), field),
            Prompt::ChallengeRules { name, field } => (format!("Challenge {name} to: "), field),
        };
        let label_width = Line::raw(label.as_str()).width().min(usize::from(row.width)) as u16;
        let at = Rect { x: row.x + label_width, width: row.width - label_width, ..row };
        let (text, _) = field.view(at.width);
        let line = Line::from(vec![
            Span::styled(label, theme.role(TextRole::Faint)),
            Span::styled(text, theme.role(TextRole::Title)),
        ]);
        frame.render_widget(Paragraph::new(line), row);
        frame.set_cursor_position(field.caret_in(at));
        if let Some(reason) = &self.message {
            let above = Rect { y: row.y.saturating_sub(1), ..row };
            frame.render_widget(Paragraph::new(reason.as_str()), above);
        }
    }

    fn keys(&self, theme: Theme) -> Vec<KeyHint> {
        match &self.prompt {
            Some(Prompt::NewGame(_) | Prompt::ChallengeRules { .. }) => {
                return hints(&[("Enter", "send"), ("Esc", "cancel")]);
            }
            Some(Prompt::Opponent(_)) => return hints(&[("Enter", "next"), ("Esc", "cancel")]),
            None => {}
        }
        let mut keys = match self.selected() {
            Some(Entry::Yours(_)) => hints(&[("Enter", "go on")]),
            Some(Entry::Invitation(_)) => hints(&[("Enter", "accept"), ("d", "decline")]),
            Some(Entry::Join(_)) if self.name.is_some() => hints(&[("Enter", "join")]),
            Some(Entry::Join(_) | Entry::Watch(_)) => hints(&[("Enter", "watch")]),
            None => Vec::new(),
        };
        if self.entries.len() > 1 {
            keys.extend(hints(&[(theme.pick("↑↓", "up/down"), "choose")]));
        }
        if self.name.is_some() {
            keys.extend(hints(&[("n", "new game"), ("c", "challenge")]));
        }
        keys.extend(hints(&[("Esc", "leave")]));
        keys
    }

    /// Lays out the rows for a window width.
    fn lay_out(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        self.width = width;
        let mut table = Table::new(["", "game", "players", "clock", ""]);
        self.entries.iter().for_each(|entry| table.push(self.cells(*entry)));
        let mut lines: Vec<String> = table.lines().collect();
        self.heading = lines.remove(0);
        self.list.rows = lines;
    }

    fn cells(&self, entry: Entry) -> [String; 5] {
        let view = |games: &[GameView], id| games.iter().find(|game| game.id == id).cloned();
        let summary = |games: &[GameSummary], id| games.iter().find(|game| game.id == id).cloned();
        let of_view = |what: &str, game: Option<GameView>| {
            let game = game.as_ref();
            let names = game.map_or(String::new(), opponents);
            let rules = game.map_or("", |game| &game.rules);
            let control = game.and_then(|game| Some(game.clock.as_ref()?.control));
            let rated = game.is_some_and(|game| game.rated);
            cells(what, rules, names, control, rated)
        };
        let of_summary = |what: &str, game: Option<GameSummary>, gap: &str| {
            let game = game.as_ref();
            let names = game.map_or(String::new(), |game| players(game, gap));
            let rules = game.map_or("", |game| &game.rules);
            let control = game.and_then(|game| game.details.clock);
            cells(what, rules, names, control, game.is_some_and(|game| game.rated))
        };
        match entry {
            Entry::Yours(id) => {
                let game = view(&self.lobby.yours, id);
                let is_your_turn = game.as_ref().is_some_and(GameView::is_your_turn);
                of_view(if is_your_turn { "your turn" } else { "your game" }, game)
            }
            Entry::Invitation(id) => of_view("invitation", view(&self.lobby.invitations, id)),
            Entry::Join(id) => of_summary("to join", summary(&self.lobby.open, id), ", "),
            Entry::Watch(id) => of_summary("to watch", summary(&self.lobby.live, id), " - "),
        }
    }
}

fn cells(
    what: &str,
    rules: &str,
    names: String,
    control: Option<TimeControl>,
    rated: bool,
) -> [String; 5] {
    let rules = rules.parse::<Rules>().map_or(rules.to_string(), |rules| title(&rules));
    let clock = control.map_or(String::new(), |control| {
        let time = |ms: u32| short_duration(Duration::from_millis(ms.into()));
        match control.increment_ms {
            0 => time(control.initial_ms),
            increment => format!("{}+{}", time(control.initial_ms), time(increment)),
        }
    });
    let rated = if rated { "rated" } else { "" };
    [what.to_string(), rules, names, clock, rated.to_string()]
}

/// The other players of a game.
fn opponents(game: &GameView) -> String {
    let others = game.players.iter().filter(|player| !game.your_seats.contains(&player.seat));
    let names: Vec<&str> =
        others.filter_map(|player| player.name.as_deref().or(player.invited.as_deref())).collect();
    match names.is_empty() {
        true => "nobody yet".to_string(),
        false => format!("with {}", names.join(", ")),
    }
}

/// The players of a game, without free seats.
fn players(game: &GameSummary, gap: &str) -> String {
    let names = game.details.players.iter().filter_map(|player| player.name.as_deref());
    names.collect::<Vec<_>>().join(gap)
}
