//! Random positions of random games: all searches agree with minimax.

use std::collections::HashMap;

use noughts_engine::{
    AlphaBeta, Budget, GameSolver, Mcts, PositionEvaluation, Value, Verdict, solve_game,
};
use noughts_rules::{Action, Cell, Move, Position};
use proptest::prelude::*;

use crate::reference::{minimax, minimax_of_move, values_with_repetition};
use crate::start;

/// Games without repetition, and how many cells may be empty.
const GAMES: [(&str, usize); 20] = [
    ("3x3", 9),
    ("3x3+misere", 9),
    ("3x3+wrap", 9),
    ("4x4+gravity", 10),
    ("4x4:3+exact", 9),
    ("3x3:[A1-A2-A3,A1-B2-C3,B1-B3]", 9),
    ("3x3+swap", 9),
    ("4x4+swap2", 9),
    ("3x3x3", 9),
    ("3x3x3+gravity", 10),
    ("3x3+wild", 8),
    ("3x3+wild+misere", 7),
    ("3x3+notakto", 9),
    ("3x3+notakto+2b", 12),
    ("3x3+order", 7),
    ("4x4+order", 6),
    ("4x4:3+2s", 9),
    ("5x5:4+2s", 9),
    ("4x4+misere+2s", 9),
    ("ultimate", 14),
];

fn play_until(mut position: Position, empty: usize, choices: &[prop::sample::Index]) -> Position {
    for choice in choices {
        if position.rules().cell_count() - position.stone_count() <= empty {
            break;
        }
        let mv = position.nth_move(choice.index(position.move_count())).unwrap();
        if position.play(mv).unwrap().is_some() {
            position.undo().unwrap();
        }
    }
    position
}

/// A position of a game without repetition that plain minimax can value.
fn late_position() -> impl Strategy<Value = Position> {
    let choices = proptest::collection::vec(any::<prop::sample::Index>(), 300);
    (prop::sample::select(&GAMES[..]), 0usize..3, choices)
        .prop_map(|((rules, empty), fewer, choices)| {
            play_until(start(rules), empty.saturating_sub(fewer), &choices)
        })
        .prop_filter("too many cells are empty", |position| {
            let empty = position.rules().cell_count() - position.stone_count();
            GAMES
                .iter()
                .any(|(text, most)| start(text).rules() == position.rules() && empty <= *most)
        })
}

fn expected(position: &Position) -> Value {
    minimax(&mut position.clone(), &mut HashMap::new())
}

fn expected_of_move(position: &Position, mv: Move) -> Value {
    minimax_of_move(&mut position.clone(), mv, &mut HashMap::new())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn solver_agrees_with_minimax(position in late_position()) {
        let solution = solve_game(&position, &Budget::unlimited()).unwrap();
        prop_assert_eq!(solution.value, Some(expected(&position)), "{}", position);
        let mut end = position.clone();
        for &mv in &solution.pv {
            end.play(mv).unwrap();
        }
        prop_assert!(end.outcome().is_some(), "{} {:?}", position, solution.pv);
        if let Some(plies) = solution.value.and_then(Value::plies) {
            prop_assert_eq!(solution.pv.len(), usize::from(plies));
        }
    }

    #[test]
    fn every_move_is_valued_right(position in late_position()) {
        let mut solver = GameSolver::new(&position, &Budget::unlimited()).unwrap();
        let player = AlphaBeta::new(PositionEvaluation::new(position.rules()));
        let unlimited = Budget::unlimited().with_nodes(u64::MAX);
        let scored = player.score_moves(&position, &unlimited).unwrap();
        prop_assert_eq!(scored.len(), position.move_count());
        for (mv, scored) in position.legal_moves().zip(scored) {
            let value = expected_of_move(&position, mv);
            prop_assert_eq!(solver.value_of(mv), Ok(value), "{} {}", position, mv);
            prop_assert_eq!((scored.mv, scored.verdict), (mv, Verdict::Proven(value)), "{}", position);
        }
    }

    #[test]
    fn evaluation_does_not_change_proofs(position in late_position()) {
        let player = AlphaBeta::new(PositionEvaluation::new(position.rules()));
        let unlimited = Budget::unlimited().with_nodes(u64::MAX);
        let found = player.search(&position, &unlimited).unwrap();
        prop_assert_eq!(found.verdict, Verdict::Proven(expected(&position)), "{}", position);
        prop_assert_eq!(found.mv, found.pv[0]);
        prop_assert_eq!(expected_of_move(&position, found.mv), expected(&position), "{}", position);
    }

    #[test]
    fn shallow_searches_never_prove_wrongly(position in late_position(), nodes in 1u64..400) {
        let player = AlphaBeta::new(PositionEvaluation::new(position.rules()));
        let found = player.search(&position, &Budget::unlimited().with_nodes(nodes)).unwrap();
        let best = expected_of_move(&position, found.mv);
        match found.verdict {
            Verdict::Proven(Value::Win { plies }) => {
                prop_assert!(best >= Value::Win { plies }, "{} {:?}", position, found);
            }
            Verdict::Proven(Value::Draw) => {
                prop_assert_eq!(expected(&position), Value::Draw, "{} {:?}", position, found);
            }
            Verdict::Proven(Value::Loss { plies }) => {
                prop_assert!(expected(&position) <= Value::Loss { plies }, "{} {:?}", position, found);
            }
            Verdict::Estimate(_) => {}
        }
    }

    #[test]
    fn mcts_proofs_are_right(position in late_position(), seed: u64) {
        let budget = Budget::unlimited().with_nodes(2_000);
        let found = Mcts::new(seed).search(&position, &budget).unwrap();
        for found in &found.moves {
            let value = expected_of_move(&position, found.mv);
            let same = match found.verdict {
                Verdict::Proven(Value::Win { plies }) => value >= Value::Win { plies },
                Verdict::Proven(Value::Draw) => value == Value::Draw,
                Verdict::Proven(Value::Loss { plies }) => value <= Value::Loss { plies },
                Verdict::Estimate(_) => true,
            };
            prop_assert!(same, "{} {:?} {:?}", position, found, value);
        }
        // Wins and losses at once are seen however many moves there are.
        if expected(&position) == (Value::Win { plies: 1 }) {
            prop_assert_eq!(found.verdict, Verdict::Proven(Value::Win { plies: 1 }));
        }
    }

    #[test]
    fn symmetric_positions_have_equal_values(
        position in late_position(),
        choice in any::<prop::sample::Index>(),
    ) {
        let rules = position.rules();
        let symmetries: Vec<Vec<usize>> = rules.symmetries().collect();
        let symmetry = &symmetries[choice.index(symmetries.len())];
        let image = |cell: Cell| rules.cell_at(symmetry[rules.cell_index(cell).unwrap()]).unwrap();
        let mut turned = Position::new(rules);
        for action in position.history() {
            let Action::Move { mv, .. } = action else { unreachable!("nobody resigned") };
            let mv = match mv {
                Move::Place(cell) => Move::Place(image(cell)),
                Move::Mark(cell, mark) => Move::Mark(image(cell), mark),
                choice => choice,
            };
            turned.play(mv).unwrap();
        }
        let solve = |position| solve_game(position, &Budget::unlimited()).unwrap().value;
        prop_assert_eq!(solve(&position), solve(&turned), "{} {}", position, turned);
    }
}

/// Small games with repetition; in most of them some positions are won, drawn and lost.
const REPEATING_GAMES: [&str; 6] = [
    "2x3:2+fade2",
    "1x6:3+fade3",
    "1x7:3+fade3",
    "2x3:[A1-B2,B1-A3]+fade2",
    "2x4:[A1-B3,A2-B4]+fade2",
    "2x3:2+misere+fade2",
];

#[test]
fn solver_agrees_with_iteration_on_repeating_games() {
    for rules in REPEATING_GAMES {
        let values = values_with_repetition(&start(rules));
        for (text, &value) in values.iter().step_by(1 + values.len() / 40) {
            let position: Position = text.parse().unwrap();
            let mut solver = GameSolver::new(&position, &Budget::unlimited()).unwrap();
            assert_eq!(solver.value(), Ok(value), "{text}");
            let best = position.legal_moves().map(|mv| solver.value_of(mv).unwrap()).max();
            assert_eq!(best, Some(value), "{text}");
            if let Some(plies) = value.plies() {
                assert_eq!(solver.pv().len(), usize::from(plies), "{text}");
            }
        }
    }
}

#[test]
fn searches_never_prove_wrongly_on_repeating_games() {
    for rules in REPEATING_GAMES {
        let values = values_with_repetition(&start(rules));
        let player = AlphaBeta::new(PositionEvaluation::new(start(rules).rules()));
        for (text, &value) in values.iter().step_by(1 + values.len() / 200) {
            let position: Position = text.parse().unwrap();
            let budget = Budget::unlimited().with_nodes(500);
            let searched = player.search(&position, &budget).unwrap().verdict;
            let sampled = Mcts::new(3).search(&position, &budget).unwrap().verdict;
            for verdict in [searched, sampled] {
                match verdict {
                    Verdict::Proven(proven @ Value::Win { .. }) => {
                        assert!(value >= proven, "{text}")
                    }
                    Verdict::Proven(proven @ Value::Loss { .. }) => {
                        assert!(value <= proven, "{text}")
                    }
                    Verdict::Proven(Value::Draw) => assert_eq!(value, Value::Draw, "{text}"),
                    Verdict::Estimate(_) => {}
                }
            }
            if value == (Value::Win { plies: 3 }) {
                assert_eq!(searched, Verdict::Proven(value), "{text}");
            }
        }
    }
}
