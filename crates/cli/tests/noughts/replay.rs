use crate::{noughts, noughts_args};

#[test]
fn one_line_a_move() {
    let input = "6\nmove 0 0\nmove 1 1\nmove 0 0\nmove 0 1\nmove 2 2\nmove 0 2\n";
    assert_eq!(
        noughts("replay", input).ok(),
        "X placed at (0, 0)\nO placed at (1, 1)\nInvalid move\nX placed at (0, 1)\n\
         O placed at (2, 2)\nX wins\n"
    );
    let draw = "10\nmove 0 0\nmove 0 1\nmove 0 2\nmove 1 1\nmove 1 0\nmove 1 2\nmove 2 1\n\
                move 2 0\nmove 2 2\nmove 0 0\n";
    assert!(
        noughts("replay", draw).ok().ends_with("O placed at (2, 0)\nDraw\nGame already over\n")
    );
}

#[test]
fn other_rules_of_the_family() {
    let input = "2\nmove 5 3\nmove 3 3\n";
    assert_eq!(
        noughts("replay --rules connect4", input).ok(),
        "X placed at (5, 3)\nInvalid move\n"
    );
}

#[test]
fn moves_of_every_kind_replay() {
    let check = |rules: &str, moves: &[&str], expected: &[&str]| {
        let input = format!("{}\n{}\n", moves.len(), moves.join("\n"));
        let ran = noughts_args(&["replay", "--rules", rules], &input);
        assert_eq!(ran.ok().lines().collect::<Vec<_>>(), expected, "{rules}");
    };
    check(
        "ultimate",
        &["move 4 4", "move 3 3", "move 0 0", "move 8 8"],
        &["X placed at (4, 4)", "O placed at (3, 3)", "X placed at (0, 0)", "Invalid move"],
    );
    check(
        "3x3x3+gravity",
        &["move 0 1 1", "move 1 1 1", "move 2 0 0"],
        &["X placed at (0, 1, 1)", "O placed at (1, 1, 1)", "Invalid move"],
    );
    check(
        "wild",
        &["move 1 1 o", "move 0 0 o", "move 2 2 o"],
        &["O placed at (1, 1)", "O placed at (0, 0)", "Player 1 wins"],
    );
    check(
        "3x3+notakto+2b",
        &["move 1 0 0", "move 0 0 0"],
        &["X placed at (1, 0, 0)", "X placed at (0, 0, 0)"],
    );
    check(
        "swap2",
        &["move 7 7", "move 7 8", "swap", "move 8 7", "more", "move 0 0", "move 0 1", "swap"],
        &[
            "X placed at (7, 7)",
            "O placed at (7, 8)",
            "Invalid move",
            "X placed at (8, 7)",
            "more",
            "O placed at (0, 0)",
            "X placed at (0, 1)",
            "swap",
        ],
    );
    check(
        "connect6",
        &["move 9 9", "move 0 0", "move 0 1", "move 9 8"],
        &["X placed at (9, 9)", "O placed at (0, 0)", "O placed at (0, 1)", "X placed at (9, 8)"],
    );
    check(
        "fade",
        &["move 0 0", "move 0 1", "move 1 1", "move 1 0", "move 2 0", "move 2 2", "move 0 2"],
        &[
            "X placed at (0, 0)",
            "O placed at (0, 1)",
            "X placed at (1, 1)",
            "O placed at (1, 0)",
            "X placed at (2, 0)",
            "O placed at (2, 2)",
            "X wins",
        ],
    );
    let malformed = noughts_args(&["replay", "--rules", "wild"], "1\nmove 0 0\n");
    malformed.fails(
        2,
        "line 2: expected `move ROW COL MARK` with two whole numbers and x or o, got `move 0 0`",
    );
}

#[test]
fn file_reads_like_standard_input() {
    let path = std::env::temp_dir().join(format!("noughts-replay-{}.txt", std::process::id()));
    std::fs::write(&path, "1\r\nmove 1 1\r\n").unwrap();
    let ran = noughts(&format!("replay {}", path.display()), "");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(ran.ok(), "X placed at (1, 1)\n");
    noughts("replay /no/such/file", "")
        .fails(1, "can't open /no/such/file: No such file or directory (os error 2)");
}

#[test]
fn malformed_input_names_the_line() {
    let ran = noughts("replay", "2\nmove 0 0\nmove 0\n");
    assert_eq!(ran.stdout(), "X placed at (0, 0)\n");
    ran.fails(2, "line 3: expected `move ROW COL` with two whole numbers, got `move 0`");
    noughts("replay", "").fails(2, "line 1: expected the number of moves, got the end");
    noughts("replay", "3\nmove 0 0\n").fails(2, "line 3: expected 2 more moves, got the end");
    let long = format!("1\n{}\n", "x".repeat(100_000));
    let shown = "x".repeat(24);
    noughts("replay", &long).fails(
        2,
        &format!("line 2: expected `move ROW COL` with two whole numbers, got `{shown}…`"),
    );
}
