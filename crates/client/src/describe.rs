//! Sentences about online games, for terminal programs.

use noughts_api::{EndReason, Event, GamePhase, GameView, PlayerView, RatingChange, Uncounted};
use noughts_rules::{Action, Game, MAX_MOVES, Move, Player, Rules, Seat};

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

/// A player's name with the symbol of the marks it plays; without one where marks belong to nobody.
#[must_use]
pub fn player_label(view: &GameView, seat: Seat) -> String {
    let name = player_name(view, seat);
    match symbol_of(view, seat) {
        Some(symbol) => format!("{name} ({symbol})"),
        None => name,
    }
}

/// The names of the other players, and of those whom the user has invited. Of a challenge to the user it
/// is who challenges.
#[must_use]
pub fn opponent_names(view: &GameView) -> Vec<&str> {
    let is_seated = !view.your_seats.is_empty();
    let others = view.players.iter().filter(|player| !view.your_seats.contains(&player.seat));
    let mut names = Vec::new();
    for player in others {
        let invited = player.invited.as_deref().filter(|_| is_seated);
        names.extend(player.name.as_deref().or(invited));
    }
    names
}

fn player_name(view: &GameView, seat: Seat) -> String {
    match view.players.get(seat.index()) {
        Some(player) => player.name.as_deref().unwrap_or("someone").to_string(),
        None => format!("player {seat}"),
    }
}

/// The symbol of the marks that a seat plays; `None` where marks belong to nobody.
fn symbol_of(view: &GameView, seat: Seat) -> Option<&str> {
    let owners = &view.details.owners;
    let mark = match owners.iter().position(|owner| *owner == Some(seat)) {
        Some(mark) => mark,
        // A game that has not begun may not say.
        None if owners.is_empty() => seat.index(),
        None => return None,
    };
    Some(&view.players.get(mark)?.symbol)
}

/// What other players did that the board does not show.
#[must_use]
pub fn describe_event(view: &GameView, event: &Event) -> Option<String> {
    let other = event.actor().filter(|seat| !view.your_seats.contains(seat));
    let by_other = |what: &str| other.map(|seat| format!("{} {what}.", player_label(view, seat)));
    match event {
        Event::Moved { seat, mv } if mv.cell().is_none() => other.map(|_| {
            format!("{} {}.", player_name(view, *seat), describe_choice(view, *seat, *mv))
        }),
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

/// Why a finished game was won without a line, or drawn without a full board.
#[must_use]
pub fn describe_reason(view: &GameView) -> Option<String> {
    let result = view.result.as_ref()?;
    match result.reason {
        EndReason::NoLine => return Some("The board is full without a line.".into()),
        EndReason::Repetition => return Some("The position occurred for the third time.".into()),
        EndReason::MoveLimit => return Some(format!("The game reached {MAX_MOVES} moves.")),
        _ => {}
    }
    result.winner.filter(|_| result.reason != EndReason::Line)?;
    let out = view.players.iter().filter(|player| player.out);
    let out: Vec<String> = out.map(|player| player_label(view, player.seat)).collect();
    match out.as_slice() {
        [player] => Some(describe_exit(player, result.reason)),
        // The result only has the reason of the last one.
        _ => Some(format!("{} are out of the game.", out.join(" and "))),
    }
}

/// What a rated game did to the ratings, or why it did nothing; `None` for other games.
#[must_use]
pub fn describe_ratings(view: &GameView) -> Option<String> {
    match view.result.as_ref()?.uncounted {
        Some(Uncounted::TooShort) => {
            return Some("Ratings stay as they are: not every player had moved twice.".into());
        }
        Some(Uncounted::ComputerFailed) => {
            return Some("Ratings stay as they are: a computer player failed.".into());
        }
        None => {}
    }
    let changes = view.ratings.as_ref()?;
    let change = |(player, change): (&PlayerView, &RatingChange)| {
        let RatingChange { before, after, weight } = change;
        let name = player_name(view, player.seat);
        let part = if *weight < 100 { format!(" (counts {weight} %)") } else { String::new() };
        format!("{name} {before} → {after}{part}")
    };
    let changes: Vec<String> = view.players.iter().zip(changes).map(change).collect();
    Some(format!("Ratings: {}.", changes.join(", ")))
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

/// What a move did, as the rest of a sentence about the player.
fn describe_move(view: &GameView, mv: Move) -> String {
    match mv {
        Move::Place(cell) => format!("took {cell}"),
        Move::Mark(cell, mark) => match view.players.get(mark.index()) {
            Some(player) => format!("took {cell} with {}", player.symbol),
            None => format!("took {cell}"),
        },
        Move::Swap => "swapped".to_string(),
        Move::Keep => "did not swap".to_string(),
        Move::More => "chose to place two more stones".to_string(),
        mv => format!("played {mv}"),
    }
}

/// What an opening choice did, with the marks that the player now plays.
fn describe_choice(view: &GameView, seat: Seat, choice: Move) -> String {
    let done = describe_move(view, choice);
    match symbol_of(view, seat).filter(|_| matches!(choice, Move::Swap | Move::Keep)) {
        Some(symbol) => format!("{done} and plays {symbol}"),
        None => done,
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
            Action::Move { mv, .. } => format!("{player} {}", describe_move(after, mv)),
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
            "shape": {"type": "grid", "rows": 3, "cols": 3, "levels": 1}, "k": 3, "board": [],
            "details": details([Some(0), Some(1)]),
            "moves": ["A1"], "legal": [], "turn": 0, "rated": false, "public": true,
            "players": [player(0, "Ann", "X"), player(1, "Bob", "O")], "rematch_offers": [],
            "created_at": 0, "updated_at": 0, "away_ms": 60000, "your_seats": [0],
        });
        for (name, value) in fields.as_object().unwrap() {
            view[name] = value.clone();
        }
        serde_json::from_value(view).unwrap()
    }

    /// The details of a turn in which these seats own the marks.
    fn details(owners: [Option<u8>; 2]) -> Value {
        json!({"stones_left": 1, "owners": owners, "board_to_play": null, "boards": [], "fading": null})
    }

    fn seat(index: u8) -> Seat {
        Seat::new(index).unwrap()
    }

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
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
        check(Event::Moved { seat: seat(1), mv: mv("A1") }, None);
        check(Event::Undone { seat: seat(1), to: 0 }, Some("Bob (O) took back a move."));
    }

    #[test]
    fn opening_choices_are_described() {
        let check = |choice: &str, owners: [Option<u8>; 2], expected: &str| {
            let view = view(json!({"details": details(owners)}));
            let event = Event::Moved { seat: seat(1), mv: mv(choice) };
            assert_eq!(describe_event(&view, &event).as_deref(), Some(expected));
        };
        check("swap", [Some(1), Some(0)], "Bob swapped and plays X.");
        check("keep", [Some(0), Some(1)], "Bob did not swap and plays O.");
        check("more", [Some(0), Some(1)], "Bob chose to place two more stones.");
        let own = Event::Moved { seat: seat(0), mv: mv("swap") };
        assert_eq!(describe_event(&view(json!({})), &own), None);
    }

    #[test]
    fn labels_name_the_marks_played() {
        let label = |owners: [Option<u8>; 2]| {
            player_label(&view(json!({"details": details(owners)})), seat(0))
        };
        assert_eq!(label([Some(0), Some(1)]), "Ann (X)");
        assert_eq!(label([Some(1), Some(0)]), "Ann (O)");
        assert_eq!(label([None, None]), "Ann");
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
        check(Some(1), "no_line", None, "Bob (O) wins! The board is full without a line.");
        let repeated = "It's a draw! The position occurred for the third time.";
        check(None, "repetition", None, repeated);
        check(None, "move_limit", None, "It's a draw! The game reached 1000 moves.");
    }

    #[test]
    fn rating_changes_are_described() {
        let check = |uncounted: Option<&str>, ratings: Value, expected: Option<&str>| {
            let result =
                json!({"winner": 0, "reason": "line", "cells": [], "uncounted": uncounted});
            let view = view(json!({"phase": "finished", "result": result, "ratings": ratings}));
            assert_eq!(describe_ratings(&view).as_deref(), expected);
        };
        let changes = json!([{"before": 1500, "after": 1662, "weight": 100},
            {"before": 1500, "after": 1419, "weight": 50}]);
        let described = "Ratings: Ann 1500 → 1662, Bob 1500 → 1419 (counts 50 %).";
        check(None, changes, Some(described));
        check(None, Value::Null, None);
        let short = "Ratings stay as they are: not every player had moved twice.";
        check(Some("too_short"), Value::Null, Some(short));
    }

    #[test]
    fn missed_actions_of_others_are_described() {
        let check_game = |rules: &str, moves: Value, expected: Option<&str>| {
            let after = view(json!({"rules": rules, "moves": moves}));
            let missed = describe_missed(&view(json!({})), &after);
            assert_eq!(missed.as_deref(), expected, "{moves}");
        };
        let check = |moves: Value, expected: Option<&str>| check_game("3x3", moves, expected);
        check(json!(["A1"]), None);
        let played = "Meanwhile Bob (O) took B2, Bob (O) took C1.";
        check(json!(["A1", "B2", "C3", "C1"]), Some(played));
        let taken_back = "Meanwhile moves were taken back, Bob (O) is out.";
        check(json!(["B2", "resign:2"]), Some(taken_back));
        let marked = "Meanwhile moves were taken back, Bob (O) took B2 with X.";
        check_game("wild", json!(["A1=o", "B2=x"]), Some(marked));
        check_game("3x3+swap", json!(["A1", "swap"]), Some("Meanwhile Bob (O) swapped."));
    }

    #[test]
    fn inconsistent_games_are_errors() {
        let error = replay(&view(json!({"moves": ["A1", "A1"]}))).unwrap_err().to_string();
        assert!(error.starts_with("the server sent an inconsistent game: "), "{error}");
        assert!(replay(&view(json!({"moves": ["resign:9"]}))).is_err());
    }
}
