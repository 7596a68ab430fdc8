//! Zobrist keys: each stone has a random number, and a board the exclusive or of those of its stones. The
//! numbers stand in the tables of the [layout](crate::layout).

/// Scrambles a number (the finaliser of SplitMix64). The numbers in a key differ: those of
/// stones have bit 32 and few others, those of seats are below 2^16, those of variants are inverted.
pub(crate) const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
