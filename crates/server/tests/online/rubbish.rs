//! Random requests to every route, and random messages over sockets: all are answered, and no game
//! changes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::client::{Client, request};
use super::games::ann_and_bob;
use super::server::Server;

/// One server for all cases, with a game of two other players.
struct World {
    server: Server,
    stranger: Client,
    ann: Client,
    game: String,
    /// Every route of the API description, with its path parameters filled in.
    routes: Vec<(String, String)>,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let server = Server::start();
        let (ann, _, game) = ann_and_bob(&server);
        let stranger = server.named("Stranger");
        let description = server.nobody().get("/openapi.json").expect(200);
        let id = game.strip_prefix("/games/").unwrap();
        let mut routes = Vec::new();
        for (path, item) in description["paths"].as_object().unwrap() {
            let path = path.strip_prefix("/api/v1").unwrap().replace("{id}", id);
            let path = path.replace("{league}", "classic").replace("{name}", "Stranger");
            let path = path.replace("{other}", "Stranger");
            // These would end the session of later cases, or have endless answers.
            let is_tried = !path.starts_with("/sessions")
                && !path.starts_with("/me/")
                && !path.ends_with("/stream");
            for method in item.as_object().unwrap().keys().filter(|_| is_tried) {
                routes.push((method.to_uppercase(), path.clone()));
            }
        }
        World { server, stranger, ann, game, routes }
    })
}

impl World {
    fn log(&self) -> Value {
        self.ann.get(&format!("{}/events", self.game)).expect(200)
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[A-Z][0-9]{1,2}".prop_map(Value::from),
        prop_oneof![Just("move"), Just("3x3"), Just("me"), Just("classic"), Just("resign")]
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::from),
        ]
    })
}

/// An object with field names of the API, and others.
fn object(
    value: impl Strategy<Value = Value>,
) -> impl Strategy<Value = serde_json::Map<String, Value>> {
    let names = [
        "command",
        "type",
        "seq",
        "key",
        "move",
        "accept",
        "seat",
        "rules",
        "seats",
        "for",
        "level",
        "rated",
        "clock",
        "initial_ms",
        "public",
        "name",
        "password",
        "label",
        "position",
        "moves",
        "symbol",
    ];
    let name = prop_oneof![
        9 => proptest::sample::select(names.to_vec()).prop_map(String::from),
        1 => any::<String>(),
    ];
    proptest::collection::vec((name, value), 0..6).prop_map(|pairs| pairs.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn random_requests_are_answered(
        route in any::<proptest::sample::Index>(),
        body in any_value(),
        query in proptest::option::weighted(0.3, "[a-z]{1,6}=[a-zA-Z0-9%+]{0,8}"),
        signed_in in any::<bool>(),
    ) {
        let world = world();
        let before = world.log();
        let (method, path) = route.get(&world.routes);
        let client = if signed_in { world.stranger.clone() } else { world.server.nobody() };
        let path = query.map_or(path.clone(), |query| format!("{path}?{query}"));
        let text = body.to_string();
        let body = (method != "GET").then_some(text.as_str());
        let reply = client.send(method, &path, body, &[]);
        prop_assert!(reply.status < 500, "{method} {path} {text}: {reply:?}");
        if reply.status >= 400 {
            prop_assert!(reply.json()["code"].is_string(), "{method} {path} {text}: {reply:?}");
        }
        prop_assert_eq!(world.log(), before);
    }

    #[test]
    fn random_messages_are_refused(
        messages in proptest::collection::vec(
            prop_oneof![
                any::<String>(),
                object(any_value()).prop_map(|map| Value::from(map).to_string()),
            ],
            1..8,
        ),
    ) {
        let world = world();
        let before = world.log();
        let mut socket = world.stranger.socket(&world.game);
        socket.next_of("state");
        for message in &messages {
            socket.send_text(message);
        }
        socket.send(request("resign", 2, "the end"));
        loop {
            let reply = socket.next();
            prop_assert_eq!(&reply["type"], "refused", "{}", reply);
            if reply["key"] == "the end" {
                prop_assert_eq!(&reply["code"], "not_a_player");
                break;
            }
        }
        prop_assert_eq!(world.log(), before);
    }
}

#[test]
fn errors_name_the_field() {
    let server = Server::start();
    let ann = server.guest();
    for (body, code, message) in [
        ("{", "malformed", "Expected JSON: EOF while parsing an object at line 1 column 1."),
        ("[]", "invalid", "Invalid type: sequence, expected an object."),
        (r#"{"rules":5}"#, "invalid", "rules: invalid type: integer `5`, expected a string."),
        (
            r#"{"seats":["me"]}"#,
            "invalid",
            r#"seats[0]: invalid type: string "me", expected an object such as {"for":"me"}."#,
        ),
        (
            r#"{"seats":[{"for":"nobody"}]}"#,
            "invalid",
            "seats[0].for: unknown variant `nobody`, expected one of `me`, `anyone`, `player`, `computer`.",
        ),
    ] {
        let reply = ann.post("/games", body).json();
        assert_eq!((&reply["code"], &reply["message"]), (&json!(code), &json!(message)), "{body}");
    }
    let reply = ann.get("/games?limit=abc").refused(400, "malformed");
    assert_eq!(reply["message"], "limit: invalid digit found in string.");
}

#[test]
fn broken_bodies_are_malformed() {
    let server = Server::start();
    let check = |rest: &str, cut_short: bool| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let head = "POST /api/v1/guests HTTP/1.1\r\nhost: a.example\r\n\
                    content-type: application/json\r\n";
        stream.write_all(format!("{head}{rest}").as_bytes()).unwrap();
        if cut_short {
            stream.shutdown(Shutdown::Write).unwrap();
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400 "), "{rest:?}: {answer}");
        assert!(answer.contains(r#""code":"malformed""#), "{rest:?}: {answer}");
    };
    check("transfer-encoding: chunked\r\n\r\nzz\r\n\r\n", false);
    check("transfer-encoding: chunked\r\n\r\n2\r\n{}", true);
    check("content-length: 20\r\n\r\n{}", true);
}
