//! Runs the examples.

#[path = "../examples/levels.rs"]
mod levels;
#[path = "../examples/puzzles.rs"]
#[allow(dead_code)]
mod puzzles;
#[path = "../examples/solve.rs"]
#[allow(dead_code)]
mod solve;
#[path = "../examples/strategy.rs"]
mod strategy;

#[test]
fn own_strategy_plays_a_tournament() {
    strategy::main().unwrap();
}

#[test]
fn levels_are_measured() {
    for rules in ["3x3", "3x3:3+3p"] {
        levels::run(rules, 2).unwrap();
    }
    assert!(levels::run("3x3:4", 2).is_err());
}

#[test]
fn games_are_solved() {
    for rules in ["3x3", "3x3+wild", "4x4:3"] {
        solve::run(rules).unwrap();
    }
    assert!(solve::run("3x3:4").is_err());
}

#[test]
fn puzzles_are_found() {
    puzzles::run("4x4", 2).unwrap();
}
