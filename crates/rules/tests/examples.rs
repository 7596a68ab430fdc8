//! Runs the examples.

#[path = "../examples/two_players.rs"]
#[allow(dead_code)]
mod two_players;
#[path = "../examples/variant.rs"]
mod variant;

#[test]
fn variant_runs() {
    variant::main().unwrap();
}

#[test]
fn two_people_play() {
    let play = |rules: &str, input: &str| {
        let mut output = Vec::new();
        two_players::play(&rules.parse().unwrap(), input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    };
    let won = play("3x3", "A1\nb1\nA2\nB1\nB2\nundo\nredo\nA3\nC3\n");
    assert!(won.contains("B1 is taken"), "{won}");
    assert!(won.ends_with("X X X\nO O _\n_ _ _\nPlayer 1 wins!\n"), "{won}");
    assert!(play("3x3", "what\n").ends_with("such as 0,0\n"));
    assert!(play("1x2:2", "A1\nA2\n").ends_with("X O\nIt's a draw!\n"));
}
