//! One player's WebSocket, which checks everything the server says.

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use noughts_api::{
    CommandRequest, Event, GameId, GameUpdate, IdempotencyKey, PlayerCommand, ServerMessage,
};
use noughts_rules::{Game, Move, Outcome, Seat};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// How many connections share a local address: its ports do not suffice for all.
const CONNECTIONS_PER_ADDRESS: usize = 5_000;

const READ_BUFFER_SIZE: usize = 4 << 10;

/// Which server is under load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerKind {
    Noughts,
    Relay,
}

/// A seat of a game, and how to reach it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeatAddress<'a> {
    pub(crate) server: &'a str,
    pub(crate) game: &'a str,
    pub(crate) token: &'a str,
    pub(crate) seat: Seat,
    /// The number of the game among all, which decides the local address.
    pub(crate) number: usize,
}

/// A player's connection to a game.
#[derive(Debug)]
pub(crate) struct Client {
    kind: ServerKind,
    socket: WebSocketStream<TcpStream>,
    seat: Seat,
    /// The sequence number of the last event.
    seq: u32,
    /// How many events were checked.
    pub(crate) events: usize,
}

/// The update that both clients must receive.
#[derive(Debug, Clone)]
pub(crate) struct ExpectedMove {
    pub(crate) seat: Seat,
    pub(crate) mv: Move,
    /// The seat to move afterwards.
    turn: Option<Seat>,
    /// The winner, if the move ends the game.
    ending: Option<Option<Seat>>,
}

impl ExpectedMove {
    /// Makes a move in the generator's own copy of the game.
    pub(crate) fn play(game: &mut Game, mv: Move) -> Result<ExpectedMove> {
        let seat = game.turn().context("the game is over")?;
        game.play(seat, mv)?;
        let ending = game.position().outcome().map(|outcome| match outcome {
            Outcome::Win(winner) => Some(winner),
            Outcome::Draw => None,
        });
        Ok(ExpectedMove { seat, mv, turn: game.turn(), ending })
    }

    fn matches(&self, update: &GameUpdate) -> bool {
        let ending = update.result.as_ref().map(|result| result.winner);
        update.event == Event::Moved { seat: self.seat, mv: self.mv }
            && update.turn == self.turn
            && ending == self.ending
    }
}

impl Client {
    /// Connects to a game.
    pub(crate) async fn connect(kind: ServerKind, address: SeatAddress<'_>) -> Result<Client> {
        let SeatAddress { server, game, token, seat, number } = address;
        let uri = match kind {
            ServerKind::Noughts => format!("ws://{server}/api/v1/games/{game}/socket"),
            ServerKind::Relay => format!("ws://{server}/rooms/{game}/{}", seat.index()),
        };
        let mut request = uri.into_client_request()?;
        if kind == ServerKind::Noughts {
            request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
        }
        let socket = TcpSocket::new_v4()?;
        let host = u8::try_from(2 + number / CONNECTIONS_PER_ADDRESS)?;
        // Ports of an earlier process are not free at once: each process has its own subnet.
        let process = std::process::id().to_le_bytes();
        socket.bind(([127, process[1], process[0], host], 0).into())?;
        let stream = socket.connect(server.parse()?).await?;
        stream.set_nodelay(true)?;
        let config =
            WebSocketConfig::default().read_buffer_size(READ_BUFFER_SIZE).write_buffer_size(0);
        let (socket, _) =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        let mut client = Client { kind, socket, seat, seq: 0, events: 0 };
        if kind == ServerKind::Noughts {
            client.read_state(game.parse()?).await?;
        }
        Ok(client)
    }

    async fn read_state(&mut self, game: GameId) -> Result<()> {
        match self.read_message().await? {
            ServerMessage::State { game: view } if view.id == game => self.seq = view.seq,
            other => bail!("expected the state of {game}, got {other:?}"),
        }
        Ok(())
    }

    /// Sends a move. Returns when the kernel has taken it.
    pub(crate) async fn send_move(&mut self, mv: Move) -> Result<()> {
        self.send(PlayerCommand::Move { mv }).await
    }

    async fn send(&mut self, command: PlayerCommand) -> Result<()> {
        let request = CommandRequest { command, seq: self.seq, key: self.key()?, seat: None };
        let text = serde_json::to_string(&request)?;
        Ok(self.socket.send(Message::Text(text.into())).await?)
    }

    /// The idempotency key of a command sent now.
    fn key(&self) -> Result<IdempotencyKey> {
        let key = format!("{}-{}", self.seat, self.seq);
        IdempotencyKey::new(&key).context("invalid key")
    }

    /// Reads the update and the acknowledgement of the client's own move.
    pub(crate) async fn read_own_move(&mut self, expected: &ExpectedMove) -> Result<()> {
        let key = self.key()?;
        self.read_move(expected).await?;
        if self.kind == ServerKind::Noughts {
            let expected = ServerMessage::Accepted { key, seq: self.seq };
            let message = self.read_message().await?;
            ensure!(message == expected, "expected {expected:?}, got {message:?}");
        }
        Ok(())
    }

    /// Reads the update of a move.
    pub(crate) async fn read_move(&mut self, expected: &ExpectedMove) -> Result<()> {
        match self.kind {
            ServerKind::Noughts => {
                let update = self.read_update().await?;
                ensure!(expected.matches(&update), "expected {expected:?}, got {update:?}");
            }
            ServerKind::Relay => {
                let request: CommandRequest = serde_json::from_str(&self.read_text().await?)?;
                let is_move = request.command == PlayerCommand::Move { mv: expected.mv };
                ensure!(is_move, "expected {expected:?}, got {request:?}");
                self.seq += 1;
                self.events += 1;
            }
        }
        Ok(())
    }

    /// Reads the next update, which must follow the last one.
    async fn read_update(&mut self) -> Result<GameUpdate> {
        match self.read_message().await? {
            ServerMessage::Update(update) => {
                self.check_order(&update)?;
                Ok(*update)
            }
            other => bail!("expected an update after {}, got {other:?}", self.seq),
        }
    }

    fn check_order(&mut self, update: &GameUpdate) -> Result<()> {
        ensure!(update.seq == self.seq + 1, "expected event {}, got {update:?}", self.seq + 1);
        self.seq += 1;
        self.events += 1;
        Ok(())
    }

    /// Answers pings until the connection ends or something happens in the game.
    pub(crate) async fn idle(&mut self) -> Result<()> {
        let message = self.read_message().await?;
        bail!("expected nothing to happen, got {message:?}")
    }

    /// Agrees to a rematch. Returns its id if this client was the last to agree.
    pub(crate) async fn rematch(&mut self) -> Result<Option<GameId>> {
        self.send(PlayerCommand::Rematch).await?;
        let mut rematch = None;
        loop {
            match self.read_message().await? {
                ServerMessage::Update(update) => {
                    self.check_order(&update)?;
                    match update.event {
                        Event::RematchOffered { .. } => {}
                        Event::RematchStarted { game, .. } => rematch = Some(game),
                        other => bail!("expected a rematch, got {other:?}"),
                    }
                }
                ServerMessage::Accepted { .. } => return Ok(rematch),
                other => bail!("expected a rematch, got {other:?}"),
            }
        }
    }

    /// The next message that is neither about lag nor about who is connected. Players count as
    /// absent if many other games are created before they open their sockets.
    async fn read_message(&mut self) -> Result<ServerMessage> {
        loop {
            let text = self.read_text().await?;
            let message = serde_json::from_str(&text).with_context(|| format!("got {text}"))?;
            match message {
                ServerMessage::Lag { .. }
                | ServerMessage::Emote { .. }
                | ServerMessage::Spectators { .. } => {}
                ServerMessage::Update(update)
                    if matches!(update.event, Event::Left { .. } | Event::Returned { .. }) =>
                {
                    self.check_order(&update)?;
                }
                message => return Ok(message),
            }
        }
    }

    async fn read_text(&mut self) -> Result<Utf8Bytes> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => bail!("the connection ended: {other:?}"),
            }
        }
    }

    pub(crate) async fn close(mut self) -> Result<()> {
        Ok(self.socket.close(None).await?)
    }
}
