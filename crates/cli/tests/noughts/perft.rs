use crate::noughts;

#[test]
fn json_has_the_published_counts() {
    let ran = noughts("perft 3x3 --json", "");
    let json: serde_json::Value = serde_json::from_str(ran.ok()).unwrap();
    assert_eq!(json["rules"], "3x3");
    assert_eq!(json["games"], 255_168);
    assert_eq!(json["nodes"], 549_946);
    assert_eq!(json["wins"], serde_json::json!([131_184, 77_904]));
    assert_eq!(json["draws"], 46_080);
    assert_eq!(json["positions"], 5_478);
    assert_eq!(json["by_depth"].as_array().unwrap().len(), 10);
    assert_eq!(json["by_depth"][9]["positions"], 78);
}

#[test]
fn table_is_aligned() {
    assert_eq!(
        noughts("perft 1x2:2", "").ok(),
        "\
depth  nodes  positions  up to symmetry  games  draws  wins of player 1  wins of player 2
    0      1          1               1      0      0                 0                 0
    1      2          2               1      0      0                 0                 0
    2      2          2               1      2      2                 0                 0
  all      5          5               3      2      2                 0                 0
"
    );
}

#[test]
fn depth_and_invalid_rules() {
    let ran = noughts("perft gomoku --depth 1 --json", "");
    let json: serde_json::Value = serde_json::from_str(ran.ok()).unwrap();
    assert_eq!((&json["nodes"], &json["games"]), (&226.into(), &0.into()));
    let bad = noughts("perft 3x99", "");
    assert_eq!(bad.status(), 2);
    assert!(
        bad.stderr().contains("board size 3x99 is out of range: expected 1 to 26 rows"),
        "{}",
        bad.stderr()
    );
}
