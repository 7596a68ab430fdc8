//! The page of stored games.

use crossterm::event::{Event, KeyCode};
use noughts_rules::{Outcome, Player};
use noughts_store::{RecordId, StoredGame};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::Navigation;
use super::select_list::SelectList;
use super::storage::StorageHandle;
use super::theme::{TextRole, Theme};
use super::widgets::click_map::ClickMap;
use super::widgets::key_bar::{KeyBar, KeyHint, hints};
use super::widgets::popup::Popup;
use super::widgets::shortened;
use super::widgets::text_field::TextField;
use super::workers::RequestId;
use noughts_play::{GameFilter, Table, date};

pub(crate) struct StoredPage {
    storage: Option<StorageHandle>,
    /// The pending request.
    waiting: Option<RequestId>,
    games: Vec<StoredGame>,
    /// Indices of the games that pass the search.
    found: Vec<usize>,
    search: TextField,
    /// Whether the search is being typed.
    is_searching: bool,
    /// The game to delete if the user says yes.
    deleting: Option<RecordId>,
    heading: String,
    /// The width that the rows were laid out for.
    width: usize,
    list: SelectList,
    error: Option<String>,
    click_map: ClickMap,
}

impl StoredPage {
    pub(crate) fn new(storage: Option<&StorageHandle>) -> StoredPage {
        StoredPage {
            storage: storage.cloned(),
            waiting: storage.map(StorageHandle::load_games),
            games: Vec::new(),
            found: Vec::new(),
            search: TextField::default(),
            is_searching: false,
            deleting: None,
            heading: String::new(),
            width: 0,
            list: SelectList::default(),
            error: storage.is_none().then(|| "Games are not stored.".to_string()),
            click_map: ClickMap::default(),
        }
    }

    /// Whether this page sent the request.
    pub(crate) fn waits_for(&self, id: RequestId) -> bool {
        self.waiting == Some(id)
    }

    /// Shows the loaded games.
    pub(crate) fn show(&mut self, games: anyhow::Result<Vec<StoredGame>>) {
        self.waiting = None;
        match games {
            Ok(games) => (self.games, self.error) = (games, None),
            Err(error) => self.error = Some(format!("The games can't be read: {error:#}.")),
        }
        self.find();
    }

    /// Shows what went wrong.
    pub(crate) fn refuse(&mut self, reason: String) {
        self.error = Some(reason);
    }

    /// Finds the games that pass the search.
    fn find(&mut self) {
        let filter = GameFilter::of_words(&self.search.text());
        let found = self.games.iter().enumerate().filter(|(_, stored)| filter.matches(stored));
        self.found = found.map(|(i, _)| i).collect();
        self.list.select(self.list.selected.min(self.found.len().saturating_sub(1)));
        self.width = 0;
    }

    /// Lays out the rows for a window width.
    fn lay_out(&mut self, width: usize) {
        if self.width != width {
            self.width = width;
            let found: Vec<&StoredGame> = self.found.iter().map(|&i| &self.games[i]).collect();
            let mut lines: Vec<String> = table(&found, width).lines().collect();
            self.heading = lines.remove(0);
            self.list.rows = lines;
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        let key = if let Event::Key(key) = event { Some(*key) } else { None };
        if let Some(id) = self.deleting.take() {
            if let (Some(KeyCode::Char('y' | 'Y')), Some(storage)) =
                (key.map(|key| key.code), &self.storage)
            {
                self.waiting = Some(storage.delete_game(id));
            }
            return Navigation::Stay;
        }
        if let (true, Some(key)) = (self.is_searching, key) {
            match key.code {
                KeyCode::Enter | KeyCode::Down => self.is_searching = false,
                KeyCode::Esc => {
                    self.is_searching = false;
                    self.search = TextField::default();
                }
                _ => {
                    self.search.handle(key);
                }
            }
            self.find();
            return Navigation::Stay;
        }
        match key.map(|key| key.code) {
            Some(KeyCode::Esc) if !self.search.text().is_empty() => {
                self.search = TextField::default();
                self.find();
            }
            Some(KeyCode::Esc | KeyCode::Char('q')) => return Navigation::Back,
            Some(KeyCode::Char('?') | KeyCode::F(1)) => return Navigation::Help,
            Some(KeyCode::Char('/')) => self.is_searching = true,
            Some(KeyCode::Char('d') | KeyCode::Delete) => {
                self.deleting = self.selected().map(|stored| stored.id);
            }
            Some(KeyCode::Char('c')) => {
                let open = self.selected().filter(|stored| stored.game.turn().is_some());
                if let (Some(stored), Some(storage)) = (open, &self.storage) {
                    storage.load_continuation(stored.id);
                }
            }
            Some(KeyCode::Enter) => return self.open(),
            _ => {
                if self.list.handle(event) {
                    return self.open();
                }
            }
        }
        Navigation::Stay
    }

    fn selected(&self) -> Option<&StoredGame> {
        self.found.get(self.list.selected).map(|&i| &self.games[i])
    }

    fn open(&self) -> Navigation {
        match self.selected() {
            Some(stored) => Navigation::Review(Box::new(stored.game.clone())),
            None => Navigation::Stay,
        }
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let row = |y: u16| {
            Rect { x: area.x + 1, y: area.y + y, width: area.width.saturating_sub(2), height: 1 }
                .intersection(area)
        };
        let title = Line::styled("Stored games", theme.role(TextRole::Title));
        frame.render_widget(Paragraph::new(title), row(0));
        self.draw_search(frame, row(1), theme);
        let body = Rect {
            x: area.x + 1,
            y: area.y + 3,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(6),
        }
        .intersection(area);
        if self.found.is_empty() {
            let reading = theme.pick("Loading…", "Loading...");
            let usual = match (self.waiting, self.games.is_empty()) {
                (Some(_), _) => reading,
                (None, true) => "No game has been stored yet.",
                (None, false) => "No stored game is like that.",
            };
            let text = self.error.as_deref().unwrap_or(usual);
            frame.render_widget(Paragraph::new(text).wrap(Default::default()), body);
        } else {
            // The list puts a pointer before each row.
            self.lay_out(usize::from(body.width.saturating_sub(2)));
            let heading = Line::styled(format!("  {}", self.heading), theme.role(TextRole::Faint));
            frame.render_widget(Paragraph::new(heading), row(2));
            self.list.draw(frame, body, theme);
        }
        let keys = self.keys(theme);
        let bottom = row(area.height.saturating_sub(1));
        self.click_map.clear();
        self.click_map.add_keys(&KeyBar { theme, keys: &keys }, bottom);
        frame.render_widget(KeyBar { theme, keys: &keys }, bottom);
        if let Some(id) = self.deleting {
            let counts = self.selected().is_some_and(|stored| {
                stored.result.as_ref().is_some_and(|result| !result.retracted)
            });
            let result = if counts { " Its result no longer counts then." } else { "" };
            let lines = vec![
                Line::raw(format!("Delete game {id}?{result}")),
                Line::raw("y: yes   any other key: no"),
            ];
            frame.render_widget(Popup { theme, title: "Confirm", lines, wrap: true }, area);
        } else if let Some(error) = self.error.as_ref().filter(|_| !self.found.is_empty()) {
            let above = row(area.height.saturating_sub(2));
            frame.render_widget(Paragraph::new(error.as_str()), above);
        }
    }

    fn draw_search(&self, frame: &mut Frame, row: Rect, theme: Theme) {
        const LABEL: &str = "Search: ";
        if !self.is_searching && self.search.text().is_empty() {
            return;
        }
        let field = Rect {
            x: row.x + LABEL.len() as u16,
            width: row.width.saturating_sub(LABEL.len() as u16),
            ..row
        };
        let (text, _) = self.search.view(field.width);
        let line = Line::from(vec![
            Span::styled(LABEL, theme.role(TextRole::Faint)),
            Span::styled(text, theme.role(TextRole::Title)),
        ]);
        frame.render_widget(Paragraph::new(line), row);
        if self.is_searching {
            frame.set_cursor_position(self.search.caret_in(field));
        }
    }

    fn keys(&self, theme: Theme) -> Vec<KeyHint> {
        if self.is_searching {
            return hints(&[("Enter", "to the games"), ("Esc", "all games")]);
        }
        let Some(selected) = self.selected() else {
            return match self.search.text().is_empty() {
                true => hints(&[("Esc", "back")]),
                false => hints(&[("Esc", "all games"), ("/", "search")]),
            };
        };
        let mut keys = hints(&[("Enter", "review")]);
        if selected.game.turn().is_some() {
            keys.extend(hints(&[("c", "continue")]));
        }
        keys.extend(hints(&[
            (theme.pick("↑↓", "up/down"), "choose"),
            ("/", "search"),
            ("d", "delete"),
            ("Esc", if self.search.text().is_empty() { "back" } else { "all games" }),
        ]));
        keys
    }
}

/// The games as a table. Player names are shortened to the width that is left, so that the winner
/// stays visible; in narrow windows they get the place of the date.
fn table(games: &[&StoredGame], width: usize) -> Table {
    const MAX_WINNER_WIDTH: usize = 16;
    const MIN_NAMES_WIDTH: usize = 10;
    const MIN_DATE_WIDTH: usize = 60;
    const NAMES_COLUMN: usize = 3;
    let has_date = width >= MIN_DATE_WIDTH;
    let played = if has_date { "played" } else { "" };
    let heads = ["game", played, "rules", "players", "winner", ""];
    let mut rows: Vec<[String; 6]> = games.iter().map(|stored| row(stored)).collect();
    for row in &mut rows {
        if !has_date {
            row[1].clear();
        }
        row[NAMES_COLUMN + 1] = shortened(&row[NAMES_COLUMN + 1], MAX_WINNER_WIDTH);
    }
    let column = |i: usize| rows.iter().map(move |row| row[i].width()).chain([heads[i].width()]);
    let others = (0..heads.len()).filter(|&i| i != NAMES_COLUMN).filter_map(|i| column(i).max());
    let gaps = 2 * (heads.len() - 1);
    let left = width.saturating_sub(others.sum::<usize>() + gaps).max(MIN_NAMES_WIDTH);
    let mut table = Table::new(heads);
    for mut row in rows {
        row[NAMES_COLUMN] = shortened(&row[NAMES_COLUMN], left);
        table.push(row);
    }
    table
}

fn row(stored: &StoredGame) -> [String; 6] {
    let game = &stored.game;
    let names: Vec<&str> = game.players().iter().map(Player::name).collect();
    let winner = match game.position().outcome() {
        Some(Outcome::Win(seat)) => names[seat.index()],
        Some(Outcome::Draw) => "draw",
        None => "not over",
    };
    let is_taken_back = stored.result.as_ref().is_some_and(|result| result.retracted);
    [
        stored.id.to_string(),
        date(stored.at),
        game.rules().to_string(),
        names.join(", "),
        winner.to_string(),
        if is_taken_back { "retracted" } else { "" }.to_string(),
    ]
}
