use crate::noughts;

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
