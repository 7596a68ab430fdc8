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
        // How many are online follows as soon as it is known.
        name.split(" · ").next().unwrap().trim().to_string()
    });
    (terminal, name)
}

#[test]
fn people_meet_in_the_lobby() {
    let server = Server::start();
    let (mut ann, anns_name) = lobby(&server);
    let (mut bob, bobs_name) = lobby(&server);
    bob.wait_for(&["online", &anns_name, "Enter challenge"]);
    ann.send("n");
    ann.wait_for(&["Board, and a level to play the computer: 3x3"]);
    ann.send(ENTER);
    ann.wait_for(&["Waiting for players…"]);
    bob.wait_for(&["to join", "Tic-tac-toe", &anns_name, "Enter join"]);
    bob.send(ENTER);
    bob.wait_for(&["Noughts · 3x3", &anns_name]);
    ann.wait_for(&["Noughts · 3x3", &bobs_name]);
    // Others watch.
    let (cid, _) = lobby(&server);
    cid.wait_for(&["to watch", "3 online"]);
    cid.send("\x1b[F");
    cid.wait_for(&["Enter watch"]);
    cid.send(ENTER);
    cid.wait_for(&["Noughts · 3x3", "You are watching"]);
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
    bob.wait_for(&["challenge ", &format!("from {anns_name}"), "d decline"]);
    bob.send("d");
    bob.wait_until("the challenge to go", |screen| !screen.contents().contains("from "));
    ann.wait_for(&["The game was aborted."]);
    ann.send("q");
    ann.wait_for(&["Lobby"]);
    ann.send(&format!("c{bobs_name}{ENTER}{ENTER}"));
    bob.wait_for(&["from ", "Enter accept"]);
    bob.send(ENTER);
    bob.wait_for(&["Noughts · 3x3", &anns_name]);
}

#[test]
fn plain_terminals_have_a_lobby_too() {
    let server = Server::start();
    let arguments = &format!("join --plain {}", server.address);
    let terminal = Start { arguments, size: (80, 40), environment: &[] }.run();
    terminal.wait_for(&["Welcome to http://127", "Nobody else is here now.", "Enter the number"]);
    terminal.send("7\r");
    terminal.wait_for(&["There is no \"7\" here."]);
    let (bob, bobs_name) = lobby(&server);
    terminal.send("list\r");
    terminal.wait_for(&["Online, to challenge by number:", &format!("1  {bobs_name}")]);
    terminal.send("challenge 1, connect4\r");
    bob.wait_for(&["challenge", "Connect Four", "Enter accept"]);
    terminal.wait_for(&["Waiting for players"]);
    terminal.send("quit\r");
    let terminal =
        Start { arguments, size: (80, 40), environment: &[] }.run_in(terminal.end_and_keep());
    terminal.wait_for(&["Your unfinished games:", &format!("6x7:4+gravity with {bobs_name}")]);
    terminal.send("decline 1\r");
    bob.wait_until("the challenge to go", |screen| !screen.contents().contains("Connect Four"));
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

#[test]
fn people_who_are_online_are_challenged() {
    let server = Server::start();
    let (ann, anns_name) = lobby(&server);
    let (bob, bobs_name) = lobby(&server);
    ann.wait_for(&["2 online", "online", &bobs_name, "Enter challenge"]);
    ann.send(ENTER);
    ann.wait_for(&[&format!("Challenge {bobs_name} to: 3x3")]);
    ann.send(&format!("\x15connect4{ENTER}"));
    let challenged = format!("{bobs_name} is challenged, and can accept or decline.");
    ann.wait_for(&["Waiting for players…", "Connect Four", &challenged]);
    ann.send("qy");
    ann.wait_for(&["challenge", &format!("to {bobs_name}"), "d withdraw"]);
    ann.send("d");
    ann.wait_until("the challenge to go", |screen| !screen.contents().contains("withdraw"));
    // The other way round, and to the end.
    bob.wait_until("the challenge to go", |screen| !screen.contents().contains("Connect Four"));
    bob.wait_for(&[&anns_name, "Enter challenge"]);
    bob.send(ENTER);
    bob.wait_for(&[&format!("Challenge {anns_name} to: 3x3")]);
    bob.send(ENTER);
    bob.wait_for(&["Waiting for players…"]);
    ann.wait_for(&["challenge", &format!("from {bobs_name}"), "Enter accept"]);
    ann.send(&format!("\x1b[H{ENTER}"));
    bob.wait_for(&["Noughts · 3x3", "Enter take"]);
    bob.send("b2");
    // A bell calls after the title has changed.
    ann.wait_for_bytes("Your turn - Noughts\x07\x07");
    ann.wait_for(&["1 B2", "Your turn"]);
    ann.send("a1");
    bob.wait_for(&["1 B2     A1", "Your turn"]);
    ann.wait_for(&["1 B2     A1", "w resign"]);
    ann.send("wy");
    ann.wait_for(&["Enter play again"]);
    ann.send("q");
    ann.wait_for(&["Lobby"]);
    // A rematch is offered to somebody who is back in the lobby.
    bob.wait_for(&["Enter play again"]);
    bob.send("p");
    ann.wait_for(&["rematch", &format!("with {bobs_name}")]);
    ann.send("\x1b[H");
    ann.wait_for(&["Enter accept"]);
    ann.send(ENTER);
    ann.wait_for(&["Noughts · 3x3", "Your turn"]);
}

#[test]
fn the_start_page_leads_to_the_lobby_and_back() {
    let server = Server::start();
    let host = server.address.strip_prefix("http://").unwrap();
    let mut terminal = noughts_in_terminal("");
    terminal.wait_for(&["N O U G H T S", "o play online"]);
    terminal.send("o");
    terminal.wait_for(&["Play online", "such as localhost:8000"]);
    terminal.send(&format!("nonsense{ENTER}"));
    terminal.wait_for(&["Type the address of a server"]);
    terminal.send(&format!("\x15{host}{ENTER}"));
    terminal.wait_for(&[&format!("Lobby · {host}"), "you are ", "n new game"]);
    terminal.send(&format!("n\x153x3 easy{ENTER}"));
    terminal.wait_for(&["Noughts · 3x3", "Your turn"]);
    terminal.send("\x03");
    terminal.wait_for(&["Quit? The game goes on without you.", "▸ Yes"]);
    terminal.send("n");
    terminal.wait_for(&["Your turn"]);
    terminal.send("qy");
    terminal.wait_for(&["Lobby", "your turn"]);
    terminal.send("\x1b");
    terminal.wait_for(&["N O U G H T S"]);
    terminal.send("q");
    let folder = terminal.end_and_keep();
    // The next time, the server and the player are known.
    terminal = Start { arguments: "", size: (40, 24), environment: &[] }.run_in(folder);
    terminal.wait_for(&["Enter: play"]);
    terminal.send("o");
    terminal.wait_for(&["Play online", host]);
    terminal.send(ENTER);
    terminal.wait_for(&["you are ", "your turn", "Enter go on"]);
    terminal.send("\x03");
    let folder = terminal.end_and_keep();
    let arguments = "join --plain --against easy";
    terminal = Start { arguments, size: (80, 24), environment: &[] }.run_in(folder);
    terminal.wait_for(&["Your unfinished games:", "1  3x3 with", "your turn"]);
    terminal.send(&format!("7{ENTER}"));
    terminal.wait_for(&["Expected a number from 1 to 1, or nothing."]);
    terminal.send(&format!("1{ENTER}"));
    terminal.wait_for(&["Board:", "Enter box"]);
    terminal.send(&format!("quit{ENTER}"));
    let folder = terminal.end_and_keep();
    terminal =
        Start { arguments: "join --rules 4x4:4", size: (80, 24), environment: &[] }.run_in(folder);
    terminal.wait_for(&["Your unfinished games:"]);
    terminal.send(ENTER);
    terminal.wait_for(&["Noughts · 4x4", "Waiting for players…"]);
    terminal.send("\x03");
    terminal.wait_for(&["Quit? The game goes on without you."]);
    terminal.send(ENTER);
    assert!(terminal.end().success());
    terminal.wait_for(&["To come back: noughts join"]);
}

#[test]
fn servers_that_do_not_answer_are_named() {
    // Nobody listens there any more.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let terminal = noughts_in_terminal("");
    terminal.wait_for(&["o play online"]);
    terminal.send(&format!("o127.0.0.1:{port}{ENTER}"));
    terminal.wait_for(&[&format!("http://127.0.0.1:{port}: "), "Enter connect"]);
    terminal.send("\x1b");
    terminal.wait_for(&["N O U G H T S"]);
}
