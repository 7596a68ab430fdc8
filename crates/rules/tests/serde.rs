//! The optional Serde forms, in JSON.

use std::fmt::Debug;

use noughts_rules::{Cell, Mark, Move, Position, Rules, Seat, Symbol, Zone};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    assert_eq!(serde_json::from_reader::<_, T>(json.as_bytes()).unwrap(), value);
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
fn escaped_text_is_read_too() {
    assert_eq!(serde_json::from_str::<Cell>(r#""\u00422""#).unwrap(), Cell::new(1, 1).unwrap());
}

#[test]
fn invalid_values_get_named_errors() {
    check_error::<Seat>("8", "expected a seat, 0 to 7");
    check_error::<Seat>("-1", "invalid value: integer `-1`, expected u8");
    check_error::<Mark>("8", "expected a mark, 0 to 7");
    check_error::<Zone>("25", "expected a sub-board, 0 to 24");
    check_error::<Move>(r#""B3=q""#, "expected a box");
    check_error::<Position>(r#""3x3 3/3/3""#, "expected `RULES BOARD TURN");
    check_error::<Cell>(r#""A27""#, "box out of range");
    check_error::<Cell>("5", r#"invalid type: integer `5`, expected a box such as "B2""#);
    check_error::<Rules>(r#""3x3:4""#, "4 in a row does not fit");
    check_error::<Symbol>(r#""XO""#, "expected exactly one character");
}
