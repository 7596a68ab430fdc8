//! The games that were stored.

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
    /// What was asked for and has not come yet.
    waiting: Option<RequestId>,
    games: Vec<StoredGame>,
    heading: String,
    /// For how many columns the rows were made.
    width: usize,
    list: SelectList,
    trouble: Option<String>,
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
            trouble: storage.is_none().then(|| "Games are not stored.".to_string()),
            click_map: ClickMap::default(),
        }
    }

    /// Whether this page has asked for something that has not come yet.
    pub(crate) fn waits_for(&self, id: RequestId) -> bool {
        self.waiting == Some(id)
    }

    /// Shows what was asked for.
    pub(crate) fn show(&mut self, games: anyhow::Result<Vec<StoredGame>>) {
        self.waiting = None;
        match games {
            Ok(games) => self.games = games,
            Err(error) => self.trouble = Some(format!("The games can't be read: {error:#}.")),
        }
        self.width = 0;
    }

    /// Makes the rows for a window of another width.
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
            let reading = theme.pick("Reading…", "Reading...");
            let none = "No game has been stored yet.";
            let usual = if self.waiting.is_some() { reading } else { none };
            let text = self.trouble.as_deref().unwrap_or(usual);
            frame.render_widget(Paragraph::new(text).wrap(Default::default()), body);
            hints(&[("Esc", "back")])
        } else {
            // The list has a mark before each row.
            self.lay_out(usize::from(body.width.saturating_sub(2)));
            let heading = Line::styled(format!("  {}", self.heading), theme.role(TextRole::Faint));
            frame.render_widget(Paragraph::new(heading), row(2));
            self.list.draw(frame, body, theme);
            hints(&[
                ("Enter", "step through it"),
                (theme.pick("↑↓", "up/down"), "choose"),
                ("Esc", "back"),
            ])
        };
        let bottom = row(area.height.saturating_sub(1));
        self.click_map.clear();
        self.click_map.add_keys(&KeyBar { theme, keys: &keys }, bottom);
        frame.render_widget(KeyBar { theme, keys: &keys }, bottom);
    }
}

/// The games, one in a row. The names have the room that is left for them in so many columns, so
/// that it is always seen who has won.
fn table(games: &[StoredGame], width: usize) -> Table {
    const WINNER: usize = 16;
    const LEAST: usize = 12;
    const HEADS: [&str; 6] = ["game", "played", "rules", "players", "winner", ""];
    const NAMES: usize = 3;
    let mut rows: Vec<[String; 6]> = games.iter().map(row).collect();
    for row in &mut rows {
        row[NAMES + 1] = shortened(&row[NAMES + 1], WINNER);
    }
    let column = |i: usize| rows.iter().map(move |row| row[i].width()).chain([HEADS[i].width()]);
    let others = (0..HEADS.len()).filter(|&i| i != NAMES).filter_map(|i| column(i).max());
    let gaps = 2 * (HEADS.len() - 1);
    let left = width.saturating_sub(others.sum::<usize>() + gaps).max(LEAST);
    let mut table = Table::new(HEADS);
    for mut row in rows {
        row[NAMES] = shortened(&row[NAMES], left);
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
        if is_taken_back { "taken back" } else { "" }.to_string(),
    ]
}
