//! Runs the examples.

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
fn games_are_solved() {
    for rules in ["3x3", "3x3+wild", "4x4:3"] {
        solve::run(rules).unwrap();
    }
    assert!(solve::run("3x3:4").is_err());
}
