//! Move ordering: killer moves and the history heuristic, for moves of any type.

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};

/// What earlier cutoffs say about moves.
pub(super) struct MoveOrder<M> {
    /// The last two moves that caused a cutoff, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// How much a move has cut off, by hash of the move. Moves may share a slot.
    history: Vec<u32>,
}

const HISTORY_SLOTS: usize = 1 << 12;
const MAX_HISTORY: u32 = 1 << 24;

impl<M: Copy + Eq + Hash> MoveOrder<M> {
    pub(super) fn new() -> MoveOrder<M> {
        MoveOrder { killers: Vec::new(), history: vec![0; HISTORY_SLOTS] }
    }

    /// Writes the indices of the moves in the order in which to search them.
    pub(super) fn sort(
        &self,
        moves: &[M],
        first: Option<usize>,
        ply: usize,
        out: &mut Vec<Ranked>,
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or([None; 2]);
        out.clear();
        out.extend(moves.iter().enumerate().map(|(index, &mv)| {
            let rank = if Some(index) == first {
                u32::MAX
            } else if killers.contains(&Some(mv)) {
                u32::MAX - 1
            } else {
                self.history[slot(mv)]
            };
            Ranked { index: index as u32, rank }
        }));
        out.sort_by_key(|ranked| Reverse(ranked.rank));
    }

    /// Notes that a move caused a cutoff.
    pub(super) fn cutoff(&mut self, mv: M, ply: usize, depth: u32) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let count = &mut self.history[slot(mv)];
        *count = (*count + depth * depth).min(MAX_HISTORY);
    }
}

/// A move by its index in the list, and its rank in the order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) index: u32,
    rank: u32,
}

fn slot<M: Hash>(mv: M) -> usize {
    let mut hasher = MultiplyHasher(0);
    mv.hash(&mut hasher);
    (hasher.0 >> 32) as usize % HISTORY_SLOTS
}

/// A fast hash for small values (the multiplication of FxHash).
#[derive(Default)]
pub(super) struct MultiplyHasher(u64);

impl MultiplyHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for MultiplyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte.into()));
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(moves: &MoveOrder<u8>, first: Option<usize>, ply: usize) -> Vec<u32> {
        let mut out = Vec::new();
        moves.sort(&[10, 11, 12, 13], first, ply, &mut out);
        out.into_iter().map(|ranked| ranked.index).collect()
    }

    #[test]
    fn table_move_then_killers_then_history() {
        let mut moves = MoveOrder::new();
        assert_eq!(order(&moves, None, 0), [0, 1, 2, 3]);
        moves.cutoff(12, 0, 4);
        moves.cutoff(13, 3, 1);
        assert_eq!(order(&moves, Some(1), 3), [1, 3, 2, 0]);
        assert_eq!(order(&moves, Some(0), 0), [0, 2, 3, 1]);
        assert_eq!(order(&moves, None, 9), [2, 3, 0, 1]);
    }
}
