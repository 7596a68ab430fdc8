//! Reads that include what the client has seen, on any server.

use serde_json::json;

use super::games::ann_and_bob;
use super::server::Server;
use super::several::{at, two_servers};

/// Moves on one server and reads on the other. Returns how many of the reads lacked the move.
fn stale_reads(query: impl Fn(u64) -> String) -> Option<usize> {
    let (here, there) = two_servers()?;
    let ann = here.guest();
    let seats = json!([{"for": "me"}, {"for": "me"}]);
    let game = ann.create(json!({"seats": seats, "rules": "26x26:26"}));
    let elsewhere = at(&there, &ann);
    // In memory of the other server, which learns of moves by notices from now on.
    elsewhere.get(&game).expect(200);
    let stale = (1..=50).filter(|seq| {
        let cell = format!("{}{}", char::from(b'A' + (seq / 26) as u8), seq % 26 + 1);
        let acknowledged = ann.play(&game, &cell, *seq).expect(200)["seq"].as_u64().unwrap();
        let view = elsewhere.get(&format!("{game}{}", query(acknowledged))).expect(200);
        view["seq"].as_u64().unwrap() < acknowledged
    });
    Some(stale.count())
}

#[test]
fn reads_with_seq_include_what_another_server_acknowledged() {
    let Some(stale) = stale_reads(|seq| format!("?seq={seq}")) else { return };
    assert_eq!(stale, 0);
    // Otherwise the servers would be too quick to tell.
    assert_ne!(stale_reads(|_| String::new()), Some(0), "stale reads without seq");
}

#[test]
fn everything_read_of_a_game_includes_seq() {
    let Some((here, there)) = two_servers() else { return };
    let ann = here.guest();
    let elsewhere = at(&there, &ann);
    let seats = json!([{"for": "me"}, {"for": "me"}]);
    for round in 0..10 {
        let game = ann.create(json!({"seats": seats}));
        elsewhere.get(&game).expect(200);
        for (seq, cell) in (1u64..).zip(["A1", "B1", "A2", "B2"]) {
            ann.play(&game, cell, seq).expect(200);
        }
        let read = |path: &str| elsewhere.get(&format!("{game}/{path}"));
        match round % 5 {
            0 => {
                let events = read("events?since=3&seq=5").expect(200);
                assert_eq!(events.as_array().unwrap().last().unwrap()["seq"], 5);
            }
            1 => assert!(read("export?seq=5").text.contains("A1 B1 A2 B2")),
            2 => assert_eq!(read("analysis?ply=4&seq=5").expect(200)["best"], "A3"),
            3 => {
                let mut socket = elsewhere.open(&format!("{game}/socket?seq=5"), &[]).unwrap();
                assert_eq!(socket.next()["game"]["seq"], 5);
            }
            _ => {
                // Nothing was missed; a server that is behind must not send an older state.
                let mut socket = elsewhere.open(&format!("{game}/socket?since=5"), &[]).unwrap();
                ann.play(&game, "A3", 5).expect(200);
                assert_eq!(socket.next()["seq"], 6);
                let lost = elsewhere.get(&format!("{game}/losing-move?seq=6")).expect(200);
                assert_eq!(lost["seat"], 1, "{lost}");
            }
        }
    }
}

#[test]
fn tables_include_the_result_of_a_game() {
    let Some((here, there)) = two_servers() else { return };
    let (ann, bob) = (here.named("Ann"), here.named("Bob"));
    let there = there.nobody();
    for wins in 1..=4 {
        let seats = json!([{"for": "me"}, {"for": "anyone"}]);
        let game = ann.create(json!({"seats": seats, "rated": true}));
        bob.join(&game).expect(200);
        for (seq, (player, cell)) in
            (2u64..).zip([(&ann, "A1"), (&bob, "B1"), (&ann, "A2"), (&bob, "B2"), (&ann, "A3")])
        {
            player.play(&game, cell, seq).expect(200);
        }
        let id = game.rsplit('/').next().unwrap();
        match wins % 4 {
            0 => {
                let record = there.get(&format!("/players/Ann/against/Bob?game={id}")).expect(200);
                assert_eq!(record["wins"], wins);
            }
            1 => {
                let profile = there.get(&format!("/players/Ann?game={id}")).expect(200);
                assert_eq!(profile["leagues"][0]["wins"], wins);
            }
            2 => {
                let league = &there.get("/players/Ann").expect(200)["leagues"][0]["league"];
                let league = league.as_str().unwrap();
                let table = there.get(&format!("/leagues/{league}?game={id}")).expect(200);
                assert_eq!(table["rows"][0]["wins"], wins);
            }
            _ => {
                let league = &there.get("/players/Ann").expect(200)["leagues"][0]["league"];
                let league = league.as_str().unwrap();
                let rank = format!("/leagues/{league}/players/Ann?game={id}");
                assert_eq!(there.get(&rank).expect(200)["player"]["wins"], wins);
            }
        }
    }
}

#[test]
fn reads_wait_for_an_event() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let view = std::thread::scope(|scope| {
        let read = scope.spawn(|| bob.get(&format!("{game}?seq=3")).expect(200));
        ann.play(&game, "A1", 2).expect(200);
        read.join().unwrap()
    });
    assert_eq!(view["moves"], json!(["A1"]));
}

#[test]
fn events_that_do_not_come_are_refused() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    for path in ["", "/events", "/export", "/analysis", "/losing-move"] {
        let reply = ann.get(&format!("{game}{path}?seq=9"));
        assert_eq!(reply.headers["retry-after"], "1", "{path}");
        let refused = reply.refused(409, "behind");
        let expected = "The game is at event 2, not yet at 9: try again in a moment.";
        assert_eq!(refused["message"], expected, "{path}");
    }
    ann.get("/games/00000000000000000000000000/events?seq=1").refused(404, "no_game");
    ann.get(&format!("{game}?seq=-1")).refused(400, "malformed");
    ann.get("/players/Ann?game=00000000000000000000000000").refused(404, "no_game");
    // A client whose events were lost, as after restoring a backup, gets the game as it is.
    assert_eq!(ann.open(&format!("{game}/socket?since=9"), &[]).unwrap().next()["game"]["seq"], 2);
}
