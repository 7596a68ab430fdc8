//! A WebSocket that is open.

use std::future::poll_fn;
use std::io::{self, Cursor, Read, Write};
use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Range};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::time::{Instant, timeout};
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};
use tungstenite::protocol::frame::{CloseFrame, Frame, FrameHeader};
use tungstenite::protocol::{Role, WebSocketConfig, WebSocketContext};
use tungstenite::{Error, Message};

use super::error::ApiError;
use super::socket::{Heard, Watching, beginning};
use crate::live::{self, Ended, Frames, Outbox};

/// The longest message that a client may send.
const LONGEST: usize = 4 << 10;

/// How much is read at once. It lies on the stack, and is kept nowhere while nothing comes.
const AT_ONCE: usize = 1 << 10;

/// The room for a message that comes in: most fit, and there are many connections.
const MESSAGE: usize = 128;

/// How long a client may take to read what was sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a connection is tried.
const PING: Duration = Duration::from_secs(30);

/// The first try is early, so that lag is known soon.
const FIRST_PING: Duration = Duration::from_secs(1);

/// How often is read in a second, at least: more than anybody plays, and less than anybody notices.
const READS: u32 = 200;

/// How often is read for each command that one may send.
const READS_FOR_COMMAND: u32 = 4;

/// For how long those count.
const SECOND: Duration = Duration::from_secs(1);

/// Why a connection ends.
enum End {
    /// The client went away, or does not read.
    Gone,
    /// The client is told why.
    Close(u16, &'static str),
}

impl From<Ended> for End {
    fn from(ended: Ended) -> End {
        match ended {
            Ended::Slow => End::Close(1008, "too slow"),
            Ended::SignedOut => End::Close(4401, "signed out"),
            Ended::Stopping => End::Close(1012, "the server restarts: come back"),
            Ended::Gone => End::Gone,
        }
    }
}

/// An open WebSocket. It has a place of its own in memory: what a task waits in, and what it waits
/// for, would otherwise lie there twice.
pub(super) struct Connection {
    watching: Watching,
    stream: OwnedReadHalf,
    frames: WebSocketContext,
    /// Whether the library waits for nothing: it has had whole frames only, of which none was a part
    /// of a message.
    is_at_rest: bool,
    /// What has to be seen to before more is read.
    received: Vec<Received>,
    ping: Ping,
    pace: Pace,
}

/// How much of what a client sends is read: whoever sends more waits, whatever it is.
struct Pace {
    /// How often is still read in this second.
    left: u32,
    since: Instant,
    is_paused: bool,
}

/// What came from the client.
enum Received {
    Text(Heard),
    Other(Message),
}

/// Whether the client is there, and how far away.
struct Ping {
    sent: Option<Instant>,
    next: Instant,
}

impl Connection {
    /// A connection of which `read` was read already.
    pub(super) fn new(watching: Watching, stream: TcpStream, read: Vec<u8>) -> Box<Connection> {
        let config = WebSocketConfig::default()
            .read_buffer_size(MESSAGE)
            .write_buffer_size(0)
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        let (stream, sending) = stream.into_split();
        watching.outbox.open(sending);
        Box::new(Connection {
            watching,
            stream,
            is_at_rest: read.is_empty(),
            frames: WebSocketContext::from_partially_read(read, Role::Server, Some(config)),
            received: Vec::new(),
            ping: Ping { sent: None, next: Instant::now() + FIRST_PING },
            pace: Pace { left: READS, since: Instant::now(), is_paused: false },
        })
    }

    pub(super) async fn serve(mut self: Box<Self>) {
        metrics::gauge!("noughts_sockets").increment(1.0);
        let (app, outbox) = (self.watching.app.clone(), self.watching.outbox.clone());
        let who = self.watching.who;
        if let Some(who) = who {
            app.sessions.open(who.token, who.identity, &outbox);
            Box::pin(app.check_session(who.token)).await;
        }
        if app.lifecycle.closing.is_cancelled() {
            outbox.close(Ended::Stopping);
        }
        if let End::Close(code, reason) = self.talk(&outbox).await {
            let reason = CloseFrame { code: code.into(), reason: reason.into() };
            let mut frame = Vec::new();
            // Writing to a vector never fails.
            let _ = Frame::close(Some(reason)).format(&mut frame);
            outbox.put_last(&frame);
            let drained = outbox.drain(self.stream.as_ref());
            let _ = Box::pin(timeout(PATIENCE, drained)).await;
        }
        outbox.end();
        if let Some(who) = who {
            app.sessions.close(who.token, &outbox);
        }
        metrics::gauge!("noughts_sockets").decrement(1.0);
    }

    async fn talk(&mut self, outbox: &Outbox) -> End {
        let alarm = tokio::time::sleep_until(self.ping.next);
        tokio::pin!(alarm);
        // What came together with the request.
        let received = self.take_by_library(&[]);
        let mut step = self.answer(received).await;
        while step.is_continue() {
            // Thousands of connections wait here, so what they do now and then has a place of its
            // own.
            step = tokio::select! {
                biased;
                () = alarm.as_mut() => {
                    let step = match std::mem::take(&mut self.pace.is_paused) {
                        true => ControlFlow::Continue(()),
                        false => self.send_ping(),
                    };
                    alarm.as_mut().reset(self.ping.next);
                    step
                }
                // The runtime lets nobody read for ever, so what comes last has its turn too.
                received = poll_fn(|cx| self.poll_receive(cx)), if !self.pace.is_paused => {
                    let step = self.answer(received).await;
                    if let Some(until) = self.keep_pace() {
                        alarm.as_mut().reset(until);
                    }
                    step
                }
                change = outbox.changed() => Box::pin(self.send_what_was_left(change)).await,
            };
        }
        step.break_value().unwrap_or(End::Gone)
    }

    /// Waits for bytes, and takes the messages out of them that are whole.
    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let mut space = [const { MaybeUninit::uninit() }; AT_ONCE];
        let mut read = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut read))?;
        if read.filled().is_empty() {
            return Poll::Ready(Err(Error::ConnectionClosed));
        }
        Poll::Ready(self.take(read.filled_mut()))
    }

    /// Takes the messages out of what was read that are whole.
    fn take(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        // Nearly all of them are texts in one frame, which are heard where they lie. The library has
        // them copied.
        let mut taken = 0;
        while self.is_at_rest
            && let Some((header, payload)) = whole_frame(&bytes[taken..])
        {
            let frame = &mut bytes[taken..][..payload.end];
            taken += frame.len();
            match header {
                FrameHeader {
                    is_final: true,
                    rsv1: false,
                    rsv2: false,
                    rsv3: false,
                    opcode: OpCode::Data(Data::Text),
                    mask: Some(mask),
                } => {
                    let text = &mut frame[payload];
                    for bytes in text.chunks_mut(mask.len()) {
                        bytes.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
                    }
                    self.hear(str::from_utf8(text).map_err(|e| Error::Utf8(e.to_string()))?);
                }
                FrameHeader { opcode, .. } => {
                    self.is_at_rest =
                        matches!(opcode, OpCode::Control(Control::Ping | Control::Pong));
                    self.take_by_library(frame)?;
                }
            }
        }
        if taken < bytes.len() {
            self.is_at_rest = false;
            self.take_by_library(&bytes[taken..])?;
        }
        Ok(())
    }

    fn take_by_library(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        loop {
            let mut ends = Ends { bytes: &mut bytes, outbox: &self.watching.outbox };
            match self.frames.read(&mut ends) {
                Ok(Message::Text(text)) => self.hear(&text),
                Ok(message) => self.received.push(Received::Other(message)),
                Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                // What came before the end is still heard, and a goodbye answered.
                Err(error @ Error::ConnectionClosed) => {
                    self.watching.outbox.flush();
                    return if self.received.is_empty() { Err(error) } else { Ok(()) };
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Passes on to the game what the client says, where nothing has to be waited for.
    fn hear(&mut self, text: &str) {
        let heard = match self.watching.hear(text) {
            Ok(letter) if self.received.is_empty() && beginning(&letter).is_none() => {
                match self.watching.room.post(letter) {
                    Ok(()) => return,
                    Err(letter) => Ok(letter),
                }
            }
            heard => heard,
        };
        self.received.push(Received::Text(heard));
    }

    /// Does what the messages want that are left.
    async fn answer(&mut self, received: Result<(), Error>) -> ControlFlow<End> {
        match received {
            Ok(()) => {}
            Err(Error::Capacity(_)) => {
                return ControlFlow::Break(End::Close(1009, "messages are 4 kB at most"));
            }
            Err(_) => return ControlFlow::Break(End::Gone),
        }
        for received in std::mem::take(&mut self.received) {
            match received {
                Received::Text(heard) => {
                    let passed_on = match heard {
                        Ok(letter) => Box::pin(self.watching.pass_on(letter)).await,
                        Err(refused) => Err(refused),
                    };
                    if let Err((key, error)) = passed_on {
                        if matches!(error, ApiError::TooFast(_)) {
                            self.pace.left = 0;
                        }
                        let (code, message) = (error.code(), error.to_string());
                        let text = live::refused(key.as_ref(), code, &message, None);
                        if let Err(ended) = self.watching.outbox.send(&Frames::of(&text)) {
                            return ControlFlow::Break(ended.into());
                        }
                    }
                }
                Received::Other(Message::Pong(_)) => {
                    if let Some(sent) = self.ping.sent.take() {
                        self.watching.tell_lag(sent.elapsed());
                    }
                }
                // The library answers these.
                Received::Other(Message::Ping(_)) => {
                    if self.watching.count().is_err() {
                        return ControlFlow::Break(End::Close(1008, "too many pings"));
                    }
                }
                Received::Other(Message::Close(_)) => return ControlFlow::Break(End::Gone),
                Received::Other(_) => {
                    return ControlFlow::Break(End::Close(1003, "expected text"));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts that something was read. Answers until when nothing more is, if that was too much.
    fn keep_pace(&mut self) -> Option<Instant> {
        self.pace.left = self.pace.left.saturating_sub(1);
        if self.pace.left > 0 {
            return None;
        }
        let commands = self.watching.app.config.commands_per_second();
        let left = commands.saturating_mul(READS_FOR_COMMAND).max(READS);
        let (now, next) = (Instant::now(), self.pace.since + SECOND);
        self.pace = Pace { left, since: now.max(next), is_paused: now < next };
        self.pace.is_paused.then_some(next)
    }

    async fn send_what_was_left(&mut self, change: Result<(), Ended>) -> ControlFlow<End> {
        match change {
            Ok(()) => {
                let drained = self.watching.outbox.drain(self.stream.as_ref());
                match timeout(PATIENCE, drained).await {
                    Ok(Ok(())) => ControlFlow::Continue(()),
                    Ok(Err(_)) | Err(_) => ControlFlow::Break(End::Gone),
                }
            }
            Err(ended) => ControlFlow::Break(ended.into()),
        }
    }

    fn send_ping(&mut self) -> ControlFlow<End> {
        if self.ping.sent.is_some() {
            // The last one was never answered.
            return ControlFlow::Break(End::Gone);
        }
        let now = Instant::now();
        self.ping = Ping { sent: Some(now), next: now + PING };
        let mut ends = Ends { bytes: &mut &[][..], outbox: &self.watching.outbox };
        match self
            .frames
            .write(&mut ends, Message::Ping(Default::default()))
            .and_then(|()| self.frames.flush(&mut ends))
        {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(End::Gone),
        }
    }
}

/// The frame with which the bytes begin, if all of it is there, and where its payload lies.
fn whole_frame(bytes: &[u8]) -> Option<(FrameHeader, Range<usize>)> {
    let mut cursor = Cursor::new(bytes);
    let (header, length) = FrameHeader::parse(&mut cursor).ok()??;
    let start = usize::try_from(cursor.position()).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    (end <= bytes.len()).then_some((header, start..end))
}

/// Both ends of a connection as the library wants them: bytes that were read, and the outbox.
struct Ends<'a, 'b> {
    bytes: &'a mut &'b [u8],
    outbox: &'a Outbox,
}

impl Read for Ends<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.bytes.read(buffer)? {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            count => Ok(count),
        }
    }
}

impl Write for Ends<'_, '_> {
    fn write(&mut self, frames: &[u8]) -> io::Result<usize> {
        match self.outbox.put(frames) {
            Ok(()) => Ok(frames.len()),
            Err(_) => Err(io::ErrorKind::ConnectionReset.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.outbox.flush();
        Ok(())
    }
}
