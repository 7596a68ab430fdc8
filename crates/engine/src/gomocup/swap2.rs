//! Swap2, an opening protocol that balances the first move.
//!
//! One player places three stones: black, white, black. The other takes black, or takes white with
//! a fourth stone, or adds a white and a black stone and leaves the choice of colour to the first.

use noughts_rules::{Cell, Position, Rules};

use crate::opening::{openings, score};
use crate::{Budget, Strategy, StrategyError};

/// A choice of colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColourChoice {
    /// Take the colour that moved last.
    Swap,
    /// Take the colour to move, and play this cell.
    Stay(Cell),
}

/// The opening whose evaluation by the strategy is closest to even.
pub(super) fn propose_opening(
    rules: &Rules,
    strategy: &mut dyn Strategy,
    budget: &Budget,
) -> Result<[Cell; 3], StrategyError> {
    let openings: Vec<[Cell; 3]> = openings(rules).collect();
    let share = budget.share(1.0 / openings.len().max(1) as f64);
    let mut best = None;
    for stones in openings {
        let Ok(position) = play_opening(rules, &stones) else { continue };
        let verdict = strategy.choose(&position, &share)?.verdict;
        let imbalance = verdict.map_or(0, |verdict| i64::from(score(verdict)).abs());
        if best.is_none_or(|(least, _)| imbalance < least) {
            best = Some((imbalance, stones));
        }
    }
    // No opening fits on very small boards, but three cells always do.
    let mut cells = rules.cells();
    let first_cells = [cells.next(), cells.next(), cells.next()];
    let first_cells = || Some([first_cells[0]?, first_cells[1]?, first_cells[2]?]);
    best.map(|(_, stones)| stones).or_else(first_cells).ok_or(StrategyError::GameOver)
}

/// The strategy's choice of colour in a position of the opening.
pub(super) fn choose_colour(
    position: &Position,
    strategy: &mut dyn Strategy,
    budget: &Budget,
) -> Result<ColourChoice, StrategyError> {
    let choice = strategy.choose(position, budget)?;
    let is_worse = choice.verdict.is_some_and(|verdict| score(verdict) < 0);
    Ok(match choice.mv.cell() {
        Some(cell) if !is_worse => ColourChoice::Stay(cell),
        _ => ColourChoice::Swap,
    })
}

/// The position after the stones of an opening. Fails with the first cell that can't be played.
pub(super) fn play_opening(rules: &Rules, stones: &[Cell]) -> Result<Position, Cell> {
    let mut position = Position::new(rules);
    for &cell in stones {
        position.play(cell).map_err(|_| cell)?;
    }
    Ok(position)
}
