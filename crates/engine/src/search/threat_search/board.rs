//! What the threat search needs from a board.
//!
//! Threats are named as in five in a row: a *four* lacks one stone, a *three* lacks two.

use std::cmp::Reverse;

use crate::board::Board;
use crate::threats::{Defences, forks, makes_threat};

/// A cell in the numbering of its board.
pub(in crate::search) type CellIndex = u16;

/// A board for two seats on which every empty cell is playable, but for the restrictions of renju.
pub(in crate::search) trait ThreatBoard {
    /// The seat to move.
    fn turn(&self) -> usize;
    fn opponent(&self) -> usize;
    /// The Zobrist key.
    fn key(&self) -> u64;
    /// The number of moves made on this board.
    fn ply(&self) -> usize;
    fn play(&mut self, cell: CellIndex);
    fn undo(&mut self);

    /// The number of cells in which the seat completes a line.
    fn completion_count(&self, seat: usize) -> usize;
    /// The first cell in which the seat completes a line.
    fn completion(&self, seat: usize) -> Option<CellIndex>;
    /// A cell that gives the seat two cells to complete a line, unless the opponent completes one
    /// first.
    fn double_four(&self, seat: usize) -> Option<CellIndex>;
    /// Whether the seat makes a four in this cell.
    fn makes_four(&self, seat: usize, cell: CellIndex) -> bool;
    /// The moves by which the seat to move makes a four, the most promising first. `last` is its
    /// previous move.
    fn four_moves(&self, last: Option<CellIndex>) -> Vec<CellIndex>;
    /// The moves by which the seat to move may threaten a double four, the most promising first.
    fn three_moves(&self) -> Vec<CellIndex>;
    /// The moves of the seat to move that may stop the opponent's double fours. Every other move
    /// loses.
    fn defences(&self) -> Vec<CellIndex>;

    /// Whether the seat to move may play an empty cell.
    fn may_play(&self, _: CellIndex) -> bool {
        true
    }
    /// Whether the seat to move may play any cell, if some are empty.
    fn has_moves(&self) -> bool {
        true
    }
    /// Whether [`defences`](ThreatBoard::defences) against this seat are complete.
    fn knows_all_defences(&self, _attacker: usize) -> bool {
        true
    }

    fn undo_to(&mut self, ply: usize) {
        while self.ply() > ply {
            self.undo();
        }
    }
}

impl ThreatBoard for Board {
    fn turn(&self) -> usize {
        self.turn()
    }

    fn opponent(&self) -> usize {
        self.opponent()
    }

    fn key(&self) -> u64 {
        self.key()
    }

    fn ply(&self) -> usize {
        self.ply()
    }

    fn play(&mut self, cell: CellIndex) {
        self.play(cell.into());
    }

    fn undo(&mut self) {
        self.undo();
    }

    fn completion_count(&self, seat: usize) -> usize {
        self.winning_cells(seat).len()
    }

    fn completion(&self, seat: usize) -> Option<CellIndex> {
        self.winning_cells(seat).iter().copied().min()
    }

    fn double_four(&self, seat: usize) -> Option<CellIndex> {
        // With `exact`, a stone can spoil its own seat's lines, so forks prove nothing.
        let fork = forks(self, seat).next().filter(|_| !self.tables().exact);
        fork.map(|fork| fork.cell as CellIndex)
    }

    fn makes_four(&self, seat: usize, cell: CellIndex) -> bool {
        makes_threat(self, seat, cell.into())
    }

    fn four_moves(&self, _: Option<CellIndex>) -> Vec<CellIndex> {
        self.moves_by_weight(|cell| makes_threat(self, self.turn(), cell))
    }

    fn three_moves(&self) -> Vec<CellIndex> {
        let (tables, seat) = (self.tables(), self.turn());
        let min_stones = tables.k.saturating_sub(3);
        self.moves_by_weight(|cell| {
            let mut lines = tables.lines_through(cell).iter();
            let promises = |line: usize| self.stones_if_open(seat, line) >= Some(min_stones);
            lines.any(|&line| promises(line.into()))
        })
    }

    fn defences(&self) -> Vec<CellIndex> {
        let defences = Defences::new(self);
        let moves = self.legal_moves().filter(|&cell| defences.contains(cell));
        moves.map(|cell| cell as CellIndex).collect()
    }
}

impl Board {
    fn moves_by_weight(&self, wanted: impl Fn(usize) -> bool) -> Vec<CellIndex> {
        let moves = self.legal_moves().filter(|&cell| wanted(cell));
        let mut moves: Vec<CellIndex> = moves.map(|cell| cell as CellIndex).collect();
        moves.sort_by_key(|&cell| Reverse(self.cell_weight(self.turn(), cell.into())));
        moves
    }
}
