//! Perft: counts of nodes, positions and games, to check the rules against published numbers.
//!
//! The count goes ply by ply over distinct positions up to symmetry, each with its number of paths,
//! so the 36 trillion nodes of 4x4 take as long as its million positions.
//!
//! ```
//! use noughts_rules::{Rules, perft};
//!
//! let counts = perft::count(&Rules::classic(), None, 10_000)?;
//! assert_eq!(counts.total().games, 255_168);
//! assert_eq!(counts.total().positions, 5_478);
//! # Ok::<(), perft::PerftError>(())
//! ```
//!
//! [`nodes`] walks the tree of any [`State`], of this family or of your own.

mod boards;
mod snapshot;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::FixedState;

use crate::layout::Path;
use crate::{Mark, Outcome, Position, Rules, Seat, State};
use boards::{BoardEncoding, ByteBoards, PackedBoards};

/// The counts at one depth, or of a whole game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes of the game tree: paths from the start.
    pub nodes: u128,
    /// Distinct positions.
    pub positions: u128,
    /// Distinct positions up to rotation and reflection.
    pub up_to_symmetry: u128,
    /// Games that end here.
    pub games: u128,
    /// Games won by each seat.
    pub wins: Vec<u128>,
    /// Games drawn.
    pub draws: u128,
}

/// The counts of a game by depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Perft {
    by_depth: Vec<Counts>,
}

/// Why a game is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PerftError {
    /// One depth has too many positions.
    #[error(
        "more than {max_positions} positions after {depth} moves: choose a smaller board or depth"
    )]
    TooLarge {
        /// The depth with too many positions.
        depth: usize,
        /// The maximum number of positions at one depth, up to symmetry.
        max_positions: usize,
    },
    /// Positions repeat, so paths to the same position can end differently.
    #[error("positions of these rules can repeat: choose a depth of at most {max_depth}")]
    Repeats {
        /// The largest depth without a draw by repetition.
        max_depth: usize,
    },
}

/// The number of paths of exactly this many moves.
///
/// ```
/// use noughts_rules::{Position, Rules, perft};
///
/// assert_eq!(perft::nodes(&mut Position::new(&"ultimate".parse::<Rules>()?), 3), 6_336);
/// # Ok::<(), noughts_rules::ParseRulesError>(())
/// ```
pub fn nodes<S: State>(state: &mut S, depth: usize) -> u64 {
    match depth {
        0 => 1,
        1 => state.move_count() as u64,
        _ => {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let mut count = 0;
            for mv in moves {
                state.play(mv).expect("a legal move");
                count += nodes(state, depth - 1);
                state.undo();
            }
            count
        }
    }
}

impl Counts {
    /// Counts the paths to a node.
    fn add(&mut self, node: &Node) {
        self.nodes += node.paths;
        match node.outcome {
            None => return,
            Some(Outcome::Win(seat)) => self.wins[seat.index()] += node.paths,
            Some(Outcome::Draw) => self.draws += node.paths,
        }
        self.games += node.paths;
    }
}

impl Perft {
    /// The counts by depth, from 0.
    #[must_use]
    pub fn by_depth(&self) -> &[Counts] {
        &self.by_depth
    }

    /// The sum over all depths.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for counts in &self.by_depth {
            total.nodes += counts.nodes;
            total.positions += counts.positions;
            total.up_to_symmetry += counts.up_to_symmetry;
            total.games += counts.games;
            total.draws += counts.draws;
            total.wins.resize(counts.wins.len(), 0);
            total.wins.iter_mut().zip(&counts.wins).for_each(|(sum, wins)| *sum += wins);
        }
        total
    }
}

/// Counts all games of these rules, down to a depth if one is given. Fails if one depth has more
/// than `max_positions` positions up to symmetry, which bounds the memory.
pub fn count(
    rules: &Rules,
    depth: Option<usize>,
    max_positions: usize,
) -> Result<Perft, PerftError> {
    if let Some(marks) = rules.parts().fade {
        // A cycle replaces all marks of both seats, and the third occurrence needs two cycles.
        let max_depth = 3 * rules.players() * usize::from(marks) - 1;
        if depth.is_none_or(|depth| depth > max_depth) {
            return Err(PerftError::Repeats { max_depth });
        }
    }
    if rules.layout().path() == Path::General {
        return snapshot::count(rules, depth, max_positions);
    }
    match PackedBoards::new(rules) {
        Some(boards) => Counter::new(rules, boards).run(depth, max_positions),
        None => Counter::new(rules, ByteBoards::new(rules)).run(depth, max_positions),
    }
}

/// The canonical boards at one depth.
type Layer<B> = HashMap<B, Node, FixedState>;

struct Node {
    /// The number of paths to the board and its images.
    paths: u128,
    outcome: Option<Outcome>,
}

struct Counter<'a, B: BoardEncoding> {
    rules: &'a Rules,
    boards: B,
    position: Position,
}

impl<'a, B: BoardEncoding> Counter<'a, B> {
    fn new(rules: &'a Rules, boards: B) -> Self {
        Counter { rules, boards, position: Position::new(rules) }
    }

    fn run(mut self, depth: Option<usize>, max_positions: usize) -> Result<Perft, PerftError> {
        let mut by_depth = Vec::new();
        let mut layer = Layer::default();
        layer.insert(self.boards.empty(), Node { paths: 1, outcome: None });
        while !layer.is_empty() {
            let ply = by_depth.len();
            by_depth.push(self.counts(&layer));
            if depth == Some(ply) {
                break;
            }
            let turn = Seat::from_index((ply % self.rules.players()) as u8);
            let next = self.next_layer(layer, turn, max_positions);
            layer = next.ok_or(PerftError::TooLarge { depth: ply + 1, max_positions })?;
        }
        Ok(Perft { by_depth })
    }

    fn counts(&self, layer: &Layer<B::Board>) -> Counts {
        let mut counts = Counts { wins: vec![0; self.rules.players()], ..Counts::default() };
        for (board, node) in layer {
            counts.positions += self.boards.orbit_size(board) as u128;
            counts.up_to_symmetry += 1;
            counts.add(node);
        }
        counts
    }

    /// The layer after one more move, or `None` if it is too large.
    fn next_layer(
        &mut self,
        layer: Layer<B::Board>,
        turn: Seat,
        max_positions: usize,
    ) -> Option<Layer<B::Board>> {
        let mut next = Layer::default();
        let mark = Mark::from_index(turn.index() as u8);
        for (board, node) in layer {
            if node.outcome.is_some() {
                continue;
            }
            self.position.set_up(turn, self.boards.stones(&board));
            let mut moves = self.position.move_cursor();
            while let Some(mv) = moves.next(&self.position) {
                let outcome = self.position.play(mv).expect("a legal move");
                self.position.undo().expect("a move was made");
                let Some(cell) = mv.cell() else { continue };
                let child = self.boards.canonical(&self.boards.place(&board, cell, mark));
                match next.entry(child) {
                    Entry::Occupied(mut known) => {
                        let paths = &mut known.get_mut().paths;
                        *paths = paths.checked_add(node.paths)?;
                    }
                    Entry::Vacant(new) => {
                        new.insert(Node { paths: node.paths, outcome });
                    }
                }
            }
            if next.len() > max_positions {
                return None;
            }
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes and games by depth, from a plain walk of the game tree.
    fn count_tree(position: &mut Position, depth: usize, counts: &mut Vec<(u128, u128)>) {
        if counts.len() == depth {
            counts.push((0, 0));
        }
        counts[depth].0 += 1;
        counts[depth].1 += u128::from(position.outcome().is_some());
        let mut moves = position.move_cursor();
        while let Some(cell) = moves.next(position) {
            position.play(cell).unwrap();
            count_tree(position, depth + 1, counts);
            position.undo().unwrap();
        }
    }

    #[test]
    fn counts_match_the_game_tree() {
        for text in [
            "3x3",
            "2x4:2",
            "2x3:3",
            "3x3+misere",
            "3x3+gravity",
            "3x3+wrap",
            "2x4:2+exact+3p",
            "4x2:3+wrap+gravity",
            "1x8:3+8p",
        ] {
            let rules: Rules = text.parse().unwrap();
            let mut expected = Vec::new();
            count_tree(&mut Position::new(&rules), 0, &mut expected);
            let counted = |perft: Perft| -> Vec<_> {
                perft.by_depth.iter().map(|counts| (counts.nodes, counts.games)).collect()
            };
            assert_eq!(counted(count(&rules, None, 100_000).unwrap()), expected, "{text}");
            let bytes = Counter::new(&rules, ByteBoards::new(&rules));
            assert_eq!(counted(bytes.run(None, 100_000).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn large_boards_need_a_depth() {
        let gomoku: Rules = "gomoku".parse().unwrap();
        let counts = count(&gomoku, Some(2), 100_000).unwrap();
        assert_eq!(counts.by_depth()[2].nodes, 225 * 224);
        assert_eq!(counts.by_depth()[2].positions, 225 * 224);
        assert_eq!(
            count(&gomoku, None, 10_000).unwrap_err().to_string(),
            "more than 10000 positions after 3 moves: choose a smaller board or depth"
        );
    }
}
