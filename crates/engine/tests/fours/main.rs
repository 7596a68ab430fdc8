//! The positions of `data/continuous-fours.txt` are what that file says.

mod slow;

use noughts_rules::Position;

/// Enough for each of them.
const MOST_NODES: usize = 5_000;

#[test]
fn a_plain_search_finds_every_win_at_its_length() {
    let wins = include_str!("../data/continuous-fours.txt").lines();
    let wins: Vec<&str> = wins.filter(|line| !line.starts_with('#')).collect();
    assert!(wins.len() >= 100);
    for win in wins {
        let (plies, position) = win.split_once(' ').unwrap();
        let (plies, position): (usize, Position) =
            (plies.parse().unwrap(), position.parse().unwrap());
        assert_eq!(slow::shortest_win(&position, plies / 2, MOST_NODES), Some(plies), "{win}");
    }
}
