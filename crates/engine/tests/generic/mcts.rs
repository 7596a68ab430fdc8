//! Monte Carlo tree search.

use noughts_engine::{Budget, Mcts, Value, Verdict};
use noughts_rules::Position;

use crate::start;

#[test]
fn equal_seeds_search_alike() {
    for text in ["ultimate", "connect6", "3x3+fade3", "5x5:4+3p"] {
        let search = |seed| {
            Mcts::new(seed).search(&start(text), &Budget::unlimited().with_nodes(300)).unwrap()
        };
        assert_eq!(search(1), search(1), "{text}");
        assert_ne!(search(1).moves, search(2).moves, "{text}");
    }
}

fn verdict(text: &str) -> Verdict {
    let position: Position = text.parse().unwrap();
    Mcts::new(1).search(&position, &Budget::unlimited().with_nodes(20_000)).unwrap().verdict
}

#[test]
fn small_positions_are_proven() {
    let won = verdict("4x4:3 4/4/4/4 x").proven();
    assert!(matches!(won, Some(Value::Win { .. })), "{won:?}");
    let lost = verdict("3x3 xo1/1x1/3 o").proven();
    assert!(matches!(lost, Some(Value::Loss { .. })), "{lost:?}");
    assert_eq!(verdict("3x3 x2/1o1/3 x"), Verdict::Proven(Value::Draw));
}

#[test]
fn three_players_block() {
    let position: Position = "5x5:4+3p xxx2/5/o3o/1o2a/4a a".parse().unwrap();
    let result = Mcts::new(1).search(&position, &Budget::unlimited().with_nodes(2_000)).unwrap();
    assert_eq!(result.mv.to_string(), "A4");
}
