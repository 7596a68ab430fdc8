//! Evaluation of ultimate: won boards, open lines of boards, and lines in the open boards.

use noughts_rules::{Cell, Mark, Position, Rules, RulesParts, Shape, Zone};

use super::line_tallies::line_value;

pub(super) struct UltimateEvaluation {
    /// The lines of boards, by zone index.
    outer: Vec<Vec<usize>>,
    /// The lines in each board, by zone index and cell.
    inner: Vec<Vec<Vec<Cell>>>,
    zones: Vec<Zone>,
    /// -1 where three boards in a row lose.
    sign: i32,
}

/// A line of boards is worth this many times a line in a board.
const OUTER_WEIGHT: i32 = 8;

/// The value of moving next and being free to choose the board.
const FREE_CHOICE: i32 = 60;

/// Who holds a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Own,
    Other,
    Open,
    Nobody,
}

impl UltimateEvaluation {
    /// `None` for other games.
    pub(super) fn new(rules: &Rules) -> Option<UltimateEvaluation> {
        let Shape::Nested { rows, cols } = rules.shape() else { return None };
        let grid = RulesParts::grid(rows, cols).k(rules.k()).build().ok()?;
        let outer = grid
            .lines()
            .into_iter()
            .map(|line| line.cells().iter().filter_map(|&cell| grid.cell_index(cell)).collect());
        let zones: Vec<Zone> = rules.zones().collect();
        let mut inner = vec![Vec::new(); zones.len()];
        for line in rules.lines() {
            let zone = line.cells().first().and_then(|&cell| rules.zone(cell))?;
            inner[zone.index()].push(line.cells().to_vec());
        }
        let sign = if rules.misere() { -1 } else { 1 };
        Some(UltimateEvaluation { outer: outer.collect(), inner, zones, sign })
    }

    /// The score for the seat to move.
    pub(super) fn evaluate(&self, position: &Position) -> i32 {
        let Some(own) = position.turn().and_then(|turn| position.mark_of(turn)) else { return 0 };
        let holders: Vec<Holder> =
            self.zones.iter().map(|&zone| holder(position, zone, own)).collect();
        let mut score = if position.board_to_play().is_none() { FREE_CHOICE } else { 0 };
        // How many lines of boards need each open board.
        let mut importance = vec![0; self.zones.len()];
        for line in &self.outer {
            let count = |holder| line.iter().filter(|&&zone| holders[zone] == holder).count();
            if count(Holder::Nobody) > 0 || (count(Holder::Own) > 0 && count(Holder::Other) > 0) {
                continue;
            }
            score += OUTER_WEIGHT * line_value(line.len(), count(Holder::Own));
            score -= OUTER_WEIGHT * line_value(line.len(), count(Holder::Other));
            line.iter().for_each(|&zone| importance[zone] += 1);
        }
        for (zone, lines) in self.inner.iter().enumerate() {
            if holders[zone] == Holder::Open {
                let sum: i32 = lines.iter().map(|line| inner_value(position, line, own)).sum();
                score += importance[zone] * sum / 4;
            }
        }
        self.sign * score
    }
}

fn holder(position: &Position, zone: Zone, own: Mark) -> Holder {
    match position.zone_winner(zone) {
        Some(mark) if mark == own => Holder::Own,
        Some(_) => Holder::Other,
        None if position.is_closed(zone) => Holder::Nobody,
        None => Holder::Open,
    }
}

/// The value of a line in a board: positive for the own mark, 0 if both have stones in it.
fn inner_value(position: &Position, line: &[Cell], own: Mark) -> i32 {
    let (mut mine, mut others) = (0, 0);
    for &cell in line {
        match position.mark_at(cell) {
            Some(mark) if mark == own => mine += 1,
            Some(_) => others += 1,
            None => {}
        }
    }
    match (mine, others) {
        (stones, 0) => line_value(line.len(), stones),
        (0, stones) => -line_value(line.len(), stones),
        _ => 0,
    }
}
