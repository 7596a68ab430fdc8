//! The solver against published values.

use noughts_engine::{Budget, SolveError, Value, solve_game};
use noughts_rules::{Position, Seat};

use crate::start;

/// Checks the value, and that the principal variation is as long as it says.
fn check(text: &str, value: Value) {
    let solution = solve_game(&start(text), &Budget::unlimited()).unwrap();
    assert_eq!(solution.value, Some(value), "{text}");
    if let Some(plies) = value.plies() {
        assert_eq!(solution.pv.len(), usize::from(plies), "{text}");
    }
}

#[test]
fn wild_is_won_in_seven() {
    check("3x3+wild", Value::Win { plies: 7 });
}

/// Plambeck and Whitehead, "The secrets of notakto" (2013).
#[test]
fn notakto_depends_on_boards() {
    for (text, first_wins) in [("3x3+notakto", true), ("3x3+notakto+2b", false)] {
        let solution = solve_game(&start(text), &Budget::unlimited()).unwrap();
        assert_eq!(matches!(solution.value, Some(Value::Win { .. })), first_wins, "{text}");
        assert_ne!(solution.value, Some(Value::Draw), "{text}");
    }
}

/// Golomb and Hales (2002) for 3x3x3.
#[test]
fn line_games_have_published_values() {
    check("3x3", Value::Draw);
    check("3x3+misere", Value::Draw);
    check("4x4:3", Value::Win { plies: 5 });
    check("3x3x3", Value::Win { plies: 7 });
}

/// The value by iteration over all positions, as `reference::values_with_repetition` does it.
#[test]
fn fade_is_won_in_thirteen() {
    check("3x3+fade3", Value::Win { plies: 13 });
}

#[test]
fn solver_keeps_to_its_budget() {
    for text in ["ultimate", "3x3+fade3", "6x6:5+order"] {
        let budget = Budget::unlimited().with_nodes(1_000);
        let solution = solve_game(&start(text), &budget).unwrap();
        assert_eq!((solution.value, solution.nodes), (None, 1_000), "{text}");
        assert_eq!(solution.pv, [], "{text}");
    }
}

#[test]
fn only_ongoing_games_of_two_are_solved() {
    let budget = Budget::unlimited();
    let error = solve_game(&start("3x3+3p"), &budget).unwrap_err();
    assert_eq!(error, SolveError::ManySeats { seats: 3 });
    let over: Position = "3x3 xxx/oo1/3 -".parse().unwrap();
    assert_eq!(solve_game(&over, &budget).unwrap_err(), SolveError::GameOver);
}

#[test]
fn two_of_three_seats_are_solved() {
    let mut position = start("3x3+3p");
    position.resign(Seat::new(1).unwrap()).unwrap();
    let solution = solve_game(&position, &Budget::unlimited()).unwrap();
    assert_eq!(solution.value, Some(Value::Draw));
}
