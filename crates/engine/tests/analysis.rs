//! Verdicts on every move, and the move at which a game was lost.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noughts_engine::{
    Analysis, Budget, LosingMoveError, PlayerKind, SolveError, StrategyError, Value, Verdict,
    analyse, losing_move, solve,
};
use noughts_rules::{Move, Outcome, Position, Rules, Seat};

fn analysis(text: &str) -> Analysis {
    analyse(&text.parse().unwrap(), &Budget::unlimited()).unwrap()
}

fn game(rules: &str, moves: &str) -> Position {
    let mut position = Position::new(&rules.parse::<Rules>().unwrap());
    for cell in moves.split_whitespace() {
        position.play(cell.parse::<Move>().unwrap()).unwrap();
    }
    position
}

#[test]
fn fork_position_has_exact_verdicts() {
    let got = analysis("3x3 x2/1o1/2x o");
    let verdicts: Vec<String> =
        got.moves.iter().map(|at| format!("{} {}", at.mv, at.verdict)).collect();
    assert_eq!(
        verdicts,
        ["A2 draw", "A3 loss in 2", "B1 draw", "B3 draw", "C1 loss in 2", "C2 draw"]
    );
    assert_eq!(got.pv[0], got.best);
    assert_eq!(got.pv.len(), 6, "a draw fills the board");
}

#[test]
fn verdicts_match_the_solver() {
    for text in ["3x3+misere 3/1x1/3 o", "4x4:3 4/1x2/2o1/4 x", "4x4+gravity 4/4/4/xo2 x"] {
        let position: Position = text.parse().unwrap();
        for at in analysis(text).moves {
            let mut after = position.clone();
            after.play(at.mv).unwrap();
            let value = solve(&after, &Budget::unlimited()).unwrap().value.unwrap();
            assert_eq!(at.verdict, Verdict::Proven(value.before_move()), "{text} {}", at.mv);
        }
    }
}

#[test]
fn fastest_win_is_best() {
    let got = analysis("3x3 xx1/oo1/3 x");
    assert_eq!((got.best.to_string().as_str(), got.pv.len()), ("A3", 1));
    assert_eq!(got.moves[0].verdict, Verdict::Proven(Value::Win { plies: 1 }));
}

#[test]
fn unsolvable_boards_get_estimates() {
    for rules in ["15x15:5", "7x7:4+3p"] {
        let position = game(rules, "D4 D5 E5");
        let got = analyse(&position, &Budget::unlimited().with_nodes(3000)).unwrap();
        assert_eq!(got.moves.len(), position.legal_moves().count());
        assert!(got.moves.iter().all(|at| at.verdict.proven().is_none()), "{rules}");
        assert!(got.nodes <= 3000, "{}", got.nodes);
        assert!(position.is_legal(got.best));
    }
}

/// Without proofs, the best move is that of the `perfect` player with the same search budget.
#[test]
fn best_move_matches_perfect_player() {
    for (rules, moves) in [
        ("7x7:4+3p", "A1 B2 C3"),
        ("7x7:4+3p", "C3 E5 C4 D4 E4"),
        ("6x6:4+4p", "C3 D4 C4 D3 B2"),
        ("9x9:5+wrap", "E5 D4 E6 E7"),
    ] {
        let position = game(rules, moves);
        let mut player = "perfect".parse::<PlayerKind>().unwrap().strategy(1).unwrap();
        let choice = player.choose(&position, &Budget::unlimited().with_nodes(30_000)).unwrap();
        let got = analyse(&position, &Budget::unlimited().with_nodes(20_000)).unwrap();
        assert_eq!((got.best, got.pv[0]), (choice.mv, choice.mv), "{rules} {moves}");
        assert!(got.pv.len() > 1, "{rules} {moves}: {:?}", got.pv);
        let mut after = position.clone();
        assert!(got.pv.iter().all(|&mv| after.play(mv).is_ok()));
    }
}

/// The principal variation is as long as the search looked ahead, even if the transposition table
/// has lost parts of it. Here the first player sees its loss to an open three of the second.
#[test]
fn pv_ends_as_the_estimate_says() {
    let mut position = game("5x5:4+3p", "A1 C3 E5 A2 C2 D5 E1 C4 E3");
    let got = analyse(&position, &Budget::unlimited().with_nodes(50_000)).unwrap();
    let best = got.moves.iter().find(|at| at.mv == got.best).unwrap();
    assert_eq!((best.verdict.to_string().as_str(), got.pv.len()), ("~loss in 1", 2));
    got.pv.iter().for_each(|&cell| _ = position.play(cell).unwrap());
    assert_eq!(position.outcome(), Seat::new(1).map(Outcome::Win));

    // Two players can stop it together.
    let position = game("5x5:4+3p", "A1 C3 E5 A2 C2 D5 E1 C4");
    let got = analyse(&position, &Budget::unlimited().with_nodes(50_000)).unwrap();
    assert_eq!(got.pv.iter().take(2).filter(|mv| mv.to_string().starts_with('C')).count(), 2);

    let position = game("7x7:4+gravity", "G4 F4");
    let got = analyse(&position, &Budget::unlimited().with_nodes(400_000)).unwrap();
    assert!(got.pv.len() > 6, "{:?}", got.pv);
}

#[test]
fn pv_shows_a_complete_vcf() {
    let text = "15x15:5 15/15/15/15/15/5oxxx6/9x5/9x5/15/15/o12o1/15/2o12/15/14o x";
    let position: Position = text.parse().unwrap();
    let got = analyse(&position, &Budget::unlimited().with_nodes(50_000)).unwrap();
    let best = got.moves.iter().find(|at| at.mv == got.best).unwrap();
    assert!(matches!(best.verdict, Verdict::Proven(Value::Win { .. })), "{best:?}");
    let mut after = position.clone();
    assert!(got.pv.iter().all(|&mv| after.play(mv).is_ok()));
    assert!(after.outcome().is_some(), "{:?}", got.pv);
}

/// One cell that exceeds the budget does not keep the others from being proven.
#[test]
fn hard_cell_leaves_budget_for_others() {
    let position = game("4x5:4", "");
    let got = analyse(&position, &Budget::unlimited().with_nodes(20_000)).unwrap();
    assert!(got.moves.iter().any(|at| at.verdict.proven().is_some()));
}

#[test]
fn finished_game_is_refused() {
    let over = game("3x3", "A1 B1 A2 B2 A3");
    assert_eq!(analyse(&over, &Budget::unlimited()), Err(StrategyError::GameOver));
}

#[test]
fn losing_move_is_the_last_mistake() {
    let lost = losing_move(&game("3x3", "A1 B2 C3 A3 C1 B1 C2"), &Budget::unlimited());
    let lost = lost.unwrap().expect("O could have drawn");
    assert_eq!((lost.ply, lost.seat.index(), lost.mv.to_string().as_str()), (3, 1, "A3"));
    assert_eq!(lost.missed, Verdict::Proven(Value::Draw));
    assert!(["A2", "B1", "B3", "C2"].contains(&lost.better.to_string().as_str()));
}

#[test]
fn some_games_have_no_losing_move() {
    let unlimited = Budget::unlimited();
    let draw = game("3x3", "B2 A1 C1 A3 A2 C2 B1 B3 C3");
    assert_eq!(losing_move(&draw, &unlimited), Ok(None));
    // 4x4:3 is lost for the second player from the start.
    let mut lost = game("4x4:3", "B2 A1 B3 B1 B4");
    assert_eq!(losing_move(&lost, &unlimited), Ok(None));
    lost.undo().unwrap();
    assert_eq!(losing_move(&lost, &unlimited), Err(LosingMoveError::NotOver));
    // A drawn position was resigned.
    let mut resigned = game("3x3", "B2 A1");
    resigned.resign(resigned.turn().unwrap()).unwrap();
    assert_eq!(losing_move(&resigned, &unlimited), Ok(None));
}

#[test]
fn unsolvable_games_are_refused() {
    let many = game("3x5:3+3p", "A1 B1 C1 A2 B2 C2 A3");
    let error = SolveError::ManySeats { seats: 3 };
    assert_eq!(losing_move(&many, &Budget::unlimited()), Err(error.into()));
    let game = game("3x3", "A1 B2 C3 A3 C1 B1 C2");
    let stopped = Budget::unlimited().with_nodes(2).with_stop(Arc::new(AtomicBool::new(true)));
    let error = losing_move(&game, &stopped).unwrap_err();
    assert!(matches!(error, LosingMoveError::OutOfBudget(_)));
}

/// An open four is lost; the search sees that an open three is not.
#[test]
fn losing_move_in_gomoku_is_estimated() {
    let budget = Budget::unlimited().with_nodes(100_000);
    let check = |rules: &str, moves: &str, ply: usize, better: &[&str]| {
        let lost = losing_move(&game(rules, moves), &budget).unwrap().expect(moves);
        assert_eq!(lost.ply, ply, "{lost:?}");
        assert!(better.contains(&lost.better.to_string().as_str()), "{lost:?}");
        assert_eq!(lost.missed.proven(), None);
    };
    let ends = ["H7", "H11", "H6", "H12"];
    check("gomoku", "H8 A1 H9 A2 H10 A3 H11 A4 H12", 5, &ends);
    check("gomoku", "H8 A1 H9 A3 H10 O1 H11 O15 H12", 5, &ends);
}

/// Against an open four every move loses, but a block makes the opponent find the win.
#[test]
fn lost_position_is_still_defended() {
    let position = game("15x15:5", "H5 A1 H6 A15 H7 O1 H8");
    let analysis = analyse(&position, &Budget::unlimited().with_nodes(20_000)).unwrap();
    let best = analysis.best.to_string();
    assert!(["H4", "H9"].contains(&best.as_str()), "{best}");
}
