//! VCF, victory by continuous fours: every move threatens to complete a line, so every reply is
//! forced.

use super::board::{CellIndex, ThreatBoard};
use crate::budget::Meter;

/// A forced win of the seat to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) struct ForcedWin {
    /// The first move.
    pub(in crate::search) cell: CellIndex,
    /// Plies until the line is complete, at most.
    pub(in crate::search) plies: u32,
}

/// Keys of positions without a VCF: a lossy set that keeps the newest keys.
#[derive(Debug, Clone)]
pub(in crate::search) struct NoVcfTable {
    keys: Vec<u64>,
}

impl NoVcfTable {
    pub(in crate::search) fn new() -> NoVcfTable {
        NoVcfTable { keys: vec![0; 1 << 14] }
    }

    fn contains(&self, key: u64) -> bool {
        self.keys[self.slot(key)] == key
    }

    fn insert(&mut self, key: u64) {
        let slot = self.slot(key);
        self.keys[slot] = key;
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 32) as usize & (self.keys.len() - 1)
    }
}

/// Searches for a VCF of the seat to move, visiting at most `max_nodes` positions.
pub(in crate::search) fn find<B: ThreatBoard>(
    board: &mut B,
    no_vcf: &mut NoVcfTable,
    meter: &mut Meter,
    max_nodes: u32,
) -> Option<ForcedWin> {
    let max_nodes = meter.nodes_left().min(max_nodes.into()) as u32;
    let ply = board.ply();
    let mut search = VcfSearch { board, no_vcf, nodes_left: max_nodes };
    let win = search.attack(None);
    search.board.undo_to(ply);
    meter.charge((max_nodes - search.nodes_left).into());
    win
}

struct VcfSearch<'a, B> {
    board: &'a mut B,
    no_vcf: &'a mut NoVcfTable,
    nodes_left: u32,
}

impl<B: ThreatBoard> VcfSearch<'_, B> {
    /// A win of the seat to move, whose previous move is `last`.
    fn attack(&mut self, last: Option<CellIndex>) -> Option<ForcedWin> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let (me, other) = (self.board.turn(), self.board.opponent());
        if let Some(cell) = self.board.completion(me) {
            return Some(ForcedWin { cell, plies: 1 });
        }
        let block = match self.board.completion_count(other) {
            0 => None,
            1 => self.board.completion(other),
            _ => return None,
        };
        if block.is_none()
            && let Some(cell) = self.board.double_four(me)
        {
            return Some(ForcedWin { cell, plies: 3 });
        }
        let key = self.board.key();
        if self.no_vcf.contains(key) {
            return None;
        }
        let moves = match block {
            Some(cell) if self.board.makes_four(me, cell) && self.board.may_play(cell) => {
                vec![cell]
            }
            Some(_) => return None,
            None => self.board.four_moves(last),
        };
        for cell in moves {
            if !self.board.may_play(cell) {
                continue;
            }
            self.board.play(cell);
            let plies = match self.board.completion_count(me) {
                // With `exact`, a move can spoil the very line it should have extended.
                0 => None,
                1 => self.board.completion(me).and_then(|reply| {
                    if !self.board.may_play(reply) {
                        return self.board.has_moves().then_some(3);
                    }
                    self.board.play(reply);
                    let win = self.attack(Some(cell));
                    self.board.undo();
                    Some(win?.plies + 2)
                }),
                _ => Some(3),
            };
            self.board.undo();
            if let Some(plies) = plies {
                return Some(ForcedWin { cell, plies });
            }
            if self.nodes_left == 0 {
                return None;
            }
        }
        self.no_vcf.insert(key);
        None
    }
}
