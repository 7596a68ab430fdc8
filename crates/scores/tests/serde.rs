//! The optional Serde forms, in JSON.

use noughts_scores::{GameResult, Name, Outcome, Report, ResultId, System};

#[test]
fn reports_round_trip() {
    let result = GameResult::from_names(["Ann", "Bob"], Outcome::Won { seat: 1 }).unwrap();
    let report = Report { id: ResultId(7), at: 12, result };
    let json =
        r#"{"id":7,"at":12,"result":{"players":["Ann","Bob"],"outcome":{"won":{"seat":1}}}}"#;
    assert_eq!(serde_json::to_string(&report).unwrap(), json);
    assert_eq!(serde_json::from_str::<Report<Name>>(json).unwrap(), report);
}

#[test]
fn systems_are_written_as_text() {
    for system in System::ALL {
        let json = format!("\"{system}\"");
        assert_eq!(serde_json::to_string(&system).unwrap(), json);
        assert_eq!(serde_json::from_str::<System>(&json).unwrap(), system);
    }
}

#[test]
fn invalid_results_are_refused() {
    let read = |json: &str| serde_json::from_str::<GameResult<Name>>(json).unwrap_err().to_string();
    let refused = read(r#"{"players":["Ann","ANN"],"outcome":"draw"}"#);
    assert!(refused.starts_with("\"ANN\" has both seat 0 and seat 1"), "{refused}");
    let unnamed = read(r#"{"players":["","Bob"],"outcome":"draw"}"#);
    assert!(unnamed.starts_with("a name needs at least one character"), "{unnamed}");
}
