//! Runs the example.

#[path = "../examples/scoreboard.rs"]
mod scoreboard;

#[test]
fn scoreboard_counts_games() {
    scoreboard::main().unwrap();
}
