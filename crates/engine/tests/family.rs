//! Every player, the solver and analysis on every game of the family.

mod minimax;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use noughts_engine::{
    Budget, LosingMoveError, PlayerKind, SolveError, Value, Verdict, analyse, losing_move, solve,
};
use noughts_rules::{Move, OpeningStage, Outcome, Position, Rules};
use proptest::prelude::*;
use proptest::sample::Index;

use minimax::minimax;

/// The games of the rules' own suite: every option, and the combinations that interact.
const GAMES: &str = include_str!("../../rules/tests/data/family.txt");

fn few_nodes() -> Budget {
    Budget::unlimited().with_nodes(150)
}

/// Plays these moves from the start, as far as the game goes on.
fn random_position(rules: &str, choices: &[Index]) -> Position {
    let mut position = Position::new(&rules.parse::<Rules>().unwrap());
    for choice in choices {
        let legal: Vec<Move> = position.legal_moves().collect();
        if position.play(*choice.get(&legal)).unwrap().is_some() {
            position.undo().unwrap();
            break;
        }
    }
    position
}

/// A position of any game.
fn any_position() -> impl Strategy<Value = Position> {
    let games: Vec<&str> = GAMES.lines().collect();
    let moves = proptest::collection::vec(any::<Index>(), 0..40);
    (prop::sample::select(games), moves).prop_map(|(rules, moves)| random_position(rules, &moves))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_level_plays_every_game(position in any_position(), seed in any::<u64>()) {
        for kind in PlayerKind::computers() {
            let choose = || kind.strategy(seed).unwrap().choose(&position, &few_nodes()).unwrap();
            let choice = choose();
            prop_assert!(position.is_legal(choice.mv), "{} in {}: {}", kind, position, choice.mv);
            prop_assert_eq!(choose(), choice, "{} in {}", kind, position);
        }
    }

    #[test]
    fn empty_budget_still_gives_a_move(position in any_position()) {
        for kind in PlayerKind::computers() {
            let mut player = kind.strategy(1).unwrap();
            let choice = player.choose(&position, &Budget::unlimited().with_nodes(0)).unwrap();
            prop_assert!(position.is_legal(choice.mv), "{} in {}: {}", kind, position, choice.mv);
        }
    }

    /// All levels take a win, and all but `easy` keep the next seat from winning if they can.
    #[test]
    fn levels_see_one_move_ahead(position in any_position(), seed in any::<u64>()) {
        prop_assume!(position.opening_stage() == OpeningStage::Done);
        prop_assume!(position.rules().parts().stones_per_turn == 1);
        let mover = position.turn();
        let wins_at_once = |position: &Position| {
            position.legal_moves().any(|mv| {
                let outcome = position.clone().play(mv).unwrap();
                outcome.is_some() && outcome == position.turn().map(Outcome::Win)
            })
        };
        let is_safe = |mv: Move| {
            let mut after = position.clone();
            match after.play(mv).unwrap() {
                Some(Outcome::Win(winner)) => Some(winner) == mover,
                Some(Outcome::Draw) => true,
                None => after.turn() == mover || !wins_at_once(&after),
            }
        };
        let can_win = wins_at_once(&position);
        let can_be_safe = position.legal_moves().any(is_safe);
        for kind in ["easy", "medium", "hard", "perfect"] {
            let mut player = kind.parse::<PlayerKind>().unwrap().strategy(seed).unwrap();
            let budget = Budget::unlimited().with_nodes(2_000);
            let mv = player.choose(&position, &budget).unwrap().mv;
            if can_win {
                let outcome = position.clone().play(mv).unwrap();
                prop_assert_eq!(outcome, mover.map(Outcome::Win), "{} in {}: {}", kind, position, mv);
            } else if can_be_safe && kind != "easy" {
                prop_assert!(is_safe(mv), "{} in {}: {}", kind, position, mv);
            }
        }
    }

    /// Every legal move has a verdict, and the principal variation can be played.
    #[test]
    fn every_move_is_analysed(position in any_position()) {
        let analysis = analyse(&position, &few_nodes()).unwrap();
        let moves: Vec<Move> = analysis.moves.iter().map(|at| at.mv).collect();
        let legal: Vec<Move> = position.legal_moves().collect();
        prop_assert_eq!(moves, legal, "{}", position);
        prop_assert_eq!(analysis.pv.first(), Some(&analysis.best), "{}", position);
        let mut after = position.clone();
        for &mv in &analysis.pv {
            prop_assert!(after.play(mv).is_ok(), "{}: {:?}", position, analysis.pv);
        }
        let best = analysis.moves.iter().find(|at| at.mv == analysis.best).unwrap();
        let is_loss = |verdict: Verdict| matches!(verdict.proven(), Some(Value::Loss { .. }));
        let all_lose = analysis.moves.iter().all(|at| is_loss(at.verdict));
        prop_assert!(all_lose || !is_loss(best.verdict), "{}: {:?}", position, analysis);
    }

    /// Random games are explained within the budget, and a losing move names a better one.
    #[test]
    fn every_lost_game_is_explained(
        rules in prop::sample::select(GAMES.lines().collect::<Vec<_>>()),
        choices in proptest::collection::vec(any::<Index>(), 120),
    ) {
        let mut game = Position::new(&rules.parse::<Rules>().unwrap());
        for choice in choices {
            let legal: Vec<Move> = game.legal_moves().collect();
            if legal.is_empty() {
                break;
            }
            game.play(*choice.get(&legal)).unwrap();
        }
        match losing_move(&game, &Budget::unlimited().with_nodes(2_000)) {
            Ok(Some(lost)) => {
                prop_assert_ne!(game.outcome(), Some(Outcome::Win(lost.seat)));
                while game.history().len() > lost.ply {
                    game.undo().unwrap();
                }
                prop_assert_eq!(game.turn(), Some(lost.seat));
                prop_assert!(game.is_legal(lost.mv) && game.is_legal(lost.better));
            }
            Ok(None) => {}
            Err(LosingMoveError::NotOver) => prop_assert_eq!(game.outcome(), None),
            Err(LosingMoveError::Unsolvable(SolveError::ManySeats { .. })) => {
                prop_assert!(game.rules().players() > 2);
            }
            Err(error) => prop_assert!(false, "{game}: {error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Late positions of every game that does not repeat have the value that minimax finds. In renju
    /// a forced win may be longer than the shortest.
    #[test]
    fn late_positions_have_exact_values(
        rules in prop::sample::select(vec![
            "3x3+ultimate", "3x3+ultimate+misere", "2x3:3+ultimate", "3x3+wild", "3x3+wild+misere",
            "4x4:3+wild+gravity", "3x3+wild+2s", "3x3+notakto", "3x3+notakto+3b", "3x3x3+notakto",
            "4x4+order+exact", "3x3+order", "4x4:3+2s", "4x4+gravity+2s", "3x4:3+misere+2s",
            "5x5:5+renju", "3x3+swap", "4x4+swap2", "3x3+ultimate+swap", "3x3x3+swap",
            "3x3:[A1-A2,C1-C2]+wild", "3x3:[A1-B2-C3]+order",
        ]),
        choices in proptest::collection::vec(any::<Index>(), 80),
    ) {
        let mut position = Position::new(&rules.parse::<Rules>().unwrap());
        for choice in choices {
            let ends = |mv: &Move| position.clone().play(*mv).unwrap().is_some();
            let quiet: Vec<Move> = position.legal_moves().filter(|mv| !ends(mv)).collect();
            let empty = position.rules().cell_count() - position.stone_count();
            if quiet.is_empty() || (empty <= 8 && position.opening_stage() == OpeningStage::Done) {
                break;
            }
            position.play(*choice.get(&quiet)).unwrap();
        }
        let empty = position.rules().cell_count() - position.stone_count();
        prop_assume!(empty <= 8 || position.move_count() <= 4);
        let expected = minimax(&mut position, &mut HashMap::new());
        let solution = solve(&position, &Budget::unlimited()).unwrap();
        let value = solution.value.expect("no limit");
        if position.rules().parts().renju {
            let result = |value| std::mem::discriminant(&value);
            prop_assert_eq!(result(value), result(expected), "{}", position);
            prop_assert!(value <= expected, "{}", position);
        } else {
            prop_assert_eq!(value, expected, "{}", position);
        }
    }
}

fn value(rules: &str) -> Value {
    let position = Position::new(&rules.parse::<Rules>().unwrap());
    solve(&position, &Budget::unlimited()).unwrap().value.unwrap()
}

/// Wild by full enumeration; notakto by Plambeck and Whitehead, "The secrets of notakto" (2013).
#[test]
fn published_games_have_their_values() {
    assert_eq!(value("3x3+wild"), Value::Win { plies: 7 });
    assert!(matches!(value("3x3+notakto"), Value::Win { .. }));
    assert!(matches!(value("3x3+notakto+2b"), Value::Loss { .. }));
}

/// A swap keeps a drawn game drawn, and takes a first stone that wins.
#[test]
fn swap_gives_the_better_side() {
    assert_eq!(value("3x3+swap"), Value::Draw);
    assert_eq!(value("3x3+misere+swap"), Value::Draw);
    let mut chosen = Position::new(&"4x4:3+swap".parse::<Rules>().unwrap());
    chosen.play("B2".parse::<Move>().unwrap()).unwrap();
    let solution = solve(&chosen, &Budget::unlimited()).unwrap();
    assert!(matches!(solution.value, Some(Value::Win { .. })), "{solution:?}");
    assert_eq!(solution.pv[0], Move::Swap);
    for kind in ["hard", "perfect"] {
        let mut player = kind.parse::<PlayerKind>().unwrap().strategy(1).unwrap();
        let choice = player.choose(&chosen, &Budget::unlimited().with_nodes(20_000)).unwrap();
        assert_eq!(choice.mv, Move::Swap, "{kind}");
    }
}

fn choose(text: &str, kind: &str, nodes: u64) -> (String, Option<Verdict>) {
    let position: Position = text.parse().unwrap();
    let mut player = kind.parse::<PlayerKind>().unwrap().strategy(7).unwrap();
    let choice = player.choose(&position, &Budget::unlimited().with_nodes(nodes)).unwrap();
    (choice.mv.to_string(), choice.verdict)
}

/// The values are from independent programs: fade by retrograde analysis of all 66,682 positions.
#[test]
fn perfect_proves_small_games_from_the_start() {
    for (rules, value) in [
        ("3x3x3", Value::Win { plies: 7 }),
        ("3x3x3+gravity", Value::Win { plies: 9 }),
        ("3x3+wild", Value::Win { plies: 7 }),
        ("3x3+notakto+2b", Value::Loss { plies: 11 }),
        ("3x3+fade3", Value::Win { plies: 13 }),
    ] {
        let start = Position::new(&rules.parse::<Rules>().unwrap()).to_string();
        let (_, verdict) = choose(&start, "perfect", 2_000_000);
        assert_eq!(verdict, Some(Verdict::Proven(value)), "{rules}");
    }
}

#[test]
fn medium_and_better_see_one_turn_ahead() {
    for kind in ["medium", "hard", "perfect"] {
        let check = |text: &str, expected: &[&str]| {
            let (got, _) = choose(text, kind, 3_000);
            assert!(expected.contains(&got.as_str()), "{kind} in {text}: {got}");
        };
        // A line of one mark wins, whoever placed it.
        check("3x3+wild xx1/3/3 x", &["A3=x"]);
        // Only a cell on no line with two marks does not lose at once.
        check("3x3+notakto x2/2x/3 x", &["A2", "A3", "B1", "B2", "C1", "C2", "C3"]);
        // Two stones complete six in a row; one of them, or four, must be stopped.
        check("9x9:6+2s 9/9/2xxxx3/9/oooo5/9/9/9/9 x left:2", &["C1", "C2", "C7", "C8"]);
        check("3x3x3 xx1/3/3|oo1/3/3|3/3/3 x", &["A3"]);
        check("3x3+fade3 xx1/oo1/3 x old:A1-A2,B1-B2", &["A3"]);
    }
}

/// The first stone of a swap decides nothing, but is placed for a game that is searched.
#[test]
fn every_level_opens_games_with_a_swap() {
    for rules in ["4x4x4+gravity+swap", "3x3+swap", "6x6:5+2s+swap"] {
        let position = Position::new(&rules.parse::<Rules>().unwrap());
        for kind in PlayerKind::computers() {
            let choice = kind.strategy(0).unwrap().choose(&position, &few_nodes()).unwrap();
            assert!(position.is_legal(choice.mv), "{kind} in {rules}");
        }
    }
}

/// E5 makes two open threes.
#[test]
fn no_level_makes_a_forbidden_move() {
    let text = "9x9:5+renju 9/9/4x4/4x4/2xx5/9/9/2o3o2/7oo x";
    let position: Position = text.parse().unwrap();
    let forbidden: Vec<_> =
        position.rules().cells().filter(|&cell| position.renju_forbids(cell).is_some()).collect();
    assert_eq!(forbidden, ["E5".parse().unwrap()]);
    for kind in PlayerKind::computers() {
        for seed in 0..10 {
            let mut player = kind.strategy(seed).unwrap();
            let choice = player.choose(&position, &few_nodes()).unwrap();
            assert!(!forbidden.iter().any(|&cell| choice.mv == cell.into()), "{kind}");
        }
    }
}

/// Each game of a pair begins with the same two random moves.
#[test]
fn hard_beats_random_playouts_on_ultimate() {
    let rules: Rules = "ultimate".parse().unwrap();
    let playouts = Budget::unlimited().with_nodes(1_000);
    let mut points = 0;
    let games = 4;
    for game in 0..games {
        let player = |name: &str| name.parse::<PlayerKind>().unwrap().strategy(game / 2).unwrap();
        let (mut hard, mut mcts, mut random) = (player("hard"), player("mcts"), player("random"));
        let mut position = Position::new(&rules);
        while let Some(turn) = position.turn() {
            let choice = if position.history().len() < 2 {
                random.choose(&position, &Budget::unlimited())
            } else if turn.index() as u64 == game % 2 {
                hard.choose(&position, &Budget::unlimited().with_nodes(20_000))
            } else {
                mcts.choose(&position, &playouts)
            };
            position.play(choice.unwrap().mv).unwrap();
        }
        points += match position.outcome() {
            Some(Outcome::Win(seat)) if seat.index() as u64 == game % 2 => 2,
            Some(Outcome::Draw) => 1,
            _ => 0,
        };
    }
    assert!(points > games, "{points} of {} points", 2 * games);
}

/// The graph of fade has cycles, but each mistake is found and the search ends.
#[test]
fn lost_game_of_fade_is_explained() {
    let rules: Rules = "3x3+fade3".parse().unwrap();
    let mut random = "random".parse::<PlayerKind>().unwrap().strategy(2).unwrap();
    let mut game = Position::new(&rules);
    while !matches!(game.outcome(), Some(Outcome::Win(_))) || game.history().len() < 12 {
        if game.outcome().is_some() {
            game = Position::new(&rules);
        }
        let choice = random.choose(&game, &Budget::unlimited()).unwrap();
        game.play(choice.mv).unwrap();
    }
    let lost = losing_move(&game, &Budget::unlimited().with_nodes(4_000_000)).unwrap();
    let lost = lost.expect("somebody gave the game away");
    assert!(lost.missed.proven().is_some(), "{lost:?}");
}

/// Generous, for busy machines.
#[test]
fn time_limits_hold_in_large_games() {
    let budget = Budget::unlimited().with_time(Duration::from_millis(50));
    for rules in [
        "ultimate",
        "connect6",
        "renju",
        "15x15:5+swap2",
        "15x15:5+swap",
        "6x6:5+order",
        "10x10x10:5",
        "19x19:5+wild",
        "15x15:5+fade20",
        "3x3+ultimate+3p",
        "10x10+notakto+4b",
    ] {
        let mut position = Position::new(&rules.parse::<Rules>().unwrap());
        for _ in 0..2 {
            for kind in PlayerKind::computers() {
                let start = Instant::now();
                kind.strategy(1).unwrap().choose(&position, &budget).unwrap();
                assert!(start.elapsed() < Duration::from_secs(2), "{kind} in {rules}");
            }
            let start = Instant::now();
            let analysis = analyse(&position, &budget).unwrap();
            assert!(start.elapsed() < Duration::from_secs(2), "analysis of {rules}");
            position.play(analysis.best).unwrap();
        }
    }
}
