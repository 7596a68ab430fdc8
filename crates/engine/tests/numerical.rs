//! The example of a game of your own, numerical tic-tac-toe. The first player wins: Markowsky,
//! "Numerical tic-tac-toe", Journal of Recreational Mathematics 22 (1990).

#[path = "../examples/numerical/main.rs"]
mod example;

#[test]
fn example_runs() {
    example::main().unwrap();
}

#[test]
fn game_takes_less_than_sixty_lines() {
    let game = include_str!("../examples/numerical/game.rs");
    assert!(game.lines().count() < 60, "{}", game.lines().count());
}
