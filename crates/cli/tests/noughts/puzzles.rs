//! Puzzles: made, and solved line by line or on the full screen.

use std::time::{SystemTime, UNIX_EPOCH};

use noughts_engine::{Budget, PUZZLE_NODES, Puzzle, PuzzleSet, day_of};

use crate::{noughts, noughts_with};

/// The puzzle of the day, as anyone can work it out.
fn daily() -> Puzzle {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    PuzzleSet::shipped().daily(day_of(now as i64)).clone()
}

/// The own moves of a solution, one in a line.
fn own_moves(puzzle: &Puzzle) -> String {
    puzzle.solution().iter().step_by(2).map(|mv| format!("{mv}\n")).collect()
}

#[test]
fn made_puzzles_are_the_same_for_a_seed_and_hold() {
    let ran = noughts("puzzle make 4x4 --count 4 --seed 3 --json", "");
    let set = PuzzleSet::from_json(ran.ok()).unwrap();
    assert_eq!(set.iter().len(), 4);
    for puzzle in set.iter() {
        puzzle.verify(&Budget::unlimited().with_nodes(PUZZLE_NODES)).unwrap();
    }
    let again = noughts("puzzle make 4x4 --count 4 --seed 3 --json", "");
    assert_eq!(again.ok(), ran.stdout());
    let text = noughts("puzzle make 3x3 --count 1", "");
    assert!(text.ok().contains("(difficulty "), "{}", text.stdout());
    noughts("puzzle make 4x4:3+3p", "").fails(2, "puzzles are for two players, not for 3");
    let none = noughts("puzzle make 3x3:1 --json", "");
    assert_eq!(none.ok(), "[]\n");
}

#[test]
fn given_games_have_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let game =
        "rules 3x3\nplayer X John\nplayer O Jane\nmoves A1 A2 B2 C3 B1 B3 C1\nresult X wins\n";
    let file = folder.path().join("game.txt");
    std::fs::write(&file, game).unwrap();
    let arguments = format!("puzzle make 3x3 --from {} --json", file.display());
    let ran = noughts_with(&data, &arguments, "");
    assert_eq!(
        ran.ok(),
        "[{\"rules\":\"3x3\",\"position\":\"3x3 x2/3/3 o\",\"kind\":\"draw\",\"plies\":1,\
         \"solution\":[\"B2\"],\"difficulty\":2}\n]\n"
    );
    noughts_with(&data, "puzzle --own", "").fails(1, "no puzzle was found in your stored games");
    noughts_with(&data, &format!("import {}", file.display()), "").ok();
    let ran = noughts_with(&data, "puzzle --own", "A2\nB2\nquit\n");
    for line in [
        "O to move: only one move does not lose.",
        "A2 loses in ",
        "X answers ",
        "Solved! That holds the draw.",
    ] {
        assert!(ran.ok().contains(line), "{line}:\n{}", ran.stdout());
    }
}

#[test]
fn puzzle_of_the_day_is_solved_in_lines() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let puzzle = daily();
    let ran = noughts_with(&data, "puzzle", &format!("{}quit\n", own_moves(&puzzle)));
    assert!(ran.ok().starts_with("\nPuzzle of the day: "), "{}", ran.stdout());
    assert!(ran.stdout().contains("Solved!"), "{}", ran.stdout());
    assert!(ran.stdout().contains("1 of 1 solved, 1 day in a row."), "{}", ran.stdout());
    // A wrong move first, and then the solution: the rating is lost, the day is not.
    let legal = puzzle.position().legal_moves();
    let wrong = legal.filter(|mv| *mv != puzzle.solution()[0]).last().unwrap();
    let input = format!("{wrong}\nhint\nsolution\n{}quit\n", own_moves(&puzzle));
    let other = noughts("puzzle --daily", &input);
    assert!(other.ok().contains("It is one of "), "{}", other.stdout());
    assert!(other.stdout().contains("The solution is "), "{}", other.stdout());
    assert!(other.stdout().contains("1 of 1 solved, 1 day in a row."), "{}", other.stdout());
    assert!(!other.stdout().contains("Rating 1500"), "{}", other.stdout());
}

#[test]
fn filters_and_mistakes_are_explained() {
    let ran = noughts("puzzle --rules connect4 --difficulty 4", "help\nxyz\nagain\n");
    assert!(ran.ok().contains("\nConnect Four, difficulty 4 of 5\n"), "{}", ran.stdout());
    assert!(ran.stdout().contains("hint       shows three boxes"), "{}", ran.stdout());
    assert!(ran.stdout().contains("\"xyz\" is not a column"), "{}", ran.stdout());
    noughts("puzzle --rules 3x3:1", "")
        .fails(1, "there is no such puzzle: try another game or difficulty");
    let refused = noughts("puzzle --difficulty 6", "");
    assert_eq!(refused.status(), 2);
    assert!(refused.stderr().contains("expected a number from 1 to 5"), "{}", refused.stderr());
}

#[cfg(unix)]
#[test]
fn puzzles_are_solved_on_the_full_screen() {
    let mut terminal = crate::terminal::noughts_in_terminal("");
    terminal.wait_for(&["N O U G H T S", "puzzles"]);
    terminal.send("p");
    terminal.wait_for(&["Puzzle of the day", "to move", "hint"]);
    let puzzle = daily();
    let count = puzzle.own_moves();
    for (number, mv) in puzzle.solution().iter().step_by(2).enumerate() {
        terminal.send(&format!("{mv}\r"));
        match count - number - 1 {
            0 => {}
            1 => terminal.wait_for(&["One more move to find."]),
            left => terminal.wait_for(&[&format!("{left} more moves to find.")]),
        }
    }
    terminal.wait_for(&["Solved", "1 day in a row"]);
    terminal.send("\r");
    terminal.wait_for(&["Puzzle, difficulty"]);
    terminal.send("\x1b");
    terminal.wait_for(&["N O U G H T S"]);
    terminal.send("q");
    assert!(terminal.end().success());
}
