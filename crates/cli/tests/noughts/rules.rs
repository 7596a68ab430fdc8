//! `noughts rules`: the list of games, and explanations.

use serde_json::{Value, json};

use crate::{noughts, noughts_args};

#[test]
fn games_are_listed_and_parse() {
    let ran = noughts("rules", "");
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!(lines[0], "name             rules           game");
    assert!(lines.contains(&"ultimate         3x3+ultimate    Ultimate tic-tac-toe"), "{lines:?}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80));
    let games: Value = serde_json::from_str(noughts("rules --json", "").ok()).unwrap();
    for game in games.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert!(ran.stdout().contains(name));
        let explained = noughts_args(&["rules", name, "--json"], "");
        let explained: Value = serde_json::from_str(explained.ok()).unwrap();
        assert_eq!(explained["rules"], game["rules"]);
    }
}

#[test]
fn one_game_is_explained() {
    assert_eq!(
        noughts("rules wild", "").ok(),
        "\
Wild tic-tac-toe (3x3+wild)

Take turns to put X or O in an empty box, whichever you like.
Whoever completes 3 boxes in a row, across, down or diagonally, with the same
mark wins.
A full board without that is a draw.
A box is a row letter and a column number: A1 is at the top left, B1 below it.
Add the mark: A1=x puts an X there, A1=o an O.

With perfect play player 1 wins (enumeration of all games).
"
    );
    let json: Value = serde_json::from_str(noughts("rules 3x3 --json", "").ok()).unwrap();
    let perfect_play = json!({"winner": null, "source": "enumeration of all games"});
    assert_eq!((&json["title"], &json["perfect_play"]), (&json!("Tic-tac-toe"), &perfect_play));
    assert!(!noughts("rules 5x6:4+wrap", "").ok().contains("perfect play"));
    let refused = noughts("rules 3x3+ultimate+wild", "");
    assert_eq!(refused.status(), 2);
    assert!(refused.stderr().contains("ultimate does not go with"), "{}", refused.stderr());
}
