//! The limit of unfinished games for each player.

use noughts_server::Config;
use serde_json::json;

use super::client::{open_game, request};
use super::server::Server;

fn server() -> Server {
    Server::with(Config { games_per_player: Some(2), ..Config::default() })
}

#[test]
fn invitations_are_limited() {
    let server = server();
    let (eve, mallory, ann) = (server.guest(), server.guest(), server.named("Ann"));
    let invitation = json!({"seats": [{"for": "me"}, {"for": "player", "name": "Ann"}]});
    let mut with_key = invitation.clone();
    with_key["key"] = json!("i");
    let games = [eve.create(invitation.clone()), eve.create(with_key.clone())];
    assert_eq!(eve.create(with_key), games[1]);
    mallory.post_json("/games", invitation).refused(429, "too_many");
    ann.create(open_game());
    ann.join(&games[0]).expect(200);
    ann.join(&games[1]).refused(429, "too_many");
    ann.post_json("/games", open_game()).refused(429, "too_many");
}

#[test]
fn repeated_commands_pass_the_limit() {
    let server = server();
    let (ann, bob) = (server.guest(), server.guest());
    let with_key = |key: &str| {
        let mut wanted = open_game();
        wanted["key"] = json!(key);
        wanted
    };
    let first = ann.create(with_key("a"));
    let second = ann.create(with_key("b"));
    assert_eq!(ann.create(with_key("b")), second);
    ann.post_json("/games", with_key("c")).refused(429, "too_many");
    let join = |game: &str, key: &str| bob.request(game, request("join", 0, key));
    join(&first, "j").expect(200);
    join(&second, "k").expect(200);
    assert_eq!(join(&second, "k").expect(200)["seq"], 2);
}

#[test]
fn rematches_count_as_games() {
    let server = server();
    let ann = server.guest();
    let alone = json!({"seats": [{"for": "me"}, {"for": "me"}]});
    let mut over = Vec::new();
    for _ in 0..3 {
        let game = ann.create(alone.clone());
        ann.act(&game, "resign", 1).expect(200);
        over.push(game);
    }
    let ask = |game: &str| {
        let mut socket = ann.socket(game);
        socket.next_of("state");
        socket.send(request("rematch", 2, "r"));
        socket
    };
    ask(&over[0]).next_of("accepted");
    ask(&over[1]).next_of("accepted");
    let refused = ask(&over[2]).next_of("refused");
    assert_eq!((&refused["code"], &refused["key"]), (&json!("too_many"), &json!("r")));
    // Repeating an accepted command passes.
    ask(&over[1]).next_of("accepted");
    ann.act(&over[2], "rematch", 2).refused(429, "too_many");
}

#[test]
fn concurrent_games_are_counted() {
    const MAX_GAMES: usize = 5;
    let most = u32::try_from(MAX_GAMES).unwrap();
    let server = Server::with(Config { games_per_player: Some(most), ..Config::default() });
    for round in 0..20 {
        let (ann, bob) = (server.guest(), server.guest());
        // One of the five games has ended, which only a query finds out.
        let games: Vec<_> = (0..MAX_GAMES).map(|_| ann.create(open_game())).collect();
        ann.act(&games[0], "abort", 1).expect(200);
        let opened = bob.create(open_game());
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let ask = |number: usize| {
                let (ann, opened) = (&ann, &opened);
                scope.spawn(move || match number {
                    0 => ann.join(opened).status,
                    _ => ann.post_json("/games", open_game()).status,
                })
            };
            let asked: Vec<_> = (0..8).map(ask).collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        let done = statuses.iter().filter(|status| **status != 429).count();
        assert_eq!(done, 1, "round {round}: {statuses:?}");
    }
}

#[test]
fn invitations_are_limited_per_inviter() {
    let server = Server::start();
    let (eve, ann, bob) = (server.guest(), server.guest(), server.named("Bob"));
    let invitation = json!({"seats": [{"for": "me"}, {"for": "player", "name": "Bob"}]});
    let games: Vec<_> = (0..5).map(|_| eve.create(invitation.clone())).collect();
    eve.post_json("/games", invitation.clone()).refused(429, "too_many");
    ann.create(invitation.clone());
    let declined = bob.act(&games[0], "abort", 1).expect(200);
    assert_eq!(declined["game"]["result"]["reason"], "aborted");
    eve.create(invitation);
}
