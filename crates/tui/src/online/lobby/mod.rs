//! The lobby of a server: your games and invitations, games to join and to watch, and who is there.

mod requests;
#[cfg(test)]
mod tests;
mod view;

use std::sync::mpsc::channel;

use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_api::{GameId, GameView};
use noughts_client::{Attention, Client, Lobby, LobbyConnection, LobbyEvent, rules_and_level};
use noughts_rules::{ParseRulesError, Rules};

use super::{OnlinePage, Preferences, connect};
use crate::select_list::SelectList;
use crate::widgets::click_map::ClickMap;
use crate::widgets::sentence;
use crate::widgets::text_field::TextField;
use crate::workers::{Message, RequestId, Workers};
use crate::{Navigation, Page, Screen};
use requests::{LobbyRequest, carry_out_on_threads};

/// The lobby of a server.
pub(crate) struct LobbyPage {
    /// What its messages are marked with.
    id: RequestId,
    client: Client,
    /// Follows the lobby until the page is closed.
    connection: Option<LobbyConnection>,
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
    /// Whether the user has chosen in the list. Until then its first entry is selected.
    is_touched: bool,
    /// The width that the rows were laid out for.
    width: usize,
    heading: String,
    prompt: Option<Prompt>,
    /// The rules that were typed last.
    rules: String,
    message: Option<String>,
    /// Whether a request has no answer yet.
    is_waiting: bool,
    is_ringing: bool,
    click_map: ClickMap,
}

/// A game or a player in the list, and what choosing it means.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Yours(GameId),
    /// A challenge of yours that has no answer yet.
    Sent(GameId),
    Invitation(GameId),
    Rematch(GameId),
    Join(GameId),
    /// Somebody to challenge.
    Player(String),
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

/// News for the page.
pub(crate) enum LobbyMessage {
    Event(LobbyEvent),
    /// A request was carried out, or not.
    Done(Result<Done, String>),
}

/// What a request led to.
pub(crate) enum Done {
    /// A game to show.
    Open(Box<GameView>),
    /// This game does not wait any more.
    Ended(GameId),
}

/// Shows the lobby of a server in the terminal until the user leaves.
pub fn lobby(preferences: Preferences, client: Client, name: Option<String>) -> anyhow::Result<()> {
    let (sender, messages) = channel();
    let workers = Workers::new(sender.clone());
    let page = LobbyPage::connected(client, name, &workers);
    let mut screen = Screen::of_page(preferences, Page::Lobby(Box::new(page)), workers);
    screen.run_in_terminal(&sender, &messages)
}

impl Screen {
    /// Opens a game above the lobby.
    pub(crate) fn open_online(&mut self, view: GameView, now: std::time::Instant) -> Navigation {
        let Some(client) = self.lobby_mut().map(|page| page.client.clone()) else {
            return Navigation::Stay;
        };
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

    /// Passes news on to the lobby that they are for.
    pub(crate) fn receive_in_lobby(&mut self, id: RequestId, message: LobbyMessage) -> Navigation {
        match self.lobby_mut().filter(|page| page.id == id) {
            Some(page) => page.receive(message),
            None => Navigation::Stay,
        }
    }
}

impl LobbyPage {
    /// A lobby that is followed in the background. Somebody without a name only watches.
    pub(super) fn connected(client: Client, name: Option<String>, workers: &Workers) -> LobbyPage {
        let (id, sender) = (RequestId::new(), workers.sender());
        let connection = LobbyConnection::open(&client, {
            let sender = sender.clone();
            move |event| drop(sender.send(Message::Lobby(id, LobbyMessage::Event(event))))
        });
        let on_request = carry_out_on_threads(id, client.clone(), sender);
        let page = LobbyPage::new(id, client, name, on_request);
        LobbyPage { connection: Some(connection), ..page }
    }

    fn new(
        id: RequestId,
        client: Client,
        name: Option<String>,
        on_request: impl FnMut(LobbyRequest) + 'static,
    ) -> LobbyPage {
        LobbyPage {
            id,
            client,
            connection: None,
            name,
            on_request: Box::new(on_request),
            lobby: Lobby::default(),
            is_loaded: false,
            entries: Vec::new(),
            list: SelectList::default(),
            is_touched: false,
            width: 0,
            heading: String::new(),
            prompt: None,
            rules: "3x3".into(),
            message: None,
            is_waiting: false,
            is_ringing: false,
            click_map: ClickMap::default(),
        }
    }

    /// The server, without the scheme.
    fn server(&self) -> &str {
        let server = self.client.server();
        server.split_once("://").map_or(server, |(_, host)| host)
    }

    /// Shows why a game was closed.
    pub(crate) fn explain(&mut self, reason: String) {
        self.message = Some(reason);
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
        let Lobby { yours, invitations, rematches, .. } = &self.lobby;
        match yours.first() {
            Some(game) if game.is_your_turn() => "Your turn - Noughts",
            _ if !invitations.is_empty() => "Challenge - Noughts",
            _ if !rematches.is_empty() => "Rematch - Noughts",
            _ => "Noughts",
        }
    }

    fn receive(&mut self, message: LobbyMessage) -> Navigation {
        match message {
            LobbyMessage::Event(event) => {
                match &event {
                    LobbyEvent::Lists(_) => {
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
                    Ok(Done::Open(view)) => return Navigation::OpenOnline(view),
                    Ok(Done::Ended(game)) => {
                        self.lobby.remove(game);
                        self.is_touched = false;
                        self.list_entries();
                    }
                    Err(reason) => self.message = Some(reason),
                }
            }
        }
        Navigation::Stay
    }

    /// Shows what has changed while a game was in front.
    pub(crate) fn refresh(&mut self) {
        self.is_touched = false;
        self.connection.iter().for_each(LobbyConnection::refresh);
        self.list_entries();
    }

    /// Lists the entries again and keeps the one that the user has selected.
    fn list_entries(&mut self) {
        let selected = self.selected().filter(|_| self.is_touched);
        let lobby = &self.lobby;
        let yours = lobby.yours.iter().map(|game| match challenged(game) {
            Some(_) => Entry::Sent(game.id),
            None => Entry::Yours(game.id),
        });
        let invitations = lobby.invitations.iter().map(|game| Entry::Invitation(game.id));
        let rematches = lobby.rematches.iter().map(|game| Entry::Rematch(game.id));
        let join = lobby.open_to_join().map(|game| Entry::Join(game.id));
        let players = lobby.players.iter().map(|player| Entry::Player(player.name.clone()));
        let watch = lobby.live_to_watch().map(|game| Entry::Watch(game.id));
        let waiting = yours.chain(invitations).chain(rematches);
        self.entries = waiting.chain(join).chain(players).chain(watch).collect();
        let place = selected.and_then(|entry| self.entries.iter().position(|e| *e == entry));
        let last = self.entries.len().saturating_sub(1);
        let near = if self.is_touched { self.list.selected.min(last) } else { 0 };
        self.list.select(place.unwrap_or(near));
        self.width = 0;
    }

    fn selected(&self) -> Option<Entry> {
        self.entries.get(self.list.selected).cloned()
    }

    /// A field with the rules that were typed last.
    fn rules_field(&self) -> TextField {
        TextField::new(&self.rules)
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
        self.is_touched |= key.is_some() || matches!(event, Event::Mouse(_));
        match key {
            Some(KeyCode::Esc | KeyCode::Char('q')) => return Navigation::Back,
            Some(KeyCode::Char('?') | KeyCode::F(1)) => return Navigation::Help,
            Some(KeyCode::Char('n' | 'c')) if self.name.is_none() => {}
            Some(KeyCode::Char('n')) => self.prompt = Some(Prompt::NewGame(self.rules_field())),
            Some(KeyCode::Char('c')) => self.prompt = Some(Prompt::Opponent(TextField::default())),
            Some(KeyCode::Char('d')) => {
                if let Some(Entry::Invitation(game) | Entry::Sent(game)) = self.selected() {
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
                Some(Prompt::ChallengeRules { name: text, field: self.rules_field() })
            }
            Prompt::ChallengeRules { name, field } => match text.parse::<Rules>() {
                Ok(rules) => {
                    self.request(LobbyRequest::Challenge { name, rules: rules.to_string() });
                    self.rules = text;
                    None
                }
                Err(error) => {
                    self.message = Some(sentence(&error.to_string()));
                    Some(Prompt::ChallengeRules { name, field })
                }
            },
            Prompt::NewGame(field) => match new_game(&text) {
                Ok(request) => {
                    self.request(request);
                    self.rules = rules_and_level(&text).0.to_string();
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
        let Some(entry) = self.selected() else { return };
        match entry {
            Entry::Player(name) if self.name.is_some() => {
                let field = self.rules_field();
                self.prompt = Some(Prompt::ChallengeRules { name, field });
            }
            Entry::Player(_) => {}
            Entry::Join(game) if self.name.is_some() => self.request(LobbyRequest::Join(game)),
            Entry::Invitation(game) => self.request(LobbyRequest::Join(game)),
            Entry::Rematch(game) => self.request(LobbyRequest::Rematch(game)),
            Entry::Yours(game) | Entry::Sent(game) | Entry::Join(game) | Entry::Watch(game) => {
                self.request(LobbyRequest::Open(game));
            }
        }
    }

    /// Shows a game, and takes a free seat.
    pub(super) fn enter(&mut self, game: GameId) {
        self.request(LobbyRequest::Enter(game));
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
    let rules: Rules =
        rules.parse().map_err(|error: ParseRulesError| sentence(&error.to_string()))?;
    Ok(LobbyRequest::Play { rules: rules.to_string(), level })
}

/// Whom a game of yours challenges, who has not answered yet.
fn challenged(game: &GameView) -> Option<&str> {
    game.players.iter().find_map(|player| player.invited.as_deref())
}
