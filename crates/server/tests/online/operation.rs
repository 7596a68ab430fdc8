//! Health, metrics, API description and shutdown.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use noughts_server::Config;
use noughts_testing::Fault;

use super::client::open_game;
use super::games::ann_and_bob;
use super::server::Server;

#[test]
fn health_readiness_and_metrics_respond() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    ann.play(&game, "A1", 2).expect(200);
    let nobody = server.nobody();
    assert_eq!(
        (nobody.get("!/healthz").text, nobody.get("!/readyz").text),
        ("ok\n".into(), "ready\n".into())
    );
    let metrics = server.metrics();
    for name in ["noughts_games_created_total", "noughts_events_total", "noughts_games_in_memory"] {
        assert!(metrics.contains(name), "{name} in {metrics}");
    }
    // Players do not see them.
    nobody.get("!/metrics").refused(404, "no_route");
}

/// The names of metrics in a text.
fn metric_names(text: &str) -> BTreeSet<&str> {
    let is_separator = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split(is_separator).filter(|word| word.starts_with("noughts_")).collect()
}

/// Also before anything was counted, except for requests.
#[test]
fn dashboard_and_documentation_name_the_metrics() {
    let server = Server::start();
    server.nobody().get("!/healthz");
    let exposition = server.metrics();
    let exposed = metric_names(&exposition);
    let dashboard = include_str!("../../../../deploy/grafana-dashboard.json");
    let used = metric_names(dashboard);
    let unknown: Vec<_> = used.difference(&exposed).collect();
    assert!(unknown.is_empty(), "{unknown:?} are on the dashboard only, {exposed:?} exist");
    let documentation = include_str!("../../../../docs/server.md");
    for line in exposition.lines() {
        let Some(description) = line.strip_prefix("# HELP ") else { continue };
        let (name, help) = description.split_once(' ').unwrap();
        assert!(used.iter().any(|used| used.starts_with(name)), "{name} is not on the dashboard");
        assert!(documentation.contains(&format!("`{name}`")), "{name} is not documented");
        assert!(!help.is_empty(), "{name} is not described");
    }
}

#[test]
fn server_that_stores_nothing_is_not_ready() {
    let (server, log) = Server::faulty(Config::default());
    let (ann, _, game) = ann_and_bob(&server);
    log.plan([Some(Fault::Full)]);
    ann.play(&game, "A1", 2).refused(503, "unavailable");
    let reply = server.nobody().get("!/readyz");
    assert_eq!((reply.status, reply.text.as_str()), (503, "nothing can be stored\n"));
    ann.play(&game, "A1", 2).expect(200);
    assert_eq!(server.nobody().get("!/readyz").text, "ready\n");
}

#[test]
fn requests_name_one_host() {
    let server = Server::start();
    let status = |request: &str| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line.split(' ').nth(1).map(str::to_string)
    };
    for (request, expected) in [
        ("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "200"),
        ("GET /healthz HTTP/1.0\r\n\r\n", "200"),
        ("GET /healthz HTTP/1.1\r\n\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    ] {
        assert_eq!(status(request).as_deref(), Some(expected), "{request}");
    }
}

#[test]
fn every_response_has_security_headers() {
    let server = Server::start();
    for path in ["!/healthz", "/games", "/nothing", "!/", "/docs"] {
        let reply = server.nobody().get(path);
        let header =
            |name: &str| reply.headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or("");
        assert!(header("content-security-policy").starts_with("default-src 'none'"), "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("x-frame-options"), "DENY", "{path}");
    }
}

#[test]
fn description_covers_every_route() {
    let server = Server::start();
    let nobody = server.nobody();
    let description = nobody.get("/openapi.json").expect(200);
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
    let paths = description["paths"].as_object().unwrap();
    let page = nobody.get("/docs").text;
    for (path, item) in paths {
        assert!(page.contains(path.as_str()), "{path}");
        for (method, operation) in item.as_object().unwrap() {
            let text = operation.to_string();
            assert!(operation["summary"].is_string(), "{method} {path}");
            assert!(text.contains("responses"), "{method} {path}");
            let responses = operation["responses"].as_object().unwrap().iter();
            let answers = responses.filter(|(status, _)| status.starts_with('2'));
            let bodies = answers.map(|(_, response)| &response["content"]);
            for content in bodies.chain([&operation["requestBody"]["content"]]) {
                for (media_type, body) in content.as_object().into_iter().flatten() {
                    let is_text = body["schema"]["type"] == "string";
                    assert!(
                        is_text || body["examples"].is_object(),
                        "{media_type} of {method} {path}"
                    );
                }
            }
        }
    }
    assert!(paths.contains_key("/api/v1/games/{id}/commands"));
    let messages = nobody.get("/asyncapi.json").expect(200)["components"]["messages"].clone();
    for name in messages.as_object().unwrap().keys() {
        assert!(page.contains(&format!("<a href=\"#{name}\">{name}</a>")), "{name}");
    }
    nobody.get("/nothing").refused(404, "no_route");
    nobody.delete("/games").refused(405, "no_method");
}

#[test]
fn shutdown_closes_sockets_and_keeps_games() {
    // It stops long before the timeout.
    let server = Server::with(Config { shutdown_seconds: Some(3600), ..Config::default() });
    let ann = server.guest();
    let game = ann.create(open_game());
    let mut socket = ann.socket(&game);
    socket.next();
    let mut watching = server.nobody().socket(&game);
    watching.next();
    let folder = server.stop().unwrap();
    assert_eq!(socket.end(), Some(1012));
    assert_eq!(watching.end(), Some(1012));
    let server = Server::on(folder.path().join("noughts.db"), Default::default());
    let ann = server.nobody().with_token(&ann.token.unwrap());
    assert_eq!(ann.get(&game).expect(200)["seq"], 1);
}
