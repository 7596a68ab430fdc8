//! What is said of a game at a server, in the dialogue and on the screen.

use noughts_rules::Action;

use crate::events::Happened;
use crate::view::{Phase, View};

/// A message of the server as a sentence.
pub fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if message.ends_with('.') { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// What others did, where it is not seen on the board.
pub fn happened(view: &View, happened: &Happened) -> Option<String> {
    let seat = happened.seat.filter(|seat| !view.yours.contains(seat));
    let by = |what: &str| seat.map(|seat| format!("{} {what}.", view.player(seat)));
    match happened.kind.as_str() {
        "joined" => by("sits down"),
        "left" => by("has left"),
        "returned" => by("is back"),
        "undo_agreed" => by("agrees to take back the move"),
        "undo_refused" => by("does not want to take back the move"),
        "undone" => by("took back a move"),
        "rematch_asked" => by("wants to play again"),
        "rematch_withdrawn" => by("has gone, and waits for no rematch any more"),
        // In a game of several that goes on.
        "resigned" if view.phase == Phase::Live => {
            Some(departure(&view.player(happened.seat?), happened.why.as_deref()?))
        }
        "clock_held" => {
            let seconds = happened.ms?.div_euclid(1000);
            Some(format!("The server was away for {seconds} s, which cost nobody time."))
        }
        _ => None,
    }
}

/// How the game ended.
pub fn ending(view: &View) -> Option<String> {
    let result = view.result.as_ref()?;
    Some(match (result.winner, result.how.as_str()) {
        (Some(seat), _) => format!("{} wins!", view.player(seat)),
        (None, "draw") => "It's a draw!".to_string(),
        (None, how) => format!("The game was {how}."),
    })
}

/// Why somebody won without a line.
pub fn reason(view: &View) -> Option<String> {
    let result = view.result.as_ref()?;
    result.winner.filter(|_| result.how != "line")?;
    let out = (0..view.players.len()).filter(|&seat| view.players[seat].out);
    let out: Vec<String> = out.map(|seat| view.player(seat)).collect();
    match out.as_slice() {
        [player] => Some(departure(player, &result.how)),
        // Of several, the result tells about the last one only.
        _ => Some(format!("{} are out of the game.", out.join(" and "))),
    }
}

/// Why a player does not play on.
fn departure(player: &str, why: &str) -> String {
    match why {
        "resigned" => format!("{player} gave up."),
        "time" => format!("The time of {player} ran out."),
        "left" => format!("{player} left the game."),
        _ => format!("{player} failed to move."),
    }
}

/// What others did on the board while nothing was heard.
pub fn missed(before: &View, after: &View) -> Option<String> {
    let same = before.moves.iter().zip(&after.moves).take_while(|(a, b)| a == b).count();
    let taken_back = (same < before.moves.len()).then(|| "moves were taken back".to_string());
    let game = after.game().ok()?;
    let by_others = |action: &Action| !after.yours.contains(&action.seat().index());
    let played = game.history().skip(same).filter(by_others).map(|action| {
        let player = after.player(action.seat().index());
        match action {
            Action::Move { cell, .. } => format!("{player} took {cell}"),
            Action::Resign { .. } => format!("{player} is out"),
        }
    });
    let missed: Vec<String> = taken_back.into_iter().chain(played).collect();
    (!missed.is_empty()).then(|| format!("Meanwhile {}.", missed.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn view(more: Value) -> View {
        let player =
            |name: &str, symbol: &str| json!({"name": name, "symbol": symbol, "out": false});
        let mut view = json!({
            "id": "g", "seq": 3, "phase": "live", "rules": "3x3", "turn": 0, "yours": [0],
            "players": [player("Ann", "X"), player("Bob", "O")],
            "moves": ["A1"], "again": [],
        });
        for (name, value) in more.as_object().unwrap() {
            view[name] = value.clone();
        }
        serde_json::from_value(view).unwrap()
    }

    #[test]
    fn what_others_do_is_told() {
        let told = |kind: &str, seat: usize| {
            let event = json!({"type": kind, "seat": seat, "why": "time", "ms": 3500});
            happened(&view(json!({})), &serde_json::from_value(event).unwrap())
        };
        assert_eq!(told("left", 1).unwrap(), "Bob (O) has left.");
        assert_eq!(told("resigned", 0).unwrap(), "The time of Ann (X) ran out.");
        let held = "The server was away for 3 s, which cost nobody time.";
        assert_eq!(told("clock_held", 0).unwrap(), held);
        assert_eq!(told("undo_refused", 0), None);
        assert_eq!(told("moved", 1), None);
        assert_eq!(sentence("bad move"), "Bad move.");
    }

    #[test]
    fn ends_in_words() {
        let ended = |winner: Value, how: &str, outs: [bool; 2]| {
            let mut view = view(json!({
                "phase": "over", "result": {"winner": winner, "how": how, "cells": []}
            }));
            view.players.iter_mut().zip(outs).for_each(|(player, out)| player.out = out);
            (ending(&view).unwrap(), reason(&view))
        };
        let check = |got: (String, Option<String>), end: &str, why: Option<&str>| {
            assert_eq!((got.0.as_str(), got.1.as_deref()), (end, why));
        };
        check(ended(json!(0), "line", [false; 2]), "Ann (X) wins!", None);
        check(ended(json!(null), "draw", [false; 2]), "It's a draw!", None);
        check(ended(json!(null), "aborted", [false; 2]), "The game was aborted.", None);
        let gave_up = Some("Ann (X) gave up.");
        let winner = "Bob (O) wins!";
        check(ended(json!(1), "resigned", [true, false]), winner, gave_up);
        let left = Some("Ann (X) left the game.");
        check(ended(json!(1), "left", [true, false]), winner, left);
    }

    #[test]
    fn what_was_missed() {
        let players = json!([
            {"name": "Ann", "symbol": "X", "out": false},
            {"name": "Bob", "symbol": "O", "out": false},
        ]);
        let at = |moves: Value| view(json!({"moves": moves, "players": players}));
        let after = |moves: Value| missed(&at(json!(["A1"])), &at(moves));
        assert_eq!(after(json!(["A1"])), None);
        let played = "Meanwhile Bob (O) took B2, Bob (O) took C1.";
        assert_eq!(after(json!(["A1", "B2", "C3", "C1"])).unwrap(), played);
        let back = "Meanwhile moves were taken back, Bob (O) is out.";
        assert_eq!(after(json!(["B2", "resign:2"])).unwrap(), back);
    }
}
