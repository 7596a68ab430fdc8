//! Names, recovery, export and deletion of accounts.

use noughts_server::{Config, reset_account};
use noughts_store::Store;
use noughts_testing::Postgres;
use serde_json::{Value, json};

use super::client::{Client, open_game};
use super::leagues::{beats, until};
use super::server::Server;

/// Nobody counts as away in a short time.
fn config() -> Config {
    Config { grace_ms: Some(60_000), ..Config::default() }
}

fn rename(client: &Client, name: &str) -> super::client::Reply {
    client.send("PUT", "/me/name", Some(&json!({"name": name}).to_string()), &[])
}

#[test]
fn renamed_players_keep_their_games() {
    let server = Server::with(config());
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    beats(&ann, &bob);
    let game = ann.create(open_game());
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    bob.join(&game).expect(200);
    let me = rename(&ann, "Zoe").expect(200);
    assert_eq!((&me["name"], &me["kind"]), (&json!("Zoe"), &json!("account")));
    assert_eq!(socket.next_of("renamed")["event"]["player"]["name"], "Zoe");
    assert_eq!(bob.get(&game).expect(200)["players"][0]["name"], "Zoe");
    let table = until(&bob, "/leagues/classic", |table| table["players"] == 2);
    assert_eq!(table["rows"][0]["name"], "Zoe");
    bob.get("/players/Ann").refused(404, "no_player");
    let sign_in = |name: &str| {
        server.nobody().post_json("/sessions", json!({"name": name, "password": "correct horse"}))
    };
    sign_in("Ann").refused(401, "wrong_password");
    sign_in("Zoe").expect(201);
    // The old name is kept for its owner.
    rename(&bob, "Ann").refused(409, "name_taken");
    rename(&bob, "Zoe").refused(409, "name_taken");
    rename(&bob, "Admin").refused(422, "name");
    rename(&server.guest(), "Eve").expect(200);
    rename(&ann, "Ann").expect(200);
    rename(&ann, "Zoe").expect(200);
    rename(&ann, "Zoe 2").expect(200);
    rename(&ann, "Zoe 3").expect(200);
    rename(&ann, "Zoe 4").refused(429, "too_many");
}

#[test]
fn sockets_join_under_the_new_name() {
    let server = Server::with(config());
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let game = ann.create(open_game());
    let mut socket = bob.socket(&game);
    socket.next_of("state");
    rename(&bob, "Robert").expect(200);
    socket.send(super::client::request("join", 1, "k"));
    assert_eq!(socket.next_of("joined")["event"]["player"]["name"], "Robert");
}

#[test]
fn recovery_code_sets_a_new_password() {
    let server = Server::with(config());
    let body = json!({"name": "Ann", "password": "correct horse"});
    let session = server.nobody().post_json("/names", body).expect(201);
    let code = session["recovery_code"].as_str().unwrap().to_string();
    let ann = server.nobody().with_token(session["token"].as_str().unwrap());
    let recover = |name: &str, code: &str, password: &str| {
        let body = json!({"name": name, "code": code, "password": password});
        server.nobody().post_json("/recoveries", body)
    };
    recover("Ann", "00000-00000-00000-00000", "another horse").refused(401, "wrong_code");
    recover("Nobody here", &code, "another horse").refused(401, "wrong_code");
    recover("Ann", &code, "password").refused(422, "password");
    ann.get("/me").expect(200);
    let sloppy = code.to_lowercase().replace('-', " ");
    let recovered = recover("ann", &sloppy, "another horse").expect(201);
    ann.get("/me").refused(401, "bad_token");
    let ann = ann.with_token(recovered["token"].as_str().unwrap());
    ann.get("/me").expect(200);
    recover("Ann", &code, "third horse").refused(401, "wrong_code");
    // There is always a next one.
    let next = recovered["recovery_code"].as_str().unwrap();
    let confirm =
        |password: &str| ann.post_json("/me/recovery-code", json!({"password": password}));
    confirm("correct horse").refused(401, "wrong_password");
    let newest = confirm("another horse").expect(201)["code"].as_str().unwrap().to_string();
    recover("Ann", next, "third horse").refused(401, "wrong_code");
    recover("Ann", &newest, "third horse").expect(201);
    let guest = server.guest();
    let reply = guest.post_json("/me/recovery-code", json!({"password": "correct horse"}));
    reply.refused(403, "account_needed");
}

#[test]
fn operator_resets_an_account() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("noughts.db");
    let server = Server::on(path.clone(), config());
    server.named("Ann");
    server.guest();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let code = runtime.block_on(async {
        let store = Store::open(&path).await.unwrap();
        assert_eq!(reset_account(&store, "Eve").await.unwrap(), None);
        let code = reset_account(&store, "ANN").await.unwrap().unwrap();
        store.close().await;
        code
    });
    let body = json!({"name": "Ann", "code": code, "password": "another horse"});
    server.nobody().post_json("/recoveries", body).expect(201);
}

#[test]
fn export_has_everything() {
    let server = Server::with(config());
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let game = beats(&ann, &bob);
    bob.create(open_game());
    let private = ann.create(open_game());
    ann.post("/tokens", r#"{"label":"my bot"}"#).expect(201);
    until(&ann, "/leagues/classic", |table| table["players"] == 2);
    let export = ann.get("/me/export").expect(200);
    assert_eq!(export["player"], ann.get("/me").expect(200));
    assert_eq!(export["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(export["bot_tokens"][0]["label"], "my bot");
    assert_eq!(export["ratings"][0]["wins"], 1);
    let results = export["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!((&results[0]["game"], &results[0]["winner"]), (&game["id"], &results[0]["seat"]));
    let games: Vec<_> = export["games"].as_array().unwrap().iter().map(|g| &g["id"]).collect();
    assert_eq!(games, [private.strip_prefix("/games/").unwrap(), game["id"].as_str().unwrap()]);
    server.guest().get("/me/export").expect(200);
}

fn delete(client: &Client, password: Value) -> super::client::Reply {
    client.post_json("/me/deletion", password)
}

/// What a server tells everyone about a game.
fn texts_of(client: &Client, game: &str) -> String {
    ["", "/events", "/export"].map(|part| client.get(&format!("{game}{part}")).text).concat()
}

fn deletion_takes_the_name(server: &Server) {
    let (ann, bob) = (server.named("Annabel"), server.named("Bob"));
    let id = ann.get("/me").expect(200)["id"].clone();
    let finished = beats(&ann, &bob);
    let finished = format!("/games/{}", finished["id"].as_str().unwrap());
    let live = ann.create(open_game());
    bob.join(&live).expect(200);
    ann.play(&live, "A1", 2).expect(200);
    bob.play(&live, "B1", 3).expect(200);
    let open = ann.create(json!({"seats": [{"for": "me"}, {"for": "anyone"}], "public": true}));
    let bot = ann.post("/tokens", r#"{"label":"bot"}"#).expect(201);
    let bot = ann.with_token(bot["token"].as_str().unwrap());
    let mut socket = bob.socket(&live);
    socket.next_of("state");
    until(&bob, "/leagues/classic", |table| table["players"] == 2);
    assert!(texts_of(&bob, &finished).contains("Annabel"));

    delete(&ann, json!({"password": "wrong horse"})).refused(401, "wrong_password");
    delete(&ann, json!({})).refused(401, "wrong_password");
    bot.post("/me/deletion", "{}").refused(403, "not_for_bots");
    let reply = delete(&ann, json!({"password": "correct horse"}));
    assert_eq!(reply.status, 204);
    assert!(reply.headers["set-cookie"].to_str().unwrap().contains("Max-Age=0"));
    for client in [&ann, &bot] {
        client.get("/me").refused(401, "bad_token");
    }
    let body = json!({"name": "Annabel", "password": "correct horse"});
    server.nobody().post_json("/sessions", body.clone()).refused(401, "wrong_password");
    server.nobody().post_json("/names", body).refused(409, "name_taken");
    bob.get("/players/Annabel").refused(404, "no_player");

    // The opponent of a live game wins, and an open game is gone.
    let name = format!("Deleted player {id}");
    assert_eq!(socket.next_of("renamed")["event"]["player"]["name"], name);
    assert_eq!(socket.next_of("eliminated")["event"]["seat"], 0);
    until(&bob, &open, |game| game["phase"] == "finished");
    // All names are gone soon: in events, in lists and in records.
    for game in [&finished, &live, &open] {
        until(&bob, &format!("{game}/events"), |events| !events.to_string().contains("Annabel"));
    }
    let list = until(&bob, "/games?player=Bob", |list| !list.to_string().contains("Annabel"));
    assert_eq!(list.as_array().unwrap().len(), 2);
    // The deleted player is not listed; the rating of the other one stays.
    let table = bob.get("/leagues/classic").expect(200);
    assert_eq!((&table["players"], &table["rows"][0]["name"]), (&json!(1), &json!("Bob")));
}

#[test]
fn deleted_players_stay_anonymous() {
    let server = Server::with(config());
    deletion_takes_the_name(&server);
    // What was stored is read again.
    let directory = server.stop().unwrap();
    let path = directory.path().join("noughts.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(&path).await.unwrap();
        assert_eq!(store.identities_to_erase().await.unwrap(), []);
        for game in store.games(None, 10).await.unwrap() {
            let text = format!("{game:?}");
            assert!(!text.contains("Annabel") && text.contains("Deleted player"), "{text}");
        }
        store.close().await;
    });
    let server = Server::on(path, config());
    let list = server.nobody().get("/games?player=Bob").expect(200);
    for game in list.as_array().unwrap() {
        let game = format!("/games/{}", game["id"].as_str().unwrap());
        let texts = texts_of(&server.nobody(), &game);
        assert!(!texts.contains("Annabel") && texts.contains("Deleted player"), "{texts}");
    }
}

#[test]
fn deletion_works_on_postgresql() {
    let Some(postgres) = Postgres::shared() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = runtime.block_on(postgres.database());
    deletion_takes_the_name(&Server::on_database(&url, config()));
}

#[test]
fn guests_delete_themselves_without_password() {
    let server = Server::with(config());
    let guest = server.guest();
    assert_eq!(delete(&guest, json!({})).status, 204);
    guest.get("/me").refused(401, "bad_token");
}

/// A server that was killed in the middle leaves the rest to the next one.
#[test]
fn deletion_continues_after_restart() {
    let server = Server::with(config());
    let (ann, bob) = (server.named("Annabel"), server.named("Bob"));
    let id = noughts_store::IdentityId(ann.get("/me").expect(200)["id"].as_i64().unwrap());
    let game = beats(&ann, &bob);
    let game = format!("/games/{}", game["id"].as_str().unwrap());
    let directory = server.stop().unwrap();
    let path = directory.path().join("noughts.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(&path).await.unwrap();
        let name = noughts_store::UniqueName {
            name: "Deleted player 9".into(),
            case_skeleton: "deletedplayer9".into(),
            written_skeleton: "deletedplayer9".into(),
        };
        store.delete_identity(id, &name, 1, 2).await.unwrap();
        store.close().await;
    });
    let server = Server::on(path, config());
    let nobody = server.nobody();
    until(&nobody, &format!("{game}/events"), |events| {
        let text = events.to_string();
        !text.contains("Annabel") && text.contains("Deleted player 9")
    });
}
