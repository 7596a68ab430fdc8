//! Scores of online games, stored by servers and shown by the program.

use serde_json::json;

use crate::noughts_with;
use crate::scores::{change, json, play, played};

/// A taken seat as it is stored.
fn taken(player: &noughts_store::ResultPlayer) -> String {
    let noughts_store::ResultPlayer { identity, name, .. } = player;
    let holder =
        format!(r#"{{"type":"taken","identity":{identity},"name":"{name}","kind":"account"}}"#);
    format!(r#"{{"holder":{holder}}}"#)
}

/// Stores an online game between two accounts, as a server does.
fn play_online(data: &std::path::Path) {
    use noughts_store::{
        Append, GameId, GamePhase, IdentityKind, LeagueChoice, LeagueResult, Listing, ResultPlayer,
        Store, UniqueName, Writer,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(data).await.unwrap();
        let mut players = Vec::new();
        for name in ["Ann", "Bob"] {
            let unique = UniqueName { name: name.into(), case_skeleton: name.into(), written_skeleton: name.into() };
            let made = store.create_identity(IdentityKind::Account, &unique, None, 0).await.unwrap();
            players.push(ResultPlayer { identity: made.id, name: name.into(), is_provisional: false });
        }
        let created = format!(
            r#"{{"type":"created","v":1,"rules":"3x3","seats":[{},{}],"league":"classic","public":true,
                "creator":{},"away_ms":1,"idle_ms":1}}"#,
            taken(&players[0]),
            taken(&players[1]),
            players[0].identity
        );
        let moved = |(ply, cell): (usize, &str)| {
            format!(r#"{{"type":"moved","seat":{},"cell":"{cell}"}}"#, ply % 2)
        };
        let moves = ["A1", "B1", "A2", "B2", "A3"].into_iter().enumerate().map(moved);
        let events = std::iter::once(created).chain(moves).collect();
        let over = Append {
            game: GameId::new(0, [7; 10]),
            expected: 0,
            events,
            at: 0,
            due: None,
            key: None,
            key_is_fresh: false,
            listing: Some(Box::new(Listing {
                phase: GamePhase::Finished,
                public: true,
                rules: "3x3".into(),
                league: Some("classic".into()),
                rated: true,
                aborted: false,
                seats: players.iter().map(|player| Some(player.identity)).collect(),
                detail: String::new(),
            })),
            result: Some(Box::new(LeagueResult {
                league: LeagueChoice { name: "classic".into(), system: noughts_scores::System::Elo },
                players,
                outcome: noughts_scores::Outcome::Won { seat: 0 },
                record:
                    "rules 3x3\nplayer X Ann\nplayer O Bob\nmoves A1 B1 A2 B2 A3\nresult X wins"
                        .into(),
            })),
        };
        Writer::start(store.log()).append(over).await.unwrap();
        store.close().await;
    });
}

#[test]
fn online_games_share_the_data_file() {
    let (_folder, data) = played();
    play_online(&data);
    assert_eq!(
        json(&data, "scores rank Ann --league classic --json"),
        json!({"rank": 1, "name": "Ann", "rating": 1516, "wins": 1, "losses": 0, "draws": 0,
            "above": [],
            "below": [{"rank": 2, "name": "Bob", "rating": 1484, "wins": 0, "losses": 1, "draws": 0}]})
    );
    assert_eq!(json(&data, "scores games 1 --json")[0]["league"], "classic");
    assert!(noughts_with(&data, "show 4", "").ok().contains("moves A1 B1 A2 B2 A3"));
    assert_eq!(
        noughts_with(&data, "scores rebuild --check", "").ok(),
        "classic: 1 result, 2 players, as stored\nlocal: 3 results, 3 players, as stored\n"
    );
    let check = |faults: &str| {
        let differs = noughts_with(&data, "scores rebuild --check", "");
        assert_eq!(differs.status(), 1);
        // The other league comes last, and is as stored.
        let others = "local: 3 results, 3 players, as stored\n";
        let found = differs.stdout().strip_suffix(others);
        assert!(found.is_some_and(|found| found.ends_with(faults)), "{}", differs.stdout());
    };
    let set_last_event = |body: &str| {
        change(&data, &format!("UPDATE events SET body = '{body}' WHERE sequence = 6"));
    };
    set_last_event(r#"{"type":"moved","seat":0,"cell":"C3"}"#);
    check("  result 4: its game is not over\n");
    set_last_event("{}");
    check("event 6 of the game is invalid: missing field `type` at line 1 column 2\n");
    set_last_event(r#"{"type":"moved","seat":0,"cell":"A3"}"#);
    change(&data, "UPDATE results SET winner_seat = 1 WHERE id = 4");
    check("  result 4: stored: seat 1 won; replayed: seat 0 won\n");
    noughts_with(&data, "scores rebuild", "").ok();
    noughts_with(&data, "scores rebuild --check", "").ok();
    change(&data, "DELETE FROM result_players WHERE result_id = 4");
    change(&data, "DELETE FROM results WHERE id = 4");
    check(": it is finished and has no result\n");
}

#[test]
fn compacted_games_read_as_before() {
    let (_folder, data) = played();
    play_online(&data);
    let questions =
        ["scores rebuild --check", "show 4", "scores --league classic", "scores games 9 --json"];
    let ask = || questions.map(|question| noughts_with(&data, question, "").ok().to_string());
    let before = ask();
    let said = noughts_with(&data, "compact", "").ok().to_string();
    assert!(said.starts_with("Folded 1 game.\n"), "{said}");
    assert!(said.contains(" kB and has ") && said.ends_with(" kB now.\n"), "{said}");
    assert_eq!(ask(), before);
    let again = noughts_with(&data, "compact --days 0", "").ok().to_string();
    assert!(again.starts_with("Folded 0 games.\n"), "{again}");
    let nothing = data.with_extension("none");
    let sentence = format!("there is no file {}", nothing.display());
    noughts_with(&nothing, "compact", "").fails(1, &sentence);
}

/// Names entered in the terminal are not authenticated.
#[test]
fn terminal_games_never_count_in_online_leagues() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    noughts_with(&data, "scores create classic glicko2", "").ok();
    change(&data, "UPDATE leagues SET online = 1");
    let output = play(&data, "Ann", "Bob", "--league classic", "resign\n");
    assert!(
        output.contains(
            "This game does not count: \
             the league classic is for online games: terminal games don't count in it.\n"
        ),
        "{output}"
    );
    assert_eq!(json(&data, "scores top --league classic --json"), json!([]));
    assert_eq!(json(&data, "scores games --json").as_array().unwrap().len(), 1);
}

#[test]
fn scores_of_postgresql_servers() {
    let Some(postgres) = noughts_testing::Postgres::shared() else {
        eprintln!("PostgreSQL is not installed: scores there are not tested");
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = runtime.block_on(postgres.database());
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("none.db");
    let scores = |what: &str| noughts_with(&data, &format!("scores {what} --database {url}"), "");
    assert!(scores("create club elo").ok().contains("club"));
    assert!(scores("leagues").ok().contains("club"));
    assert_eq!(scores("rebuild --check").ok(), "club: 0 results, 0 players, as stored\n");
    assert!(!data.exists());
    assert_ne!(noughts_with(&data, "scores --database nonsense", "").status(), 0);
}
