//! The socket and the commands that have no answer yet.

use std::collections::VecDeque;
use std::mem;
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use noughts_api::{CommandRequest, IdempotencyKey};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::backoff::Backoff;

/// How often a command is sent that gets temporary errors.
const MAX_COMMAND_ATTEMPTS: u32 = 6;

pub(super) type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

/// What senders share with the receiving thread. Nobody waits for the server with the lock held: the
/// socket is in non-blocking mode whenever it is read.
#[derive(Debug, Default)]
pub(super) struct Shared(Mutex<SharedState>);

#[derive(Debug, Default)]
pub(super) struct SharedState {
    pub(super) socket: Option<Box<Socket>>,
    pub(super) unanswered: VecDeque<Unanswered>,
    pub(super) is_closed: bool,
}

/// A command without a final answer.
#[derive(Debug)]
pub(super) struct Unanswered {
    pub(super) request: CommandRequest,
    attempts: u32,
    backoff: Backoff,
    /// When to send it again, after a temporary error.
    pub(super) retry_at: Option<Instant>,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedState {
    pub(super) fn send(&mut self, request: CommandRequest) {
        self.transmit(&request);
        let backoff = Backoff::new();
        self.unanswered.push_back(Unanswered { request, attempts: 1, backoff, retry_at: None });
    }

    pub(super) fn transmit(&mut self, request: &CommandRequest) {
        let text = serde_json::to_string(request).expect("commands have only text keys");
        if let Some(socket) = &mut self.socket
            && socket.send(Message::text(text)).is_err()
        {
            // The receiving thread notices, and reconnects.
            self.disconnect();
        }
    }

    pub(super) fn resend(&mut self, is_due: impl Fn(&Unanswered) -> bool) {
        let mut unanswered = mem::take(&mut self.unanswered);
        for command in unanswered.iter_mut().filter(|command| is_due(command)) {
            command.retry_at = None;
            self.transmit(&command.request);
        }
        self.unanswered = unanswered;
    }

    /// Takes note of a temporary error. Whether the command will be sent again.
    pub(super) fn schedule_retry(&mut self, key: &IdempotencyKey) -> bool {
        let mut unanswered = self.unanswered.iter_mut();
        let Some(command) = unanswered.find(|command| command.request.key == *key) else {
            return false;
        };
        command.attempts += 1;
        command.retry_at = Some(Instant::now() + command.backoff.next_delay());
        command.attempts <= MAX_COMMAND_ATTEMPTS
    }

    pub(super) fn next_retry(&self) -> Option<Instant> {
        self.unanswered.iter().filter_map(|command| command.retry_at).min()
    }

    pub(super) fn disconnect(&mut self) {
        if let Some(stream) = self.socket.take().as_deref().and_then(tcp_stream) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

pub(super) fn tcp_stream(socket: &Socket) -> Option<&TcpStream> {
    match socket.get_ref() {
        MaybeTlsStream::Plain(stream) => Some(stream),
        MaybeTlsStream::Rustls(stream) => Some(&stream.sock),
        _ => None,
    }
}
