//! The lobby without a server.

use std::sync::mpsc::Receiver;
use std::time::Instant;

use noughts_api::{GameSummary, IdentityKind, Level, PersonView, StreamEvent};
use noughts_client::LobbyLists;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::{Value, json};

use super::*;
use crate::LoopAction;
use crate::online::tests::{preferences, view};
use crate::screenshot::text;

const OPEN: &str = "01hf7yat0060rk4csm6mv3ee8s";

/// A screen with a lobby, whose server is the test.
struct Stage {
    screen: Screen,
    requests: Receiver<LobbyRequest>,
    terminal: Terminal<TestBackend>,
}

fn stage() -> Stage {
    let (sender, requests) = channel();
    let client = Client::new("http://localhost:8000", None);
    let on_request = move |request| drop(sender.send(request));
    let page = LobbyPage::new(RequestId::new(), client, Some("Ann".into()), on_request);
    let workers = Workers::new(channel().0);
    let screen = Screen::of_page(preferences(), Page::Lobby(Box::new(page)), workers);
    Stage { screen, requests, terminal: Terminal::new(TestBackend::new(80, 24)).unwrap() }
}

impl Stage {
    fn page(&mut self) -> &mut LobbyPage {
        self.screen.lobby_mut().expect("a lobby")
    }

    fn receive(&mut self, message: LobbyMessage) {
        let message = Message::Lobby(self.page().id, message);
        self.screen.handle(message, Instant::now());
    }

    fn tell(&mut self, event: LobbyEvent) {
        self.receive(LobbyMessage::Event(event));
    }

    fn lists(&mut self, open: &[GameSummary], live: &[GameSummary]) {
        let (open, live) = (open.to_vec(), live.to_vec());
        self.tell(LobbyEvent::Lists(Box::new(LobbyLists { open, live, ..LobbyLists::default() })));
    }

    fn yours(&mut self, fields: Value) {
        let game = Box::new(serde_json::from_value(view(fields)).unwrap());
        self.tell(LobbyEvent::Yours(StreamEvent::YourTurn { game }));
    }

    fn press(&mut self, keys: &str) -> LoopAction {
        let mut action = LoopAction::Ignore;
        for key in keys.chars() {
            let code = match key {
                '\r' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                '\u{8}' => KeyCode::Backspace,
                '\u{1}' => KeyCode::Home,
                key => KeyCode::Char(key),
            };
            let event = Event::Key(code.into());
            action = self.screen.handle(Message::Input(event), Instant::now());
        }
        action
    }

    #[track_caller]
    fn shows(&mut self, parts: &[&str]) {
        let screen = &mut self.screen;
        self.terminal.draw(|frame| screen.draw(frame, Instant::now())).unwrap();
        let drawn = text(self.terminal.backend().buffer());
        parts.iter().for_each(|part| assert!(drawn.contains(part), "{part} in\n{drawn}"));
    }
}

fn summary(id: &str, phase: &str, names: [Option<&str>; 2]) -> GameSummary {
    let players =
        names.map(|name| json!({"name": name, "kind": name.map(|_| "guest"), "invited": null}));
    serde_json::from_value(json!({
        "id": id, "phase": phase, "rules": "connect4", "rated": true, "league": "connect4",
        "updated_at": 0, "players": players, "created_at": 0, "winner": null, "reason": null,
        "clock": {"initial_ms": 300_000, "increment_ms": 3_000},
    }))
    .unwrap()
}

#[test]
fn games_are_listed_and_opened() {
    let mut stage = stage();
    stage.shows(&["Lobby · localhost:8000 · you are Ann", "Loading…"]);
    stage.lists(&[], &[]);
    stage.shows(&["Nobody else is here now.", "n new game"]);
    let live = summary("01hf7yat0060rk4csm6mv3ee9s", "live", [Some("Cid"), Some("Dan")]);
    stage.lists(&[summary(OPEN, "open", [Some("Bob"), None])], &[live]);
    stage.shows(&["to join", "Connect Four", "Bob  ", "5m+3s", "rated", "Enter join"]);
    stage.shows(&["to watch", "Cid - Dan"]);
    stage.press("\r");
    assert_eq!(stage.requests.recv(), Ok(LobbyRequest::Join(OPEN.parse().unwrap())));
    stage.shows(&["Waiting for the server…"]);
    // The selection stays with its game when yours come above it.
    assert!(!stage.page().take_bell());
    stage.yours(json!({}));
    stage.shows(&["your turn", "with Bob", "Enter join"]);
    assert!(stage.page().take_bell());
    assert_eq!(stage.page().window_title(), "Your turn - Noughts");
    assert!(!stage.page().take_bell());
    // What was meant for another lobby is none of this one's business.
    let late = LobbyMessage::Done(Err("Something else.".into()));
    stage.screen.handle(Message::Lobby(RequestId::new(), late), Instant::now());
    stage.shows(&["Waiting for the server…"]);
    stage.receive(LobbyMessage::Done(Err("All seats are taken.".into())));
    stage.shows(&["All seats are taken."]);
    assert_eq!(stage.press("q"), LoopAction::Quit);
}

#[test]
fn invitations_are_accepted_or_declined() {
    let mut stage = stage();
    let mut players = view(json!({}))["players"].clone();
    players[0]["name"] = Value::Null;
    players[0]["invited"] = json!("Ann");
    stage.yours(json!({"phase": "open", "your_seats": [], "turn": null, "players": players}));
    stage.shows(&["challenge  ", "from Bob", "Enter accept", "d decline"]);
    assert!(stage.page().take_bell());
    let id = view(json!({}))["id"].as_str().unwrap().parse().unwrap();
    stage.press("d");
    assert_eq!(stage.requests.recv(), Ok(LobbyRequest::Decline(id)));
    stage.receive(LobbyMessage::Done(Ok(Done::Ended(OPEN.parse().unwrap()))));
    stage.press("\r");
    assert_eq!(stage.requests.recv(), Ok(LobbyRequest::Join(id)));
    stage.yours(json!({"phase": "finished", "your_seats": [], "turn": null}));
    assert!(stage.page().lobby.invitations.is_empty());
}

#[test]
fn games_and_challenges_are_typed() {
    let mut stage = stage();
    stage.press("n");
    stage.shows(&["Board, and a level to play the computer: 3x3", "Enter send"]);
    stage.press(" grand\r");
    stage.shows(&["expected"]);
    assert!(stage.requests.try_recv().is_err());
    stage.press("\u{1b}n hard\r");
    let level = Some(Level::Hard);
    assert_eq!(stage.requests.recv(), Ok(LobbyRequest::Play { rules: "3x3".into(), level }));
    stage.receive(LobbyMessage::Done(Ok(Done::Ended(OPEN.parse().unwrap()))));
    stage.press("cAmber Fox\r");
    stage.shows(&["Challenge Amber Fox to: 3x3"]);
    stage.press("\r");
    let challenge = LobbyRequest::Challenge { name: "Amber Fox".into(), rules: "3x3".into() };
    assert_eq!(stage.requests.recv(), Ok(challenge));
}

#[test]
fn players_are_challenged_and_rematches_accepted() {
    let mut stage = stage();
    let player = |name: &str, kind, following| PersonView {
        name: name.into(),
        kind,
        online: true,
        following,
    };
    let players =
        vec![player("Bob", IdentityKind::Guest, true), player("Beep", IdentityKind::Bot, false)];
    let lists = LobbyLists { players, online: 3, ..LobbyLists::default() };
    stage.tell(LobbyEvent::Lists(Box::new(lists.clone())));
    stage.shows(&["you are Ann · 3 online", "online", "Bob", "followed", "Beep", "bot"]);
    stage.shows(&["Enter challenge"]);
    stage.press("\r");
    stage.shows(&["Challenge Bob to: 3x3"]);
    // The next prompt has the rules that were typed last.
    stage.press("\u{8}\u{8}\u{8}connect4\r");
    let challenge = LobbyRequest::Challenge { name: "Bob".into(), rules: "6x7:4+gravity".into() };
    assert_eq!(stage.requests.recv(), Ok(challenge));
    stage.receive(LobbyMessage::Done(Ok(Done::Ended(OPEN.parse().unwrap()))));
    stage.press("n");
    stage.shows(&["play the computer: connect4"]);
    stage.press("\u{1b}");
    let finished = json!({"phase": "finished", "turn": null, "rematch_offers": [1]});
    let game = serde_json::from_value(view(finished)).unwrap();
    let rematches = vec![game];
    stage.tell(LobbyEvent::Lists(Box::new(LobbyLists { rematches, ..lists })));
    assert!(stage.page().take_bell());
    assert_eq!(stage.page().window_title(), "Rematch - Noughts");
    stage.shows(&["rematch", "with Bob"]);
    stage.press("\u{1}\r");
    let id = view(json!({}))["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(stage.requests.recv(), Ok(LobbyRequest::Rematch(id)));
}

#[test]
fn own_challenges_are_withdrawn() {
    let mut stage = stage();
    let mut players = view(json!({}))["players"].clone();
    players[1]["name"] = Value::Null;
    players[1]["invited"] = json!("Bob");
    stage.yours(json!({"phase": "open", "turn": null, "players": players}));
    stage.shows(&["challenge", "to Bob", "Enter open", "d withdraw"]);
    stage.press("d");
    let id = view(json!({}))["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(stage.requests.recv(), Ok(LobbyRequest::Decline(id)));
}

/// In a narrow window the server gives way to what changes.
#[test]
fn narrow_lobbies_name_the_user() {
    let mut stage = stage();
    stage.terminal = Terminal::new(TestBackend::new(40, 12)).unwrap();
    stage.tell(LobbyEvent::Lists(Box::new(LobbyLists { online: 1, ..LobbyLists::default() })));
    stage.shows(&["Lobby · you are Ann · 1 online", "Nobody else is here now.", "c challenge"]);
}
