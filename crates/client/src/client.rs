//! Requests to a server.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::{Request, Uri};

use crate::order::Order;
use crate::reply::{self, printable};
use crate::view::{Refused, View};

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often a request is sent again that got no answer.
const TRIES: u32 = 6;

/// A server, and who one is there.
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    /// Such as `http://localhost:8000`.
    pub server: String,
    pub token: Option<String>,
}

/// Where a game or a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub server: String,
    pub game: Option<String>,
}

/// Why a request came to nothing.
#[derive(Debug)]
pub enum Failed {
    /// The server says no.
    Refused(Refused),
    /// There is no answer, or none that makes sense.
    Lost(anyhow::Error),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Refused(refused) => f.write_str(&refused.message),
            Failed::Lost(error) => write!(f, "{error:#}"),
        }
    }
}

impl std::error::Error for Failed {}

impl Address {
    /// Reads `http://HOST/game/ID`, the address of a game in the API, or that of a server.
    pub fn read(text: &str) -> anyhow::Result<Address> {
        let expected = "expected an address such as http://localhost:8000/game/ID";
        let uri: Uri = text.trim().parse().context(expected)?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(anyhow!(expected));
        };
        if scheme != "http" && scheme != "https" {
            return Err(anyhow!("{expected}, not {scheme}:"));
        }
        let game = match uri.path().trim_matches('/').split('/').collect::<Vec<_>>()[..] {
            [""] | ["lobby"] => None,
            // Half a name is nobody's game, and no reason to play with somebody else.
            ["game" | "games", game] | ["api", "v1", "games", game] if is_game(game) => {
                Some(game.to_ascii_lowercase())
            }
            _ => return Err(anyhow!("{expected} or http://localhost:8000, not {text}")),
        };
        Ok(Address { server: format!("{scheme}://{authority}"), game })
    }
}

fn is_game(name: &str) -> bool {
    name.len() == 26 && name.bytes().all(|b| b.is_ascii_alphanumeric())
}

impl Client {
    pub fn new(server: &str, token: Option<String>) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .user_agent(concat!("noughts/", env!("CARGO_PKG_VERSION")))
            .build();
        Client { agent: config.into(), server: server.to_string(), token }
    }

    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failed> {
        self.retry(|| self.send("GET", path, None))
    }

    pub fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, Failed> {
        self.send("POST", path, Some(body))
    }

    /// The game as it is.
    pub fn view(&self, game: &str) -> Result<View, Failed> {
        self.get(&format!("/games/{game}"))
    }

    /// A command, which is sent until there is an answer: its key makes sure that it is done once.
    pub fn order(&self, view: &View, order: &Order) -> Result<(), Failed> {
        let (what, more) = order.request();
        let mut body = json!({"seq": view.seq, "key": key()});
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        let path = format!("/games/{}/{what}", view.id);
        self.retry(|| self.send::<Value>("POST", &path, Some(&body))).map(|_| ())
    }

    fn retry<T>(&self, mut request: impl FnMut() -> Result<T, Failed>) -> Result<T, Failed> {
        let mut wait = Duration::from_millis(200);
        for _ in 1..TRIES {
            match request() {
                Err(Failed::Lost(_)) => {}
                Err(Failed::Refused(refused)) if refused.is_for_the_moment() => {}
                answer => return answer,
            }
            std::thread::sleep(wait);
            wait *= 2;
        }
        request()
    }

    fn send<T: DeserializeOwned>(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, Failed> {
        let text = self.ask(method, path, body)?;
        reply::read(&text)
            .with_context(|| format!("{} answered something else than expected", self.server))
            .map_err(Failed::Lost)
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<String, Failed> {
        let uri = format!("{}/api/v1{path}", self.server);
        let mut request = Request::builder().method(method).uri(uri);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let sent = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                request.body(body.to_string()).map(|request| self.agent.run(request))
            }
            None => request.body(()).map(|request| self.agent.run(request)),
        };
        // Some errors quote what the server sent.
        let lost = |error: anyhow::Error| {
            let error = printable(&format!("{error:#}"));
            Failed::Lost(anyhow!("{}: {error}", self.server))
        };
        let answer = sent.map_err(|error| lost(error.into()))?;
        let mut answer = answer.map_err(|error| match speaks_no_tls(&error) {
            true => lost(anyhow!("the server does not speak HTTPS: try http://")),
            false => lost(error.into()),
        })?;
        let text = answer.body_mut().read_to_string().map_err(|error| lost(error.into()))?;
        if answer.status().is_success() {
            return Ok(text);
        }
        match reply::read(&text) {
            Ok(refused) => Err(Failed::Refused(refused)),
            Err(_) => Err(lost(anyhow!("answered with status {}", answer.status()))),
        }
    }
}

/// Whether something else than TLS was answered to the first words of TLS.
fn speaks_no_tls(error: &ureq::Error) -> bool {
    error.to_string().contains("InvalidContentType")
}

/// A name for a command that no other has.
fn key() -> String {
    let mut bytes = [0u8; 12];
    // Where there is no randomness, time is other for each command too.
    if rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut bytes).is_err() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        bytes[..8].copy_from_slice(&(now.as_nanos() as u64).to_le_bytes());
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_games_and_servers() {
        let id = "01hf7yat0060rk4csm6mtpdw1r";
        let check = |text: &str, server: &str, game: Option<&str>| {
            let address = Address::read(text).unwrap();
            assert_eq!(
                (address.server.as_str(), address.game.as_deref()),
                (server, game),
                "{text}"
            );
        };
        check(&format!("http://localhost:8000/game/{id}"), "http://localhost:8000", Some(id));
        check(&format!("https://n.example/api/v1/games/{id}"), "https://n.example", Some(id));
        check(&format!("https://n.example/game/{id}/?x=1"), "https://n.example", Some(id));
        check("http://localhost:8000", "http://localhost:8000", None);
        check("http://[::1]:8000/lobby", "http://[::1]:8000", None);
        let cut_off = format!("http://localhost:8000/game/{}", &id[..25]);
        let longer = format!("http://localhost:8000/game/{id}/analysis");
        let others = ["http://localhost:8000/game", "http://localhost:8000/foo", &cut_off, &longer];
        for wrong in ["", "localhost", "ftp://x/y", "/game/x", "http://"].iter().chain(&others) {
            assert!(Address::read(wrong).is_err(), "{wrong}");
        }
    }
}
