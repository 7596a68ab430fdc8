//! Persistent players: after any failure they reconnect and send unanswered commands again with
//! the same keys.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use noughts_api::{
    CommandRequest, ErrorCode, Event, GamePhase, GameView, IdempotencyKey, PlayerCommand,
    ServerMessage,
};
use noughts_rules::{Cell, Rules, Seat};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::record::{AcceptedMove, Record};
use crate::server::Seats;

const RECONNECT_DELAY: Duration = Duration::from_millis(20);

/// A connection that is silent for longer is replaced.
const MAX_SILENCE: Duration = Duration::from_secs(5);

/// Longer than any game takes, even on a slow machine with many faults.
const PLAY_TIMEOUT: Duration = Duration::from_secs(300);

/// What players do besides playing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Habits {
    /// The percentage of commands after which the player drops the connection at once.
    pub(crate) cuts: u32,
    /// Ends play before the games have ended.
    pub(crate) stop: Arc<AtomicBool>,
}

/// A counter that makes keys unique.
static KEYS: AtomicU64 = AtomicU64::new(0);

/// Plays all games to their end. Each seat has its own connection, to the servers in turn.
pub(crate) async fn play(addresses: &[String], games: &[Seats], habits: &Habits, record: &Record) {
    let mut players = JoinSet::new();
    for (number, seats) in games.iter().enumerate() {
        for (index, token) in seats.tokens.iter().enumerate() {
            let player = Player {
                addresses: addresses.to_vec(),
                game: seats.game.clone(),
                token: token.clone(),
                seat: Seat::new(index as u8).unwrap(),
                record: record.clone(),
                habits: habits.clone(),
                rng: StdRng::seed_from_u64((number * 2 + index) as u64),
                rules: None,
                taken: HashSet::new(),
                turn: None,
                is_finished: false,
                seq: None,
                unanswered: None,
                connections: number + index,
            };
            players.spawn(player.run());
        }
    }
    let ended = tokio::time::timeout(PLAY_TIMEOUT, players.join_all()).await;
    ended.expect("the games come to an end");
}

struct Player {
    addresses: Vec<String>,
    game: String,
    token: String,
    seat: Seat,
    record: Record,
    habits: Habits,
    rng: StdRng,
    rules: Option<Rules>,
    taken: HashSet<Cell>,
    turn: Option<Seat>,
    is_finished: bool,
    /// The sequence number of the last event.
    seq: Option<u32>,
    /// A move without an answer.
    unanswered: Option<Move>,
    connections: usize,
}

#[derive(Debug, Clone)]
struct Move {
    seq: u32,
    key: IdempotencyKey,
    cell: Cell,
}

type Socket = WebSocketStream<TcpStream>;

/// The connection broke, or was cut.
struct Broken;

impl Player {
    async fn run(mut self) {
        while !self.is_done() {
            if let Some(mut socket) = self.connect().await {
                let _ = self.converse(&mut socket).await;
            }
            tokio::time::sleep(RECONNECT_DELAY).await;
        }
    }

    /// A move without an answer is sent again even if the game is over.
    fn is_done(&self) -> bool {
        let stopped = self.habits.stop.load(Ordering::Relaxed);
        stopped || (self.is_finished && self.unanswered.is_none())
    }

    async fn connect(&mut self) -> Option<Socket> {
        let address = self.addresses[self.connections % self.addresses.len()].clone();
        self.connections += 1;
        let since = self.seq.map_or(String::new(), |seq| format!("?since={seq}"));
        let url = format!("ws://{address}/api/v1/games/{}/socket{since}", self.game);
        let mut request = url.into_client_request().unwrap();
        let bearer = format!("Bearer {}", self.token).parse().unwrap();
        request.headers_mut().insert("authorization", bearer);
        let connecting = async {
            let stream = TcpStream::connect(&address).await.ok()?;
            Some(tokio_tungstenite::client_async(request, stream).await.ok()?.0)
        };
        tokio::time::timeout(MAX_SILENCE, connecting).await.ok()?
    }

    async fn converse(&mut self, socket: &mut Socket) -> Result<(), Broken> {
        // An unanswered move is sent again unchanged.
        if let Some(unanswered) = self.unanswered.clone() {
            self.send(socket, unanswered).await?;
        }
        loop {
            if self.is_done() {
                return Ok(());
            }
            if self.unanswered.is_none() && self.turn == Some(self.seat) && !self.is_finished {
                let chosen = self.choose();
                self.unanswered = Some(chosen.clone());
                self.send(socket, chosen).await?;
            }
            match tokio::time::timeout(MAX_SILENCE, socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => {
                    let message = serde_json::from_str(&text);
                    self.receive(message.unwrap_or_else(|error| panic!("{error}: {text}")))?;
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
                _ => return Err(Broken),
            }
        }
    }

    fn choose(&mut self) -> Move {
        let rules = self.rules.as_ref().expect("the state has come");
        let free: Vec<Cell> = rules.cells().filter(|cell| !self.taken.contains(cell)).collect();
        let cell = *free.choose(&mut self.rng).expect("a free cell");
        // Keys are unique, also among players who return to a game later.
        let key = format!("{}:{}", self.seat, KEYS.fetch_add(1, Ordering::Relaxed));
        let key = IdempotencyKey::new(&key).expect("a valid key");
        Move { seq: self.seq.unwrap_or(0), key, cell }
    }

    async fn send(&mut self, socket: &mut Socket, sent: Move) -> Result<(), Broken> {
        let Move { seq, key, cell } = sent;
        let command = PlayerCommand::Move { cell };
        let request = CommandRequest { command, seq, key, seat: None };
        let text = serde_json::to_string(&request).unwrap();
        socket.send(Message::text(text)).await.map_err(|_| Broken)?;
        let cut = self.rng.random_range(0..100) < self.habits.cuts;
        if cut { Err(Broken) } else { Ok(()) }
    }

    fn receive(&mut self, message: ServerMessage) -> Result<(), Broken> {
        match message {
            ServerMessage::State { game } => self.look(&game),
            ServerMessage::Lag { .. } => {}
            ServerMessage::Accepted { key, seq } => {
                if let Some(Move { key, cell, .. }) =
                    self.unanswered.take().filter(|unanswered| unanswered.key == key)
                {
                    self.record.accept(&self.game, AcceptedMove { key, cell, seq });
                }
            }
            ServerMessage::Refused { error, .. } => {
                // The move may or may not be stored: sending it again tells.
                if error.code == ErrorCode::Unavailable {
                    self.record.unavailable();
                    return Err(Broken);
                }
                self.unanswered = None;
                if let Some(game) = error.game {
                    self.look(&game);
                }
            }
            ServerMessage::Update(update) => {
                let expected = self.seq.map(|seq| seq + 1);
                assert_eq!(Some(update.seq), expected, "a gap before {update:?}");
                self.seq = Some(update.seq);
                self.turn = update.turn;
                self.is_finished |= update.phase == GamePhase::Finished;
                if let Event::Moved { cell, .. } = &update.event {
                    self.taken.insert(*cell);
                }
                self.record.update(&self.game, *update);
            }
        }
        Ok(())
    }

    fn look(&mut self, game: &GameView) {
        self.rules = Some(game.rules.parse().unwrap());
        self.seq = Some(game.seq);
        self.turn = game.turn;
        self.is_finished = game.phase == GamePhase::Finished;
        self.taken = game.moves.iter().filter_map(|action| action.parse().ok()).collect();
    }
}
