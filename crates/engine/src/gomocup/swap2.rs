//! Swap2, an opening protocol that balances the first move.
//!
//! One player places three stones: black, white, black. The other takes black, or takes white with
//! a fourth stone, or adds a white and a black stone and leaves the choice of colour to the first.

use noughts_rules::{Cell, Position, Rules};

use crate::{Budget, Strategy, StrategyError, Value, Verdict};

/// Openings near an edge, where stones are worth least. Each stone is its column, counted from the
/// middle, and its row.
const OPENINGS: [[(i16, u8); 3]; 6] = [
    [(-3, 0), (-1, 2), (2, 0)],
    [(0, 1), (1, 0), (-2, 1)],
    [(-4, 0), (0, 1), (4, 0)],
    [(2, 1), (0, 0), (-1, 2)],
    [(-5, 1), (1, 1), (3, 0)],
    [(0, 2), (1, 1), (0, 0)],
];

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
    let share = budget.share(1.0 / OPENINGS.len() as f64);
    let mut best = None;
    for stones in OPENINGS.iter().filter_map(|opening| place_opening(rules, opening)) {
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

/// The verdict as a number: positive if the seat to move is better.
fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Estimate(score) => score,
        Verdict::Proven(Value::Win { .. }) => i32::MAX,
        Verdict::Proven(Value::Draw) => 0,
        Verdict::Proven(Value::Loss { .. }) => -i32::MAX,
    }
}

/// The cells of an opening, if it fits on the board.
fn place_opening(rules: &Rules, opening: &[(i16, u8); 3]) -> Option<[Cell; 3]> {
    let cell = |(offset, row): (i16, u8)| {
        let col = u8::try_from(i16::from(rules.cols() / 2) + offset).ok()?;
        Cell::new(row, col).filter(|&cell| rules.contains(cell))
    };
    Some([cell(opening[0])?, cell(opening[1])?, cell(opening[2])?])
}
