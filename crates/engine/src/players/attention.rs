//! Which lines a player notices.
//!
//! People make mistakes because they overlook something, not because they move at random. They look
//! at rows and columns before diagonals, at stones that touch before stones with a gap, and around
//! the last move before old threats elsewhere. The levels plan with the lines that they notice.

use std::collections::HashMap;

use noughts_rules::{Action, Cell, Line, Position, Seat};
use rand::{Rng, RngExt};

/// How likely a player overlooks a line that is easy to see, by what the line lacks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attention {
    /// A line that one turn completes.
    pub(super) threat: f64,
    /// Three stones or more, but not yet a threat.
    pub(super) run: f64,
    /// Two stones.
    pub(super) pair: f64,
    /// A single stone.
    pub(super) single: f64,
}

/// What makes a line of one seat easy or hard to see.
#[derive(Debug, Clone, Copy)]
struct Sight {
    stones: usize,
    /// Whether one turn completes the line.
    is_threat: bool,
    is_own: bool,
    /// The axes along which the line runs: 1 for rows and columns, 2 for diagonals, 3 in space.
    axes: i32,
    /// Whether the line continues on the opposite edge.
    wraps: bool,
    /// Whether there is an empty cell between its stones.
    is_split: bool,
    /// The distance from an opponent's last stone, if that is known.
    distance: Option<u8>,
}

/// How many times harder a line is to see.
const PER_AXIS: f64 = 1.6;
const WRAPPED: f64 = 2.0;
const SPLIT: f64 = 1.4;
const ELSEWHERE: f64 = 1.3;
const FAR_AWAY: f64 = 1.6;
const OWN_LINE_FACTOR: f64 = 0.7;

/// Lines farther than this from the last move are far away.
const FAR_DISTANCE: u8 = 3;

impl Attention {
    /// The probability of overlooking a line.
    fn overlooks(&self, line: Sight) -> f64 {
        let easiest = match line {
            Sight { stones: 0, .. } => return 0.0,
            Sight { is_threat: true, .. } => self.threat,
            Sight { stones: 1, .. } => self.single,
            Sight { stones: 2, .. } => self.pair,
            _ => self.run,
        };
        let mut looks = PER_AXIS.powi(line.axes - 1);
        looks *= if line.wraps { WRAPPED } else { 1.0 };
        looks *= if line.is_split { SPLIT } else { 1.0 };
        looks *= if line.is_own { OWN_LINE_FACTOR } else { 1.0 };
        looks *= match line.distance {
            None | Some(0) => 1.0,
            Some(1..=FAR_DISTANCE) => ELSEWHERE,
            Some(_) => FAR_AWAY,
        };
        1.0 - (1.0 - easiest).powf(looks)
    }

    /// Whether the seat to move notices each line, in the order of the rules. Lines that overlap in
    /// one direction are noticed together.
    pub(super) fn noticed_lines(&self, position: &Position, rng: &mut impl Rng) -> Vec<bool> {
        let lines = position.rules().lines();
        let last_stones = last_stones(position);
        let mut glances: HashMap<usize, f64> = HashMap::new();
        let rays = rays(&lines);
        let noticed = lines.iter().zip(rays).map(|(line, ray)| {
            let glance: f64 = *glances.entry(ray).or_insert_with(|| rng.random());
            Sight::new(position, line, &last_stones)
                .is_none_or(|sight| glance >= self.overlooks(sight))
        });
        noticed.collect()
    }
}

impl Sight {
    /// `None` if no seat can complete the line, or nobody has begun.
    fn new(position: &Position, line: &Line, last_stones: &[Cell]) -> Option<Sight> {
        let cells = line.cells();
        let owner = |&cell: &Cell| position.mark_at(cell).and_then(|mark| position.owner(mark));
        let owners: Vec<Option<Seat>> = cells.iter().map(owner).collect();
        let first = owners.iter().position(Option::is_some)?;
        let last = owners.iter().rposition(Option::is_some)?;
        if owners.iter().flatten().any(|&seat| Some(seat) != owners[first]) {
            return None;
        }
        let stones = owners.iter().flatten().count();
        let turn = usize::from(position.rules().parts().stones_per_turn);
        let steps = || cells.windows(2).map(|pair| differences(pair[0], pair[1]));
        let axes = steps().map(|step| step.into_iter().filter(|&by| by > 0).count()).max();
        let near = last_stones.iter().flat_map(|&stone| {
            cells.iter().map(move |&cell| differences(stone, cell).into_iter().max().unwrap_or(0))
        });
        Some(Sight {
            stones,
            is_threat: cells.len() <= stones + turn,
            is_own: owners[first] == position.turn(),
            axes: axes.unwrap_or(1).max(1) as i32,
            wraps: steps().flatten().any(|by| by > 1),
            is_split: last - first + 1 > stones,
            distance: near.min(),
        })
    }
}

/// The distance of two cells along each axis.
fn differences(one: Cell, other: Cell) -> [u8; 3] {
    [
        one.level().abs_diff(other.level()),
        one.row().abs_diff(other.row()),
        one.col().abs_diff(other.col()),
    ]
}

/// The last stones of the other seats.
fn last_stones(position: &Position) -> Vec<Cell> {
    let opponents = position.rules().players() - 1;
    let stones = usize::from(position.rules().parts().stones_per_turn);
    let actions: Vec<Action> = position.history().collect();
    let last = actions.into_iter().rev().take(opponents * stones);
    last.filter_map(Action::cell).collect()
}

/// A number for each line; lines that share two neighbouring cells have the same.
fn rays(lines: &[Line]) -> Vec<usize> {
    let mut ray_of_pair: HashMap<[Cell; 2], usize> = HashMap::new();
    let ray = |(number, line): (usize, &Line)| {
        let pairs = || line.cells().windows(2).map(|pair| [pair[0], pair[1]]);
        let ray = pairs().find_map(|pair| ray_of_pair.get(&pair).copied()).unwrap_or(number);
        for pair in pairs() {
            ray_of_pair.insert(pair, ray);
        }
        ray
    };
    lines.iter().enumerate().map(ray).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;

    const ATTENTION: Attention = Attention { threat: 0.1, run: 0.2, pair: 0.4, single: 0.6 };

    /// How often the line of these cells is overlooked, out of 1000.
    fn overlooked(text: &str, cells: [&str; 2]) -> usize {
        let position: Position = text.parse().unwrap();
        let ends = cells.map(|cell| Some(cell.parse::<Cell>().unwrap()));
        let lines = position.rules().lines();
        let is_wanted = |line: &Line| {
            let ends_of_line = [line.cells().first().copied(), line.cells().last().copied()];
            ends_of_line == ends
        };
        let line = lines.iter().position(is_wanted).unwrap();
        let overlooks = |seed: &u64| {
            let mut rng = SmallRng::seed_from_u64(*seed);
            !ATTENTION.noticed_lines(&position, &mut rng)[line]
        };
        (0..1000).filter(overlooks).count()
    }

    #[test]
    fn diagonals_and_gaps_are_harder_to_see() {
        let row = overlooked("5x5:4 ooo2/5/5/5/xxx2 x", ["E1", "E4"]);
        let opponents_row = overlooked("5x5:4 ooo2/5/5/x4/xx3 x", ["A1", "A4"]);
        let split = overlooked("5x5:4 oo1o1/5/5/x4/xx3 x", ["A1", "A4"]);
        let diagonal = overlooked("5x5:4 o4/1o3/2o2/x4/xx3 x", ["A1", "D4"]);
        assert!((50..95).contains(&row), "{row}");
        assert!((80..120).contains(&opponents_row), "{opponents_row}");
        assert!(opponents_row < split && split < diagonal, "{split}, {diagonal}");
        assert!(diagonal < 200, "{diagonal}");
    }

    #[test]
    fn old_threats_are_harder_to_see_than_new_ones() {
        let mut position = Position::new(&"9x9:5".parse().unwrap());
        for cell in ["A1", "I1", "A2", "I2", "A3", "I4", "E9"] {
            position.play(cell.parse::<Cell>().unwrap()).unwrap();
        }
        let last_stones = last_stones(&position);
        let overlooks = |number: usize| {
            let line = &position.rules().lines()[number];
            ATTENTION.overlooks(Sight::new(&position, line, &last_stones).unwrap())
        };
        let lines = position.rules().lines();
        let starting_at = |cell: &str| {
            let cell: Cell = cell.parse().unwrap();
            let in_row =
                |line: &Line| line.cells()[0] == cell && line.cells()[4].row() == cell.row();
            lines.iter().position(in_row).unwrap()
        };
        assert!(overlooks(starting_at("A1")) > ATTENTION.run);
    }

    #[test]
    fn overlapping_lines_are_noticed_together() {
        let rules: noughts_rules::Rules = "1x7:4".parse().unwrap();
        assert_eq!(rays(&rules.lines()), [0; 4]);
        let rules: noughts_rules::Rules = "3x3".parse().unwrap();
        let distinct: std::collections::HashSet<usize> = rays(&rules.lines()).into_iter().collect();
        assert_eq!(distinct.len(), 8);
    }
}
