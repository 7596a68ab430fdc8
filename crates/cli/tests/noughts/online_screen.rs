//! Online games on the full screen, in a real terminal and at a real server.

use serde_json::{Value, json};

use crate::online::Server;
use crate::terminal::{Start, Terminal, noughts_in_terminal};

const ENTER: &str = "\r";

/// A game that somebody made who talks to the server as a program does.
struct Table {
    token: String,
    name: String,
    path: String,
}

impl Table {
    /// With a free seat, which is the second.
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

    /// The program in a terminal, at this game.
    fn join(&self, server: &Server, flags: &str) -> Terminal {
        noughts_in_terminal(&format!("join {}/game/{} {flags}", server.address, self.id()))
    }

    fn order(&self, server: &Server, what: &str, more: Value) {
        let mut order = json!({"seq": server.get(&self.path)["seq"], "key": what});
        for (name, value) in more.as_object().unwrap() {
            order[name] = value.clone();
            order["key"] = format!("{what} {value}").into();
        }
        server.post(&format!("{}/{what}", self.path), Some(&self.token), order);
    }

    fn take(&self, server: &Server, cell: &str) {
        self.order(server, "moves", json!({"cell": cell}));
    }
}

#[test]
fn a_whole_game_with_a_refused_move_and_a_rematch() {
    let server = Server::start();
    let table = Table::new(&server);
    let mut terminal = table.join(&server, "");
    let theirs = format!("{} to move", table.name);
    terminal.wait_for(&["Noughts · 3x3", &theirs, "You play O", "q leave"]);
    // Nobody moves out of turn.
    terminal.send("a1");
    terminal.wait_for(&[&format!("It is the turn of {} (X).", table.name)]);
    table.take(&server, "B2");
    terminal.wait_for(&["1 B2", "Your turn", "Enter take"]);
    terminal.send("b2");
    terminal.wait_for(&["B2 is taken, choose an empty box."]);
    terminal.send("a1");
    terminal.wait_for(&["1 B2     A1", &theirs]);
    table.take(&server, "A2");
    terminal.wait_for(&["3 A2", "Your turn", "Enter take"]);
    // The frame is at A1: two to the right.
    terminal.send(&format!("ll{ENTER}"));
    terminal.wait_for(&["3 A2     A3", &theirs]);
    // A move is taken back, if the other one agrees.
    terminal.send("u");
    terminal.wait_for(&["You asked to take back a", "move…"]);
    table.order(&server, "undo/answer", json!({"agree": true}));
    terminal.wait_for(&["agrees to take back the move", "Your turn"]);
    terminal.wait_until("the move to be taken back", |screen| !screen.contents().contains("A3"));
    let (column, row) = terminal.find("C │");
    terminal.click((column + 6, row));
    terminal.wait_for(&["3 A2     C1", &theirs]);
    table.take(&server, "C2");
    let won = format!("{} (X) wins!", table.name);
    terminal.wait_for(&[&won, "The line: A2 B2 C2", "╠═══════════╣", "Enter play again"]);
    table.order(&server, "rematch", json!({}));
    terminal.wait_for(&["wants to play again", "Enter play again"]);
    terminal.send(ENTER);
    // The loser begins, and the score is kept.
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
    let next = server.get(&table.path)["next"].as_str().unwrap().to_string();
    assert_eq!(server.get(&format!("/games/{next}"))["result"]["how"], "aborted");
}

#[test]
fn the_screen_goes_on_when_the_server_was_killed() {
    let mut server = Server::start();
    let table = Table::new(&server);
    let mut terminal = table.join(&server, "");
    let theirs = format!("{} to move", table.name);
    terminal.wait_for(&[&theirs, "You play O"]);
    table.take(&server, "B2");
    terminal.wait_for(&["1 B2", "Your turn"]);
    server.crash();
    terminal.wait_for(&["Reconnecting…"]);
    // The keys work all the same.
    terminal.send("?");
    terminal.wait_for(&["How to play 3x3", "ask the others to let you take back"]);
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
fn watching() {
    let server = Server::start();
    let table = Table::new(&server);
    let mut terminal = table.join(&server, "--watch");
    let address = format!("/game/{}", table.id());
    terminal.wait_for(&["Waiting for players…", "You watch", "Others join with", &address]);
    let guest = server.post("/guests", None, json!({}));
    let guest = guest["token"].as_str();
    server.post(&format!("{}/join", table.path), guest, json!({}));
    terminal.wait_for(&["sits down.", &format!("{} to move", table.name)]);
    table.take(&server, "B2");
    terminal.wait_for(&["1 B2"]);
    terminal.send("a1");
    terminal.wait_for(&["You only watch this game."]);
    let order = json!({"seq": server.get(&table.path)["seq"], "key": "enough"});
    server.post(&format!("{}/resign", table.path), guest, order);
    terminal.wait_for(&[&format!("{} (X) wins!", table.name), "(O) gave"]);
    terminal.send("q");
    assert!(terminal.end().success());
    terminal.is_given_back();
}

#[test]
fn a_game_that_is_not_there_is_told_of_without_a_screen() {
    let server = Server::start();
    let nothing = "01hf7yat0060rk4csm6mtpdw1r";
    let arguments = format!("join {}/game/{nothing}", server.address);
    let mut terminal = noughts_in_terminal(&arguments);
    assert_eq!(terminal.end().exit_code(), 1);
    terminal.wait_for(&["noughts: There is no such game."]);
    terminal.is_given_back();
}

#[test]
fn the_dialogue_where_that_is_better() {
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
