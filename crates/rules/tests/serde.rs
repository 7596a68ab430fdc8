//! The optional Serde forms, in JSON.

use std::fmt::Debug;

use noughts_rules::{
    Action, Cell, Event, Game, Mark, Move, Outcome, Player, Position, Rules, Seat, Status, Symbol,
    Zone,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    assert_eq!(serde_json::from_reader::<_, T>(json.as_bytes()).unwrap(), value);
}

/// Checks the bytes in a format that people don't read.
fn check_compact<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, bytes: &[u8]) {
    assert_eq!(postcard::to_stdvec(&value).unwrap(), bytes, "{value:?}");
    assert_eq!(postcard::from_bytes::<T>(bytes).unwrap(), value);
}

fn check_error<T: DeserializeOwned + Debug>(json: &str, expected: &str) {
    let error = serde_json::from_str::<T>(json).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn values_round_trip_through_json() {
    check(Seat::FIRST, "0");
    check(Seat::new(7).unwrap(), "7");
    check(Cell::new(1, 1).unwrap(), r#""B2""#);
    check(Cell::in_space(1, 1, 2).unwrap(), r#""2B3""#);
    check(Mark::new(1).unwrap(), "1");
    let ultimate: Rules = "ultimate".parse().unwrap();
    check(ultimate.zones().last().unwrap(), "8");
    check("B3=o".parse::<Move>().unwrap(), r#""B3=o""#);
    check(Move::Swap, r#""swap""#);
    check("3x3 x2/1o1/3 x".parse::<Position>().unwrap(), r#""3x3 x2/1o1/3 x""#);
    check("connect4".parse::<Rules>().unwrap(), r#""6x7:4+gravity""#);
    check("🇳🇴".parse::<Symbol>().unwrap(), r#""🇳🇴""#);
}

#[test]
fn events_and_outcomes_round_trip() {
    check(Outcome::Win(Seat::FIRST), r#"{"win":0}"#);
    check(Outcome::Draw, r#""draw""#);
    check(Player::new("Ann", "X".parse().unwrap()).unwrap(), r#"{"name":"Ann","symbol":"X"}"#);
    let text = "rules 3x3\nplayer X A\nplayer O B\nmoves A1 B1 A2 B2\nresult in progress";
    let mut game: Game = text.parse().unwrap();
    check(game.clone(), &serde_json::to_string(text).unwrap());
    let events = game.play_turn("A3".parse::<Move>().unwrap()).unwrap();
    let won = r#"{"won":{"seat":0,"cells":["A1","A2","A3"]}}"#;
    check(game.status(), won);
    check(
        events,
        &format!(
            r#"[{{"moved":{{"seat":0,"mv":"A3","mark":0}}}},{{"finished":{{"status":{won}}}}}]"#
        ),
    );
    check::<Vec<Event>>(
        game.undo().unwrap(),
        r#"[{"move_undone":{"seat":0,"mv":"A3"}},{"turn":{"seat":0,"stones":1,"board":null}}]"#,
    );
    check(Action::Resign { seat: Seat::FIRST }, r#"{"resign":{"seat":0}}"#);
    check_error::<Player>(r#"{"name":"","symbol":"X"}"#, "expected a name of 1 to 32");
    check_error::<Game>(r#""rules 3x3""#, "line 2: expected `player`");
}

#[test]
fn compact_forms_are_small() {
    check_compact(Cell::new(1, 1).unwrap(), &[33]);
    check_compact("B2".parse::<Move>().unwrap(), &[0, 33]);
    check_compact("16Z26=o".parse::<Move>().unwrap(), &[1, 0xb9, 0x7e, 1]);
    check_compact(Move::More, &[4]);
    check_compact(Status::InProgress { turn: Seat::FIRST }, &[0, 0]);
    check_compact("3x3".parse::<Rules>().unwrap(), b"\x033x3");
    // Column 31 of row 0, and a level that no board has.
    for bytes in [&[31][..], &[0x80, 0x80, 0x01]] {
        assert!(postcard::from_bytes::<Cell>(bytes).is_err());
    }
}

#[test]
fn escaped_text_is_read_too() {
    assert_eq!(serde_json::from_str::<Cell>(r#""\u00422""#).unwrap(), Cell::new(1, 1).unwrap());
}

#[test]
fn invalid_values_get_named_errors() {
    check_error::<Seat>("8", "expected a seat, 0 to 7");
    check_error::<Seat>("-1", "invalid value: integer `-1`, expected u8");
    check_error::<Mark>("8", "expected a mark, 0 to 7");
    check_error::<Zone>("25", "expected a sub-board, 0 to 24");
    check_error::<Move>(r#""B3=q""#, "expected x or o");
    check_error::<Position>(r#""3x3 3/3/3""#, "expected `RULES BOARD TURN");
    check_error::<Cell>(r#""A27""#, "box out of range");
    check_error::<Cell>("5", r#"invalid type: integer `5`, expected a box such as "B2""#);
    check_error::<Rules>(r#""3x3:4""#, "4 in a row does not fit");
    check_error::<Symbol>(r#""XO""#, "expected exactly one character");
}
