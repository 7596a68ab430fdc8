//! The page with messages as a server sends them, and without one.

use std::sync::mpsc::Receiver;

use crossterm::event::KeyModifiers;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::{Value, json};

use super::*;
use crate::LoopAction;
use crate::game::ENTER_DELAY;
use crate::screenshot::text;

struct Stage {
    screen: Screen,
    asked: Receiver<Ask>,
    terminal: Terminal<TestBackend>,
    now: Instant,
    /// The view that was shown last.
    view: Value,
}

/// What a server answers of a game between Ann and Bob, but for some fields.
fn answer(more: Value) -> Value {
    let player = |name: &str, symbol: &str, rating: i64| {
        json!({"name": name, "symbol": symbol, "kind": "guest", "level": null, "invited": null,
            "rating": rating, "out": false, "away_since": null})
    };
    let mut view = json!({
        "id": "first", "seq": 2, "phase": "live", "rules": "3x3", "rows": 3, "cols": 3, "k": 3,
        "moves": [], "turn": 0, "players": [player("Ann", "X", 1500), player("Bob", "O", 1523)],
        "result": null, "rated": true, "league": "online", "clock": null, "undo": null,
        "again": [], "next": null, "series": null, "yours": [0],
    });
    change(&mut view, more);
    view
}

fn change(view: &mut Value, more: Value) {
    for (name, value) in more.as_object().unwrap() {
        view[name] = value.clone();
    }
}

fn won(cells: Value) -> Value {
    json!({"winner": 0, "how": "line", "cells": cells})
}

fn stage(more: Value) -> Stage {
    let view = answer(more);
    let now = Instant::now();
    let (link, asked) = Link::to_nobody();
    let page = OnlinePage::new(link, serde_json::from_value(view.clone()).unwrap(), now).unwrap();
    let theme = Theme { ascii: false, colour: true };
    let screen = Screen::of_online(theme, page, Workers::new(channel().0));
    let terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut stage = Stage { screen, asked, terminal, now, view };
    stage.shown();
    stage
}

impl Stage {
    fn receive(&mut self, news: News) -> LoopAction {
        let action = self.screen.handle(Message::Online(news), self.now);
        self.shown();
        action
    }

    fn happens(&mut self, event: Value) -> LoopAction {
        self.receive(News::Heard(Heard::Event(serde_json::from_value(event).unwrap())))
    }

    /// The game as it was, but for some fields.
    fn turns_to(&mut self, more: Value) -> LoopAction {
        self.view["seq"] = (self.view["seq"].as_u64().unwrap() + 1).into();
        change(&mut self.view, more);
        self.receive(News::View(Box::new(serde_json::from_value(self.view.clone()).unwrap())))
    }

    fn key(&mut self, code: KeyCode) -> LoopAction {
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let action = self.screen.handle(Message::Input(event), self.now);
        self.shown();
        action
    }

    fn types(&mut self, keys: &str) {
        keys.chars().for_each(|c| {
            self.key(KeyCode::Char(c));
        });
    }

    /// What the server was asked since the last time.
    fn asks(&self) -> Vec<String> {
        let ask = |ask: Ask| match ask {
            Ask::Look(game) => format!("look {game}"),
            Ask::Follow(game) => format!("follow {game}"),
            Ask::Order(view, order) => format!("{} {}: {order:?}", view.id, view.seq),
        };
        self.asked.try_iter().map(ask).collect()
    }

    fn shown(&mut self) -> String {
        self.terminal.draw(|frame| self.screen.draw(frame, self.now)).unwrap();
        text(self.terminal.backend().buffer())
    }

    #[track_caller]
    fn sees(&mut self, texts: &[&str]) {
        let shown = self.shown();
        for text in texts {
            assert!(shown.contains(text), "{text:?} is not there:\n{shown}");
        }
    }

    #[track_caller]
    fn misses(&mut self, text: &str) {
        let shown = self.shown();
        assert!(!shown.contains(text), "{text:?} is there:\n{shown}");
    }
}

#[test]
fn a_move_is_asked_for_and_shown_when_the_server_has_it() {
    let mut stage = stage(json!({}));
    stage.sees(&[
        "Noughts · 3x3 · 3 in a row · rated in online",
        "▸ X Ann",
        "  O Bob",
        "Your turn",
        "You play X",
        "Rated: X 1500, O 1523",
        "w abort",
    ]);
    stage.types("b2");
    // Whoever is used to it may confirm the name.
    stage.key(KeyCode::Enter);
    assert_eq!(stage.asks(), [r#"first 2: Move("B2")"#]);
    stage.misses("1 B2");
    stage.misses("still on its way");
    stage.now += NOTICEABLE_DELAY;
    stage.sees(&["Sending…"]);
    // One thing after the other.
    stage.types("a1");
    stage.sees(&["What you asked for last is still on its way."]);
    assert_eq!(stage.asks(), [""; 0]);
    stage.turns_to(json!({"moves": ["B2"], "turn": 1}));
    stage.receive(News::Answered(None));
    stage.sees(&["1 B2", "Bob to move", "u undo"]);
    stage.misses("Sending");
    stage.types("a1");
    stage.sees(&["It is the turn of Bob (O)."]);
    stage.turns_to(json!({"moves": ["B2", "A1"], "turn": 0}));
    stage.types("a1");
    assert_eq!(stage.asks(), [r#"first 4: Move("A1")"#]);
    stage.receive(News::Answered(Some("A1 is taken, choose an empty box.".into())));
    stage.sees(&["A1 is taken, choose an empty box.", "w resign"]);
}

#[test]
fn enter_takes_the_box_in_the_frame_once_the_position_was_seen() {
    let mut stage = stage(json!({"turn": 1}));
    stage.turns_to(json!({"moves": ["A1"], "turn": 0, "rules": "3x3", "yours": [0]}));
    stage.key(KeyCode::Enter);
    assert_eq!(stage.asks(), [""; 0]);
    stage.now += 2 * ENTER_DELAY;
    stage.key(KeyCode::Enter);
    assert_eq!(stage.asks(), [r#"first 3: Move("B2")"#]);
}

#[test]
fn gravity_accepts_any_column_cell() {
    let mut stage = stage(json!({"rules": "connect4", "moves": ["F3"]}));
    stage.types("a3");
    assert_eq!(stage.asks(), [r#"first 2: Move("E3")"#]);
}

#[test]
fn clocks_go_on_from_what_the_server_said() {
    let clock = json!({"initial_ms": 60000, "left_ms": [61000, 30000], "deadline": 1, "at": 0});
    let mut stage = stage(json!({"clock": clock}));
    stage.sees(&["Ann               1:01", "Bob               0:30"]);
    stage.now += Duration::from_secs(20);
    stage.sees(&["Ann               0:41", "Bob               0:30"]);
    assert!(stage.screen.next_change(stage.now).is_some());
    // The time is up when the server says so, and until then nothing changes.
    stage.now += Duration::from_secs(60);
    stage.sees(&["Ann             0:00.0", "Your turn"]);
    assert_eq!(stage.screen.next_change(stage.now), None);
    let mut players = stage.view["players"].clone();
    players[0]["out"] = true.into();
    let result = json!({"winner": 1, "how": "time", "cells": []});
    let moves = json!(["resign:1"]);
    stage.turns_to(json!({"phase": "over", "turn": null, "moves": moves, "result": result,
        "players": players}));
    stage.sees(&["Bob (O) wins!", "The time of Ann (X) ran", "out."]);
}

#[test]
fn a_request_to_undo_is_answered() {
    let undo = json!({"seat": 1, "to": 1, "agreed": []});
    let moves = json!(["A1", "B2"]);
    let mut stage = stage(json!({"moves": moves, "undo": undo}));
    stage.sees(&["Bob (O) asks to take back", "y agree", "n refuse"]);
    stage.types("n");
    assert_eq!(stage.asks(), ["first 2: Answer { agree: false }"]);
    stage.receive(News::Answered(None));
    // Where these letters name rows, the menu has them.
    stage.turns_to(json!({"rules": "26x26:5"}));
    stage.sees(&["Esc y agree", "Esc n refuse"]);
    stage.key(KeyCode::Esc);
    stage.sees(&["Let the other player take back the move"]);
    stage.types("y");
    assert_eq!(stage.asks(), ["first 3: Answer { agree: true }"]);
    stage.receive(News::Answered(None));
    stage.happens(json!({"type": "undone", "seat": 1, "to": 1}));
    assert_eq!(stage.asks(), ["look first"]);
    stage.turns_to(json!({"undo": null, "moves": ["A1"], "turn": 1}));
    stage.sees(&["Bob (O) took back a move."]);
    stage.misses("agree");
}

#[test]
fn resigning_and_aborting_are_confirmed() {
    let mut stage = stage(json!({"moves": ["A1"]}));
    stage.types("w");
    stage.sees(&["Abort this game? It will not count."]);
    stage.types("n");
    stage.turns_to(json!({"moves": ["A1", "B2"]}));
    stage.types("w");
    stage.sees(&["Do you give this game up?"]);
    stage.types("y");
    assert_eq!(stage.asks(), ["first 3: Resign"]);
    stage.receive(News::Answered(None));
    // A question about a game that is over by then is not asked any more.
    stage.types("w");
    let result = json!({"winner": null, "how": "abandoned", "cells": []});
    stage.turns_to(json!({"phase": "over", "turn": null, "result": result}));
    stage.misses("Do you give this game up?");
    stage.sees(&["The game was abandoned."]);
    stage.misses("▸");
}

#[test]
fn a_player_who_is_away_is_claimed_against() {
    let mut stage = stage(json!({"moves": ["A1", "B2"]}));
    stage.misses("claim");
    stage.happens(json!({"type": "left", "seat": 1}));
    let mut players = stage.view["players"].clone();
    players[1]["away_since"] = 17.into();
    stage.turns_to(json!({"players": players}));
    stage.sees(&["Bob (O) has left.", "Bob (O) is away", "x claim"]);
    stage.asks();
    stage.types("x");
    assert_eq!(stage.asks(), ["first 3: Claim"]);
    stage.receive(News::Answered(None));
    // A server that has not heard of everything is asked again.
    stage.happens(json!({"type": "returned", "seat": 1, "seq": 5}));
    stage.turns_to(json!({}));
    assert_eq!(stage.asks(), ["look first", "look first"]);
    stage.turns_to(json!({}));
    assert_eq!(stage.asks(), [""; 0]);
    let lag = |seat| News::Heard(Heard::Lag { seat, ms: 43 });
    stage.receive(lag(1));
    stage.receive(lag(9));
    stage.sees(&["Lag: O 43 ms"]);
}

#[test]
fn what_was_missed_is_told_when_the_connection_is_back() {
    let mut stage = stage(json!({"moves": ["A1"], "turn": 1}));
    stage.receive(News::Heard(Heard::Lost));
    stage.sees(&["Reconnecting…", "Bob to move"]);
    stage.receive(News::Heard(Heard::Back));
    assert_eq!(stage.asks(), ["look first"]);
    stage.turns_to(json!({"moves": ["A1", "B2"], "turn": 0}));
    stage.sees(&["Connected again. Meanwhile Bob (O) took B2.", "Your turn"]);
    stage.misses("Reconnecting");
    // A server that is behind the others does not turn the game back.
    let old = answer(json!({"seq": 1}));
    stage.receive(News::View(Box::new(serde_json::from_value(old).unwrap())));
    stage.sees(&["1 A1     B2"]);
}

#[test]
fn a_rematch_is_followed_and_nothing_typed_before_counts_in_it() {
    let moves = json!(["A1", "B1", "A2", "B2"]);
    let mut stage = stage(json!({"moves": moves}));
    let result = won(json!(["A1", "A2", "A3"]));
    let moves = json!(["A1", "B1", "A2", "B2", "A3"]);
    stage.turns_to(json!({"moves": moves, "phase": "over", "turn": null, "result": result}));
    stage.sees(&["Ann (X) wins!", "The line: A1 A2 A3", "Enter …", "v review"]);
    stage.key(KeyCode::Enter);
    assert_eq!(stage.asks(), [""; 0]);
    stage.now += 2 * ENTER_DELAY;
    stage.key(KeyCode::Enter);
    assert_eq!(stage.asks(), ["first 3: Rematch"]);
    stage.turns_to(json!({"again": [0]}));
    stage.receive(News::Answered(None));
    stage.sees(&["You asked for a rematch…"]);
    stage.types("?");
    stage.sees(&["How to play 3x3", "let another player take back a move, or not"]);
    stage.turns_to(json!({"again": [0, 1], "next": "second"}));
    assert_eq!(stage.asks(), ["follow second"]);
    let series = json!({"wins": [0, 1], "draws": 0});
    let next = answer(json!({"id": "second", "seq": 1, "series": series, "yours": [1]}));
    let next = News::View(Box::new(serde_json::from_value(next).unwrap()));
    // The board comes to the front, and is to be seen before keys are meant for it.
    stage.screen.handle(Message::Online(next), stage.now);
    let event = Event::Key(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE));
    assert_eq!(stage.screen.handle(Message::Input(event), stage.now), LoopAction::Draw);
    stage.sees(&["Ann                  0", "Bob                  1", "You play O"]);
    assert_eq!(stage.asks(), [""; 0]);
    stage.misses("Leave?");
    // What is heard late of the game before does not come back.
    stage.turns_to(json!({"seq": 9}));
    stage.sees(&["You play O"]);
}

#[test]
fn however_much_happens_one_question_is_asked_at_a_time() {
    let mut stage = stage(json!({}));
    for _ in 0..1000 {
        stage.happens(json!({"type": "returned", "seat": 1}));
    }
    assert_eq!(stage.asks(), ["look first"]);
    stage.turns_to(json!({}));
    assert_eq!(stage.asks(), ["look first"]);
    stage.turns_to(json!({}));
    assert_eq!(stage.asks(), [""; 0]);
}

#[test]
fn whoever_comes_late_goes_on_with_the_last_rematch() {
    let over = json!({"phase": "over", "turn": null, "result": won(json!([]))});
    let mut first = answer(over.clone());
    first["next"] = "second".into();
    let mut stage = stage(first);
    assert_eq!(stage.asks(), ["follow second"]);
    let mut second = answer(over);
    change(&mut second, json!({"id": "second", "next": "third"}));
    stage.receive(News::View(Box::new(serde_json::from_value(second).unwrap())));
    assert_eq!(stage.asks(), ["follow third"]);
}

#[test]
fn watchers_have_nothing_to_decide() {
    let mut stage = stage(json!({"yours": [], "moves": ["A1", "B2"]}));
    stage.sees(&["You watch", "Ann to move", "s save       ? help"]);
    for nothing in ["resign", "undo", "abort", "Enter"] {
        stage.misses(nothing);
    }
    stage.types("c3");
    stage.sees(&["You only watch this game."]);
    stage.types("wu");
    assert_eq!(stage.asks(), [""; 0]);
    let result = json!({"winner": null, "how": "draw", "cells": []});
    stage.turns_to(json!({"phase": "over", "turn": null, "result": result, "next": "second"}));
    stage.sees(&["It's a draw!", "There is a rematch"]);
    stage.types("p");
    assert_eq!(stage.asks(), ["follow second"]);
    assert_eq!(stage.key(KeyCode::Char('q')), LoopAction::Quit);
}

#[test]
fn others_are_told_how_to_come_in() {
    let mut stage = stage(json!({"phase": "open", "turn": null}));
    stage.sees(&["Waiting for players…", "noughts join http://localhost:8000/game/first"]);
    stage.types("q");
    stage.sees(&["Leave? The game still waits for players."]);
    assert_eq!(stage.key(KeyCode::Char('y')), LoopAction::Quit);
    let farewell = stage.screen.online().and_then(OnlinePage::farewell);
    assert_eq!(farewell.unwrap(), "To come back: noughts join http://localhost:8000/game/first");
}

#[test]
fn a_game_that_is_gone_ends_the_program_but_a_result_stays() {
    let mut gone = stage(json!({}));
    assert_eq!(gone.receive(News::Gone("there is no such game".into())), LoopAction::Quit);
    assert_eq!(gone.screen.failure.as_deref(), Some("there is no such game"));

    let mut senseless = stage(json!({}));
    assert_eq!(senseless.turns_to(json!({"moves": ["A1", "A1"]})), LoopAction::Quit);
    let reason = senseless.screen.failure.unwrap();
    assert!(reason.starts_with("the server sent no game that makes sense: "), "{reason}");

    let result = won(json!([]));
    let mut over = stage(json!({"phase": "over", "turn": null, "result": result}));
    let signed_out = News::Heard(Heard::Ended("you are signed out".into()));
    assert_eq!(over.receive(signed_out), LoopAction::Draw);
    over.sees(&["Ann (X) wins!", "You are signed out."]);
}
