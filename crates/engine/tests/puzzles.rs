//! Puzzles have exactly one right move, and are played to the end against the solver.

use std::env;

use noughts_engine::{
    Budget, PUZZLE_NODES, Puzzle, PuzzleAttempt, PuzzleError, PuzzleFeedback, PuzzleGenerator,
    PuzzleKind, PuzzleSet, Value, day_of, solve,
};
use noughts_rules::{Move, Outcome, Position, Rules};

fn budget() -> Budget {
    Budget::unlimited().with_nodes(PUZZLE_NODES)
}

fn puzzle(position: &str) -> Puzzle {
    let puzzle = Puzzle::find(&position.parse().unwrap(), &budget());
    puzzle.unwrap_or_else(|| panic!("{position} is no puzzle"))
}

/// The value of a move by the solver for whole positions, for the seat that makes it.
fn value_of(position: &Position, mv: Move) -> Value {
    let mut after = position.clone();
    let mover = position.turn().unwrap();
    match after.play(mv).unwrap() {
        Some(Outcome::Draw) => Value::Draw,
        Some(Outcome::Win(winner)) if winner == mover => Value::Win { plies: 1 },
        Some(Outcome::Win(_)) => Value::Loss { plies: 1 },
        None => solve(&after, &Budget::unlimited()).unwrap().value.unwrap().before_move(),
    }
}

#[test]
fn generated_puzzles_have_one_right_move() {
    for rules in ["3x3", "3x3+misere", "3x3+wild", "4x4", "4x4+gravity", "3x3x3"] {
        let rules: Rules = rules.parse().unwrap();
        for puzzle in PuzzleGenerator::new(&rules, 7, &Budget::unlimited()).take(6) {
            puzzle.verify(&budget()).unwrap();
            let position = puzzle.position();
            let least = match puzzle.kind() {
                PuzzleKind::Win => Value::Win { plies: u16::MAX },
                PuzzleKind::Draw => Value::Draw,
            };
            let right: Vec<Move> =
                position.legal_moves().filter(|&mv| value_of(position, mv) >= least).collect();
            assert_eq!(right, puzzle.solution()[..1], "{position}");
            assert!(puzzle.hint().contains(&right[0]));
        }
    }
}

#[test]
fn large_boards_have_puzzles() {
    let rules: Rules = "gomoku".parse().unwrap();
    let puzzle = PuzzleGenerator::new(&rules, 1, &Budget::unlimited()).next().unwrap();
    puzzle.verify(&budget()).unwrap();
    assert_eq!(puzzle.kind(), PuzzleKind::Win);
    // In a win of up to five moves, every other first move is slower.
    assert!((2..=5).contains(&puzzle.own_moves()));
}

#[test]
fn given_games_have_puzzles() {
    let mut game = Position::new(&Rules::classic());
    for cell in ["A1", "A2", "B2", "C3", "B1", "B3", "C1"] {
        game.play(cell.parse::<Move>().unwrap()).unwrap();
    }
    let find = |rules: &str, games: &[Position]| -> Vec<Puzzle> {
        let rules = rules.parse().unwrap();
        PuzzleGenerator::of_games(&rules, games.iter().cloned(), &budget()).collect()
    };
    let found = find("3x3", std::slice::from_ref(&game));
    let texts: Vec<String> = found.iter().map(|puzzle| puzzle.position().to_string()).collect();
    assert_eq!(texts, ["3x3 x2/3/3 o"], "only the centre drew after the first move");
    assert_eq!(find("4x4", &[game]), []);
}

#[test]
fn solver_refutes_changed_puzzle() {
    let win = puzzle("3x3 2o/x2/3 x");
    let change = |position: &str, plies, solution: &[Move]| {
        let position = position.parse().unwrap();
        Puzzle::new(position, win.kind(), plies, solution.to_vec(), 3)
    };
    let (plies, solution) = (win.plies(), win.solution());
    assert_eq!(change("3x3 2o/x2/3 x", plies, solution).unwrap().verify(&budget()), Ok(()));
    let wrong = PuzzleError::Solution { plies: 3 };
    assert_eq!(change("3x3 2o/x2/3 x", 3, solution), Err(wrong.clone()));
    assert_eq!(change("3x3 2o/x2/3 x", 3, &solution[..3]), Err(wrong), "the line wins nothing");
    // Another stone of the winner makes more moves right.
    let helped = change("4x4:3 4/1x2/3o/4 x", 3, &["B3", "A1", "B1"].map(|c| c.parse().unwrap()));
    assert_eq!(helped.unwrap().verify(&budget()), Err(PuzzleError::Refuted));
    let difficulty = Puzzle::new(win.position().clone(), win.kind(), plies, solution.to_vec(), 6);
    assert_eq!(difficulty, Err(PuzzleError::Difficulty(6)));
}

#[test]
fn attempt_is_played_to_the_end() {
    let puzzle = puzzle("3x3 2o/x2/3 x");
    let mut attempt = PuzzleAttempt::new(&puzzle);
    let solution: Vec<Move> = puzzle.solution().to_vec();
    assert_eq!(attempt.own_moves_left(), 3);
    let wrong = puzzle.position().legal_moves().find(|mv| *mv != solution[0]).unwrap();
    let PuzzleFeedback::Wrong { value: Some(value), .. } = attempt.play(wrong, &budget()).unwrap()
    else {
        panic!("a wrong move is refuted")
    };
    assert_eq!(value, value_of(puzzle.position(), wrong));
    assert_eq!(attempt.position(), puzzle.position(), "wrong moves are taken back");
    let right = attempt.play(solution[0], &budget()).unwrap();
    assert_eq!(right, PuzzleFeedback::Right { replies: vec![solution[1]] });
    attempt.play(solution[2], &budget()).unwrap();
    // The last move may complete either line.
    let last = attempt.position().legal_moves().find(|&mv| {
        mv != solution[4] && value_of(attempt.position(), mv) == Value::Win { plies: 1 }
    });
    let solved = attempt.play(last.unwrap_or(solution[4]), &budget()).unwrap();
    let (replies, continuation) = (Vec::new(), Vec::new());
    assert_eq!(solved, PuzzleFeedback::Solved { replies, continuation });
    assert!(attempt.is_solved() && attempt.position().outcome().is_some());
    assert!(attempt.play(solution[0], &budget()).is_err());
}

/// After the right first move, all moves count that are as fast: both ends of an open four.
#[test]
fn other_fast_wins_count_after_the_first_move() {
    let shipped = PuzzleSet::shipped().iter();
    let last_choices = shipped.filter_map(|puzzle| {
        let mut attempt = PuzzleAttempt::new(puzzle);
        while puzzle.kind() == PuzzleKind::Win && attempt.own_moves_left() > 1 {
            attempt.play(attempt.solution()[0], &budget()).unwrap();
        }
        let position = attempt.position().clone();
        let expected = *attempt.solution().first()?;
        let wins = |mv: &Move| {
            *mv != expected && position.clone().play(*mv) == Ok(Some(Outcome::Win(puzzle.seat())))
        };
        Some((attempt, position.legal_moves().find(wins)?))
    });
    let (mut attempt, other) = last_choices.into_iter().next().unwrap();
    let solved = attempt.play(other, &budget()).unwrap();
    assert!(matches!(solved, PuzzleFeedback::Solved { .. }), "{solved:?}");
    assert!(attempt.is_solved());
}

#[test]
fn defender_completes_the_line_in_misere() {
    let rules: Rules = "3x3+misere".parse().unwrap();
    let mut puzzles = PuzzleGenerator::new(&rules, 1, &Budget::unlimited());
    let puzzle = puzzles.find(|puzzle| puzzle.kind() == PuzzleKind::Win).unwrap();
    let mut attempt = PuzzleAttempt::new(&puzzle);
    let mut last = None;
    while !attempt.is_solved() {
        last = Some(attempt.play(attempt.solution()[0], &budget()).unwrap());
    }
    let Some(PuzzleFeedback::Solved { replies, .. }) = last else { panic!("{last:?}") };
    assert_eq!(replies.len(), 1);
    assert_eq!(attempt.position().outcome(), Some(Outcome::Win(puzzle.seat())));
}

/// A sample, or all with `NOUGHTS_PUZZLES=all`.
#[test]
fn shipped_puzzles_are_proven() {
    let shipped = PuzzleSet::shipped();
    let all = env::var("NOUGHTS_PUZZLES").is_ok_and(|which| which == "all");
    let step = if all { 1 } else { shipped.iter().len() / 12 + 1 };
    let mut wrong = Vec::new();
    for puzzle in shipped.iter().step_by(step) {
        assert_eq!(puzzle.verify(&budget()), Ok(()), "{}", puzzle.position());
        let found = Puzzle::find(puzzle.position(), &budget()).unwrap();
        if found.difficulty() != puzzle.difficulty() {
            wrong.push(format!("{} {}", found.difficulty(), puzzle.position()));
        }
    }
    assert!(wrong.is_empty(), "these should have the difficulty in front:\n{}", wrong.join("\n"));
}

#[test]
fn each_puzzle_is_due_once_in_a_round() {
    let shipped = PuzzleSet::shipped();
    let count = shipped.iter().len();
    let mut due: Vec<_> = (0..count as u64).map(|day| shipped.daily(day).id()).collect();
    assert_eq!(shipped.daily(3).id(), due[3]);
    due.sort_unstable();
    due.dedup();
    assert_eq!(due.len(), count);
    assert_eq!(day_of(1_767_225_600_000), 20_454, "1 January 2026");
    assert_eq!(day_of(1_767_225_599_999), 20_453);
}

#[test]
fn files_say_what_is_wrong() {
    let error = |text: &str| PuzzleSet::from_json(text).unwrap_err().to_string();
    assert!(error("{}").starts_with("expected a JSON array of puzzles"));
    assert_eq!(error("[]"), "the file has no puzzles, or none that holds");
    let record = r#"[{"rules":"4x4","position":"3x3 x2/3/3 o","kind":"draw","plies":1,
        "solution":["B2"],"difficulty":1}]"#;
    assert_eq!(error(record), "puzzle 1: rules: expected those of the position, 3x3");
    let occupied = record.replace("4x4", "3x3").replace("B2", "A1");
    assert!(error(&occupied).starts_with("puzzle 1: the solution must be legal moves"));
    // One puzzle holds, and of the other a second move is right, too.
    let wrong = r#"{"rules":"4x4:3","position":"4x4:3 4/1x2/3o/4 x","kind":"win","plies":3,
        "solution":["B3","A1","B1"],"difficulty":1}"#;
    let right = r#"{"rules":"3x3","position":"3x3 x2/3/3 o","kind":"draw","plies":1,
        "solution":["B2"],"difficulty":2}"#;
    let set = PuzzleSet::from_json(&format!("[{wrong},{right},{right}]")).unwrap();
    assert_eq!(set.iter().len(), 2, "the same puzzle counts once");
    let (proven, others) = set.verified(&budget()).unwrap();
    assert_eq!((proven.iter().len(), others.len()), (1, 1));
    assert_eq!(others[0].1, PuzzleError::Refuted);
}
