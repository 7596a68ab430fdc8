//! The RIF's definitions word by word, slow and without a line of the code they check: rows, fours
//! and threes are sets of stones.

use std::collections::BTreeSet;

use super::super::{Forbidden, Verdict};

type Cells = [Vec<char>];
type Cell = (i32, i32);
type Stones = BTreeSet<Cell>;

const DIRECTIONS: [Cell; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// What playing an empty cell comes to for Black.
pub(super) fn verdict(cells: &Cells, row: u8, col: u8) -> Verdict {
    let (row, col) = (i32::from(row), i32::from(col));
    let cells = with_stone(cells, (row, col));
    let rows = DIRECTIONS.map(|direction| unbroken_row(&cells, (row, col), direction));
    if rows.iter().any(is_five) {
        Verdict::Five
    } else if rows.iter().any(|row| row.len() >= 6) {
        Verdict::Forbidden(Forbidden::Overline)
    } else if fours(&cells, (row, col)).len() >= 2 {
        Verdict::Forbidden(Forbidden::DoubleFour)
    } else if threes(&cells, (row, col)).len() >= 2 {
        Verdict::Forbidden(Forbidden::DoubleThree)
    } else {
        Verdict::Allowed
    }
}

fn at(cells: &Cells, (row, col): Cell) -> char {
    let row = usize::try_from(row).ok().and_then(|row| cells.get(row));
    row.and_then(|row| row.get(usize::try_from(col).ok()?)).copied().unwrap_or('w')
}

fn is_empty(cells: &Cells, cell: Cell) -> bool {
    !matches!(at(cells, cell), 'x' | 'w')
}

fn with_stone(cells: &Cells, (row, col): Cell) -> Vec<Vec<char>> {
    let mut cells = cells.to_vec();
    cells[row as usize][col as usize] = 'x';
    cells
}

/// The nearest cells to either side of a cell, that cell included: as many as two fives need.
fn around((row, col): Cell, (down, right): Cell) -> impl Iterator<Item = Cell> {
    (-5..=5).map(move |n| (row + n * down, col + n * right))
}

/// "A row where between just any stones there is no free intersection", at its full length.
fn unbroken_row(cells: &Cells, (row, col): Cell, (down, right): Cell) -> Stones {
    let walk = |sign: i32| {
        (0..)
            .map(move |n| (row + sign * n * down, col + sign * n * right))
            .take_while(|&cell| at(cells, cell) == 'x')
    };
    walk(1).chain(walk(-1)).collect()
}

/// "An unbroken row with five stones."
fn is_five(row: &Stones) -> bool {
    row.len() == 5
}

/// "A row with four stones to which you can add one more stone to attain five in a row", together
/// with the cells for that stone, for every row that meets a stone.
fn fours_in(cells: &Cells, stone: Cell, direction: Cell) -> Vec<(Stones, Vec<Cell>)> {
    let mut fours: Vec<(Stones, Vec<Cell>)> = Vec::new();
    for added in around(stone, direction).filter(|&cell| is_empty(cells, cell)) {
        let mut row = unbroken_row(&with_stone(cells, added), added, direction);
        if is_five(&row) && row.contains(&stone) {
            row.remove(&added);
            match fours.iter_mut().find(|(four, _)| *four == row) {
                Some((_, ways)) => ways.push(added),
                None => fours.push((row, vec![added])),
            }
        }
    }
    fours
}

fn fours(cells: &Cells, stone: Cell) -> Vec<Stones> {
    let fours = DIRECTIONS.iter().flat_map(|&direction| fours_in(cells, stone, direction));
    fours.map(|(four, _)| four).collect()
}

/// "An unbroken row of four stones to which you, in two different ways, can add one more stone to
/// attain five in a row", for every such row that meets a stone.
fn straight_fours_in(cells: &Cells, stone: Cell, direction: Cell) -> Vec<Stones> {
    let fours = fours_in(cells, stone, direction).into_iter();
    let is_straight = |(four, ways): &(Stones, Vec<Cell>)| {
        ways.len() == 2 && *four == unbroken_row(cells, stone, direction)
    };
    fours.filter(is_straight).map(|(four, _)| four).collect()
}

/// "A row with three stones to which you, without at the same time a five in a row is made, can add
/// one more stone to attain a straight four", unless rule 9.3 says that this stone is not allowed.
fn threes(cells: &Cells, stone: Cell) -> BTreeSet<Stones> {
    let mut threes = BTreeSet::new();
    for direction in DIRECTIONS {
        for added in around(stone, direction).filter(|&cell| is_empty(cells, cell)) {
            for mut four in straight_fours_in(&with_stone(cells, added), stone, direction) {
                if four.remove(&added)
                    && verdict(cells, added.0 as u8, added.1 as u8) == Verdict::Allowed
                {
                    threes.insert(four);
                }
            }
        }
    }
    threes
}
