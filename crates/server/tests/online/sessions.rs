//! Sessions: their list, their end, and what makes their cookies secure.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use noughts_server::Config;
use noughts_store::{Store, TokenHash, TokenKind};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use ureq::http::HeaderMap;

use super::client::{Client, Reply, open_game};
use super::server::Server;

const DAY: i64 = 24 * 3600 * 1000;

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// Another session of Ann's, begun by a browser.
fn sign_in(server: &Server, agent: &str) -> Client {
    let body = json!({"name": "Ann", "password": "correct horse"}).to_string();
    let nobody = server.nobody();
    let headers = [("user-agent", agent)];
    let session = nobody.send("POST", "/sessions", Some(&body), &headers).expect(201);
    nobody.with_token(session["token"].as_str().unwrap())
}

#[test]
fn sessions_are_listed_and_ended() {
    let server = Server::start();
    let ann = server.named("Ann");
    let browser = sign_in(&server, "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Firefox/143.0");
    ann.post("/tokens", r#"{"label":"bot"}"#).expect(201);
    let list = ann.get("/sessions").expect(200);
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 2, "{list:?}");
    assert_eq!((&list[0]["current"], &list[1]["current"]), (&json!(true), &json!(false)));
    assert_eq!(list[1]["device"], "Firefox on Linux");
    assert_eq!(list[1]["address"], "127.0.0.1");
    assert!(list[1]["last_used_at"].as_i64().unwrap() <= now());

    let game = browser.create(open_game());
    let mut socket = browser.socket(&game);
    socket.next_of("state");
    let address = format!("/sessions/{}", list[1]["id"].as_str().unwrap());
    server.named("Bob").delete(&address).refused(404, "no_token");
    assert_eq!(ann.delete(&address).status, 204);
    assert_eq!(socket.end(), Some(4401));
    browser.get("/me").refused(401, "bad_token");
    ann.delete(&address).refused(404, "no_token");
    assert_eq!(ann.get("/sessions").expect(200).as_array().unwrap().len(), 1);
    // A bot token is not a session.
    let tokens = ann.get("/tokens").expect(200);
    let bot = tokens.as_array().unwrap().iter().find(|token| token["kind"] == "bot").unwrap();
    let address = format!("/sessions/{}", bot["id"].as_str().unwrap());
    ann.delete(&address).refused(404, "no_token");
}

/// The hash of a token, as lists show it.
fn hash_of(client: &Client) -> TokenHash {
    let list = client.get("/sessions").expect(200);
    let own = list.as_array().unwrap().iter().find(|session| session["current"] == true).unwrap();
    TokenHash(hex::decode(own["id"].as_str().unwrap()).unwrap().try_into().unwrap())
}

fn with_store<T>(path: &std::path::Path, run: impl AsyncFnOnce(&Store) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(path).await.unwrap();
        let value = run(&store).await;
        store.close().await;
        value
    })
}

#[test]
fn unused_sessions_expire() {
    let server = Server::start();
    let clients: [Client; 4] =
        [server.named("Ann"), server.named("Bob"), server.guest(), server.guest()];
    let hashes = clients.each_ref().map(hash_of);
    let directory = server.stop().unwrap();
    let path = directory.path().join("noughts.db");
    let start = now();
    with_store(&path, async |store| {
        for (hash, days) in hashes.iter().zip([29, 31, 179, 181]) {
            store.record_token_use(&[*hash], start - days * DAY).await.unwrap();
        }
    });
    let server = Server::on(path.clone(), Config::default());
    let status = |client: &Client| {
        let client = server.nobody().with_token(client.token.as_ref().unwrap());
        client.get("/me").status
    };
    assert_eq!(clients.each_ref().map(status), [200, 401, 200, 401]);
    // The use counts, also after a restart.
    server.stop();
    let used = with_store(&path, async |store| {
        store.authenticate(hashes[0]).await.unwrap().unwrap().1.last_used_at
    });
    assert!(used >= start, "{used} is before {start}");
}

#[test]
fn old_sessions_expire_although_used() {
    let config = Config { session_max_days: Some(10), ..Config::default() };
    let server = Server::with(config.clone());
    let ann = server.named("Ann");
    let id = noughts_store::IdentityId(ann.get("/me").expect(200)["id"].as_i64().unwrap());
    let directory = server.stop().unwrap();
    let path = directory.path().join("noughts.db");
    with_store(&path, async |store| {
        for (token, days) in [("old", 11), ("young", 9)] {
            let hash = TokenHash(Sha256::digest(token).into());
            let at = now() - days * DAY;
            store.create_token(hash, id, TokenKind::Session, "session", at).await.unwrap();
            store.record_token_use(&[hash], now()).await.unwrap();
        }
    });
    let server = Server::on(path, config);
    server.nobody().with_token("old").get("/me").refused(401, "bad_token");
    server.nobody().with_token("young").get("/me").expect(200);
}

#[test]
fn cookies_are_secure_over_https() {
    let cookie = |config: Config, scheme: Option<&str>| {
        let server = Server::with(config);
        let headers: Vec<_> =
            scheme.map(|scheme| ("x-forwarded-proto", scheme)).into_iter().collect();
        let reply = server.nobody().send("POST", "/guests", Some("{}"), &headers);
        reply.headers["set-cookie"].to_str().unwrap().contains("; Secure")
    };
    let proxies = || vec!["127.0.0.1".parse().unwrap()];
    let behind_proxy = || Config { proxies: proxies(), ..Config::default() };
    assert!(cookie(behind_proxy(), Some("https")));
    assert!(!cookie(behind_proxy(), Some("http")));
    assert!(!cookie(behind_proxy(), None));
    assert!(!cookie(Config::default(), Some("https")), "anyone could say so");
    assert!(cookie(Config { secure_cookies: Some(true), ..Config::default() }, None));
    let never = Config { secure_cookies: Some(false), proxies: proxies(), ..Config::default() };
    assert!(!cookie(never, Some("https")));
}

/// A sign-in from an address behind the proxy, as a status.
fn guess(server: &Server, from: &str, name: &str, password: &str) -> (u16, Value) {
    let body = json!({"name": name, "password": password}).to_string();
    let headers = [("x-forwarded-for", from)];
    let reply = server.nobody().send("POST", "/sessions", Some(&body), &headers);
    (reply.status, reply.json())
}

#[test]
fn guessing_is_limited_for_a_name() {
    let config = Config { proxies: vec!["127.0.0.1".parse().unwrap()], ..Config::default() };
    let server = Server::with(config);
    let home = [("x-forwarded-for", "192.0.2.1")];
    let body = json!({"name": "Ann", "password": "correct horse"}).to_string();
    server.nobody().send("POST", "/names", Some(&body), &home).expect(201);
    // From 15 addresses, at a name that exists and at one that does not.
    let attack = |name: &str| -> Vec<(u16, Value)> {
        let guesses = (0..60).map(|number| {
            let from = format!("198.51.100.{}", number % 15);
            guess(&server, &from, name, &format!("wrong horse {number}"))
        });
        guesses.map(|(status, body)| (status, body["code"].clone())).collect()
    };
    let (real, unreal) = (attack("Ann"), attack("Nobody here"));
    assert_eq!(real, unreal, "the answers must not tell which names exist");
    let tried = real.iter().filter(|(status, _)| *status == 401).count();
    assert_eq!(tried, 20);
    assert_eq!(real.last().unwrap(), &(429, json!("too_fast")));
    // Even the right password is refused to newcomers meanwhile, but not where Ann has been before.
    assert_eq!(guess(&server, "203.0.113.5", "Ann", "correct horse").0, 429);
    assert_eq!(guess(&server, "192.0.2.1", "Ann", "correct horse").0, 201);
}

/// Neither the answer to a wrong password nor its time tells whose name it is.
#[test]
fn sign_in_answers_are_equal_for_all_names() {
    let config = Config { proxies: vec!["127.0.0.1".parse().unwrap()], ..Config::default() };
    let server = Server::with(config);
    server.named("Ann");
    let former = server.named("Former");
    former.send("PUT", "/me/name", Some(r#"{"name":"Latter"}"#), &[]).expect(200);
    let guest = server.guest().name;
    let names = ["Ann", "Nobody here", "Former", &guest, "Computer (hard)", "admin", "", "🛑"];
    let mut times = names.map(|_| Vec::new());
    // By turns, so that the times suffer alike from whatever else this machine does.
    for round in 0..9 {
        let address = format!("198.51.100.{round}");
        let headers = [("x-forwarded-for", &*address)];
        let answers = names.each_ref().map(|name| {
            let sign_in = json!({"name": name, "password": "wrong horse"}).to_string();
            let code = "00000-00000-00000-00000";
            let recovery = json!({"name": name, "code": code, "password": "battery staple"});
            let began = Instant::now();
            let answers = [("/sessions", sign_in), ("/recoveries", recovery.to_string())]
                .map(|(path, body)| server.nobody().send("POST", path, Some(&body), &headers));
            (began.elapsed(), answers.map(comparable))
        });
        for ((time, answer), times) in answers.iter().zip(&mut times) {
            assert_eq!(answer, &answers[0].1, "{names:?}");
            assert_eq!(answer.each_ref().map(|answer| answer.0), [401, 401]);
            times.push(*time);
        }
    }
    let medians = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    });
    // Without a hash to compute, an answer takes a hundredth of the time.
    let (fastest, slowest) = (medians.iter().min().unwrap(), medians.iter().max().unwrap());
    assert!(*slowest < *fastest * 3, "{names:?}: {medians:?}");
}

/// A reply without what differs from one second to the next.
fn comparable(mut reply: Reply) -> (u16, HeaderMap, String) {
    reply.headers.remove("date");
    (reply.status, reply.headers, reply.text)
}

#[test]
fn guessing_from_one_address_is_slowed() {
    let server = Server::start();
    server.named("Ann");
    let statuses: Vec<u16> =
        (0..7).map(|number| guess(&server, "", "Ann", &format!("wrong {number}")).0).collect();
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429]);
}

/// Ends the flood, also when the test fails.
struct EndOfFlood<'a>(&'a AtomicBool);

impl Drop for EndOfFlood<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// A hundred addresses that sign in all the time don't keep another one out.
#[test]
fn floods_of_sign_ins_are_overtaken() {
    let config = Config { proxies: vec!["127.0.0.1".parse().unwrap()], ..Config::default() };
    let server = Server::with(config);
    server.named("Ann");
    let (stop, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let end = EndOfFlood(&stop);
        for number in 0..100 {
            let (server, stop, begun) = (&server, &stop, &begun);
            scope.spawn(move || {
                for round in 0.. {
                    if stop.load(Relaxed) {
                        return;
                    }
                    begun.fetch_add(1, Relaxed);
                    // Other names each time: the limits on guessing don't apply.
                    let name = format!("victim {number} {round}");
                    guess(server, &format!("198.51.100.{number}"), &name, "wrong horse");
                }
            });
        }
        while begun.load(Relaxed) < 100 {
            thread::yield_now();
        }
        let replies: Vec<(u16, Duration)> = (0..5)
            .map(|newcomer| {
                let began = Instant::now();
                let from = format!("203.0.113.{newcomer}");
                (guess(&server, &from, "Ann", "correct horse").0, began.elapsed())
            })
            .collect();
        drop(end);
        assert!(replies.iter().all(|(status, _)| *status == 201), "{replies:?}");
        println!("signed in during the flood after {replies:?}");
    });
}
