//! Puzzles over HTTP.

use noughts_engine::{PuzzleId, PuzzleSet};
use noughts_server::Config;
use serde_json::{Value, json};

use super::server::Server;

/// The solution of a puzzle, which the server keeps to itself.
fn solution(puzzle: &Value) -> Vec<String> {
    let id: PuzzleId = puzzle["id"].as_str().unwrap().parse().unwrap();
    let puzzle = PuzzleSet::shipped().get(id).unwrap();
    puzzle.solution().iter().map(ToString::to_string).collect()
}

fn address(puzzle: &Value) -> String {
    format!("/puzzles/{}", puzzle["id"].as_str().unwrap())
}

#[test]
fn puzzle_of_the_day_is_solved_move_by_move() {
    let server = Server::start();
    let (ann, nobody) = (server.guest(), server.nobody());
    let daily = ann.get("/puzzles/daily").expect(200);
    assert_eq!(nobody.get("/puzzles/daily").expect(200)["puzzle"]["id"], daily["puzzle"]["id"]);
    assert_eq!((&daily["solvers"], &daily["puzzle"]["solved"]), (&json!(0), &json!(false)));
    let puzzle = &daily["puzzle"];
    assert!(!puzzle.to_string().contains("solution"), "{puzzle}");
    let (solution, attempts) = (solution(puzzle), format!("{}/attempts", address(puzzle)));
    let mut moves = Vec::new();
    for (number, mv) in solution.iter().enumerate().step_by(2) {
        moves.push(mv.clone());
        let answer = ann.post_json(&attempts, json!({"moves": moves})).expect(200);
        let is_last = number + 2 > solution.len() - usize::from(solution.len() % 2 == 0);
        assert_eq!(answer["result"], if is_last { "solved" } else { "right" }, "{answer}");
        assert_eq!(answer["steps"][0]["move"], json!(mv));
        if !is_last {
            assert_eq!(answer["steps"][1]["move"], json!(solution[number + 1]));
        } else {
            let progress = &answer["progress"];
            assert!(progress["rating"].as_i64().unwrap() > 1500, "{progress}");
            assert_eq!((&progress["solved"], &progress["streak"]), (&json!(1), &json!(1)));
        }
    }
    let daily = nobody.get("/puzzles/daily").expect(200);
    assert_eq!((&daily["solvers"], &daily["puzzle"]["solved"]), (&json!(1), &json!(false)));
    assert_eq!(ann.get(&address(puzzle)).expect(200)["solved"], true);
    assert_eq!(ann.get("/me/puzzles").expect(200)["days"], json!([daily["day"]]));
    nobody.get("/me/puzzles").refused(401, "sign_in_needed");
}

#[test]
fn wrong_moves_are_refuted_and_rated_once() {
    let server = Server::start();
    let ann = server.guest();
    let puzzles = ann.get("/puzzles?rules=3x3&limit=3").expect(200);
    let puzzle = &puzzles[0];
    let right = &solution(puzzle)[0];
    let legal = puzzle["view"]["legal"].as_array().unwrap();
    let wrong = legal.iter().find(|mv| *mv != right).unwrap();
    let attempts = format!("{}/attempts", address(puzzle));
    let answer = ann.post_json(&attempts, json!({"moves": [wrong]})).expect(200);
    assert_eq!((&answer["result"], &answer["steps"][0]["move"]), (&json!("wrong"), wrong));
    assert!(matches!(answer["because"].as_str(), Some("loses" | "draws")), "{answer}");
    assert!(!answer["continuation"].as_array().unwrap().is_empty());
    let rating = answer["progress"]["rating"].as_i64().unwrap();
    assert!(rating < 1500 && answer["progress"]["change"].as_i64().unwrap() < 0);
    let again = ann.post_json(&attempts, json!({"moves": [wrong]})).expect(200);
    assert_eq!(again["progress"]["rating"], rating);
    assert_eq!(again["progress"].get("change"), None);
    // Another puzzle is given up.
    let shown = ann.post_json(&format!("{}/solution", address(&puzzles[1])), json!({})).expect(200);
    assert_eq!(shown["steps"][0]["move"], solution(&puzzles[1])[0]);
    assert!(shown["progress"]["rating"].as_i64().unwrap() < rating);
    let hint = ann.post_json(&format!("{}/hint", address(&puzzles[2])), json!({})).expect(200);
    assert!(hint["moves"].as_array().unwrap().contains(&json!(solution(&puzzles[2])[0])));
    let next = ann.get("/puzzles?rules=3x3&limit=1").expect(200);
    assert!((0..3).all(|tried| next[0]["id"] != puzzles[tried]["id"]), "untried ones come first");
}

#[test]
fn wrong_requests_are_refused() {
    let server = Server::start();
    let ann = server.guest();
    ann.get("/puzzles/0123456789abcdef").refused(404, "no_puzzle");
    ann.get("/puzzles/x").refused(404, "no_puzzle");
    ann.get("/puzzles?rules=chess").refused(422, "invalid");
    ann.get("/puzzles?limit=0").refused(422, "invalid");
    let puzzle = &ann.get("/puzzles?difficulty=2&limit=1").expect(200)[0];
    assert_eq!(puzzle["difficulty"], 2);
    let attempts = format!("{}/attempts", address(puzzle));
    ann.post_json(&attempts, json!({"moves": []})).refused(422, "invalid");
    ann.post_json(&attempts, json!({"moves": ["Z99"]})).refused(422, "invalid");
    ann.post_json(&attempts, json!({"moves": "A1"})).refused(422, "invalid");
    let games = ann.get("/puzzles/games").expect(200);
    let counted: u64 =
        games.as_array().unwrap().iter().map(|game| game["puzzles"].as_u64().unwrap()).sum();
    assert_eq!(counted, PuzzleSet::shipped().iter().len() as u64);
}

#[test]
fn operators_serve_their_own_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("puzzles.json");
    let own = r#"[{"rules":"3x3","position":"3x3 x2/3/3 o","kind":"draw","plies":1,"solution":["B2"],"difficulty":2},
        {"rules":"4x4:3","position":"4x4:3 4/1x2/3o/4 x","kind":"win","plies":3,"solution":["B3","A1","B1"],"difficulty":1}]"#;
    std::fs::write(&file, own).unwrap();
    let config: Config =
        toml::from_str(&format!("puzzles = {:?}", file.display().to_string())).unwrap();
    assert_eq!(config.check(), Ok(()));
    let server = Server::with(config);
    let puzzles = server.nobody().get("/puzzles").expect(200);
    let positions: Vec<_> =
        puzzles.as_array().unwrap().iter().map(|puzzle| &puzzle["position"]).collect();
    assert_eq!(positions, ["3x3 x2/3/3 o"], "the other one does not hold");
    std::fs::write(&file, "[]").unwrap();
    let config: Config =
        toml::from_str(&format!("puzzles = {:?}", file.display().to_string())).unwrap();
    assert!(config.check().unwrap_err().starts_with("puzzles: "));
}
