//! Players who do not give up: whatever breaks, they come back and send again what was not
//! answered, with the same key.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use noughts_rules::{Cell, Rules};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::record::{Done, Record};
use crate::server::Seats;

/// How long someone waits before they try again. Whoever is away comes back.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a player waits for anything before they look again what is going on.
const PATIENCE: Duration = Duration::from_secs(5);

/// Longer than any game takes, even on a slow machine with faults without end.
const GIVING_UP: Duration = Duration::from_secs(300);

/// What players do besides playing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Habits {
    /// Of a hundred commands, so many are followed by cutting the connection at once.
    pub(crate) cuts: u32,
    /// Ends play before the games have ended.
    pub(crate) stop: Arc<AtomicBool>,
}

/// The keys of all commands.
static KEYS: AtomicU64 = AtomicU64::new(0);

/// Plays all games to their end: both seats of each, each over a connection of its own, which go
/// to the servers in turn.
pub(crate) async fn play(addresses: &[String], games: &[Seats], habits: &Habits, record: &Record) {
    let mut players = JoinSet::new();
    for (number, seats) in games.iter().enumerate() {
        for seat in 0..2 {
            let player = Player {
                addresses: addresses.to_vec(),
                game: seats.game.clone(),
                token: seats.tokens[seat].clone(),
                seat: seat as u64,
                record: record.clone(),
                habits: habits.clone(),
                random: StdRng::seed_from_u64((number * 2 + seat) as u64),
                rules: None,
                taken: HashSet::new(),
                turn: None,
                over: false,
                seq: None,
                pending: None,
                connections: number + seat,
            };
            players.spawn(player.run());
        }
    }
    let ended = tokio::time::timeout(GIVING_UP, players.join_all()).await;
    ended.expect("the games come to an end");
}

struct Player {
    addresses: Vec<String>,
    game: String,
    token: String,
    seat: u64,
    record: Record,
    habits: Habits,
    random: StdRng,
    rules: Option<Rules>,
    taken: HashSet<String>,
    turn: Option<u64>,
    over: bool,
    /// The last event that was seen.
    seq: Option<u64>,
    /// A move that was sent and not answered.
    pending: Option<Move>,
    connections: usize,
}

#[derive(Debug, Clone)]
struct Move {
    seq: u64,
    key: String,
    cell: String,
}

type Socket = WebSocketStream<TcpStream>;

/// The connection broke, or was cut.
struct Broken;

impl Player {
    async fn run(mut self) {
        while !self.is_finished() {
            if let Some(mut socket) = self.connect().await {
                let _ = self.talk(&mut socket).await;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Someone whose last move was never answered asks again, although the game is over.
    fn is_finished(&self) -> bool {
        let stopped = self.habits.stop.load(Ordering::Relaxed);
        stopped || (self.over && self.pending.is_none())
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
        tokio::time::timeout(PATIENCE, connecting).await.ok()?
    }

    async fn talk(&mut self, socket: &mut Socket) -> Result<(), Broken> {
        // What was sent and not answered comes first, exactly as it was.
        if let Some(pending) = self.pending.clone() {
            self.send(socket, &pending).await?;
        }
        loop {
            if self.is_finished() {
                return Ok(());
            }
            if self.pending.is_none() && self.turn == Some(self.seat) && !self.over {
                let chosen = self.choose();
                self.pending = Some(chosen.clone());
                self.send(socket, &chosen).await?;
            }
            let message = tokio::time::timeout(PATIENCE, socket.next()).await;
            match message {
                Ok(Some(Ok(Message::Text(text)))) => {
                    self.hear(serde_json::from_str(&text).expect("the server sends JSON"))?;
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
                _ => return Err(Broken),
            }
        }
    }

    fn choose(&mut self) -> Move {
        let rules = self.rules.as_ref().expect("the state has come");
        let free: Vec<Cell> =
            rules.cells().filter(|cell| !self.taken.contains(&cell.to_string())).collect();
        let cell = free.choose(&mut self.random).expect("a free cell").to_string();
        // Whoever comes back to a game later must not use a key again for something else.
        let key = format!("{}:{}", self.seat, KEYS.fetch_add(1, Ordering::Relaxed));
        Move { seq: self.seq.unwrap_or(0), key, cell }
    }

    async fn send(&mut self, socket: &mut Socket, sent: &Move) -> Result<(), Broken> {
        let Move { seq, key, cell } = sent;
        let text = json!({"do": "move", "cell": cell, "seq": seq, "key": key}).to_string();
        socket.send(Message::text(text)).await.map_err(|_| Broken)?;
        let cut = self.random.random_range(0..100) < self.habits.cuts;
        if cut { Err(Broken) } else { Ok(()) }
    }

    fn hear(&mut self, told: Value) -> Result<(), Broken> {
        match told["type"].as_str().expect("a type") {
            "state" => self.see(&told["game"]),
            "lag" => {}
            "done" => {
                let pending = self.pending.take().filter(|pending| told["key"] == pending.key);
                if let Some(Move { key, cell, .. }) = pending {
                    let seq = told["seq"].as_u64().expect("a sequence number");
                    self.record.done(&self.game, Done { key, cell, seq });
                }
            }
            "refused" => {
                let code = told["code"].as_str().unwrap_or_default();
                match code {
                    // It may have been stored or not: the same again tells.
                    "unavailable" => {
                        self.record.unavailable();
                        return Err(Broken);
                    }
                    _ => self.pending = None,
                }
                if told["game"].is_object() {
                    self.see(&told["game"]);
                }
            }
            kind => {
                let seq = told["seq"].as_u64().expect("events have numbers");
                assert_eq!(Some(seq), self.seq.map(|seen| seen + 1), "no gaps: {told}");
                self.seq = Some(seq);
                self.turn = told["turn"].as_u64();
                self.over |= !told["result"].is_null();
                if kind == "moved" {
                    self.taken.insert(told["cell"].as_str().expect("a cell").into());
                }
                self.record.event(&self.game, told);
            }
        }
        Ok(())
    }

    fn see(&mut self, game: &Value) {
        self.rules = Some(game["rules"].as_str().unwrap().parse().unwrap());
        self.seq = game["seq"].as_u64();
        self.turn = game["turn"].as_u64();
        self.over = !game["result"].is_null();
        let moves = game["moves"].as_array().unwrap().iter();
        self.taken = moves.map(|cell| cell.as_str().unwrap().into()).collect();
    }
}
