//! VCT, victory by continuous threats: every move makes a four or threatens a double four. All
//! defences that could help are tried, so a win found here is proven.

use std::collections::HashSet;

use super::board::ThreatBoard;
use super::vcf::{self, ForcedWin, NoVcfTable};
use crate::budget::{Meter, OutOfBudget};

/// The most threats in a row before the win must be a VCF.
const MAX_THREATS: usize = 10;

/// Node limit of the VCF search at the root and in each position of a VCT.
const MAX_ROOT_VCF_NODES: u32 = 20_000;
const MAX_VCF_NODES: u32 = 40;

/// VCT gets one part in this many of the budget.
const BUDGET_PARTS: usize = 8;

/// A win of the seat to move by VCF or else by VCT.
pub(in crate::search) fn find_forced_win<B: ThreatBoard>(
    board: &mut B,
    no_vcf: &mut NoVcfTable,
    meter: &mut Meter,
) -> Option<ForcedWin> {
    let win = vcf::find(board, no_vcf, meter, MAX_ROOT_VCF_NODES);
    win.or_else(|| {
        if !board.knows_all_defences(board.turn()) {
            return None;
        }
        let part = meter.begin_part(BUDGET_PARTS);
        let win = find(board, no_vcf, meter);
        meter.end_part(part);
        win
    })
}

/// Searches for a VCT of the seat to move by iterative deepening, within the budget.
pub(in crate::search) fn find<B: ThreatBoard>(
    board: &mut B,
    no_vcf: &mut NoVcfTable,
    meter: &mut Meter,
) -> Option<ForcedWin> {
    let ply = board.ply();
    let mut search =
        VctSearch { board, meter, no_vcf, no_vct: HashSet::new(), reached_limit: false };
    for threats in 1..=MAX_THREATS {
        search.reached_limit = false;
        let found = search.attack(threats);
        search.board.undo_to(ply);
        match found {
            Ok(Some(win)) => return Some(win),
            Ok(None) if search.reached_limit => {}
            Ok(None) | Err(OutOfBudget) => return None,
        }
    }
    None
}

struct VctSearch<'a, B> {
    board: &'a mut B,
    meter: &'a mut Meter,
    no_vcf: &'a mut NoVcfTable,
    /// Positions without a win in the given number of threats.
    no_vct: HashSet<(u64, usize)>,
    /// Whether a branch ended because it had used up its threats.
    reached_limit: bool,
}

impl<B: ThreatBoard> VctSearch<'_, B> {
    /// A win of the seat to move with at most this many threats before a VCF.
    fn attack(&mut self, threats: usize) -> Result<Option<ForcedWin>, OutOfBudget> {
        self.meter.spend()?;
        let win = vcf::find(self.board, self.no_vcf, self.meter, MAX_VCF_NODES);
        if win.is_some() {
            return Ok(win);
        }
        let other = self.board.opponent();
        let block = match self.board.completion_count(other) {
            0 => None,
            1 => self.board.completion(other),
            _ => return Ok(None),
        };
        if threats == 0 {
            self.reached_limit = true;
            return Ok(None);
        }
        let key = (self.board.key(), threats);
        if self.no_vct.contains(&key) {
            return Ok(None);
        }
        let moves = block.map_or_else(|| self.board.three_moves(), |cell| vec![cell]);
        for cell in moves {
            if !self.board.may_play(cell) {
                continue;
            }
            self.board.play(cell);
            let plies = self.plies_to_lose(threats - 1)?;
            self.board.undo();
            if let Some(plies) = plies {
                return Ok(Some(ForcedWin { cell, plies: plies + 1 }));
            }
        }
        self.no_vct.insert(key);
        Ok(None)
    }

    /// Plies until the seat to move has lost, whatever it plays; `None` if it may hold.
    fn plies_to_lose(&mut self, threats: usize) -> Result<Option<u32>, OutOfBudget> {
        let (me, other) = (self.board.turn(), self.board.opponent());
        if self.board.completion_count(me) > 0 {
            return Ok(None);
        }
        let fours = self.board.completion_count(other);
        // The length of the win if the threat is ignored.
        let mut longest = if fours > 0 { 2 } else { 4 };
        let replies = match fours {
            0 if self.board.double_four(other).is_none() => return Ok(None),
            0 => self.board.defences(),
            1 => match self.board.completion(other).filter(|&cell| self.board.may_play(cell)) {
                Some(block) => vec![block],
                None => return Ok(self.board.has_moves().then_some(2)),
            },
            _ => return Ok(Some(2)),
        };
        for reply in replies {
            self.board.play(reply);
            let win = self.attack(threats)?;
            self.board.undo();
            let Some(win) = win else { return Ok(None) };
            longest = longest.max(win.plies + 1);
        }
        Ok(Some(longest))
    }
}
