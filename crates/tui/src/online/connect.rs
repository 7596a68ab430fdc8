//! The way from the start page to the lobby: asks for the address of a server.

use crossterm::event::{Event, KeyCode};
use noughts_api::GameId;
use noughts_client::{Address, Client, SessionError, Sessions};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::lobby::LobbyPage;
use crate::theme::{TextRole, Theme};
use crate::widgets::click_map::ClickMap;
use crate::widgets::key_bar::{KeyBar, hints};
use crate::widgets::text_field::TextField;
use crate::workers::{Message, RequestId, Workers};
use crate::{LoopAction, Navigation, Page, Screen};

/// What the field shows while it is empty.
const EXAMPLE: &str = "such as localhost:8000 or noughts.example";

/// Asks for a server, and signs in there.
pub(crate) struct ConnectPage {
    workers: Workers,
    /// Where tokens and the last server are kept; `None` to play as a new guest.
    sessions: Option<Sessions>,
    field: TextField,
    /// The attempt that has no answer yet.
    attempt: Option<RequestId>,
    message: Option<String>,
    click_map: ClickMap,
}

/// A player at a server.
pub(crate) struct SignedIn {
    client: Client,
    name: String,
    /// The game that the address names.
    game: Option<GameId>,
}

impl ConnectPage {
    pub(crate) fn new(sessions: Option<Sessions>, workers: Workers) -> ConnectPage {
        let last = sessions.as_ref().and_then(Sessions::last_server);
        ConnectPage {
            workers,
            sessions,
            field: TextField::new(&last.unwrap_or_default()),
            attempt: None,
            message: None,
            click_map: ClickMap::default(),
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        match event {
            Event::Paste(text) => self.field.insert(text),
            Event::Key(key) => match key.code {
                KeyCode::Esc => return Navigation::Back,
                KeyCode::F(1) => return Navigation::Help,
                KeyCode::Enter => self.connect(),
                _ => {
                    if self.field.handle(*key) {
                        // What was typed before is not wanted any more.
                        (self.attempt, self.message) = (None, None);
                    }
                }
            },
            _ => {}
        }
        Navigation::Stay
    }

    fn connect(&mut self) {
        if self.attempt.is_some() {
            return;
        }
        let text = self.field.text();
        let address: Address = match text.parse() {
            Ok(address) => address,
            Err(_) => {
                self.message = Some(format!("Type the address of a server, {EXAMPLE}."));
                return;
            }
        };
        let (id, sessions) = (RequestId::new(), self.sessions.clone());
        (self.attempt, self.message) = (Some(id), None);
        self.workers.run(move || {
            let signed_in = sign_in(sessions, text.trim(), address);
            Message::SignedIn { id, signed_in: Box::new(signed_in.map_err(|e| e.to_string())) }
        });
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let row = |y: u16, height: u16| {
            let width = area.width.saturating_sub(2);
            Rect { x: area.x + 1, y: area.y + y, width, height }.intersection(area)
        };
        let title = Line::styled("Play online", theme.role(TextRole::Title));
        frame.render_widget(Paragraph::new(title), row(0, 1));
        let label = "Server: ";
        let line = row(2, 1);
        frame.render_widget(Paragraph::new(label), line);
        let width = (label.len() as u16).min(line.width);
        let field = Rect { x: line.x + width, width: line.width - width, ..line };
        let (text, _) = self.field.view(field.width);
        let text = match text.is_empty() {
            true => Span::styled(EXAMPLE, theme.role(TextRole::Faint)),
            false => Span::styled(text, theme.role(TextRole::Title)),
        };
        frame.render_widget(Paragraph::new(text), field);
        frame.set_cursor_position(self.field.caret_in(field));
        let keys = hints(&[("Enter", "connect"), ("F1", "help"), ("Esc", "back")]);
        let bar = KeyBar { theme, keys: &keys };
        let bar_height = bar.height(area.width.saturating_sub(2)).min(2);
        let (words, role) = match (&self.message, self.attempt) {
            (Some(message), _) => (message.as_str(), TextRole::Bad),
            (None, Some(_)) => (theme.pick("Connecting…", "Connecting..."), TextRole::Key),
            (None, None) => {
                let words = "You play as a guest, or with the account that you last used there with \
                             noughts join --name.";
                (words, TextRole::Faint)
            }
        };
        let words = Paragraph::new(words).wrap(Wrap { trim: true }).style(theme.role(role));
        frame.render_widget(words, row(4, area.height.saturating_sub(4 + bar_height)));
        let bottom = row(area.height.saturating_sub(bar_height), bar_height);
        self.click_map.clear();
        self.click_map.add_keys(&bar, bottom);
        frame.render_widget(bar, bottom);
    }
}

/// Signs in with the last session at the server, or as a guest.
fn sign_in(
    sessions: Option<Sessions>,
    typed: &str,
    address: Address,
) -> Result<SignedIn, SessionError> {
    let Address { server, game } = address;
    let client = match &sessions {
        Some(sessions) => sessions.resume_or_create_guest(&server)?,
        None => {
            let client = Client::new(&server, None);
            client.with_token(client.create_guest()?.token)
        }
    };
    let name = client.me()?.name;
    if let Some(sessions) = &sessions {
        // Of a game's address only the server is worth keeping.
        sessions.remember_server(if game.is_some() { &server } else { typed })?;
    }
    Ok(SignedIn { client, name, game })
}

impl Screen {
    /// Asks for a server.
    pub(crate) fn ask_for_server(&mut self) {
        let storage = self.setup.storage.as_ref();
        let sessions = storage.map(|storage| Sessions::beside(&storage.path));
        let page = ConnectPage::new(sessions, self.workers.clone());
        self.pages.push(Page::Connect(Box::new(page)));
    }

    /// Opens the lobby in place of the page that asked for the server.
    pub(crate) fn receive_signed_in(
        &mut self,
        id: RequestId,
        signed_in: Result<SignedIn, String>,
    ) -> LoopAction {
        let place = self.pages.iter().position(|page| match page {
            Page::Connect(page) => page.attempt == Some(id),
            _ => false,
        });
        let Some(place) = place else { return LoopAction::Ignore };
        let page = match signed_in {
            Ok(SignedIn { client, name, game }) => {
                let mut lobby = LobbyPage::connected(client, Some(name), &self.workers);
                game.into_iter().for_each(|game| lobby.enter(game));
                Page::Lobby(Box::new(lobby))
            }
            Err(reason) => {
                if let Page::Connect(page) = &mut self.pages[place] {
                    (page.attempt, page.message) = (None, Some(reason));
                }
                return LoopAction::Draw;
            }
        };
        self.pages[place] = page;
        LoopAction::Draw
    }
}
