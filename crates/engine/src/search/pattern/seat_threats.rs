//! The threats of one seat, by cell and in total.

use super::threat::{CellScore, THREAT_COUNT, Threat};

/// One seat's threats in all empty cells.
#[derive(Debug, Clone)]
pub(super) struct SeatThreats {
    pub(super) by_cell: Vec<Threat>,
    pub(super) totals: ThreatTotals,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ThreatTotals {
    /// The number of cells with each threat.
    pub(super) counts: [u16; THREAT_COUNT],
    /// The summed evaluation when the seat is to move, and when it is not.
    pub(super) eval: [i32; 2],
}

impl SeatThreats {
    pub(super) fn new(size: usize) -> SeatThreats {
        let totals = ThreatTotals { counts: [0; THREAT_COUNT], eval: [0; 2] };
        SeatThreats { by_cell: vec![Threat::None; size], totals }
    }

    /// Updates the cell's threat and the totals after its score changed.
    #[inline]
    pub(super) fn replace(&mut self, cell: usize, before: CellScore, after: CellScore) {
        let ThreatTotals { counts, eval } = &mut self.totals;
        eval[0] += i32::from(after.eval[0]) - i32::from(before.eval[0]);
        eval[1] += i32::from(after.eval[1]) - i32::from(before.eval[1]);
        if before.threat != after.threat {
            self.by_cell[cell] = after.threat;
            // Wrapping, because cells without a threat are never counted up.
            let [lost, gained] = [before.threat, after.threat].map(|threat| threat as usize);
            counts[lost] = counts[lost].wrapping_sub(1);
            counts[gained] = counts[gained].wrapping_add(1);
        }
    }
}
