//! Requests over HTTP.

use std::io::{BufRead, BufReader, Read};
use std::thread;
use std::time::Duration;

use noughts_api::{
    CommandReply, CommandRequest, Credentials, Emote, EmoteRequest, ErrorBody, ErrorCode, GameId,
    GamePhase, GameSummary, GameView, Inbox, Me, NewGame, NewTournament, PairingRequest,
    PersonView, PlayerCommand, PlayerList, Session, StreamEvent, TournamentId, TournamentState,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::backoff::Backoff;
use crate::random::new_key;
use crate::sanitize::{from_json, printable};

const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// How long an event stream is read before it is opened again: a connection that died without a word is
/// noticed by then.
const STREAM_TIMEOUT: Duration = Duration::from_secs(60);

/// The longest line of an event stream, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// How often a request is sent that gets no answer or a temporary error.
const MAX_ATTEMPTS: usize = 6;

/// A server, and the token by which it knows the player.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
    server: String,
    token: Option<String>,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server refused the request.
    #[error("{}", .0.message)]
    Refused(ErrorBody),
    /// The server did not answer, or not as a Noughts server does.
    #[error("{server}: {reason}")]
    Unreachable {
        /// The server.
        server: String,
        /// What went wrong.
        reason: String,
    },
}

impl ClientError {
    /// The code of a refusal.
    #[must_use]
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            ClientError::Refused(error) => Some(error.code),
            ClientError::Unreachable { .. } => None,
        }
    }

    /// Whether the same request may succeed later.
    fn is_temporary(&self) -> bool {
        self.code().is_none_or(ErrorCode::is_temporary)
    }
}

/// Which games to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameFilter<'a> {
    /// Games of the player with this name.
    pub player: Option<&'a str>,
    /// Games in this phase.
    pub phase: Option<GamePhase>,
    /// At most this many.
    pub limit: Option<usize>,
    /// Only games with somebody there.
    pub present: bool,
}

/// A body without fields.
#[derive(Serialize)]
struct NoFields {}

impl Client {
    /// A client of a server such as `http://localhost:8000`.
    #[must_use]
    pub fn new(server: &str, token: Option<String>) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(REQUEST_TIMEOUT))
            .user_agent(concat!("noughts/", env!("CARGO_PKG_VERSION")))
            .build();
        Client { agent: config.into(), server: server.into(), token }
    }

    /// The same server for the player with this token.
    #[must_use]
    pub fn with_token(&self, token: String) -> Client {
        Client { token: Some(token), ..self.clone() }
    }

    /// The server's address.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The token.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The address of a game's page, by which others join.
    #[must_use]
    pub fn game_url(&self, game: GameId) -> String {
        format!("{}/game/{game}", self.server)
    }

    /// Creates a guest.
    pub fn create_guest(&self) -> Result<Session, ClientError> {
        self.post("/guests", &NoFields {})
    }

    /// Creates an account. A guest's games come along.
    pub fn create_account(&self, credentials: &Credentials) -> Result<Session, ClientError> {
        self.post("/names", credentials)
    }

    /// Signs in to an account.
    pub fn sign_in(&self, credentials: &Credentials) -> Result<Session, ClientError> {
        self.post("/sessions", credentials)
    }

    /// Who the token belongs to.
    pub fn me(&self) -> Result<Me, ClientError> {
        self.get("/me", &[])
    }

    /// Creates a game. A missing idempotency key is filled in.
    pub fn create_game(&self, mut game: NewGame) -> Result<GameView, ClientError> {
        game.key.get_or_insert_with(new_key);
        retry(|| self.post("/games", &game))
    }

    /// Finds an opponent: joins a waiting game or opens one. A missing idempotency key is filled in.
    pub fn pair(&self, mut request: PairingRequest) -> Result<GameView, ClientError> {
        request.key.get_or_insert_with(new_key);
        retry(|| self.post("/pairings", &request))
    }

    /// A game as it is now, with everything up to `seq`: the last event of it that you have seen, or
    /// 0. A server that is behind the one you talked to before then catches up first.
    pub fn game(&self, game: GameId, seq: u32) -> Result<GameView, ClientError> {
        self.get(&format!("/games/{game}"), &[("seq", seq.to_string().as_str())])
    }

    /// Lists games, the latest first.
    pub fn games(&self, filter: &GameFilter) -> Result<Vec<GameSummary>, ClientError> {
        let phase = filter.phase.map(|phase| match phase {
            GamePhase::Open => "open",
            GamePhase::Live => "live",
            GamePhase::Finished => "finished",
        });
        let limit = filter.limit.map(|limit| limit.to_string());
        let present = filter.present.then_some("true");
        let limit = limit.as_deref();
        let query =
            [("player", filter.player), ("phase", phase), ("limit", limit), ("present", present)];
        let query: Vec<_> =
            query.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        self.get("/games", &query)
    }

    /// Sends a command by a player who has seen the game up to `seq`.
    pub fn command(
        &self,
        game: GameId,
        seq: u32,
        command: PlayerCommand,
    ) -> Result<CommandReply, ClientError> {
        let request = CommandRequest { command, seq, key: new_key(), seat: None };
        retry(|| self.post(&format!("/games/{game}/commands"), &request))
    }

    /// Creates a tournament. A missing idempotency key is filled in.
    pub fn create_tournament(
        &self,
        mut tournament: NewTournament,
    ) -> Result<TournamentState, ClientError> {
        tournament.key.get_or_insert_with(new_key);
        retry(|| self.post("/tournaments", &tournament))
    }

    /// A tournament as it is now.
    pub fn tournament(&self, id: TournamentId) -> Result<TournamentState, ClientError> {
        self.get(&format!("/tournaments/{id}"), &[])
    }

    /// Joins a tournament, or comes back to it. Its games then begin by themselves.
    pub fn join_tournament(&self, id: TournamentId) -> Result<TournamentState, ClientError> {
        retry(|| self.post(&format!("/tournaments/{id}/join"), &NoFields {}))
    }

    /// Leaves a tournament. A game that is being played goes on.
    pub fn leave_tournament(&self, id: TournamentId) -> Result<TournamentState, ClientError> {
        retry(|| self.post(&format!("/tournaments/{id}/leave"), &NoFields {}))
    }

    /// Starts a tournament that the player has created.
    pub fn start_tournament(&self, id: TournamentId) -> Result<TournamentState, ClientError> {
        retry(|| self.post(&format!("/tournaments/{id}/start"), &NoFields {}))
    }

    /// Who is connected, or with `search` whose name begins with that; those you follow come first.
    pub fn players(&self, search: Option<&str>) -> Result<PlayerList, ClientError> {
        let query: Vec<_> = search.map(|text| ("search", text)).into_iter().collect();
        self.get("/players", &query)
    }

    /// What waits for an answer: challenges, offers of rematches, and games that wait for a move.
    pub fn inbox(&self) -> Result<Inbox, ClientError> {
        self.get("/me/inbox", &[])
    }

    /// Accepts a challenge: takes the seat that is kept for the player.
    pub fn accept_challenge(&self, game: GameId) -> Result<GameView, ClientError> {
        Ok(self.command(game, 0, PlayerCommand::Join { symbol: None })?.game)
    }

    /// Declines a challenge, or withdraws one of the player's own. `seq` is the last event of the game
    /// that you have seen.
    pub fn end_challenge(&self, game: GameId, seq: u32) -> Result<(), ClientError> {
        self.command(game, seq, PlayerCommand::Abort).map(|_| ())
    }

    /// The players that this one follows.
    pub fn following(&self) -> Result<Vec<PersonView>, ClientError> {
        self.get("/me/following", &[])
    }

    /// Says something to everyone at a game.
    pub fn send_emote(&self, game: GameId, emote: Emote) -> Result<(), ClientError> {
        self.post(&format!("/games/{game}/emotes"), &EmoteRequest { emote, seat: None })
    }

    /// Follows all games of the player until the connection ends, which is normal after a while, or
    /// `on_event` returns false. First come the challenges and games that are there.
    pub fn follow(&self, mut on_event: impl FnMut(StreamEvent) -> bool) -> Result<(), ClientError> {
        let mut request = self.agent.get(self.url("/stream"));
        if let Some(authorization) = self.authorization() {
            request = request.header("authorization", authorization);
        }
        let request = request.config().timeout_global(None);
        let request = request.timeout_recv_response(Some(REQUEST_TIMEOUT));
        let response = request.timeout_recv_body(Some(STREAM_TIMEOUT)).build().call();
        let response = response.map_err(|error| self.unreachable(&explain(&error)))?;
        if !response.status().is_success() {
            return self.read(Ok(response));
        }
        let mut body = BufReader::new(response.into_body().into_reader());
        loop {
            let mut line = String::new();
            match Read::take(&mut body, MAX_LINE_BYTES).read_line(&mut line) {
                Ok(0) | Err(_) => return Ok(()),
                Ok(_) if line.trim().is_empty() => {}
                Ok(_) => {
                    let event = from_json(&line)
                        .map_err(|error| self.unreachable(&format!("unexpected line: {error}")))?;
                    if !on_event(event) {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, ClientError> {
        retry(|| {
            let mut request = self.agent.get(self.url(path)).query_pairs(query.iter().copied());
            if let Some(authorization) = self.authorization() {
                request = request.header("authorization", authorization);
            }
            self.read(request.call())
        })
    }

    fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ClientError> {
        let mut request = self.agent.post(self.url(path));
        if let Some(authorization) = self.authorization() {
            request = request.header("authorization", authorization);
        }
        self.read(request.send_json(body))
    }

    fn url(&self, path: &str) -> String {
        format!("{}/api/v1{path}", self.server)
    }

    /// The value of the `Authorization` header.
    pub(crate) fn authorization(&self) -> Option<String> {
        Some(format!("Bearer {}", self.token.as_ref()?))
    }

    fn read<T: DeserializeOwned>(
        &self,
        response: Result<Response<Body>, ureq::Error>,
    ) -> Result<T, ClientError> {
        let mut response = response.map_err(|error| self.unreachable(&explain(&error)))?;
        let text = response.body_mut().read_to_string();
        let text = text.map_err(|error| self.unreachable(&explain(&error)))?;
        if response.status().is_success() {
            // Replies without content have no body.
            return from_json(if text.is_empty() { "null" } else { &text })
                .map_err(|error| self.unreachable(&format!("unexpected response: {error}")));
        }
        Err(match from_json(&text) {
            Ok(error) => ClientError::Refused(error),
            Err(_) => self.unreachable(&format!("unexpected status {}", response.status())),
        })
    }

    fn unreachable(&self, reason: &str) -> ClientError {
        // Some errors quote what the server sent.
        ClientError::Unreachable { server: self.server.clone(), reason: printable(reason) }
    }
}

fn explain(error: &ureq::Error) -> String {
    let text = error.to_string();
    // A server without TLS answers the TLS handshake with something else.
    match text.contains("InvalidContentType") {
        true => "the server does not speak HTTPS: try http://".into(),
        false => text.strip_prefix("io: ").unwrap_or(&text).to_string(),
    }
}

/// Sends a request that has an effect only once until there is a final answer.
fn retry<T>(mut send: impl FnMut() -> Result<T, ClientError>) -> Result<T, ClientError> {
    let mut backoff = Backoff::new();
    for _ in 1..MAX_ATTEMPTS {
        match send() {
            Err(error) if error.is_temporary() => thread::sleep(backoff.next_delay()),
            outcome => return outcome,
        }
    }
    send()
}
