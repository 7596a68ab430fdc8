//! The page of stored games.

use crossterm::event::{Event, KeyCode};
use noughts_rules::{Outcome, Player};
use noughts_store::StoredGame;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr;

use super::Navigation;
use super::select_list::SelectList;
use super::storage::StorageHandle;
use super::theme::{TextRole, Theme};
use super::widgets::click_map::ClickMap;
use super::widgets::key_bar::{KeyBar, hints};
use super::widgets::shortened;
use super::workers::RequestId;
use noughts_play::Table;
use noughts_play::date;

pub(crate) struct StoredPage {
    /// The pending request.
    waiting: Option<RequestId>,
    games: Vec<StoredGame>,
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
            waiting: storage.map(StorageHandle::load_games),
            games: Vec::new(),
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
            Ok(games) => self.games = games,
            Err(error) => self.error = Some(format!("The games can't be read: {error:#}.")),
        }
        self.width = 0;
    }

    /// Lays out the rows for a window width.
    fn lay_out(&mut self, width: usize) {
        if self.width != width {
            self.width = width;
            let mut lines: Vec<String> = table(&self.games, width).lines().collect();
            self.heading = lines.remove(0);
            self.list.rows = lines;
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        let key = if let Event::Key(key) = event { Some(key.code) } else { None };
        match key {
            Some(KeyCode::Esc | KeyCode::Char('q')) => return Navigation::Back,
            Some(KeyCode::Char('?') | KeyCode::F(1)) => return Navigation::Help,
            Some(KeyCode::Enter) => return self.open(),
            _ => {
                if self.list.handle(event) {
                    return self.open();
                }
            }
        }
        Navigation::Stay
    }

    fn open(&self) -> Navigation {
        match self.games.get(self.list.selected) {
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
        let body = Rect {
            x: area.x + 1,
            y: area.y + 3,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(6),
        }
        .intersection(area);
        let keys = if self.games.is_empty() {
            let reading = theme.pick("Loading…", "Loading...");
            let none = "No game has been stored yet.";
            let usual = if self.waiting.is_some() { reading } else { none };
            let text = self.error.as_deref().unwrap_or(usual);
            frame.render_widget(Paragraph::new(text).wrap(Default::default()), body);
            hints(&[("Esc", "back")])
        } else {
            // The list puts a pointer before each row.
            self.lay_out(usize::from(body.width.saturating_sub(2)));
            let heading = Line::styled(format!("  {}", self.heading), theme.role(TextRole::Faint));
            frame.render_widget(Paragraph::new(heading), row(2));
            self.list.draw(frame, body, theme);
            hints(&[("Enter", "review"), (theme.pick("↑↓", "up/down"), "choose"), ("Esc", "back")])
        };
        let bottom = row(area.height.saturating_sub(1));
        self.click_map.clear();
        self.click_map.add_keys(&KeyBar { theme, keys: &keys }, bottom);
        frame.render_widget(KeyBar { theme, keys: &keys }, bottom);
    }
}

/// The games as a table. Player names are shortened to the width that is left, so that the winner
/// stays visible.
fn table(games: &[StoredGame], width: usize) -> Table {
    const MAX_WINNER_WIDTH: usize = 16;
    const MIN_NAMES_WIDTH: usize = 12;
    const HEADS: [&str; 6] = ["game", "played", "rules", "players", "winner", ""];
    const NAMES_COLUMN: usize = 3;
    let mut rows: Vec<[String; 6]> = games.iter().map(row).collect();
    for row in &mut rows {
        row[NAMES_COLUMN + 1] = shortened(&row[NAMES_COLUMN + 1], MAX_WINNER_WIDTH);
    }
    let column = |i: usize| rows.iter().map(move |row| row[i].width()).chain([HEADS[i].width()]);
    let others = (0..HEADS.len()).filter(|&i| i != NAMES_COLUMN).filter_map(|i| column(i).max());
    let gaps = 2 * (HEADS.len() - 1);
    let left = width.saturating_sub(others.sum::<usize>() + gaps).max(MIN_NAMES_WIDTH);
    let mut table = Table::new(HEADS);
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
