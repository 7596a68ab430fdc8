//! One end of a game: a WebSocket that believes nothing it is told.

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use noughts_rules::{Cell, Game, Outcome, Seat};
use serde::Deserialize;
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

/// What the server says, of which some is there and some is not.
#[derive(Debug, Deserialize)]
struct Told<'a> {
    r#type: &'a str,
    seq: Option<u32>,
    key: Option<&'a str>,
    seat: Option<u8>,
    cell: Option<&'a str>,
    turn: Option<u8>,
    result: Option<Ended>,
    game: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct Ended {
    winner: Option<u8>,
}

/// What both ends must be told of a move.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) seat: u8,
    pub(crate) cell: String,
    pub(crate) turn: Option<u8>,
    /// Who has won, if it ended the game.
    pub(crate) ended: Option<Option<u8>>,
}

impl Expected {
    /// Plays a move in a game of the generator's own, and answers what a server must say of it.
    pub(crate) fn play(game: &mut Game, cell: Cell) -> Result<Expected> {
        let seat = game.turn().context("the game is over")?;
        game.play(seat, cell)?;
        let index = |seat: Seat| seat.index() as u8;
        let ended = game.position().outcome().map(|outcome| match outcome {
            Outcome::Win(winner) => Some(index(winner)),
            Outcome::Draw => None,
        });
        let turn = game.turn().map(index);
        Ok(Expected { seat: index(seat), cell: cell.to_string(), turn, ended })
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

    async fn read_state(&mut self, game: &str) -> Result<()> {
        let text = self.text().await?;
        let told: Told = serde_json::from_str(&text)?;
        let state = told.game.as_ref().filter(|_| told.r#type == "state");
        let state = state.with_context(|| format!("expected the state, got {text}"))?;
        ensure!(state["id"] == game, "the state of another game: {text}");
        self.seq = serde_json::from_value(state["seq"].clone())?;
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

    /// Sends a move. Nothing is waited for but the kernel's taking it.
    pub(crate) async fn send_move(&mut self, cell: &str) -> Result<()> {
        let (seq, key) = (self.seq, self.key());
        self.send(format!(r#"{{"do":"move","cell":"{cell}","seq":{seq},"key":"{key}"}}"#)).await
    }

    fn key(&self) -> String {
        format!("{}-{}", self.seat, self.seq)
    }

    /// Reads until one's own move has been told and acknowledged.
    pub(crate) async fn read_own(&mut self, expected: &Expected) -> Result<()> {
        let key = self.key();
        self.read_move(expected).await?;
        if self.kind == Kind::Relay {
            return Ok(());
        }
        let text = self.text_but_lag().await?;
        let told: Told = serde_json::from_str(&text)?;
        let done = told.r#type == "done" && told.key == Some(&*key) && told.seq == Some(self.seq);
        ensure!(done, "expected that {key} is done at {}, got {text}", self.seq);
        Ok(())
    }

    /// Reads until a move has been told, and checks all that was said of it.
    pub(crate) async fn read_move(&mut self, expected: &Expected) -> Result<()> {
        let text = self.text_but_lag().await?;
        if self.kind == Kind::Relay {
            ensure!(text.contains(&*expected.cell), "expected {expected:?}, got {text}");
            self.seq += 1;
            self.events += 1;
            return Ok(());
        }
        let told: Told = serde_json::from_str(&text)?;
        let ended = told.result.as_ref().map(|ended| ended.winner);
        let right = told.r#type == "moved"
            && told.seq == Some(self.seq + 1)
            && told.seat == Some(expected.seat)
            && told.cell == Some(&*expected.cell)
            && told.turn == expected.turn
            && ended == expected.ended;
        ensure!(right, "expected {expected:?} after {}, got {text}", self.seq);
        self.seq += 1;
        self.events += 1;
        Ok(())
    }

    /// Waits until the connection ends or something happens in the game.
    pub(crate) async fn idle(&mut self) -> Result<()> {
        let text = self.text_but_lag().await?;
        bail!("expected that nothing happens, got {text}")
    }

    async fn text_but_lag(&mut self) -> Result<Utf8Bytes> {
        loop {
            let text = self.text().await?;
            if !text.starts_with(r#"{"type":"lag""#) {
                return Ok(text);
            }
        }
    }

    /// Agrees to play again. Answers the next game once the server has made it.
    pub(crate) async fn rematch(&mut self) -> Result<Option<String>> {
        let (seq, key) = (self.seq, self.key());
        self.send(format!(r#"{{"do":"rematch","seq":{seq},"key":"{key}"}}"#)).await?;
        let mut next = None;
        loop {
            let text = self.text_but_lag().await?;
            let told: Told = serde_json::from_str(&text)?;
            match told.r#type {
                "rematch_asked" | "rematch" => {
                    ensure!(told.seq == Some(self.seq + 1), "after {}: {text}", self.seq);
                    self.seq += 1;
                    self.events += 1;
                    let game = told.game.as_ref().and_then(|game| game.as_str());
                    next = game.map(String::from).or(next);
                }
                "done" => return Ok(next),
                _ => bail!("expected a rematch, got {text}"),
            }
        }
    }

    /// Says goodbye.
    pub(crate) async fn close(mut self) -> Result<()> {
        Ok(self.socket.close(None).await?)
    }
}
