//! The lobby of a server: your games and invitations, games to join and to watch.

mod view;

use std::sync::mpsc::{Sender, channel};
use std::thread;

use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_api::{GameId, GameView, Level};
use noughts_client::{
    Attention, Client, ClientError, Lobby, LobbyConnection, LobbyEvent, rules_and_level,
};
use noughts_rules::Rules;

use super::{Preferences, connect};
use crate::select_list::SelectList;
use crate::widgets::click_map::ClickMap;
use crate::widgets::text_field::TextField;
use crate::workers::{Message, Workers};
use crate::{Navigation, OnlinePage, Page, Screen};

/// The lobby of a server.
pub(crate) struct LobbyPage {
    server: String,
    /// `None` for somebody who only watches.
    name: Option<String>,
    /// Carries out the page's requests without blocking.
    on_request: Box<dyn FnMut(LobbyRequest)>,
    lobby: Lobby,
    /// Whether the lists were read.
    is_loaded: bool,
    /// What each row of the list is.
    entries: Vec<Entry>,
    list: SelectList,
    /// The width that the rows were laid out for.
    width: usize,
    heading: String,
    prompt: Option<Prompt>,
    message: Option<String>,
    /// Whether a request has no answer yet.
    is_waiting: bool,
    is_ringing: bool,
    click_map: ClickMap,
}

/// A game in the list, and what opening it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Yours(GameId),
    Invitation(GameId),
    Join(GameId),
    Watch(GameId),
}

/// What is being typed.
enum Prompt {
    /// The rules of a new game, and a level of the computer if there is to be no other player.
    NewGame(TextField),
    /// Whom to challenge.
    Opponent(TextField),
    /// The rules of a challenge.
    ChallengeRules { name: String, field: TextField },
}

/// What the page asks of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LobbyRequest {
    /// Show a game.
    Open(GameId),
    /// Take a seat, and show the game.
    Join(GameId),
    Decline(GameId),
    /// Find an opponent, or play a computer.
    Play {
        rules: String,
        level: Option<Level>,
    },
    Challenge {
        name: String,
        rules: String,
    },
}

/// News for the page.
pub(crate) enum LobbyMessage {
    Event(LobbyEvent),
    /// A request was carried out. The game, if there is one, is to be opened.
    Done(Result<Option<Box<GameView>>, String>),
}

/// Shows the lobby of a server in the terminal until the user leaves.
pub fn lobby(preferences: Preferences, client: Client, name: Option<String>) -> anyhow::Result<()> {
    let (sender, messages) = channel();
    let connection = LobbyConnection::open(&client, {
        let sender = sender.clone();
        move |event| drop(sender.send(Message::Lobby(LobbyMessage::Event(event))))
    });
    let page = LobbyPage::new(&client, name, carry_out_on_threads(client.clone(), sender.clone()));
    let mut screen =
        Screen::of_page(preferences, Page::Lobby(Box::new(page)), Workers::new(sender.clone()));
    screen.client = Some(client);
    screen.run_in_terminal(&sender, &messages)?;
    drop(connection);
    Ok(())
}

/// Carries out each request on a thread of its own.
fn carry_out_on_threads(client: Client, sender: Sender<Message>) -> impl FnMut(LobbyRequest) {
    move |request| {
        let (client, sender) = (client.clone(), sender.clone());
        thread::spawn(move || {
            let done = carry_out(&client, request).map_err(|error| error.to_string());
            // Sending fails only while the program ends.
            let _ = sender.send(Message::Lobby(LobbyMessage::Done(done)));
        });
    }
}

fn carry_out(client: &Client, request: LobbyRequest) -> Result<Option<Box<GameView>>, ClientError> {
    let view = match request {
        LobbyRequest::Open(game) => client.game(game, 0)?,
        LobbyRequest::Join(game) => client.join(game)?,
        LobbyRequest::Decline(game) => {
            client.decline(game)?;
            return Ok(None);
        }
        LobbyRequest::Play { rules, level } => client.play(&rules, level)?,
        LobbyRequest::Challenge { name, rules } => client.challenge(&name, &rules)?,
    };
    Ok(Some(Box::new(view)))
}

impl Screen {
    /// Opens a game above the lobby.
    pub(crate) fn open_online(&mut self, view: GameView, now: std::time::Instant) -> Navigation {
        let Some(client) = self.client.clone() else { return Navigation::Stay };
        let sender = self.workers.sender();
        let on_request = connect(client.clone(), move |event| {
            drop(sender.send(Message::Online(event)));
        });
        match OnlinePage::new(client, view, self.setup.keys, now, on_request) {
            Ok(page) => {
                self.pages.push(Page::Online(Box::new(page)));
                Navigation::Stay
            }
            Err(error) => Navigation::Fail(error.to_string()),
        }
    }
}

impl LobbyPage {
    pub(super) fn new(
        client: &Client,
        name: Option<String>,
        on_request: impl FnMut(LobbyRequest) + 'static,
    ) -> LobbyPage {
        let server = client.server();
        let server = server.split_once("://").map_or(server, |(_, host)| host);
        LobbyPage {
            server: server.to_string(),
            name,
            on_request: Box::new(on_request),
            lobby: Lobby::default(),
            is_loaded: false,
            entries: Vec::new(),
            list: SelectList::default(),
            width: 0,
            heading: String::new(),
            prompt: None,
            message: None,
            is_waiting: false,
            is_ringing: false,
            click_map: ClickMap::default(),
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    /// Whether the user should hear that a game waits or that they are invited; once for each.
    pub(crate) fn take_bell(&mut self) -> bool {
        std::mem::take(&mut self.is_ringing)
    }

    /// The title of the window.
    pub(crate) fn window_title(&self) -> &'static str {
        match (self.lobby.yours.first(), self.lobby.invitations.is_empty()) {
            (Some(game), _) if game.is_your_turn() => "Your turn - Noughts",
            (_, false) => "Invitation - Noughts",
            _ => "Noughts",
        }
    }

    pub(crate) fn receive(&mut self, message: LobbyMessage) -> Navigation {
        match message {
            LobbyMessage::Event(event) => {
                match &event {
                    LobbyEvent::Lists { .. } => {
                        (self.is_loaded, self.message) =
                            (true, self.message.take().filter(|_| self.is_loaded));
                    }
                    LobbyEvent::Unreachable(reason) => self.message = Some(reason.clone()),
                    _ => {}
                }
                self.is_ringing |= self.lobby.apply(event) == Attention::Ring;
                self.list_entries();
            }
            LobbyMessage::Done(done) => {
                self.is_waiting = false;
                match done {
                    Ok(Some(view)) => return Navigation::OpenOnline(view),
                    Ok(None) => self.message = None,
                    Err(reason) => self.message = Some(reason),
                }
            }
        }
        Navigation::Stay
    }

    /// Lists the entries again and keeps the selected one.
    fn list_entries(&mut self) {
        let selected = self.selected();
        let ids = |games: &[GameView]| games.iter().map(|game| game.id).collect::<Vec<_>>();
        let (yours, invitations) = (ids(&self.lobby.yours), ids(&self.lobby.invitations));
        let join = self.lobby.open_to_join().map(|game| Entry::Join(game.id));
        let watch = self.lobby.live_to_watch().map(|game| Entry::Watch(game.id));
        let yours = yours.into_iter().map(Entry::Yours);
        let invitations = invitations.into_iter().map(Entry::Invitation);
        self.entries = yours.chain(invitations).chain(join).chain(watch).collect();
        let place = selected.and_then(|entry| self.entries.iter().position(|e| *e == entry));
        let last = self.entries.len().saturating_sub(1);
        self.list.select(place.unwrap_or(self.list.selected.min(last)));
        self.width = 0;
    }

    fn selected(&self) -> Option<Entry> {
        self.entries.get(self.list.selected).copied()
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Navigation {
        if let Some(prompt) = self.prompt.take() {
            match event {
                Event::Key(key) => self.prompt = self.answer(prompt, *key),
                Event::Paste(text) => {
                    let mut prompt = prompt;
                    prompt.field().insert(text);
                    self.prompt = Some(prompt);
                }
                _ => self.prompt = Some(prompt),
            }
            return Navigation::Stay;
        }
        let key = if let Event::Key(key) = event { Some(key.code) } else { None };
        if key.is_some() {
            self.message = None;
        }
        match key {
            Some(KeyCode::Esc | KeyCode::Char('q')) => return Navigation::Back,
            Some(KeyCode::Char('?') | KeyCode::F(1)) => return Navigation::Help,
            Some(KeyCode::Char('n' | 'c')) if self.name.is_none() => {}
            Some(KeyCode::Char('n')) => self.prompt = Some(Prompt::NewGame(TextField::new("3x3"))),
            Some(KeyCode::Char('c')) => self.prompt = Some(Prompt::Opponent(TextField::default())),
            Some(KeyCode::Char('d')) => {
                if let Some(Entry::Invitation(game)) = self.selected() {
                    self.request(LobbyRequest::Decline(game));
                }
            }
            Some(KeyCode::Enter) => self.open(),
            _ => {
                if self.list.handle(event) {
                    self.open();
                }
            }
        }
        Navigation::Stay
    }

    /// Handles a key in a prompt. Returns the prompt that is open then.
    fn answer(&mut self, mut prompt: Prompt, key: KeyEvent) -> Option<Prompt> {
        match key.code {
            KeyCode::Esc => return None,
            KeyCode::Enter => {}
            _ => {
                prompt.field().handle(key);
                return Some(prompt);
            }
        }
        let text = prompt.field().text().trim().to_string();
        match prompt {
            Prompt::Opponent(_) if text.is_empty() => None,
            Prompt::Opponent(_) => {
                Some(Prompt::ChallengeRules { name: text, field: TextField::new("3x3") })
            }
            Prompt::ChallengeRules { name, field } => match text.parse::<Rules>() {
                Ok(rules) => {
                    self.request(LobbyRequest::Challenge { name, rules: rules.to_string() });
                    None
                }
                Err(error) => {
                    self.message = Some(error.to_string());
                    Some(Prompt::ChallengeRules { name, field })
                }
            },
            Prompt::NewGame(field) => match new_game(&text) {
                Ok(request) => {
                    self.request(request);
                    None
                }
                Err(reason) => {
                    self.message = Some(reason);
                    Some(Prompt::NewGame(field))
                }
            },
        }
    }

    fn open(&mut self) {
        match self.selected() {
            Some(Entry::Yours(game) | Entry::Watch(game)) => self.request(LobbyRequest::Open(game)),
            Some(Entry::Join(game)) if self.name.is_none() => {
                self.request(LobbyRequest::Open(game));
            }
            Some(Entry::Invitation(game) | Entry::Join(game)) => {
                self.request(LobbyRequest::Join(game));
            }
            None => {}
        }
    }

    /// Sends a request, unless the one before has no answer yet.
    fn request(&mut self, request: LobbyRequest) {
        if self.is_waiting {
            self.message = Some("Still waiting for the server's answer.".into());
            return;
        }
        (self.is_waiting, self.message) = (true, None);
        (self.on_request)(request);
    }
}

impl Prompt {
    fn field(&mut self) -> &mut TextField {
        match self {
            Prompt::NewGame(field)
            | Prompt::Opponent(field)
            | Prompt::ChallengeRules { field, .. } => field,
        }
    }
}

/// Reads `connect4`, or `connect4 hard` to play the computer.
fn new_game(text: &str) -> Result<LobbyRequest, String> {
    let (rules, level) = rules_and_level(text);
    let rules: Rules = rules.parse().map_err(|error| format!("{error}"))?;
    Ok(LobbyRequest::Play { rules: rules.to_string(), level })
}

#[cfg(test)]
mod tests;
