//! Swap2: how two players agree on an opening that neither thinks unfair.
//!
//! One puts three stones on the board, black, white and black. The other takes black, or takes
//! white with a fourth stone, or adds a white and a black stone and leaves the choice of colours to
//! the first.

use noughts_rules::{Cell, Position, Rules};

use crate::{Budget, Strategy, StrategyError, Value, Verdict};

/// The columns, counted from the middle, and the rows of three stones near an edge, where they
/// are worth least.
const OPENINGS: [[(i16, u8); 3]; 6] = [
    [(-3, 0), (-1, 2), (2, 0)],
    [(0, 1), (1, 0), (-2, 1)],
    [(-4, 0), (0, 1), (4, 0)],
    [(2, 1), (0, 0), (-1, 2)],
    [(-5, 1), (1, 1), (3, 0)],
    [(0, 2), (1, 1), (0, 0)],
];

/// What whoever is asked for a choice answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// To play the colour of whoever moved last.
    Swap,
    /// To play the colour that is to move, and this move.
    Stay(Cell),
}

/// Three stones to choose a colour for: of some openings, the one that the strategy thinks most
/// even.
pub(super) fn propose(
    rules: &Rules,
    strategy: &mut dyn Strategy,
    budget: &Budget,
) -> Result<[Cell; 3], StrategyError> {
    let share = budget.share(1.0 / OPENINGS.len() as f64);
    let mut best = None;
    for stones in OPENINGS.iter().filter_map(|opening| on_board(rules, opening)) {
        let mut position = Position::new(rules);
        if stones.iter().any(|&cell| position.play(cell).is_err()) {
            continue;
        }
        let verdict = strategy.choose(&position, &share)?.verdict;
        let uneven = verdict.map_or(0, |verdict| i64::from(promise(verdict)).abs());
        if best.is_none_or(|(least, _)| uneven < least) {
            best = Some((uneven, stones));
        }
    }
    // Boards that are too small for any of these have three cells all the same.
    let mut cells = rules.cells();
    let any = [cells.next(), cells.next(), cells.next()];
    let any = || Some([any[0]?, any[1]?, any[2]?]);
    best.map(|(_, stones)| stones).or_else(any).ok_or(StrategyError::GameOver)
}

/// The choice of a colour where some stones stand, black having begun.
pub(super) fn answer(
    position: &Position,
    strategy: &mut dyn Strategy,
    budget: &Budget,
) -> Result<Answer, StrategyError> {
    let choice = strategy.choose(position, budget)?;
    let promise = choice.verdict.map_or(0, promise);
    Ok(if promise < 0 { Answer::Swap } else { Answer::Stay(choice.cell) })
}

/// The position after these moves; the first that can't be made is the error.
pub(super) fn position(rules: &Rules, moves: &[Cell]) -> Result<Position, Cell> {
    let mut position = Position::new(rules);
    for &cell in moves {
        position.play(cell).map_err(|_| cell)?;
    }
    Ok(position)
}

/// Above 0 if the seat to move likes its position.
fn promise(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Estimate(score) => score,
        Verdict::Proven(Value::Win { .. }) => i32::MAX,
        Verdict::Proven(Value::Draw) => 0,
        Verdict::Proven(Value::Loss { .. }) => -i32::MAX,
    }
}

fn on_board(rules: &Rules, opening: &[(i16, u8); 3]) -> Option<[Cell; 3]> {
    let cell = |(off_middle, row): (i16, u8)| {
        let col = u8::try_from(i16::from(rules.cols() / 2) + off_middle).ok()?;
        Cell::new(row, col).filter(|_| row < rules.rows() && col < rules.cols())
    };
    Some([cell(opening[0])?, cell(opening[1])?, cell(opening[2])?])
}
