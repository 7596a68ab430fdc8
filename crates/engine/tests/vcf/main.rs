//! Checks `data/vcf.txt`, the VCF oracle, with an independent reference search.

mod reference;

use noughts_rules::Position;

/// Enough for every position of the file.
const MAX_NODES: usize = 5_000;

#[test]
fn reference_search_confirms_every_length() {
    let wins = include_str!("../data/vcf.txt").lines();
    let wins: Vec<&str> = wins.filter(|line| !line.starts_with('#')).collect();
    assert!(wins.len() >= 100);
    for win in wins {
        let (plies, position) = win.split_once(' ').unwrap();
        let (plies, position): (usize, Position) =
            (plies.parse().unwrap(), position.parse().unwrap());
        assert_eq!(reference::shortest_vcf(&position, plies / 2, MAX_NODES), Some(plies), "{win}");
    }
}
