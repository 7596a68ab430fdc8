//! The page with events as a connection reports them, and without a server.

mod family;

use std::sync::mpsc::Receiver;

use crossterm::event::{Event as InputEvent, KeyCode, KeyEvent, KeyModifiers};
use noughts_api::{ErrorBody, GameUpdate, TurnDetails};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::{Value, json};

use super::*;
use crate::LoopAction;
use crate::game::ENTER_DELAY;
use crate::screenshot::text;

const FIRST: &str = "01hf7yat0060rk4csm6mv3ee1s";
const SECOND: &str = "01hf7yat0060rk4csm6mv3ee2s";
const THIRD: &str = "01hf7yat0060rk4csm6mv3ee3s";

/// A screen with an online game, whose server is the test.
struct Stage {
    screen: Screen,
    requests: Receiver<Request>,
    terminal: Terminal<TestBackend>,
    now: Instant,
    /// The last view.
    view: Value,
}

pub(super) fn preferences() -> Preferences {
    Preferences { theme: Theme::new(false, true), bell: true, keys: Keys::default() }
}

/// A view of a game between Ann, who is the user, and Bob, with some fields replaced.
pub(super) fn view(fields: Value) -> Value {
    let player = |seat: u8, name: &str, symbol: &str, rating: i64| {
        json!({"seat": seat, "name": name, "symbol": symbol, "kind": "guest", "level": null,
            "invited": null, "rating": rating, "out": false, "away_since": null})
    };
    let mut view = json!({
        "id": FIRST, "seq": 2, "phase": "live", "rules": "3x3", "k": 3,
        "shape": {"type": "grid", "rows": 3, "cols": 3, "levels": 1},
        "board": [], "moves": [], "legal": [], "turn": 0, "details": TurnDetails::default(),
        "players": [player(0, "Ann", "X", 1500), player(1, "Bob", "O", 1523)],
        "result": null, "rated": true, "league": "classic", "public": true, "clock": null,
        "undo_request": null, "rematch_offers": [], "rematch": null, "rematch_of": null,
        "series": null, "created_at": 0, "updated_at": 0, "away_ms": 60000, "viewer": 1,
        "your_seats": [0],
    });
    replace(&mut view, fields);
    view
}

fn replace(view: &mut Value, fields: Value) {
    for (name, value) in fields.as_object().unwrap() {
        view[name] = value.clone();
    }
}

fn read(view: &Value) -> GameView {
    serde_json::from_value(view.clone()).unwrap()
}

fn snapshot(view: &Value) -> ConnectionEvent {
    ConnectionEvent::Snapshot(Box::new(read(view)))
}

fn accepted() -> ConnectionEvent {
    ConnectionEvent::Accepted(noughts_api::IdempotencyKey::new("key").unwrap())
}

fn won(cells: Value) -> Value {
    json!({"winner": 0, "reason": "line", "cells": cells})
}

fn stage(fields: Value) -> Stage {
    let view = view(fields);
    let now = Instant::now();
    let (sender, requests) = channel();
    let client = Client::new("http://localhost:8000", None);
    let on_request = move |request| drop(sender.send(request));
    let page = OnlinePage::new(client, read(&view), Keys::default(), now, on_request).unwrap();
    let preferences = preferences();
    let screen =
        Screen::of_page(preferences, Page::Online(Box::new(page)), Workers::new(channel().0));
    let terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut stage = Stage { screen, requests, terminal, now, view };
    let seq = stage.view["seq"].as_u64().unwrap() as u32;
    assert_eq!(stage.requests.recv(), Ok(Request::Open { game: FIRST.parse().unwrap(), seq }));
    stage.render();
    stage
}

impl Stage {
    fn receive(&mut self, event: ConnectionEvent) -> LoopAction {
        let action = self.screen.handle(Message::Online(event), self.now);
        self.render();
        action
    }

    /// The game changes, with the next sequence number.
    fn change(&mut self, fields: Value) -> LoopAction {
        self.view["seq"] = (self.view["seq"].as_u64().unwrap() + 1).into();
        replace(&mut self.view, fields);
        self.receive(snapshot(&self.view))
    }

    /// The game changes by an event.
    fn update(&mut self, event: Value, fields: Value) -> LoopAction {
        self.view["seq"] = (self.view["seq"].as_u64().unwrap() + 1).into();
        replace(&mut self.view, fields);
        let update = json!({"seq": self.view["seq"], "at": 0, "event": event,
            "phase": self.view["phase"], "turn": self.view["turn"]});
        let update: GameUpdate = serde_json::from_value(update).unwrap();
        let (view, update) = (Box::new(read(&self.view)), Box::new(update));
        self.receive(ConnectionEvent::Update { view, update })
    }

    fn refuse(&mut self, message: &str) {
        let error = json!({"code": "taken", "message": message});
        let error: ErrorBody = serde_json::from_value(error).unwrap();
        self.receive(ConnectionEvent::Refused { key: None, error });
    }

    fn key(&mut self, code: KeyCode) -> LoopAction {
        let event = InputEvent::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let action = self.screen.handle(Message::Input(event), self.now);
        self.render();
        action
    }

    fn types(&mut self, keys: &str) {
        keys.chars().for_each(|c| {
            self.key(KeyCode::Char(c));
        });
    }

    /// The requests since the last time.
    fn requests(&self) -> Vec<String> {
        let text = |request| match request {
            Request::Open { game, .. } => format!("open {game}"),
            Request::Send { seq, command } => {
                let command = serde_json::to_value(command).unwrap();
                let argument = command["move"].as_str().map(String::from);
                let argument = argument.or(command["accept"].as_bool().map(|b| b.to_string()));
                let parts = [command["type"].as_str().map(String::from), argument];
                let command: Vec<_> = parts.into_iter().flatten().collect();
                format!("{} after {seq}", command.join(" "))
            }
        };
        self.requests.try_iter().map(text).collect()
    }

    fn render(&mut self) -> String {
        self.terminal.draw(|frame| self.screen.draw(frame, self.now)).unwrap();
        text(self.terminal.backend().buffer())
    }

    #[track_caller]
    fn sees(&mut self, texts: &[&str]) {
        let shown = self.render();
        for text in texts {
            assert!(shown.contains(text), "{text:?} is not there:\n{shown}");
        }
    }

    #[track_caller]
    fn misses(&mut self, text: &str) {
        let shown = self.render();
        assert!(!shown.contains(text), "{text:?} is there:\n{shown}");
    }
}

#[test]
fn moves_are_shown_when_accepted() {
    let mut stage = stage(json!({}));
    stage.sees(&[
        "Noughts · 3x3 · Tic-tac-toe · rated in classic",
        "▸ X Ann",
        "  O Bob",
        "Your turn",
        "You play X",
        "Rated: X 1500, O 1523",
        "w abort",
    ]);
    stage.types("b2");
    // Enter after a typed name changes nothing.
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), ["move B2 after 2"]);
    stage.misses("1 B2");
    stage.misses("Still waiting");
    stage.now += NOTICEABLE_DELAY;
    stage.sees(&["Sending…"]);
    stage.types("a1");
    stage.sees(&["Still waiting for the server's answer."]);
    assert_eq!(stage.requests(), [""; 0]);
    stage.change(json!({"moves": ["B2"], "turn": 1}));
    stage.receive(accepted());
    stage.sees(&["1 B2", "Bob to move", "u undo"]);
    stage.misses("Sending");
    stage.types("a1");
    stage.sees(&["It is Bob (O)'s turn."]);
    stage.change(json!({"moves": ["B2", "A1"], "turn": 0}));
    stage.types("a1");
    assert_eq!(stage.requests(), ["move A1 after 4"]);
    stage.refuse("A1 is taken, choose an empty box.");
    stage.sees(&["A1 is taken, choose an empty box.", "w resign"]);
}

#[test]
fn enter_takes_the_cursor_cell_after_a_delay() {
    let mut stage = stage(json!({"turn": 1}));
    stage.change(json!({"moves": ["A1"], "turn": 0}));
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), [""; 0]);
    stage.now += 2 * ENTER_DELAY;
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), ["move B2 after 3"]);
}

#[test]
fn gravity_accepts_any_column_cell() {
    let mut stage = stage(json!({"rules": "connect4", "moves": ["F3"]}));
    stage.types("a3");
    assert_eq!(stage.requests(), ["move E3 after 2"]);
}

#[test]
fn clocks_run_between_updates() {
    let clock = json!({"initial_ms": 60000, "increment_ms": 0, "remaining_ms": [61000, 30000],
        "deadline": 1, "at": 0});
    let mut stage = stage(json!({"clock": clock}));
    stage.sees(&["Ann               1:01", "Bob               0:30"]);
    stage.now += Duration::from_secs(20);
    stage.sees(&["Ann               0:41", "Bob               0:30"]);
    assert!(stage.screen.next_change(stage.now).is_some());
    // The server decides when the time is up; until then nothing changes.
    stage.now += Duration::from_secs(60);
    stage.sees(&["Ann             0:00.0", "Your turn"]);
    assert_eq!(stage.screen.next_change(stage.now), None);
    let mut players = stage.view["players"].clone();
    players[0]["out"] = true.into();
    let result = json!({"winner": 1, "reason": "time", "cells": []});
    let moves = json!(["resign:1"]);
    stage.change(json!({"phase": "finished", "turn": null, "moves": moves, "result": result,
        "players": players}));
    stage.sees(&["Bob (O) wins!", "Ann (X) ran out of time."]);
}

#[test]
fn undo_requests_are_answered() {
    let undo = json!({"seat": 1, "to": 1, "accepted": []});
    let moves = json!(["A1", "B2"]);
    let mut stage = stage(json!({"moves": moves, "undo_request": undo}));
    stage.sees(&["Bob (O) asks to take back", "y accept", "n decline"]);
    stage.types("n");
    assert_eq!(stage.requests(), ["answer_undo false after 2"]);
    stage.receive(accepted());
    // On boards where these letters name rows, the menu has them.
    stage.change(json!({"rules": "26x26:5"}));
    stage.sees(&["Esc y accept", "Esc n decline"]);
    stage.key(KeyCode::Esc);
    stage.sees(&["Accept the undo request"]);
    stage.types("y");
    assert_eq!(stage.requests(), ["answer_undo true after 3"]);
    stage.receive(accepted());
    let fields = json!({"undo_request": null, "moves": ["A1"], "turn": 1});
    stage.update(json!({"type": "undone", "seat": 1, "to": 1}), fields);
    stage.sees(&["Bob (O) took back a move."]);
    stage.misses("accept");
}

#[test]
fn joining_players_are_announced() {
    let mut stage = stage(json!({}));
    let bob = json!({"kind": "guest", "identity": 2, "name": "Bob"});
    stage.update(json!({"type": "joined", "seat": 1, "player": bob}), json!({}));
    stage.sees(&["Bob (O) joined."]);
}

#[test]
fn accepted_undos_are_told() {
    let undo = json!({"seat": 0, "to": 0, "accepted": []});
    let mut stage = stage(json!({"moves": ["A1"], "turn": 1, "undo_request": undo}));
    stage.update(json!({"type": "undo_accepted", "seat": 1}), json!({}));
    let fields = json!({"undo_request": null, "moves": [], "turn": 0});
    stage.update(json!({"type": "undone", "seat": 0, "to": 0}), fields);
    stage.sees(&["Bob (O) agrees to take back the move.", "Your turn"]);
}

#[test]
fn resigning_and_aborting_are_confirmed() {
    let mut stage = stage(json!({"moves": ["A1"]}));
    stage.types("w");
    stage.sees(&["Abort this game? It will not count."]);
    stage.types("n");
    stage.change(json!({"moves": ["A1", "B2"]}));
    stage.types("w");
    stage.sees(&["Resign this game?"]);
    stage.types("y");
    assert_eq!(stage.requests(), ["resign after 3"]);
    stage.receive(accepted());
    // The end of the game closes the question.
    stage.types("w");
    let result = json!({"winner": null, "reason": "abandoned", "cells": []});
    stage.change(json!({"phase": "finished", "turn": null, "result": result}));
    stage.misses("Resign this game?");
    stage.sees(&["The game was abandoned."]);
    stage.misses("▸");
}

#[test]
fn absent_players_can_be_claimed_against() {
    let mut stage = stage(json!({"moves": ["A1", "B2"]}));
    stage.misses("claim");
    let mut players = stage.view["players"].clone();
    players[1]["away_since"] = 17.into();
    stage.update(json!({"type": "left", "seat": 1}), json!({"players": players}));
    stage.sees(&["Bob (O) disconnected.", "Bob (O) is away", "z claim"]);
    stage.types("z");
    assert_eq!(stage.requests(), ["claim after 3"]);
}

#[test]
fn lags_are_shown() {
    let mut stage = stage(json!({}));
    for index in [1, 7] {
        let seat = Seat::new(index).unwrap();
        stage.receive(ConnectionEvent::Lag { seat, ms: 43 });
    }
    stage.sees(&["Lag: O 43 ms"]);
}

#[test]
fn missed_moves_are_told_after_reconnecting() {
    let mut stage = stage(json!({"moves": ["A1"], "turn": 1}));
    stage.receive(ConnectionEvent::Disconnected);
    stage.sees(&["Reconnecting…", "Bob to move"]);
    replace(&mut stage.view, json!({"seq": 3, "moves": ["A1", "B2"], "turn": 0}));
    let view = Box::new(read(&stage.view));
    stage.receive(ConnectionEvent::Reconnected(view));
    stage.sees(&["Connected again. Meanwhile Bob (O) took B2.", "Your turn"]);
    stage.misses("Reconnecting");
}

#[test]
fn older_views_are_ignored() {
    let mut stage = stage(json!({"moves": ["A1", "B2"]}));
    stage.receive(snapshot(&view(json!({"seq": 1}))));
    stage.sees(&["1 A1     B2"]);
}

#[test]
fn players_go_on_to_the_rematch() {
    let moves = json!(["A1", "B1", "A2", "B2"]);
    let mut stage = stage(json!({"moves": moves}));
    let result = won(json!(["A1", "A2", "A3"]));
    let moves = json!(["A1", "B1", "A2", "B2", "A3"]);
    stage.change(json!({"moves": moves, "phase": "finished", "turn": null, "result": result}));
    stage.sees(&["Ann (X) wins!", "The line: A1 A2 A3", "Enter …", "v review"]);
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), [""; 0]);
    stage.now += 2 * ENTER_DELAY;
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), ["rematch after 3"]);
    stage.change(json!({"rematch_offers": [0]}));
    stage.receive(accepted());
    stage.sees(&["You offered a rematch…"]);
    stage.types("?");
    stage.sees(&["How to play 3x3", "accept or decline an undo request"]);
    stage.change(json!({"rematch_offers": [0, 1], "rematch": SECOND}));
    assert_eq!(stage.requests(), [format!("open {SECOND}")]);
    let series = json!({"wins": [0, 1], "draws": 0});
    let next = view(json!({"id": SECOND, "seq": 1, "series": series, "your_seats": [1]}));
    // Keys typed before the new board is drawn are not meant for it.
    stage.screen.handle(Message::Online(snapshot(&next)), stage.now);
    let event = InputEvent::Key(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE));
    assert_eq!(stage.screen.handle(Message::Input(event), stage.now), LoopAction::Draw);
    stage.sees(&["Ann                  0", "Bob                  1", "You play O"]);
    assert_eq!(stage.requests(), [""; 0]);
    stage.misses("Leave?");
    // Late events of the game before are ignored.
    stage.change(json!({"seq": 9}));
    stage.sees(&["You play O"]);
}

#[test]
fn chains_of_rematches_are_followed() {
    let finished = json!({"phase": "finished", "turn": null, "result": won(json!([]))});
    let mut first = view(finished.clone());
    first["rematch"] = SECOND.into();
    let mut stage = stage(first);
    assert_eq!(stage.requests(), [format!("open {SECOND}")]);
    let mut second = view(finished);
    replace(&mut second, json!({"id": SECOND, "rematch": THIRD}));
    stage.receive(snapshot(&second));
    assert_eq!(stage.requests(), [format!("open {THIRD}")]);
}

#[test]
fn spectators_can_only_watch() {
    let mut stage = stage(json!({"your_seats": [], "moves": ["A1", "B2"]}));
    stage.sees(&["You are watching", "Ann to move", "s save       ? help"]);
    for nothing in ["resign", "undo", "abort", "Enter"] {
        stage.misses(nothing);
    }
    stage.types("c3");
    stage.sees(&["You are only watching this game."]);
    stage.types("wu");
    assert_eq!(stage.requests(), [""; 0]);
    let result = json!({"winner": null, "reason": "draw", "cells": []});
    stage.change(json!({"phase": "finished", "turn": null, "result": result, "rematch": SECOND}));
    stage.sees(&["It's a draw!", "There is a rematch"]);
    stage.types("p");
    assert_eq!(stage.requests(), [format!("open {SECOND}")]);
    assert_eq!(stage.key(KeyCode::Char('q')), LoopAction::Quit);
}

#[test]
fn open_games_show_how_to_join() {
    let mut stage = stage(json!({"phase": "open", "turn": null}));
    let url = format!("http://localhost:8000/game/{FIRST}");
    stage.sees(&["Waiting for players…", "Others join with: noughts join", &url]);
    stage.types("q");
    stage.sees(&["Leave? The game still waits for players."]);
    assert_eq!(stage.key(KeyCode::Char('y')), LoopAction::Quit);
    let farewell = stage.screen.online().and_then(OnlinePage::farewell);
    assert_eq!(farewell.unwrap(), format!("To come back: noughts join {url}"));
}

#[test]
fn a_closed_live_game_fails() {
    let mut stage = stage(json!({}));
    let closed = ConnectionEvent::Closed("There is no such game.".into());
    assert_eq!(stage.receive(closed), LoopAction::Quit);
    assert_eq!(stage.screen.failure.as_deref(), Some("There is no such game."));
}

#[test]
fn inconsistent_games_fail() {
    let mut stage = stage(json!({}));
    assert_eq!(stage.change(json!({"moves": ["A1", "A1"]})), LoopAction::Quit);
    let reason = stage.screen.failure.unwrap();
    assert!(reason.starts_with("the server sent an inconsistent game: "), "{reason}");
}

#[test]
fn results_stay_after_the_connection_closes() {
    let result = won(json!([]));
    let mut stage = stage(json!({"phase": "finished", "turn": null, "result": result}));
    let closed = ConnectionEvent::Closed("You are signed out.".into());
    assert_eq!(stage.receive(closed), LoopAction::Draw);
    stage.sees(&["Ann (X) wins!", "You are signed out."]);
}
