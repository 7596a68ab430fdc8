//! Players who reconnect after every failure and resend unanswered commands with the same key.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use noughts_api::{
    CommandRequest, ErrorCode, GameId, GamePhase, GameView, IdempotencyKey, PlayerCommand,
    ServerMessage,
};
use noughts_rules::Seat;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::server::Seats;
use noughts_checker::{Acknowledged, Record};

/// The wait before a reconnection.
const RECONNECT_DELAY: Duration = Duration::from_millis(20);

/// How long a player waits for a message before reconnecting.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(5);

/// Longer than all games of a test take on a slow machine.
const PLAY_TIMEOUT: Duration = Duration::from_secs(300);

/// What players do besides playing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Behaviour {
    /// The percentage of commands after which the player cuts the connection.
    pub(crate) cut_percent: u32,
    /// How long the player thinks before a move.
    pub(crate) think_time: Duration,
    /// Stops play before the games end.
    pub(crate) stop: Arc<AtomicBool>,
}

/// Makes the keys of all commands different.
static NEXT_KEY: AtomicU64 = AtomicU64::new(0);

/// Plays all games to their end. Each seat has a connection of its own; the connections are spread
/// over the servers.
pub(crate) async fn play(
    addresses: &[String],
    games: &[Seats],
    behaviour: &Behaviour,
    record: &Record,
) {
    let mut players = JoinSet::new();
    for (index, seats) in games.iter().enumerate() {
        for seat in 0..2 {
            let player = Player {
                addresses: addresses.to_vec(),
                game: seats.game,
                token: seats.tokens[seat].clone(),
                seat: Seat::new(seat as u8).unwrap(),
                record: record.clone(),
                behaviour: behaviour.clone(),
                random: StdRng::seed_from_u64((index * 2 + seat) as u64),
                view: None,
                pending: None,
                connections: index + seat,
            };
            players.spawn(player.run());
        }
    }
    let ended = tokio::time::timeout(PLAY_TIMEOUT, players.join_all()).await;
    ended.expect("the games end");
}

struct Player {
    addresses: Vec<String>,
    game: GameId,
    token: String,
    seat: Seat,
    record: Record,
    behaviour: Behaviour,
    random: StdRng,
    /// The game as of the last message.
    view: Option<GameView>,
    /// A command without a reply.
    pending: Option<CommandRequest>,
    connections: usize,
}

type Socket = WebSocketStream<TcpStream>;

/// The connection was lost, or cut on purpose.
struct Disconnected;

impl Player {
    async fn run(mut self) {
        while !self.is_finished() {
            if let Some(mut socket) = self.connect().await {
                let _ = self.converse(&mut socket).await;
            }
            tokio::time::sleep(RECONNECT_DELAY).await;
        }
    }

    /// A player with a pending command resends it even after the game is over.
    fn is_finished(&self) -> bool {
        let stopped = self.behaviour.stop.load(Ordering::Relaxed);
        stopped || (self.phase() == Some(GamePhase::Finished) && self.pending.is_none())
    }

    fn phase(&self) -> Option<GamePhase> {
        self.view.as_ref().map(|view| view.phase)
    }

    async fn connect(&mut self) -> Option<Socket> {
        let address = self.addresses[self.connections % self.addresses.len()].clone();
        self.connections += 1;
        let since = self.view.as_ref().map_or(String::new(), |view| format!("?since={}", view.seq));
        let url = format!("ws://{address}/api/v1/games/{}/socket{since}", self.game);
        let mut request = url.into_client_request().unwrap();
        let bearer = format!("Bearer {}", self.token).parse().unwrap();
        request.headers_mut().insert("authorization", bearer);
        let connecting = async {
            let stream = TcpStream::connect(&address).await.ok()?;
            Some(tokio_tungstenite::client_async(request, stream).await.ok()?.0)
        };
        tokio::time::timeout(MESSAGE_TIMEOUT, connecting).await.ok()?
    }

    async fn converse(&mut self, socket: &mut Socket) -> Result<(), Disconnected> {
        if let Some(pending) = self.pending.clone() {
            self.send(socket, &pending).await?;
        }
        while !self.is_finished() {
            if self.pending.is_none()
                && let Some(request) = self.next_move()
            {
                tokio::time::sleep(self.behaviour.think_time).await;
                self.pending = Some(request.clone());
                self.send(socket, &request).await?;
            }
            match tokio::time::timeout(MESSAGE_TIMEOUT, socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => {
                    self.handle(serde_json::from_str(&text).expect("a message of the protocol"))?;
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
                _ => return Err(Disconnected),
            }
        }
        Ok(())
    }

    /// A random move, on the player's turn.
    fn next_move(&mut self) -> Option<CommandRequest> {
        let view = self.view.as_ref().filter(|view| view.turn == Some(self.seat))?;
        let mv = *view.legal.choose(&mut self.random).expect("a legal move");
        let key = format!("{}:{}", self.seat, NEXT_KEY.fetch_add(1, Ordering::Relaxed));
        let key = IdempotencyKey::new(&key).expect("a valid key");
        let command = PlayerCommand::Move { mv };
        Some(CommandRequest { command, seq: view.seq, key, seat: None })
    }

    async fn send(
        &mut self,
        socket: &mut Socket,
        request: &CommandRequest,
    ) -> Result<(), Disconnected> {
        let text = serde_json::to_string(request).unwrap();
        socket.send(Message::text(text)).await.map_err(|_| Disconnected)?;
        let cut = self.random.random_range(0..100) < self.behaviour.cut_percent;
        if cut { Err(Disconnected) } else { Ok(()) }
    }

    fn handle(&mut self, message: ServerMessage) -> Result<(), Disconnected> {
        match message {
            ServerMessage::State { game } => self.view = Some(*game),
            ServerMessage::Lag { .. }
            | ServerMessage::Emote { .. }
            | ServerMessage::Spectators { .. } => {}
            ServerMessage::Accepted { key, seq } => {
                if let Some(request) = self.pending.take().filter(|pending| pending.key == key) {
                    self.record.acknowledged(self.game, Acknowledged { request, seq });
                }
            }
            ServerMessage::Refused { error, .. } => {
                // The command may have been stored: only sending it again can tell.
                if error.code == ErrorCode::Unavailable {
                    self.record.unavailable();
                    return Err(Disconnected);
                }
                self.pending = None;
                if let Some(game) = error.game {
                    self.view = Some(*game);
                }
            }
            ServerMessage::Update(update) => {
                let view = self.view.as_mut().expect("a state before updates");
                assert_eq!(update.seq, view.seq + 1, "no gaps: {update:?}");
                view.apply(&update);
                self.record.update(self.game, *update);
            }
        }
        Ok(())
    }
}
