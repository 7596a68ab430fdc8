//! Threat search: forced wins by continuous fours (VCF) and threats (VCT).
//!
//! One search works on both boards through [`ThreatBoard`], because neither board can replace the
//! other: [`Board`](crate::board::Board) only knows how full lines are, but supports wrap and lines of
//! any length; [`PatternBoard`](super::pattern) knows threats without looking for them, but only for
//! lines of three to six on plain boards.

mod board;
#[cfg(test)]
mod tests;
pub(super) mod vcf;
mod vct;

pub(super) use board::{CellIndex, ThreatBoard};
pub(super) use vcf::{ForcedWin, NoVcfTable};
pub(super) use vct::find_forced_win;
