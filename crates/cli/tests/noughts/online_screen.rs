//! Online games on the full screen, in a real terminal and at a real server.

use serde_json::{Value, json};

use crate::online::Server;
use crate::terminal::{Start, Terminal, noughts_in_terminal};

const ENTER: &str = "\r";

/// A game created by somebody who uses the API.
struct Table {
    token: String,
    name: String,
    path: String,
}

impl Table {
    /// Creates a game whose second seat is free.
    fn new(server: &Server) -> Table {
        let guest = server.post("/guests", None, json!({}));
        let token = guest["token"].as_str().unwrap().to_string();
        let name = guest["player"]["name"].as_str().unwrap().to_string();
        let seats = json!([{"for": "me"}, {"for": "anyone"}]);
        let game = server.post("/games", Some(&token), json!({"seats": seats}));
        let path = format!("/games/{}", game["id"].as_str().unwrap());
        Table { token, name, path }
    }

    fn id(&self) -> &str {
        self.path.strip_prefix("/games/").unwrap()
    }

    /// Joins the game in a terminal.
    fn join(&self, server: &Server, flags: &str) -> Terminal {
        noughts_in_terminal(&format!("join {}/game/{} {flags}", server.address, self.id()))
    }

    fn command(&self, server: &Server, command: Value) {
        server.command(&self.path, &self.token, command);
    }

    fn take(&self, server: &Server, cell: &str) {
        self.command(server, json!({"type": "move", "move": cell}));
    }
}

#[test]
fn a_game_with_undo_and_rematch() {
    let server = Server::start();
    let table = Table::new(&server);
    let mut terminal = table.join(&server, "");
    let theirs = format!("{} to move", table.name);
    terminal.wait_for(&["Noughts · 3x3", &theirs, "You play O", "q leave"]);
    terminal.send("a1");
    terminal.wait_for(&[&format!("It is {} (X)'s turn.", table.name)]);
    table.take(&server, "B2");
    terminal.wait_for(&["1 B2", "Your turn", "Enter take"]);
    terminal.send("b2");
    terminal.wait_for(&["B2 is taken, choose an empty box."]);
    terminal.send("a1");
    terminal.wait_for(&["1 B2     A1", &theirs]);
    table.take(&server, "A2");
    terminal.wait_for(&["3 A2", "Your turn", "Enter take"]);
    // The cursor is at A1: two to the right.
    terminal.send(&format!("ll{ENTER}"));
    terminal.wait_for(&["3 A2     A3", &theirs]);
    // The other player accepts an undo request.
    terminal.send("u");
    terminal.wait_for(&["You asked to take back a", "move…"]);
    table.command(&server, json!({"type": "answer_undo", "accept": true}));
    terminal.wait_for(&["agrees to take back the move", "Your turn"]);
    terminal.wait_until("the move to be taken back", |screen| !screen.contents().contains("A3"));
    let (column, row) = terminal.find("C │");
    terminal.click((column + 6, row));
    terminal.wait_for(&["3 A2     C1", &theirs]);
    table.take(&server, "C2");
    let won = format!("{} (X) wins!", table.name);
    terminal.wait_for(&[&won, "The line: A2 B2 C2", "╠═══════════╣", "Enter play again"]);
    table.command(&server, json!({"type": "rematch"}));
    terminal.wait_for(&["wants a rematch", "Enter play again"]);
    terminal.send(ENTER);
    // The loser starts, and the score is kept.
    terminal.wait_for(&["Your turn", "You play X", "draws                0"]);
    terminal.send("b2");
    terminal.wait_for(&["1 B2", &theirs]);
    terminal.send("w");
    terminal.wait_for(&["Abort this game? It will not count."]);
    terminal.send("y");
    terminal.wait_for(&["The game was aborted."]);
    terminal.send("q");
    assert!(terminal.end().success());
    terminal.is_given_back();
    let next = server.get(&table.path)["rematch"].as_str().unwrap().to_string();
    assert_eq!(server.get(&format!("/games/{next}"))["result"]["reason"], "aborted");
}

#[test]
fn the_screen_survives_a_killed_server() {
    let mut server = Server::start();
    let table = Table::new(&server);
    let mut terminal = table.join(&server, "");
    let theirs = format!("{} to move", table.name);
    terminal.wait_for(&[&theirs, "You play O"]);
    table.take(&server, "B2");
    terminal.wait_for(&["1 B2", "Your turn"]);
    server.crash();
    terminal.wait_for(&["Reconnecting…"]);
    // Keys still work.
    terminal.send("?");
    terminal.wait_for(&["How to play 3x3", "ask to take back your last move"]);
    terminal.send("?");
    terminal.wait_for(&["Reconnecting…"]);
    server.restart();
    terminal.wait_for(&["Connected again."]);
    terminal.send("a1");
    terminal.wait_for(&["1 B2     A1", &theirs]);
    table.take(&server, "A2");
    terminal.wait_for(&["3 A2", "Your turn"]);
    terminal.signal("TERM");
    assert!(terminal.end().signal().is_some());
    terminal.is_given_back();
}

#[test]
fn spectators_follow_a_game() {
    let server = Server::start();
    let table = Table::new(&server);
    let mut terminal = table.join(&server, "--watch");
    let address = format!("/game/{}", table.id());
    terminal.wait_for(&["Waiting for players…", "You are watching", "Others join with", &address]);
    let guest = server.post("/guests", None, json!({}));
    let guest = guest["token"].as_str().unwrap();
    server.command(&table.path, guest, json!({"type": "join"}));
    terminal.wait_for(&[&format!("{} to move", table.name)]);
    table.take(&server, "B2");
    terminal.wait_for(&["1 B2"]);
    terminal.send("a1");
    terminal.wait_for(&["You are only watching this game."]);
    server.command(&table.path, guest, json!({"type": "resign"}));
    terminal.wait_for(&[&format!("{} (X) wins!", table.name), "resigned."]);
    terminal.send("q");
    assert!(terminal.end().success());
    terminal.is_given_back();
}

#[test]
fn missing_games_are_reported_without_a_screen() {
    let server = Server::start();
    let nothing = "01hf7yat0060rk4csm6mtpdw1r";
    let arguments = format!("join {}/game/{nothing}", server.address);
    let mut terminal = noughts_in_terminal(&arguments);
    assert_eq!(terminal.end().exit_code(), 1);
    terminal.wait_for(&["noughts: There is no such game."]);
    terminal.is_given_back();
}

#[test]
fn plain_terminals_get_the_dialogue() {
    let server = Server::start();
    let table = Table::new(&server);
    let address = format!("{}/game/{}", server.address, table.id());
    for (flags, variable) in [
        ("--plain", ("TERM", "xterm-256color")),
        ("", ("TERM", "dumb")),
        ("", ("NOUGHTS_PLAIN", "1")),
    ] {
        let arguments = &format!("join --watch {address} {flags}");
        let terminal = Start { arguments, size: (80, 24), environment: &[variable] }.run();
        terminal.wait_for(&["Waiting for players: http://"]);
        assert!(!terminal.look(|screen| screen.alternate_screen()));
        terminal.send("quit\r");
    }
    let terminal = table.join(&server, "--watch --ascii");
    terminal.wait_for(&["Waiting for players...", "Esc menu"]);
    terminal.look(|screen| assert!(screen.contents().is_ascii(), "{}", screen.contents()));
}
