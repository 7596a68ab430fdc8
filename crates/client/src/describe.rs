//! Sentences about online games, for terminal programs.

use noughts_api::{EndReason, Event, GamePhase, GameView};
use noughts_rules::{Action, Game, Move, Player, Rules, Seat};

/// A game whose fields contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the server sent an inconsistent game: {0}")]
pub struct InconsistentGame(String);

/// Plays the moves of a view again.
pub fn replay(view: &GameView) -> Result<Game, InconsistentGame> {
    let inconsistent = |error: &dyn std::fmt::Display| InconsistentGame(error.to_string());
    let rules: Rules = view.rules.parse().map_err(|error| inconsistent(&error))?;
    let mut players = Vec::with_capacity(view.players.len());
    for player in &view.players {
        let name = player.name.as_ref().or(player.invited.as_ref());
        let name = name.map_or("(free seat)", String::as_str);
        let symbol = player.symbol.parse().map_err(|error| inconsistent(&error))?;
        players.push(Player::new(name, symbol).map_err(|error| inconsistent(&error))?);
    }
    let mut game = Game::new(&rules, players).map_err(|error| inconsistent(&error))?;
    for action in &view.moves {
        let played = match action.strip_prefix("resign:") {
            Some(number) => {
                let index = number.parse::<u8>().ok().and_then(|number| number.checked_sub(1));
                let seat = index.and_then(Seat::new);
                let seat = seat.ok_or_else(|| inconsistent(&format!("no player {number}")))?;
                game.resign(seat)
            }
            None => {
                let mv: Move = action.parse().map_err(|error| inconsistent(&error))?;
                let turn = game.turn();
                game.play(turn.ok_or_else(|| inconsistent(&format!("{action} after the end")))?, mv)
            }
        };
        played.map_err(|error| inconsistent(&error))?;
    }
    Ok(game)
}

/// A player's name with the symbol.
#[must_use]
pub fn player_label(view: &GameView, seat: Seat) -> String {
    match view.players.get(seat.index()) {
        Some(player) => {
            format!("{} ({})", player.name.as_deref().unwrap_or("someone"), player.symbol)
        }
        None => format!("player {seat}"),
    }
}

/// What other players did that the board does not show.
#[must_use]
pub fn describe_event(view: &GameView, event: &Event) -> Option<String> {
    let other = event.actor().filter(|seat| !view.your_seats.contains(seat));
    let by_other = |what: &str| other.map(|seat| format!("{} {what}.", player_label(view, seat)));
    match event {
        Event::Joined { .. } => by_other("joined"),
        Event::Left { .. } => by_other("disconnected"),
        Event::Returned { .. } => by_other("is back"),
        Event::UndoAccepted { .. } => by_other("agrees to take back the move"),
        Event::UndoDeclined { .. } => by_other("does not want to take back the move"),
        Event::Undone { .. } => by_other("took back a move"),
        Event::RematchOffered { .. } => by_other("wants a rematch"),
        Event::RematchWithdrawn { .. } => by_other("disconnected and no longer wants a rematch"),
        // In a game of several players that goes on.
        Event::Eliminated { seat, reason } if view.phase == GamePhase::Live => {
            Some(describe_exit(&player_label(view, *seat), (*reason).into()))
        }
        Event::ClockHeld { ms } => {
            let seconds = ms.div_euclid(1000);
            Some(format!("The server was down for {seconds} s, which is charged to no clock."))
        }
        _ => None,
    }
}

/// How a finished game ended.
#[must_use]
pub fn describe_result(view: &GameView) -> Option<String> {
    let result = view.result.as_ref()?;
    Some(match (result.winner, result.reason) {
        (Some(seat), _) => format!("{} wins!", player_label(view, seat)),
        (None, EndReason::Aborted) => "The game was aborted.".to_string(),
        (None, EndReason::Abandoned) => "The game was abandoned.".to_string(),
        (None, _) => "It's a draw!".to_string(),
    })
}

/// Why a finished game was won without a line.
#[must_use]
pub fn describe_reason(view: &GameView) -> Option<String> {
    let result = view.result.as_ref()?;
    result.winner.filter(|_| result.reason != EndReason::Line)?;
    let out = view.players.iter().filter(|player| player.out);
    let out: Vec<String> = out.map(|player| player_label(view, player.seat)).collect();
    match out.as_slice() {
        [player] => Some(describe_exit(player, result.reason)),
        // The result only has the reason of the last one.
        _ => Some(format!("{} are out of the game.", out.join(" and "))),
    }
}

/// Why a player is out of the game.
fn describe_exit(player: &str, reason: EndReason) -> String {
    match reason {
        EndReason::Resigned => format!("{player} resigned."),
        EndReason::Time => format!("{player} ran out of time."),
        EndReason::Left => format!("{player} left the game."),
        _ => format!("{player} failed to move."),
    }
}

/// What a move does, as the rest of a sentence about the player.
fn describe_move(mv: Move) -> String {
    match mv {
        Move::Swap => "swapped".to_string(),
        Move::Keep => "kept the marks".to_string(),
        Move::More => "asked for two more stones".to_string(),
        mv => format!("took {mv}"),
    }
}

/// What other players did on the board between two views.
#[must_use]
pub fn describe_missed(before: &GameView, after: &GameView) -> Option<String> {
    let same = before.moves.iter().zip(&after.moves).take_while(|(a, b)| a == b).count();
    let taken_back = (same < before.moves.len()).then(|| "moves were taken back".to_string());
    let game = replay(after).ok()?;
    let by_others = |action: &Action| !after.your_seats.contains(&action.seat());
    let played = game.history().skip(same).filter(by_others).map(|action| {
        let player = player_label(after, action.seat());
        match action {
            Action::Move { mv, .. } => format!("{player} {}", describe_move(mv)),
            Action::Resign { .. } => format!("{player} is out"),
        }
    });
    let missed: Vec<String> = taken_back.into_iter().chain(played).collect();
    (!missed.is_empty()).then(|| format!("Meanwhile {}.", missed.join(", ")))
}

#[cfg(test)]
mod tests {
    use noughts_api::ExitReason;
    use serde_json::{Value, json};

    use super::*;

    /// A game between Ann, who looks at it, and Bob, with some fields replaced.
    fn view(fields: Value) -> GameView {
        let player = |seat: u8, name: &str, symbol: &str| json!({"seat": seat, "name": name, "symbol": symbol, "out": false});
        let mut view = json!({
            "id": "01hf7yat0060rk4csm6mv3ee1s", "seq": 3, "phase": "live", "rules": "3x3",
            "rows": 3, "cols": 3, "k": 3, "board": [],
            "moves": ["A1"], "legal": [], "turn": 0, "rated": false, "public": true,
            "players": [player(0, "Ann", "X"), player(1, "Bob", "O")], "rematch_offers": [],
            "created_at": 0, "updated_at": 0, "away_ms": 60000, "your_seats": [0],
        });
        for (name, value) in fields.as_object().unwrap() {
            view[name] = value.clone();
        }
        serde_json::from_value(view).unwrap()
    }

    fn seat(index: u8) -> Seat {
        Seat::new(index).unwrap()
    }

    #[test]
    fn events_of_others_are_described() {
        let check = |event: Event, expected: Option<&str>| {
            let description = describe_event(&view(json!({})), &event);
            assert_eq!(description.as_deref(), expected, "{event:?}");
        };
        check(Event::Left { seat: seat(1) }, Some("Bob (O) disconnected."));
        let timeout = Event::Eliminated { seat: seat(0), reason: ExitReason::Time };
        check(timeout, Some("Ann (X) ran out of time."));
        let held = "The server was down for 3 s, which is charged to no clock.";
        check(Event::ClockHeld { ms: 3500 }, Some(held));
        check(Event::UndoDeclined { seat: seat(0) }, None);
        check(Event::Moved { seat: seat(1), mv: "A1".parse().unwrap() }, None);
    }

    #[test]
    fn results_are_described_with_reasons() {
        let check = |winner: Option<u8>, reason: &str, out: Option<usize>, expected: &str| {
            let result = json!({"winner": winner, "reason": reason, "cells": []});
            let mut view = view(json!({"phase": "finished", "result": result}));
            out.into_iter().for_each(|index| view.players[index].out = true);
            let sentences = describe_result(&view).into_iter().chain(describe_reason(&view));
            assert_eq!(sentences.collect::<Vec<_>>().join(" "), expected);
        };
        check(Some(0), "line", None, "Ann (X) wins!");
        check(None, "draw", None, "It's a draw!");
        check(None, "aborted", None, "The game was aborted.");
        check(Some(1), "resigned", Some(0), "Bob (O) wins! Ann (X) resigned.");
        check(Some(1), "left", Some(0), "Bob (O) wins! Ann (X) left the game.");
    }

    #[test]
    fn missed_actions_of_others_are_described() {
        let check = |moves: Value, expected: Option<&str>| {
            let missed = describe_missed(&view(json!({})), &view(json!({"moves": moves})));
            assert_eq!(missed.as_deref(), expected, "{moves}");
        };
        check(json!(["A1"]), None);
        let played = "Meanwhile Bob (O) took B2, Bob (O) took C1.";
        check(json!(["A1", "B2", "C3", "C1"]), Some(played));
        let taken_back = "Meanwhile moves were taken back, Bob (O) is out.";
        check(json!(["B2", "resign:2"]), Some(taken_back));
    }

    #[test]
    fn inconsistent_games_are_errors() {
        let error = replay(&view(json!({"moves": ["A1", "A1"]}))).unwrap_err().to_string();
        assert!(error.starts_with("the server sent an inconsistent game: "), "{error}");
        assert!(replay(&view(json!({"moves": ["resign:9"]}))).is_err());
    }
}
