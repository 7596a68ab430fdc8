//! Counts of games that are more than a line game: positions as bytes with all that decides how they
//! go on.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::{Counts, Node, Perft, PerftError};
use crate::{Mark, OpeningStage, Outcome, Position, PositionParts, Rules, Seat};

/// A byte for each cell, one for the age of its mark, then the turn, the stones left, the opening
/// stage and whether the marks are swapped.
type Snapshot = Box<[u8]>;

/// Marks the cells of the board to play.
const TO_PLAY: u8 = 0x80;

const STAGES: [OpeningStage; 5] = [
    OpeningStage::Done,
    OpeningStage::Place,
    OpeningStage::Choose,
    OpeningStage::PlaceMore,
    OpeningStage::ChooseLast,
];

pub(super) fn count(
    rules: &Rules,
    depth: Option<usize>,
    max_positions: usize,
) -> Result<Perft, PerftError> {
    let symmetries: Vec<Vec<usize>> = rules.symmetries().skip(1).collect();
    let mut by_depth = Vec::new();
    let mut layer: HashMap<Snapshot, Node, FixedState> = HashMap::default();
    layer.insert(take(&Position::new(rules)), Node { paths: 1, outcome: None });
    while !layer.is_empty() {
        let ply = by_depth.len();
        by_depth.push(counts(rules, &symmetries, &layer));
        if depth == Some(ply) {
            break;
        }
        let too_large = PerftError::TooLarge { depth: ply + 1, max_positions };
        layer = next_layer(rules, &symmetries, layer, max_positions).ok_or(too_large)?;
    }
    Ok(Perft { by_depth })
}

fn counts(
    rules: &Rules,
    symmetries: &[Vec<usize>],
    layer: &HashMap<Snapshot, Node, FixedState>,
) -> Counts {
    let mut counts = Counts { wins: vec![0; rules.players()], ..Counts::default() };
    for (snapshot, node) in layer {
        let mut orbit: Vec<Snapshot> = images(snapshot, symmetries).collect();
        orbit.push(snapshot.clone());
        orbit.sort_unstable();
        orbit.dedup();
        counts.positions += orbit.len() as u128;
        counts.up_to_symmetry += 1;
        counts.add(node);
    }
    counts
}

fn next_layer(
    rules: &Rules,
    symmetries: &[Vec<usize>],
    layer: HashMap<Snapshot, Node, FixedState>,
    max_positions: usize,
) -> Option<HashMap<Snapshot, Node, FixedState>> {
    let mut next: HashMap<Snapshot, Node, FixedState> = HashMap::default();
    for (snapshot, node) in layer {
        if node.outcome.is_some() {
            continue;
        }
        let mut position = restore(rules, &snapshot)?;
        let mut moves = position.move_cursor();
        while let Some(mv) = moves.next(&position) {
            let outcome = position.play(mv).expect("a legal move");
            let child = canonical(take(&position), symmetries);
            position.undo().expect("a move was made");
            let known = next.entry(child).or_insert(Node { paths: 0, outcome });
            known.paths = known.paths.checked_add(node.paths)?;
        }
        if next.len() > max_positions {
            return None;
        }
    }
    Some(next)
}

fn take(position: &Position) -> Snapshot {
    let parts = PositionParts::of(position);
    let rules = &parts.rules;
    let mut bytes = vec![0; 2 * rules.cell_count()];
    let (cells, ages) = bytes.split_at_mut(rules.cell_count());
    for ((cell, mark), byte) in rules.cells().zip(&parts.board).zip(&mut *cells) {
        *byte = mark.map_or(0, |mark| mark.index() as u8 + 1);
        if parts.board_to_play.is_some() && rules.zone(cell) == parts.board_to_play {
            *byte |= TO_PLAY;
        }
    }
    for (cell, age) in parts.fade_order.iter().flat_map(|queue| queue.iter().zip(1..)) {
        if let Some(index) = rules.cell_index(*cell) {
            ages[index] = age;
        }
    }
    let stage = STAGES.iter().position(|&stage| stage == parts.opening_stage).unwrap_or(0);
    // Finished games with the same board may differ in who won.
    let turn = match (position.turn(), position.outcome()) {
        (Some(turn), _) => turn.index() as u8,
        (None, Some(Outcome::Win(winner))) => 0x10 | winner.index() as u8,
        (None, _) => 0x20,
    };
    bytes.extend([turn, position.stones_left(), stage as u8, parts.swapped.into()]);
    bytes.into()
}

/// The position of a game that is not over.
fn restore(rules: &Rules, snapshot: &[u8]) -> Option<Position> {
    let (cells, rest) = snapshot.split_at(rules.cell_count());
    let (ages, rest) = rest.split_at(rules.cell_count());
    let &[turn, stones_left, stage, swapped] = rest else { return None };
    let mut parts = PositionParts::new(rules);
    parts.board = cells.iter().map(|byte| Mark::new((byte & !TO_PLAY).checked_sub(1)?)).collect();
    let first_to_play = cells.iter().position(|byte| byte & TO_PLAY != 0);
    parts.board_to_play = first_to_play.and_then(|index| rules.zone(rules.cell_at(index)?));
    for queue in &mut parts.fade_order {
        queue.clear();
    }
    let mut aged: Vec<(u8, usize)> = ages.iter().copied().zip(0..).collect();
    aged.sort_unstable();
    for (_, index) in aged.into_iter().filter(|(age, _)| *age > 0) {
        let mark = parts.board[index]?;
        parts.fade_order.get_mut(mark.index())?.push(rules.cell_at(index)?);
    }
    parts.turn = Seat::new(turn);
    parts.stones_left = Some(stones_left);
    parts.opening_stage = *STAGES.get(usize::from(stage))?;
    parts.swapped = swapped != 0;
    parts.build().ok()
}

fn images<'a>(
    snapshot: &'a [u8],
    symmetries: &'a [Vec<usize>],
) -> impl Iterator<Item = Snapshot> + 'a {
    symmetries.iter().map(move |symmetry| {
        let cells = symmetry.len();
        let mut image: Snapshot = snapshot.into();
        for (from, &to) in symmetry.iter().enumerate() {
            image[to] = snapshot[from];
            image[cells + to] = snapshot[cells + from];
        }
        image
    })
}

/// The least of the images.
fn canonical(snapshot: Snapshot, symmetries: &[Vec<usize>]) -> Snapshot {
    images(&snapshot, symmetries)
        .min()
        .map_or_else(|| snapshot.clone(), |image| image.min(snapshot.clone()))
}
