//! Who is the best: the table of a league, and a player's record.

use crossterm::event::{Event, KeyCode};
use noughts_scores::League;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Go;
use super::clerk::{Clerk, FoundLeague};
use super::desk::Ticket;
use super::list::List;
use super::look::{Look, Tone};
use super::scroll::Scroll;
use super::widgets::clicks::Clicks;
use super::widgets::keys::{Keys, hints};
use noughts_play::{league_table, player_record};

/// The most rows that are shown.
const MOST: usize = 1000;

pub(crate) struct ScoreboardPage {
    clerk: Option<Clerk>,
    /// What was asked for and has not come yet.
    waiting: Option<Ticket>,
    leagues: Vec<String>,
    /// Which of them is shown.
    shown: usize,
    league: Option<Box<League>>,
    heading: String,
    list: List,
    /// The names in the rows.
    names: Vec<String>,
    /// Those who play here, whose rows are marked.
    own: Vec<String>,
    /// The record of a player that was opened.
    record: Option<(Vec<String>, Scroll)>,
    trouble: Option<String>,
    clicks: Clicks,
}

impl ScoreboardPage {
    /// The league is the one that games count in.
    pub(crate) fn new(clerk: Option<Clerk>, league: &str, own: Vec<String>) -> ScoreboardPage {
        let mut page = ScoreboardPage {
            clerk,
            waiting: None,
            leagues: vec![league.to_string()],
            shown: 0,
            league: None,
            heading: String::new(),
            list: List::default(),
            names: Vec::new(),
            own,
            record: None,
            trouble: None,
            clicks: Clicks::default(),
        };
        page.load();
        page
    }

    /// Asks for the league that is shown.
    fn load(&mut self) {
        (self.list, self.names, self.league) = (List::default(), Vec::new(), None);
        match &self.clerk {
            Some(clerk) => self.waiting = Some(clerk.table(&self.leagues[self.shown])),
            None => self.trouble = Some("Games are not stored, so there are no scores.".into()),
        }
    }

    /// Whether this page has asked for something that has not come yet.
    pub(crate) fn waits_for(&self, ticket: Ticket) -> bool {
        self.waiting == Some(ticket)
    }

    /// Shows what was asked for.
    pub(crate) fn show(&mut self, found: anyhow::Result<FoundLeague>) {
        self.waiting = None;
        let FoundLeague { leagues, league } = match found {
            Ok(found) => found,
            Err(error) => {
                self.trouble = Some(format!("The league can't be read: {error:#}."));
                return;
            }
        };
        self.trouble = None;
        let shown = &self.leagues[self.shown];
        self.shown = leagues.iter().position(|name| name == shown).unwrap_or(0);
        self.leagues = leagues;
        let Some(league) = league else { return };
        self.names = league.top(MOST).map(|row| row.name.to_string()).collect();
        let mut lines = league_table(league.top(MOST)).lines().collect::<Vec<_>>();
        self.heading = lines.remove(0);
        let mark = |name: &String| if self.own.contains(name) { "*" } else { " " };
        let rows = self.names.iter().zip(lines);
        self.list = List::new(rows.map(|(name, line)| format!("{} {line}", mark(name))).collect());
        self.league = Some(league);
    }

    pub(crate) fn clicks(&self) -> &Clicks {
        &self.clicks
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Go {
        let key = if let Event::Key(key) = event { Some(key.code) } else { None };
        if self.record.is_some() {
            if matches!(key, Some(KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q'))) {
                self.record = None;
            }
            if let Some((_, scroll)) = &mut self.record {
                scroll.handle(event);
            }
            return Go::Stay;
        }
        match key {
            Some(KeyCode::Esc | KeyCode::Char('q')) => return Go::Back,
            Some(KeyCode::Char('?') | KeyCode::F(1)) => return Go::Help,
            Some(KeyCode::Left | KeyCode::Char('h')) => self.turn(-1),
            Some(KeyCode::Right | KeyCode::Char('l') | KeyCode::Tab) => self.turn(1),
            Some(KeyCode::Enter) => self.open(),
            _ => {
                if self.list.handle(event) {
                    self.open();
                }
            }
        }
        Go::Stay
    }

    /// Turns to another league.
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
        self.record = lines.map(|lines| (lines, Scroll::default()));
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look) {
        let row = |y: u16| {
            Rect { x: area.x + 1, y: area.y + y, width: area.width.saturating_sub(2), height: 1 }
                .intersection(area)
        };
        let mut title = vec![Span::styled("Scoreboard", look.tone(Tone::Title)), Span::raw("   ")];
        for (i, league) in self.leagues.iter().enumerate() {
            let (text, style) = match i == self.shown {
                true => (format!("[{league}]"), look.tone(Tone::Focus)),
                false => (format!(" {league} "), look.tone(Tone::Faint)),
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
                keys.push((look.pick("↑↓", "up/down").into(), "scroll".into()));
            }
            keys
        } else if self.list.rows.is_empty() {
            let nobody = "Nobody has a result in this league yet.";
            let reading = look.pick("Reading…", "Reading...");
            let usual = if self.waiting.is_some() { reading } else { nobody };
            let text = self.trouble.as_deref().unwrap_or(usual);
            frame.render_widget(Paragraph::new(text).wrap(Default::default()), body);
            hints(&[("Esc", "back")])
        } else {
            let heading = Line::styled(format!("    {}", self.heading), look.tone(Tone::Faint));
            frame.render_widget(Paragraph::new(heading), row(2));
            self.list.draw(frame, body, look);
            hints(&[("Enter", "record"), (look.pick("↑↓", "up/down"), "choose"), ("Esc", "back")])
        };
        let mut keys = keys;
        if self.leagues.len() > 1 && self.record.is_none() {
            keys.push((look.pick("←→", "left/right").into(), "other leagues".into()));
        }
        let bottom = row(area.height.saturating_sub(1));
        self.clicks.clear();
        self.clicks.add_keys(&Keys { look, keys: &keys }, bottom);
        frame.render_widget(Keys { look, keys: &keys }, bottom);
    }
}
