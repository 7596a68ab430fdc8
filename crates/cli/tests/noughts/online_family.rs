//! Games of the open family online: `join` in lines, and `bot`.

use std::thread;

use serde_json::{Value, json};

use crate::noughts_with;
use crate::online::{Server, await_view, bot_and_guest};

/// A guest plays these moves by the API against Bob, who types lines into `join`. Returns what Bob saw.
fn play(rules: &str, moves: &[&str], lines: &str) -> String {
    let server = Server::start();
    let guest = server.post("/guests", None, json!({}));
    let token = guest["token"].as_str().unwrap();
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let game = server.post("/games", Some(token), json!({"rules": rules, "seats": seats}));
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    let arguments = format!("join {}{path}", server.address);
    let data = server.folder.path().join("bob").join("noughts.db");
    thread::scope(|scope| {
        let bob = scope.spawn(|| noughts_with(&data, &arguments, lines));
        for mv in moves {
            await_view(&server, &path, |view| view["turn"] == 0);
            server.command(&path, token, json!({"type": "move", "move": mv}));
        }
        let ran = bob.join().unwrap();
        ran.ok().replace(guest["player"]["name"].as_str().unwrap(), "Ann")
    })
}

#[test]
fn joined_ultimate_names_the_board() {
    let seen = play("ultimate", &["E5", "A1"], "A1\nB2.A1\nhelp\nresign\n");
    for part in [
        "\nE .  .  .  | _  X  _  | .  .  .\n",
        "\nPlayer 2: Enter box in board B2 (D4 to F6):\n> A1\nA1 is in another board: ",
        "\n> B2.A1\n",
        "\nPlayer 2: Enter box in board A1 (A1 to C3):\n> help\nTake turns to mark an empty box.\n",
        "\nAnn (X) wins!\n",
    ] {
        assert!(seen.contains(part), "{part:?} is not in {seen}");
    }
}

#[test]
fn joined_swap2_announces_choices() {
    let moves = ["A1", "B1", "A2", "swap", "A5"];
    let seen = play("7x7:5+swap2", &moves, "more\nC1\nC2\nresign\n");
    for part in [
        "\nPlayer 2: Enter swap to play X, keep to play O, or more to place two more stones and let \
         the other player choose:\n> more\n",
        "\nPlayer 2: Enter box for O (opening stone 4 of 5):\n> C1\n",
        "\nPlayer 2: Enter box for X (opening stone 5 of 5):\n> C2\n",
        "\nAnn swapped and plays O.\n",
        "\nAnn plays O, ",
    ] {
        assert!(seen.contains(part), "{part:?} is not in {seen}");
    }
}

#[test]
fn joined_wild_takes_marks() {
    let seen = play("wild", &["B2=x", "C3=x"], "A1\nA1=x\n");
    for part in [
        "\nPlayer 2: Enter box and mark, such as A1=x or A1=o:\n> A1\nChoose a mark too",
        "\n> A1=x\n\nBoard:\nX  _  _\n_  X  _\n_  _  _\n",
    ] {
        assert!(seen.contains(part), "{part:?} is not in {seen}");
    }
}

#[test]
fn bots_play_every_game() {
    let server = Server::start();
    let [token, guest] = bot_and_guest(&server);
    let games = [
        "ultimate",
        "3x3x3+gravity",
        "wild",
        "3x3+notakto+2b",
        "fade",
        "5x5:4+2s",
        "3x3+swap",
        "6x6:5+swap2",
        "9x9:5+renju",
    ];
    let arguments = format!(
        "bot --server {} --token {token} --player easy --think 5ms --games {}",
        server.address,
        games.len()
    );
    thread::scope(|scope| {
        let bot = scope.spawn(|| server.run("bot", &arguments, ""));
        for rules in games {
            let seats = json!([{"for": "me"}, {"for": "player", "name": "Ann"}]);
            let game = server.post("/games", Some(&guest), json!({"rules": rules, "seats": seats}));
            let path = format!("/games/{}", game["id"].as_str().unwrap());
            // The guest always takes the last legal move.
            loop {
                let view = await_view(&server, &path, |view| {
                    view["turn"] == 0 || view["phase"] == "finished"
                });
                if view["phase"] == "finished" {
                    let reason = view["result"]["reason"].as_str().unwrap();
                    let by_play = ["line", "draw", "repetition", "no_line"];
                    assert!(by_play.contains(&reason), "{rules}: {view}");
                    break;
                }
                let last: &Value = view["legal"].as_array().unwrap().last().unwrap();
                server.command(&path, &guest, json!({"type": "move", "move": last}));
            }
        }
        let ran = bot.join().unwrap();
        assert_eq!(ran.ok().lines().count(), 1 + games.len(), "{}", ran.stdout());
    });
}
