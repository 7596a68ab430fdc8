//! A game over a WebSocket that reconnects by itself.

mod receiver;
mod shared;

use std::sync::Arc;
use std::thread;

use noughts_api::{
    CommandRequest, Emote, ErrorBody, GameId, GameUpdate, GameView, IdempotencyKey, PlayerCommand,
};
use noughts_rules::Seat;

use crate::client::Client;
use crate::random::new_key;
use receiver::Receiver;
use shared::Shared;

/// Something a game's connection reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectionEvent {
    /// The game as it is: the first event, and when the view was out of date.
    Snapshot(Box<GameView>),
    /// Something happened in the game.
    Update {
        /// The game afterwards.
        view: Box<GameView>,
        /// What happened.
        update: Box<GameUpdate>,
    },
    /// The server carried out the command with this key. Its updates came before.
    Accepted(IdempotencyKey),
    /// The server refused a command.
    Refused {
        /// The command's key, if the server could read it.
        key: Option<IdempotencyKey>,
        /// Why. If the view was out of date, a snapshot came before.
        error: ErrorBody,
    },
    /// The round-trip time between the server and a player.
    Lag {
        /// The player's seat.
        seat: Seat,
        /// Milliseconds.
        ms: u64,
    },
    /// A player says something.
    Emote {
        /// The player's seat.
        seat: Seat,
        /// What they say.
        emote: Emote,
    },
    /// How many spectators there are.
    Spectators(u32),
    /// The connection is lost and will be restored.
    Disconnected,
    /// The connection is restored; the view has everything that was missed.
    Reconnected(Box<GameView>),
    /// The connection ended for good, for the reason in this sentence.
    Closed(String),
}

/// A game over a WebSocket. Dropping it closes the connection.
///
/// The connection is restored with exponential backoff when it is lost: it resumes after the last
/// event it has seen, and sends unanswered commands again.
#[derive(Debug)]
pub struct GameConnection {
    shared: Arc<Shared>,
}

impl GameConnection {
    /// Connects to a game. A thread calls `on_event` with everything that happens, in order. `seq` is
    /// the last event of the game that you have seen, or 0: what comes is never older.
    pub fn open(
        client: &Client,
        game: GameId,
        seq: u32,
        on_event: impl FnMut(ConnectionEvent) + Send + 'static,
    ) -> GameConnection {
        let shared = Arc::new(Shared::default());
        let (client, receiver_shared) = (client.clone(), shared.clone());
        let receiver =
            Receiver { client, game, seq, shared: receiver_shared, view: None, on_event };
        thread::spawn(move || receiver.run());
        GameConnection { shared }
    }

    /// Sends a command by a player who has seen the game up to `seq`. The answer is an
    /// [`Accepted`](ConnectionEvent::Accepted) or [`Refused`](ConnectionEvent::Refused) with the
    /// returned key.
    pub fn send(&self, seq: u32, command: PlayerCommand) -> IdempotencyKey {
        let key = new_key();
        let request = CommandRequest { command, seq, key: key.clone(), seat: None };
        self.shared.lock().send(request);
        key
    }
}

impl Drop for GameConnection {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.disconnect();
        state.is_closed = true;
    }
}
