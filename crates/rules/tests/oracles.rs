//! Published counts.
//!
//! - Games on n x n boards: OEIS A061526 (<https://oeis.org/A061526>).
//! - 3x3 positions by ply up to symmetry, 765 in total: OEIS A008907.
//! - Connect Four positions by ply: OEIS A212693.
//! - Order and connect6 at the first depths, before a line is possible: the product of the choices.
//! - All other numbers: full enumerations by programs that share no code with this crate.

use noughts_rules::{Position, Rules, perft};

struct Oracle {
    rules: &'static str,
    positions: u128,
    up_to_symmetry: u128,
    nodes: u128,
    games: u128,
    wins: [u128; 2],
    draws: u128,
}

const ORACLES: [Oracle; 5] = [
    Oracle {
        rules: "3x3",
        positions: 5_478,
        up_to_symmetry: 765,
        nodes: 549_946,
        games: 255_168,
        wins: [131_184, 77_904],
        draws: 46_080,
    },
    Oracle {
        rules: "3x4",
        positions: 111_973,
        up_to_symmetry: 28_275,
        nodes: 276_911_233,
        games: 151_188_768,
        wins: [79_797_600, 56_875_968],
        draws: 14_515_200,
    },
    Oracle {
        rules: "4x3",
        positions: 111_973,
        up_to_symmetry: 28_275,
        nodes: 276_911_233,
        games: 151_188_768,
        wins: [79_797_600, 56_875_968],
        draws: 14_515_200,
    },
    Oracle {
        rules: "4x4",
        positions: 9_722_011,
        up_to_symmetry: 1_217_977,
        nodes: 36_277_691_063_105,
        games: 15_038_733_958_272,
        wins: [3_225_291_101_568, 3_106_180_802_304],
        draws: 8_707_262_054_400,
    },
    Oracle {
        rules: "4x4+gravity",
        positions: 161_029,
        up_to_symmetry: 80_541,
        nodes: 131_060_741,
        games: 47_982_540,
        wins: [8_768_620, 8_543_744],
        draws: 30_670_176,
    },
];

fn count(rules: &str, depth: Option<usize>) -> perft::Perft {
    perft::count(&rules.parse::<Rules>().unwrap(), depth, 2_000_000).unwrap()
}

#[test]
fn totals_match_published_counts() {
    for oracle in ORACLES {
        let expected = perft::Counts {
            nodes: oracle.nodes,
            positions: oracle.positions,
            up_to_symmetry: oracle.up_to_symmetry,
            games: oracle.games,
            wins: oracle.wins.to_vec(),
            draws: oracle.draws,
        };
        assert_eq!(count(oracle.rules, None).total(), expected, "{}", oracle.rules);
    }
}

#[test]
fn classic_positions_match_by_ply() {
    let counts = count("3x3", None);
    let positions: Vec<u128> = counts.by_depth().iter().map(|depth| depth.positions).collect();
    assert_eq!(positions, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    let classes: Vec<u128> = counts.by_depth().iter().map(|depth| depth.up_to_symmetry).collect();
    assert_eq!(classes, [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
}

#[test]
fn connect_four_positions_match_by_ply() {
    let counts = count("connect4", Some(10));
    let positions: Vec<u128> = counts.by_depth().iter().map(|depth| depth.positions).collect();
    assert_eq!(positions, [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275, 558_186, 1_662_623]);
}

/// Nodes at depths 1, 2, 3 and so on; a finished game has no further moves.
const NODES: [(&str, &[u64]); 5] = [
    ("3x3+ultimate", &[81, 720, 6_336, 55_080, 473_256]),
    ("3x3x3", &[27, 702, 17_550, 421_200]),
    ("3x3+fade3", &[9, 72, 504, 3_024, 15_120, 54_720, 148_176, 396_576]),
    ("6x6:5+order", &[72, 5_040, 342_720]),
    ("19x19:6+2s", &[361, 129_960, 46_655_640]),
];

/// The tree walk and the count by positions agree with the enumeration.
#[test]
fn nodes_by_depth_match_enumeration() {
    for (text, expected) in NODES {
        let rules: Rules = text.parse().unwrap();
        let depths = 1..=expected.len();
        let position = &mut Position::new(&rules);
        let walked: Vec<u64> = depths.clone().map(|depth| perft::nodes(position, depth)).collect();
        assert_eq!(walked, expected, "{text}");
        // The count keeps all positions of a depth.
        let depth = expected.iter().filter(|&&nodes| nodes < 500_000).count();
        let by_depth = count(text, Some(depth));
        for (counts, &expected) in by_depth.by_depth()[1..].iter().zip(expected) {
            assert_eq!(counts.nodes, expected.into(), "{text}");
        }
    }
}

#[test]
fn wild_matches_enumeration() {
    let total = count("3x3+wild", None).total();
    assert_eq!((total.positions, total.nodes, total.games), (18_753, 87_208_051, 58_242_432));
}

#[test]
fn notakto_matches_enumeration() {
    let total = count("3x3+notakto", None).total();
    assert_eq!((total.games, total.draws), (23_232, 0));
}
