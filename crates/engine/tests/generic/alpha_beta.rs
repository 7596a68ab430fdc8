//! Alpha-beta.

use noughts_engine::{
    AlphaBeta, Budget, Evaluate, PositionEvaluation, SearchResult, Strategy, StrategyError, Value,
    Verdict,
};
use noughts_rules::{Move, Position};

use crate::start;

fn search(text: &str, nodes: u64) -> SearchResult<Move> {
    let position: Position = text.parse().unwrap();
    let player = AlphaBeta::new(PositionEvaluation::new(position.rules()));
    player.search(&position, &Budget::unlimited().with_nodes(nodes)).unwrap()
}

#[test]
fn equal_budgets_search_alike() {
    for text in ["ultimate", "6x6:5+order", "connect6", "3x3+fade3"] {
        let position = start(text).to_string();
        assert_eq!(search(&position, 3_000), search(&position, 3_000), "{text}");
        assert_eq!(search(&position, 3_000).nodes, 3_000, "{text}");
    }
}

/// Two stones complete the line in one turn, and the other side has to break it with two.
#[test]
fn two_stones_a_turn_win_together() {
    let won = search("7x7:4+2s 7/7/2xx3/7/2oo3/o5x/o6 x left:2", 10_000);
    assert_eq!(won.verdict, Verdict::Proven(Value::Win { plies: 2 }));
}

#[test]
fn evaluation_prefers_open_lines() {
    let evaluate = |text: &str| {
        let position: Position = text.parse().unwrap();
        PositionEvaluation::new(position.rules()).evaluate(&position)
    };
    assert!(evaluate("5x5:4 5/1xx2/5/5/o3o x") > 0);
    assert!(evaluate("5x5:4 5/1xx2/5/5/o2xo o") < 0);
    assert!(evaluate("5x5:4+misere 5/1xx2/5/5/o3o x") < 0);
    assert_eq!(evaluate("3x3+wild 3/1x1/3 o"), 0);
    // Order wants open lines, chaos wants none.
    assert!(evaluate("6x6:5+order 6/1xxx2/6/6/6/6 o") < 0);
    assert!(evaluate("4x4:4+order xo2/ox2/4/4 x") < 0);
}

#[test]
fn three_seats_are_refused() {
    let player = &mut AlphaBeta::default();
    let refused = player.choose(&start("3x3+3p"), &Budget::unlimited());
    let reason = "alpha-beta needs two seats, and 3 are playing";
    assert_eq!(refused, Err(StrategyError::Other(reason.into())));
}
