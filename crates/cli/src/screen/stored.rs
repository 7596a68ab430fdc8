//! The games that were stored.

use std::rc::Rc;

use crossterm::event::{Event, KeyCode};
use noughts_rules::{Outcome, Player};
use noughts_store::StoredGame;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::Go;
use super::list::List;
use super::look::{Look, Tone};
use super::widgets::clicks::Clicks;
use super::widgets::keys::{Keys, hints};
use crate::data::{Data, date};
use crate::table::Table;

/// The most games that are shown, the newest.
const MOST: usize = 500;

pub(crate) struct StoredPage {
    games: Vec<StoredGame>,
    heading: String,
    list: List,
    trouble: Option<String>,
    clicks: Clicks,
}

impl StoredPage {
    pub(crate) fn new(data: Option<&Rc<Data>>) -> StoredPage {
        let loaded = match data {
            None => Err("Games are not stored.".to_string()),
            Some(data) => data
                .wait(data.store.games(None, MOST))
                .map_err(|error| format!("The games can't be read: {error}.")),
        };
        let (games, trouble) = match loaded {
            Ok(games) => (games, None),
            Err(trouble) => (Vec::new(), Some(trouble)),
        };
        let mut lines: Vec<String> = table(&games).lines().collect();
        let heading = lines.remove(0);
        StoredPage { games, heading, list: List::new(lines), trouble, clicks: Clicks::default() }
    }

    pub(crate) fn clicks(&self) -> &Clicks {
        &self.clicks
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Go {
        let key = if let Event::Key(key) = event { Some(key.code) } else { None };
        match key {
            Some(KeyCode::Esc | KeyCode::Char('q')) => return Go::Back,
            Some(KeyCode::Char('?') | KeyCode::F(1)) => return Go::Help,
            Some(KeyCode::Enter) => return self.open(),
            _ => {
                if self.list.handle(event) {
                    return self.open();
                }
            }
        }
        Go::Stay
    }

    fn open(&self) -> Go {
        match self.games.get(self.list.selected) {
            Some(stored) => Go::Review(Box::new(stored.game.clone())),
            None => Go::Stay,
        }
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look) {
        let row = |y: u16| {
            Rect { x: area.x + 1, y: area.y + y, width: area.width.saturating_sub(2), height: 1 }
                .intersection(area)
        };
        let title = Line::styled("Stored games", look.tone(Tone::Title));
        frame.render_widget(Paragraph::new(title), row(0));
        let body = Rect {
            x: area.x + 1,
            y: area.y + 3,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(6),
        }
        .intersection(area);
        let keys = if self.games.is_empty() {
            let text = self.trouble.as_deref().unwrap_or("No game has been stored yet.");
            frame.render_widget(Paragraph::new(text), body);
            hints(&[("Esc", "back")])
        } else {
            let heading = Line::styled(format!("  {}", self.heading), look.tone(Tone::Faint));
            frame.render_widget(Paragraph::new(heading), row(2));
            self.list.draw(frame, body, look);
            hints(&[
                ("Enter", "step through it"),
                (look.pick("↑↓", "up/down"), "choose"),
                ("Esc", "back"),
            ])
        };
        let bottom = row(area.height.saturating_sub(1));
        self.clicks.clear();
        self.clicks.add_keys(&Keys { look, keys: &keys }, bottom);
        frame.render_widget(Keys { look, keys: &keys }, bottom);
    }
}

/// The games, one in a row.
fn table(games: &[StoredGame]) -> Table {
    let mut table = Table::new(["game", "played", "rules", "players", "winner", ""]);
    for stored in games {
        let game = &stored.game;
        let names: Vec<&str> = game.players().iter().map(Player::name).collect();
        let winner = match game.position().outcome() {
            Some(Outcome::Win(seat)) => names[seat.index()],
            Some(Outcome::Draw) => "draw",
            None => "not over",
        };
        let is_taken_back = stored.result.as_ref().is_some_and(|result| result.retracted);
        table.push([
            stored.id.to_string(),
            date(stored.at),
            game.rules().to_string(),
            names.join(", "),
            winner.to_string(),
            if is_taken_back { "taken back" } else { "" }.to_string(),
        ]);
    }
    table
}
