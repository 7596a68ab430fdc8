//! The optional Serde forms, in JSON.

use noughts_engine::{Analysis, Budget, Value, Verdict, analyse};
use noughts_rules::Position;

#[test]
fn verdicts_round_trip() {
    for (verdict, json) in [
        (Verdict::Proven(Value::Draw), r#"{"proven":"draw"}"#),
        (Verdict::Proven(Value::Win { plies: 3 }), r#"{"proven":{"win":{"plies":3}}}"#),
        (Verdict::Estimate(-12), r#"{"estimate":-12}"#),
    ] {
        assert_eq!(serde_json::to_string(&verdict).unwrap(), json);
        assert_eq!(serde_json::from_str::<Verdict>(json).unwrap(), verdict);
    }
}

#[test]
fn analyses_round_trip() {
    let position: Position = "3x3 xx1/oo1/3 x".parse().unwrap();
    let analysis = analyse(&position, &Budget::unlimited()).unwrap();
    let json = serde_json::to_string(&analysis).unwrap();
    assert!(json.contains(r#""best":"A3""#), "{json}");
    assert_eq!(serde_json::from_str::<Analysis>(&json).unwrap(), analysis);
}
