//! The scoreboard page: the table of a league, and the records of its players.

use crossterm::event::{Event, KeyCode};
use noughts_scores::League;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Navigation;
use super::scroll_view::ScrollView;
use super::select_list::SelectList;
use super::storage::{LoadedLeague, StorageHandle};
use super::theme::{TextRole, Theme};
use super::widgets::click_map::ClickMap;
use super::widgets::key_bar::{KeyBar, hints};
use super::workers::RequestId;
use noughts_play::{league_table, player_record};

const MAX_ROWS: usize = 1000;

pub(crate) struct ScoreboardPage {
    storage: Option<StorageHandle>,
    /// The pending request.
    waiting: Option<RequestId>,
    leagues: Vec<String>,
    /// Index of the league shown.
    shown: usize,
    league: Option<Box<League>>,
    heading: String,
    list: SelectList,
    /// The players by row.
    names: Vec<String>,
    /// The players of the current match, whose rows are marked.
    own: Vec<String>,
    /// The record that is open.
    record: Option<(Vec<String>, ScrollView)>,
    error: Option<String>,
    click_map: ClickMap,
}

impl ScoreboardPage {
    /// Starts with the league in which games count.
    pub(crate) fn new(
        storage: Option<StorageHandle>,
        league: &str,
        own: Vec<String>,
    ) -> ScoreboardPage {
        let mut page = ScoreboardPage {
            storage,
            waiting: None,
            leagues: vec![league.to_string()],
            shown: 0,
            league: None,
            heading: String::new(),
            list: SelectList::default(),
            names: Vec::new(),
            own,
            record: None,
            error: None,
            click_map: ClickMap::default(),
        };
        page.load();
        page
    }

    /// Requests the league shown.
    fn load(&mut self) {
        (self.list, self.names, self.league) = (SelectList::default(), Vec::new(), None);
        match &self.storage {
            Some(storage) => self.waiting = Some(storage.load_league(&self.leagues[self.shown])),
            None => self.error = Some("Games are not stored, so there are no scores.".into()),
        }
    }

    /// Whether this page sent the request.
    pub(crate) fn waits_for(&self, id: RequestId) -> bool {
        self.waiting == Some(id)
    }

    /// Shows the loaded league.
    pub(crate) fn show(&mut self, found: anyhow::Result<LoadedLeague>) {
        self.waiting = None;
        let LoadedLeague { leagues, league } = match found {
            Ok(found) => found,
            Err(error) => {
                self.error = Some(format!("The league can't be read: {error:#}."));
                return;
            }
        };
        self.error = None;
        let shown = &self.leagues[self.shown];
        self.shown = leagues.iter().position(|name| name == shown).unwrap_or(0);
        self.leagues = leagues;
        let Some(league) = league else { return };
        self.names = league.top(MAX_ROWS).map(|row| row.name.to_string()).collect();
        let mut lines = league_table(league.top(MAX_ROWS)).lines().collect::<Vec<_>>();
        self.heading = lines.remove(0);
        let mark = |name: &String| if self.own.contains(name) { "*" } else { " " };
        let rows = self.names.iter().zip(lines);
        self.list =
            SelectList::new(rows.map(|(name, line)| format!("{} {line}", mark(name))).collect());
        self.league = Some(league);
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        let key = if let Event::Key(key) = event { Some(key.code) } else { None };
        if self.record.is_some() {
            if matches!(key, Some(KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q'))) {
                self.record = None;
            }
            if let Some((_, scroll)) = &mut self.record {
                scroll.handle(event);
            }
            return Navigation::Stay;
        }
        match key {
            Some(KeyCode::Esc | KeyCode::Char('q')) => return Navigation::Back,
            Some(KeyCode::Char('?') | KeyCode::F(1)) => return Navigation::Help,
            Some(KeyCode::Left | KeyCode::Char('h')) => self.turn(-1),
            Some(KeyCode::Right | KeyCode::Char('l') | KeyCode::Tab) => self.turn(1),
            Some(KeyCode::Enter) => self.open(),
            _ => {
                if self.list.handle(event) {
                    self.open();
                }
            }
        }
        Navigation::Stay
    }

    /// Switches to the next or previous league.
    fn turn(&mut self, by: isize) {
        if self.leagues.len() > 1 {
            let next = (self.shown as isize + by).rem_euclid(self.leagues.len() as isize);
            self.shown = next as usize;
            self.load();
        }
    }

    fn open(&mut self) {
        let (Some(league), Some(name)) = (&self.league, self.names.get(self.list.selected)) else {
            return;
        };
        let lines = player_record(league, &self.leagues[self.shown], name);
        self.record = lines.map(|lines| (lines, ScrollView::default()));
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let row = |y: u16| {
            Rect { x: area.x + 1, y: area.y + y, width: area.width.saturating_sub(2), height: 1 }
                .intersection(area)
        };
        let mut title =
            vec![Span::styled("Scoreboard", theme.role(TextRole::Title)), Span::raw("   ")];
        for (i, league) in self.leagues.iter().enumerate() {
            let (text, style) = match i == self.shown {
                true => (format!("[{league}]"), theme.role(TextRole::Focus)),
                false => (format!(" {league} "), theme.role(TextRole::Faint)),
            };
            title.push(Span::styled(text, style));
        }
        frame.render_widget(Paragraph::new(Line::from(title)), row(0));
        let body = Rect {
            x: area.x + 1,
            y: area.y + 3,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(6),
        }
        .intersection(area);
        let keys = if let Some((record, scroll)) = &mut self.record {
            let lines: Vec<Line> = record.iter().map(|line| Line::raw(line.as_str())).collect();
            let whole = Rect { y: body.y - 1, height: body.height + 2, ..body }.intersection(area);
            scroll.draw(frame, whole, lines);
            let mut keys = hints(&[("Esc", "back to the table")]);
            if scroll.has_more() {
                keys.push((theme.pick("↑↓", "up/down").into(), "scroll".into()));
            }
            keys
        } else if self.list.rows.is_empty() {
            let nobody = "Nobody has a result in this league yet.";
            let reading = theme.pick("Loading…", "Loading...");
            let usual = if self.waiting.is_some() { reading } else { nobody };
            let text = self.error.as_deref().unwrap_or(usual);
            frame.render_widget(Paragraph::new(text).wrap(Default::default()), body);
            hints(&[("Esc", "back")])
        } else {
            let heading =
                Line::styled(format!("    {}", self.heading), theme.role(TextRole::Faint));
            frame.render_widget(Paragraph::new(heading), row(2));
            self.list.draw(frame, body, theme);
            hints(&[("Enter", "record"), (theme.pick("↑↓", "up/down"), "choose"), ("Esc", "back")])
        };
        let mut keys = keys;
        if self.leagues.len() > 1 && self.record.is_none() {
            keys.push((theme.pick("←→", "left/right").into(), "other leagues".into()));
        }
        let bottom = row(area.height.saturating_sub(1));
        self.click_map.clear();
        self.click_map.add_keys(&KeyBar { theme, keys: &keys }, bottom);
        frame.render_widget(KeyBar { theme, keys: &keys }, bottom);
    }
}
