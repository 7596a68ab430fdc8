//! One player's connection, which checks every message.

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use noughts_api::{
    CommandRequest, Event, GameUpdate, IdempotencyKey, PlayerCommand, ServerMessage,
};
use noughts_rules::{Cell, Game, Outcome, Seat};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// What a server is to its clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Noughts,
    Relay,
}

/// One player's connection to one game.
#[derive(Debug)]
pub(crate) struct Client {
    kind: Kind,
    socket: WebSocketStream<TcpStream>,
    seat: u8,
    /// The last event that was seen.
    pub(crate) seq: u32,
    pub(crate) events: usize,
}

/// The update that both players must receive after a move.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) seat: Seat,
    pub(crate) cell: Cell,
    pub(crate) turn: Option<Seat>,
    /// The outcome, if the move ended the game.
    pub(crate) outcome: Option<Outcome>,
}

impl Expected {
    /// Makes a move in the generator's own copy of the game.
    pub(crate) fn play(game: &mut Game, cell: Cell) -> Result<Expected> {
        let seat = game.turn().context("the game is over")?;
        game.play(seat, cell)?;
        let outcome = game.position().outcome();
        Ok(Expected { seat, cell, turn: game.turn(), outcome })
    }

    fn matches(&self, update: &GameUpdate) -> bool {
        let winner = |outcome| match outcome {
            Outcome::Win(winner) => Some(winner),
            Outcome::Draw => None,
        };
        update.event == Event::Moved { seat: self.seat, cell: self.cell }
            && update.turn == self.turn
            && update.result.as_ref().map(|result| result.winner) == self.outcome.map(winner)
    }
}

impl Client {
    /// Connects to a game. Connections come from several addresses of this machine, because the
    /// ports of one do not suffice for all, and from others in each process, because the ports of one
    /// that has ended are not free at once.
    pub(crate) async fn connect(
        kind: Kind,
        address: &str,
        game: &str,
        token: &str,
        seat: u8,
        number: usize,
    ) -> Result<Client> {
        let path = match kind {
            Kind::Noughts => format!("ws://{address}/api/v1/games/{game}/socket"),
            Kind::Relay => format!("ws://{address}/rooms/{game}/{seat}"),
        };
        let mut request = path.into_client_request()?;
        if kind == Kind::Noughts {
            request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
        }
        let socket = TcpSocket::new_v4()?;
        let host = u8::try_from(2 + number / 5_000)?;
        let process = std::process::id().to_le_bytes();
        socket.bind(([127, process[1], process[0], host], 0).into())?;
        let stream = socket.connect(address.parse()?).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(4 << 10).write_buffer_size(0);
        let (socket, _) =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        let mut client = Client { kind, socket, seat, seq: 0, events: 0 };
        if kind == Kind::Noughts {
            client.read_state(game).await?;
        }
        Ok(client)
    }

    async fn read_state(&mut self, id: &str) -> Result<()> {
        match self.message().await? {
            ServerMessage::State { game } if game.id.to_string() == id => self.seq = game.seq,
            other => bail!("expected the state of {id}, got {other:?}"),
        }
        Ok(())
    }

    async fn text(&mut self) -> Result<Utf8Bytes> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => bail!("the connection ended: {other:?}"),
            }
        }
    }

    async fn send(&mut self, text: String) -> Result<()> {
        Ok(self.socket.send(Message::Text(text.into())).await?)
    }

    /// Sends a command, without waiting for its effect.
    async fn send_command(&mut self, command: PlayerCommand) -> Result<()> {
        let request = CommandRequest { command, seq: self.seq, key: self.key()?, seat: None };
        self.send(serde_json::to_string(&request)?).await
    }

    pub(crate) async fn send_move(&mut self, cell: Cell) -> Result<()> {
        self.send_command(PlayerCommand::Move { cell }).await
    }

    fn key(&self) -> Result<IdempotencyKey> {
        IdempotencyKey::new(&format!("{}-{}", self.seat, self.seq)).context("an invalid key")
    }

    /// Reads the update about one's own move, and the acknowledgement.
    pub(crate) async fn read_own(&mut self, expected: &Expected) -> Result<()> {
        let key = self.key()?;
        self.read_move(expected).await?;
        if self.kind == Kind::Relay {
            return Ok(());
        }
        match self.message().await? {
            ServerMessage::Accepted { key: accepted, seq }
                if accepted == key && seq == self.seq =>
            {
                Ok(())
            }
            other => bail!("expected that {key:?} is accepted at {}, got {other:?}", self.seq),
        }
    }

    /// Reads the update about a move, and checks it.
    pub(crate) async fn read_move(&mut self, expected: &Expected) -> Result<()> {
        if self.kind == Kind::Relay {
            let text = self.text().await?;
            let cell = expected.cell.to_string();
            ensure!(text.contains(&cell), "expected {expected:?}, got {text}");
            self.count_event();
            return Ok(());
        }
        match self.message().await? {
            ServerMessage::Update(update)
                if update.seq == self.seq + 1 && expected.matches(&update) =>
            {
                self.count_event();
                Ok(())
            }
            other => bail!("expected {expected:?} after {}, got {other:?}", self.seq),
        }
    }

    fn count_event(&mut self) {
        self.seq += 1;
        self.events += 1;
    }

    /// Waits for a message that should not come while the game is idle.
    pub(crate) async fn idle(&mut self) -> Result<()> {
        let message = self.message().await?;
        bail!("expected an idle game, got {message:?}")
    }

    /// The next message, except round-trip times.
    async fn message(&mut self) -> Result<ServerMessage> {
        loop {
            match serde_json::from_str(&self.text().await?)? {
                ServerMessage::Lag { .. } => {}
                message => return Ok(message),
            }
        }
    }

    /// Offers or accepts a rematch. Returns the next game once the server has created it.
    pub(crate) async fn rematch(&mut self) -> Result<Option<String>> {
        self.send_command(PlayerCommand::Rematch).await?;
        let mut rematch = None;
        loop {
            match self.message().await? {
                ServerMessage::Update(update) if update.seq == self.seq + 1 => {
                    self.count_event();
                    if let Event::RematchStarted { game, .. } = update.event {
                        rematch = Some(game.to_string());
                    }
                }
                ServerMessage::Accepted { .. } => return Ok(rematch),
                other => bail!("expected a rematch, got {other:?}"),
            }
        }
    }

    /// Closes the connection.
    pub(crate) async fn close(mut self) -> Result<()> {
        Ok(self.socket.close(None).await?)
    }
}
