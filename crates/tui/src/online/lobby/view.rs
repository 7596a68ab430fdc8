//! Drawing the lobby.

use std::time::Duration;

use noughts_api::{GameSummary, GameView, IdentityKind, TimeControl};
use noughts_client::opponent_names;
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
        self.draw_heading(frame, row(0, 1), theme);
        let keys = self.keys(theme);
        let bar = KeyBar { theme, keys: &keys };
        let bar_height = bar.height(area.width.saturating_sub(2)).min(3);
        let below = bar_height + 2;
        self.lay_out(usize::from(area.width.saturating_sub(4)));
        if self.entries.is_empty() {
            let text = match (self.is_loaded, &self.name) {
                (false, _) => theme.pick("Loading…", "Loading..."),
                (true, None) => "Nobody plays here now.",
                (true, Some(_)) => {
                    "Nobody else is here now. n starts a game and waits for somebody, n 3x3 hard plays \
                     the computer, c challenges a player."
                }
            };
            let height = area.height.saturating_sub(3 + below);
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), row(3, height));
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

    /// The server, the user, and how many players are connected, as far as there is room.
    fn draw_heading(&self, frame: &mut Frame, row: Rect, theme: Theme) {
        let separator = theme.separator();
        let online = match self.lobby.online {
            0 => String::new(),
            online => format!("{separator}{online} online"),
        };
        let server = format!("{separator}{}", self.server());
        let who = format!("{separator}{}{online}", self.who());
        let name = self.name.as_ref().map(|name| format!("{separator}{name}{online}"));
        let line = |server: &str, who: String| {
            Line::from(vec![
                Span::styled("Lobby", theme.role(TextRole::Title)),
                Span::raw(server.to_string()),
                Span::styled(who, theme.role(TextRole::Faint)),
            ])
        };
        let shorter = line("", name.unwrap_or_default());
        let lines = [line(&server, who.clone()), line("", who)];
        let fitting = lines.into_iter().find(|line| line.width() <= usize::from(row.width));
        frame.render_widget(Paragraph::new(fitting.unwrap_or(shorter)), row);
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
            Some(Entry::Sent(_)) => hints(&[("Enter", "open"), ("d", "withdraw")]),
            Some(Entry::Invitation(_)) => hints(&[("Enter", "accept"), ("d", "decline")]),
            Some(Entry::Rematch(_)) => hints(&[("Enter", "accept")]),
            Some(Entry::Player(_)) if self.name.is_some() => hints(&[("Enter", "challenge")]),
            Some(Entry::Player(_)) => Vec::new(),
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
        keys.extend(hints(&[("?", "help"), ("Esc", "leave")]));
        keys
    }

    /// Lays out the rows for a window width.
    fn lay_out(&mut self, width: usize) {
        if self.width == width {
            return;
        }
        self.width = width;
        let mut table = Table::new(["", "game", "players", "clock", ""]);
        self.entries.iter().for_each(|entry| table.push(self.cells(entry)));
        let mut lines: Vec<String> = table.lines().collect();
        self.heading = lines.remove(0);
        self.list.rows = lines;
    }

    fn cells(&self, entry: &Entry) -> [String; 5] {
        let view = |games: &[GameView], id: &_| games.iter().find(|game| game.id == *id).cloned();
        let summary =
            |games: &[GameSummary], id: &_| games.iter().find(|game| game.id == *id).cloned();
        let of_view = |what: &str, word: &str, game: Option<GameView>| {
            let game = game.as_ref();
            let names = game.map_or(String::new(), |game| opponents(game, word));
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
                of_view(if is_your_turn { "your turn" } else { "your game" }, "with", game)
            }
            Entry::Sent(id) => of_view("challenge", "to", view(&self.lobby.yours, id)),
            Entry::Invitation(id) => {
                of_view("challenge", "from", view(&self.lobby.invitations, id))
            }
            Entry::Rematch(id) => of_view("rematch", "with", view(&self.lobby.rematches, id)),
            Entry::Player(name) => {
                let player = self.lobby.players.iter().find(|player| player.name == *name);
                let what = match player {
                    Some(player) if player.kind == IdentityKind::Bot => "bot",
                    Some(player) if player.following => "followed",
                    _ => "",
                };
                ["online", "", name, "", what].map(str::to_string)
            }
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

/// The other players of a game, after a word.
fn opponents(game: &GameView, word: &str) -> String {
    match opponent_names(game).join(", ").as_str() {
        "" => "nobody yet".to_string(),
        names => format!("{word} {names}"),
    }
}

/// The players of a game, without free seats.
fn players(game: &GameSummary, gap: &str) -> String {
    let names = game.details.players.iter().filter_map(|player| player.name.as_deref());
    names.collect::<Vec<_>>().join(gap)
}
