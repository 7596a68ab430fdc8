//! The lobby of a server, in terminals and as a dialogue.

use crate::online::Server;
use crate::terminal::{Start, Terminal, noughts_in_terminal};

const ENTER: &str = "\r";

/// A person's terminal in the lobby, and their name.
fn lobby(server: &Server) -> (Terminal, String) {
    let terminal = noughts_in_terminal(&format!("join {}", server.address));
    terminal.wait_for(&["Lobby · 127.0.0.1:", "n new game", "c challenge"]);
    let name = terminal.look(|screen| {
        let contents = screen.contents();
        let (_, name) = contents.lines().next().unwrap().split_once("you are ").unwrap();
        name.trim().to_string()
    });
    (terminal, name)
}

#[test]
fn people_meet_in_the_lobby() {
    let server = Server::start();
    let (mut ann, anns_name) = lobby(&server);
    let (mut bob, bobs_name) = lobby(&server);
    bob.wait_for(&["Nobody plays here now"]);
    ann.send("n");
    ann.wait_for(&["Board, and a level to play the computer: 3x3"]);
    ann.send(ENTER);
    ann.wait_for(&["Waiting for players…"]);
    bob.wait_for(&["to join", "Tic-tac-toe", &anns_name, "Enter join"]);
    bob.send(ENTER);
    bob.wait_for(&["Noughts · 3x3", &anns_name]);
    ann.wait_for(&["Noughts · 3x3", &bobs_name]);
    // Back in the lobby, the unfinished game comes first.
    bob.send("q");
    bob.wait_for(&["Leave? The game goes on without you."]);
    bob.send("y");
    bob.wait_for(&["Lobby", &format!("with {anns_name}"), "Enter go on"]);
    bob.send(ENTER);
    bob.wait_for(&["Noughts · 3x3"]);
    for terminal in [&mut ann, &mut bob] {
        terminal.send("qy");
        terminal.wait_for(&["Lobby", "Enter go on"]);
        terminal.send("q");
        assert!(terminal.end().success());
        terminal.is_given_back();
    }
}

#[test]
fn challenges_are_declined_and_accepted() {
    let server = Server::start();
    let (ann, anns_name) = lobby(&server);
    let (bob, bobs_name) = lobby(&server);
    ann.send(&format!("c{bobs_name}{ENTER}"));
    ann.wait_for(&[&format!("Challenge {bobs_name} to: 3x3")]);
    ann.send(ENTER);
    ann.wait_for(&["Waiting for players…"]);
    bob.wait_for(&["invitation", &anns_name, "Enter accept", "d decline"]);
    bob.send("d");
    bob.wait_until("the invitation to go", |screen| !screen.contents().contains("invitation"));
    ann.wait_for(&["The game was aborted."]);
    ann.send("q");
    ann.wait_for(&["Lobby"]);
    ann.send(&format!("c{bobs_name}{ENTER}{ENTER}"));
    bob.wait_for(&["invitation", "Enter accept"]);
    bob.send(ENTER);
    bob.wait_for(&["Noughts · 3x3", &anns_name]);
}

#[test]
fn plain_terminals_have_a_lobby_too() {
    let server = Server::start();
    let arguments = &format!("join --plain {}", server.address);
    let terminal = Start { arguments, size: (80, 40), environment: &[] }.run();
    terminal.wait_for(&["Welcome to http://127", "Nobody plays here now.", "Enter the number"]);
    terminal.send("7\r");
    terminal.wait_for(&["There is no \"7\" here."]);
    terminal.send("new 99x99\r");
    terminal.wait_for(&["99x99"]);
    terminal.send("new 3x3 easy\r");
    terminal.wait_for(&["Board:", "Enter box"]);
    terminal.send("quit\r");
    let folder = terminal.end_and_keep();
    let mut terminal = Start { arguments, size: (80, 40), environment: &[] }.run_in(folder);
    terminal.wait_for(&["Your unfinished games:", "1  3x3 with", "your turn"]);
    terminal.send("1\r");
    terminal.wait_for(&["Board:"]);
    terminal.send("quit\r");
    assert!(terminal.end().success());
}
