//! Ratings of earlier versions.

use noughts_scores::{Outcome, System};
use noughts_server::Config;
use noughts_store::{
    Append, GameId, GamePhase, IdentityKind, LeagueChoice, LeagueResult, Listing, ResultPlayer,
    Store, UniqueName, Writer,
};
use serde_json::{Value, json};

use super::server::Server;

/// A rated game as the first version stored it. The first player wins.
struct LegacyGame {
    number: u8,
    rules: &'static str,
    league: &'static str,
    moves: &'static [&'static str],
    /// Whether the second player resigned after the moves.
    resigned: bool,
}

impl LegacyGame {
    fn append(&self, players: &[ResultPlayer]) -> Append {
        let holder = |player: &ResultPlayer| {
            json!({"holder": {"type": "taken", "identity": player.identity, "name": player.name,
                "kind": "account"}})
        };
        let seats: Vec<Value> = players.iter().map(holder).collect();
        let created = json!({"type": "created", "v": 1, "rules": self.rules, "seats": seats,
            "league": self.league, "public": true, "creator": players[0].identity,
            "away_ms": 60_000, "idle_ms": 60_000});
        let moved =
            |(ply, cell): (usize, &&str)| json!({"type": "moved", "seat": ply % 2, "cell": cell});
        let moves = self.moves.iter().enumerate().map(moved);
        let resigned = json!({"type": "eliminated", "seat": 1, "reason": "resigned"});
        let resigned = self.resigned.then_some(resigned);
        let events = [created].into_iter().chain(moves).chain(resigned);
        let mut actions = self.moves.join(" ");
        if self.resigned {
            actions.push_str(" resign:2");
        }
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let record = format!(
            "rules {}\nplayer X {}\nplayer O {}\nmoves {}\nresult X wins",
            self.rules, names[0], names[1], actions
        );
        let league = LeagueChoice { name: self.league.into(), system: System::Glicko2 };
        Append {
            game: GameId::new(i64::from(self.number), [self.number; 10]),
            expected: 0,
            events: events.map(|event| event.to_string()).collect(),
            at: 0,
            due: None,
            key: None,
            key_is_fresh: false,
            listing: Some(Box::new(Listing {
                phase: GamePhase::Finished,
                public: true,
                rules: self.rules.into(),
                league: Some(self.league.into()),
                rated: true,
                aborted: false,
                seats: players.iter().map(|player| Some(player.identity)).collect(),
                detail: json!({"players": [], "clock": null, "created_at": 0}).to_string(),
            })),
            result: Some(Box::new(LeagueResult {
                league,
                players: players.to_vec(),
                outcome: Outcome::Won { seat: 0 },
                record,
            })),
        }
    }
}

const LEGACY_GAMES: [LegacyGame; 4] = [
    LegacyGame {
        number: 1,
        rules: "3x3",
        league: "online",
        moves: &["A1", "B1", "A2", "B2", "A3"],
        resigned: false,
    },
    LegacyGame {
        number: 2,
        rules: "15x15:5",
        league: "online",
        moves: &["H8", "H9", "G8", "G9"],
        resigned: true,
    },
    // These would not count today.
    LegacyGame { number: 3, rules: "3x3", league: "online", moves: &["A1"], resigned: true },
    LegacyGame { number: 4, rules: "3x3:1", league: "online", moves: &["A1"], resigned: false },
];

#[test]
fn ratings_of_the_first_version_are_split_by_game() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("noughts.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(&path).await.unwrap();
        let mut players = Vec::new();
        for name in ["Ann", "Bob"] {
            let skeleton = name.to_lowercase();
            let unique = UniqueName {
                name: name.into(),
                case_skeleton: skeleton.clone(),
                written_skeleton: skeleton,
            };
            let kind = IdentityKind::Account;
            let identity = store.create_identity(kind, &unique, None, 0).await.unwrap();
            let name = name.into();
            players.push(ResultPlayer { identity: identity.id, name, is_provisional: false });
        }
        let writer = Writer::start(store.log());
        for game in &LEGACY_GAMES {
            writer.append(game.append(&players)).await.unwrap();
        }
        store.close().await;
    });
    // Starting again changes nothing more.
    for _ in 0..2 {
        let server = Server::on(path.clone(), Config::default());
        let nobody = server.nobody();
        for league in ["classic", "gomoku"] {
            let table = nobody.get(&format!("/leagues/{league}")).expect(200);
            let rows: Vec<_> = table["rows"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| (row["name"].clone(), row["rating"].clone(), row["wins"].clone()))
                .collect();
            let expected = [("Ann", 1662, 1), ("Bob", 1338, 0)];
            assert_eq!(
                rows,
                expected.map(|(name, rating, wins)| (json!(name), json!(rating), json!(wins)))
            );
        }
        assert_eq!(nobody.get("/leagues/other").expect(200)["players"], 0);
        let leagues = nobody.get("/leagues").expect(200);
        let mut names = leagues.as_array().unwrap().iter().map(|league| &league["name"]);
        assert!(names.all(|name| name != "online"), "{leagues}");
        let id = GameId::new(2, [2; 10]);
        let game = nobody.get(&format!("/games/{id}")).expect(200);
        assert_eq!(
            (&game["league"], &game["ratings"][0]["after"]),
            (&json!("gomoku"), &json!(1662))
        );
        server.stop();
    }
}
