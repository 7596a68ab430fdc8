//! Zobrist keys.

use crate::layout::PLACES;
use crate::{MAX_PLAYERS, Mark};

/// A random number for each mark at each place of a board.
static STONES: [[u64; MAX_PLAYERS as usize]; PLACES] = stones();

const fn stones() -> [[u64; MAX_PLAYERS as usize]; PLACES] {
    let mut table = [[0; MAX_PLAYERS as usize]; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut mark = 0;
        while mark < MAX_PLAYERS as usize {
            table[place][mark] = mix((place * MAX_PLAYERS as usize + mark) as u64);
            mark += 1;
        }
        place += 1;
    }
    table
}

/// The key of a stone.
#[inline]
pub(crate) fn stone(place: usize, mark: Mark) -> u64 {
    STONES[place % PLACES][mark.index()]
}

/// Scrambles a number (the finaliser of SplitMix64).
pub(crate) const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
