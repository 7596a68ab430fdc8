//! Counting everything that can happen in a game, to check the rules against published counts.
//!
//! Positions are counted, not paths: a position that is reached in many ways, and its mirror
//! images, are looked at once, with the number of ways. So the 36 trillion nodes of 4x4 take as
//! long as its million positions.
//!
//! ```
//! use noughts_rules::{Rules, perft};
//!
//! let counts = perft::count(&Rules::classic(), None, 10_000)?;
//! assert_eq!(counts.total().games, 255_168);
//! assert_eq!(counts.total().positions, 5_478);
//! # Ok::<(), perft::TooLarge>(())
//! ```

mod boards;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::FixedState;

use crate::{Outcome, Position, Rules, Seat};
use boards::{Boards, Bytes, Packed};

/// What there is at one number of moves, or in a whole game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes of the game tree: ways to play up to here.
    pub nodes: u128,
    /// Different positions.
    pub positions: u128,
    /// Different positions when turned and mirrored boards count as one.
    pub up_to_symmetry: u128,
    /// Games that end here.
    pub games: u128,
    /// How many of the games each seat has won.
    pub wins: Vec<u128>,
    /// How many of the games were drawn.
    pub draws: u128,
}

/// The counts of a game by the number of moves made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Perft {
    by_depth: Vec<Counts>,
}

/// The game is too large to be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "more than {max_positions} positions after {depth} moves: expected a smaller board or depth"
)]
pub struct TooLarge {
    /// After how many moves there were too many.
    pub depth: usize,
    /// How many positions of one depth were allowed, mirror images not counted.
    pub max_positions: usize,
}

impl Perft {
    /// The counts by the number of moves made, from none.
    #[must_use]
    pub fn by_depth(&self) -> &[Counts] {
        &self.by_depth
    }

    /// All depths together.
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

/// Counts all games by these rules, up to a number of moves if one is given. Gives up where there
/// are more positions at one depth than `max_positions`, which bounds the memory.
pub fn count(rules: &Rules, depth: Option<usize>, max_positions: usize) -> Result<Perft, TooLarge> {
    match Packed::new(rules) {
        Some(boards) => Counter::new(rules, boards).run(depth, max_positions),
        None => Counter::new(rules, Bytes::new(rules)).run(depth, max_positions),
    }
}

/// Boards that can still be played on, one of each kind up to symmetry, with the number of ways
/// to get to it or its mirror images.
type Layer<B> = HashMap<B, Node, FixedState>;

struct Node {
    ways: u128,
    outcome: Option<Outcome>,
}

struct Counter<'a, B: Boards> {
    rules: &'a Rules,
    boards: B,
    position: Position,
}

impl<'a, B: Boards> Counter<'a, B> {
    fn new(rules: &'a Rules, boards: B) -> Self {
        Counter { rules, boards, position: Position::new(rules) }
    }

    fn run(mut self, depth: Option<usize>, max_positions: usize) -> Result<Perft, TooLarge> {
        let mut by_depth = Vec::new();
        let mut layer = Layer::default();
        layer.insert(self.boards.empty(), Node { ways: 1, outcome: None });
        while !layer.is_empty() {
            let moves = by_depth.len();
            by_depth.push(self.counts(&layer));
            if depth == Some(moves) {
                break;
            }
            let turn = Seat::of_game((moves % self.rules.players()) as u8);
            let next = self.next_layer(layer, turn, max_positions);
            layer = next.ok_or(TooLarge { depth: moves + 1, max_positions })?;
        }
        Ok(Perft { by_depth })
    }

    fn counts(&self, layer: &Layer<B::Board>) -> Counts {
        let mut counts = Counts { wins: vec![0; self.rules.players()], ..Counts::default() };
        for (board, node) in layer {
            counts.nodes += node.ways;
            counts.positions += self.boards.orbit_size(board) as u128;
            counts.up_to_symmetry += 1;
            match node.outcome {
                None => continue,
                Some(Outcome::Win(seat)) => counts.wins[seat.index()] += node.ways,
                Some(Outcome::Draw) => counts.draws += node.ways,
            }
            counts.games += node.ways;
        }
        counts
    }

    /// All that can follow, unless that is too much.
    fn next_layer(
        &mut self,
        layer: Layer<B::Board>,
        turn: Seat,
        max_positions: usize,
    ) -> Option<Layer<B::Board>> {
        let mut next = Layer::default();
        for (board, node) in layer {
            if node.outcome.is_some() {
                continue;
            }
            self.position.set_up(turn, self.boards.stones(&board));
            let mut walk = self.position.walk();
            while let Some(cell) = walk.next(&self.position) {
                let outcome = self.position.play(cell).expect("a legal move");
                self.position.undo().expect("a move was made");
                let child = self.boards.canonical(&self.boards.place(&board, cell, turn));
                match next.entry(child) {
                    Entry::Occupied(mut known) => {
                        let ways = &mut known.get_mut().ways;
                        *ways = ways.checked_add(node.ways)?;
                    }
                    Entry::Vacant(new) => {
                        new.insert(Node { ways: node.ways, outcome });
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

    /// The same counts by walking the tree, one path at a time.
    fn walk(position: &mut Position, depth: usize, counts: &mut Vec<(u128, u128)>) {
        if counts.len() == depth {
            counts.push((0, 0));
        }
        counts[depth].0 += 1;
        counts[depth].1 += u128::from(position.outcome().is_some());
        let mut moves = position.walk();
        while let Some(cell) = moves.next(position) {
            position.play(cell).unwrap();
            walk(position, depth + 1, counts);
            position.undo().unwrap();
        }
    }

    #[test]
    fn counting_positions_is_counting_paths() {
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
            walk(&mut Position::new(&rules), 0, &mut expected);
            let counted = |perft: Perft| -> Vec<_> {
                perft.by_depth.iter().map(|counts| (counts.nodes, counts.games)).collect()
            };
            assert_eq!(counted(count(&rules, None, 100_000).unwrap()), expected, "{text}");
            let bytes = Counter::new(&rules, Bytes::new(&rules));
            assert_eq!(counted(bytes.run(None, 100_000).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn large_boards_are_counted_to_a_depth_or_refused() {
        let gomoku: Rules = "gomoku".parse().unwrap();
        let counts = count(&gomoku, Some(2), 100_000).unwrap();
        assert_eq!(counts.by_depth()[2].nodes, 225 * 224);
        assert_eq!(counts.by_depth()[2].positions, 225 * 224);
        assert_eq!(
            count(&gomoku, None, 10_000).unwrap_err().to_string(),
            "more than 10000 positions after 3 moves: expected a smaller board or depth"
        );
    }
}
