//! A variant of your own: rules are values, put together from parts or written as text.
//!
//! `cargo run -p noughts-rules --example variant`

use std::error::Error;

use noughts_rules::{Cell, Goal, Outcome, Position, Rules, RulesParts, perft};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // The four corners are a line too.
    let corners = ["A1", "A3", "C1", "C3"].map(|cell| cell.parse::<Cell>());
    let corners: Vec<Cell> = corners.into_iter().collect::<Result<_, _>>()?;
    let lines =
        Rules::classic().lines().iter().map(|line| line.cells().to_vec()).collect::<Vec<_>>();
    let rules = RulesParts::grid(3, 3).lines(lines.into_iter().chain([corners])).build()?;
    println!("{rules}");

    let mut position = Position::new(&rules);
    for cell in ["A1", "A2", "C3", "B1", "A3", "C2"] {
        position.play(rules.parse_move(cell)?)?;
    }
    let outcome = position.play(rules.parse_move("C1")?)?;
    assert!(matches!(outcome, Some(Outcome::Win(_))));
    println!("{position}: {outcome:?}");

    // Rules read back from their text, and options combine.
    assert_eq!(rules.to_string().parse::<Rules>()?, rules);
    let misere = RulesParts::grid(3, 3).goal(Goal::Avoid).wrap(true).build()?;
    assert_eq!(misere, "3x3+misere+wrap".parse()?);

    let games = perft::nodes(&mut Position::new(&rules), 5);
    println!(
        "{games} positions after 5 moves, {} with three in a row alone",
        perft::nodes(&mut Position::new(&Rules::classic()), 5)
    );

    // What makes no sense together is refused with a reason.
    let refused = RulesParts::grid(3, 3).goal(Goal::Avoid).players(3).build();
    println!("{}", refused.err().ok_or("misère is for two players")?);
    Ok(())
}
