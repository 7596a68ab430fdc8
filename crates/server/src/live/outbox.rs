//! What is on its way to a client.

use std::future::poll_fn;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use smallvec::SmallVec;
use socket2::SockRef;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// How many bytes wait for a client that does not read. One that is further behind is dropped.
const MOST: usize = 64 << 10;

/// The header of a frame, in bytes.
const LONGEST_HEADER: usize = 10;

/// How much room an outbox has of its own. There are many, and most messages fit.
const OWN: usize = 160;

/// Messages on their way from games to one connection.
///
/// Whoever has something to say writes it to the network itself, as long as the client reads:
/// waking the task of the connection for it would cost more than the writing. That task helps out
/// where the network takes no more for the moment.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// Held for moments only: nobody waits while holding it.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Where it goes, once the connection is there.
    stream: Option<OwnedWriteHalf>,
    /// Frames that were not written.
    unsent: SmallVec<[u8; OWN]>,
    /// Whether the task of the connection is to write them.
    is_left: bool,
    end: Option<Ended>,
    /// The task of the connection, while it waits for something to do.
    task: Option<Waker>,
}

/// Why nothing is sent any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Too much waits already: the client does not read.
    Slow,
    /// The token by whose right the client is here is not in force any more.
    SignedOut,
    /// The server stops.
    Stopping,
    /// The connection is not there any more.
    Gone,
}

impl Outbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a text behind what waits. It goes out with the next [`Outbox::flush`].
    pub(crate) fn put(&self, text: &str) -> Result<(), Ended> {
        let header = FrameHeader { opcode: OpCode::Data(Data::Text), ..FrameHeader::default() };
        self.add(text.len(), |unsent| {
            // Writing to a vector never fails.
            let _ = header.format(text.len() as u64, unsent);
            unsent.extend_from_slice(text.as_bytes());
        })
    }

    /// Whether an empty one has room for all of these, and for what happens meanwhile.
    pub(super) fn takes(texts: &[String]) -> bool {
        texts.iter().map(|text| text.len() + LONGEST_HEADER).sum::<usize>() <= MOST / 2
    }

    /// Puts frames behind what waits.
    pub(crate) fn put_frames(&self, frames: &[u8]) -> Result<(), Ended> {
        self.add(frames.len(), |unsent| unsent.extend_from_slice(frames))
    }

    fn add(
        &self,
        length: usize,
        append: impl FnOnce(&mut SmallVec<[u8; OWN]>),
    ) -> Result<(), Ended> {
        let mut state = self.state();
        if let Some(end) = state.end {
            return Err(end);
        }
        // The first one may be of any length: a game can be long.
        if !state.unsent.is_empty() && state.unsent.len() + length > MOST {
            metrics::counter!("noughts_slow_clients_dropped_total").increment(1);
            state.end = Some(Ended::Slow);
            wake(state);
            return Err(Ended::Slow);
        }
        append(&mut state.unsent);
        Ok(())
    }

    /// Sends a text, after those that wait.
    pub(crate) fn send(&self, text: &str) -> Result<(), Ended> {
        self.put(text)?;
        self.flush();
        Ok(())
    }

    /// Writes what waits, as far as the network takes it. The rest is left to the connection's task.
    pub(crate) fn flush(&self) {
        let mut state = self.state();
        if !state.is_left {
            let _ = state.write();
            if state.is_left || state.end.is_some() {
                wake(state);
            }
        }
    }

    /// Leaves to the connection's task what waits.
    pub(crate) fn flush_later(&self) {
        let mut state = self.state();
        if !state.unsent.is_empty() && !state.is_left && state.stream.is_some() {
            state.is_left = true;
            wake(state);
        }
    }

    /// The connection is there.
    pub(crate) fn open(&self, stream: OwnedWriteHalf) {
        self.state().stream = Some(stream);
        self.flush();
    }

    /// Takes no more. What waits is still sent.
    pub(crate) fn close(&self, why: Ended) {
        let mut state = self.state();
        state.end.get_or_insert(why);
        wake(state);
    }

    /// Waits until the task of the connection has something to do: to send what was left to it
    /// ([`Outbox::drain`]), which answers `Ok`, or to end. Only one may wait.
    pub(crate) async fn changed(&self) -> Result<(), Ended> {
        poll_fn(|cx| self.poll_changed(cx)).await
    }

    fn poll_changed(&self, cx: &Context<'_>) -> Poll<Result<(), Ended>> {
        let mut state = self.state();
        if let Some(end) = state.end {
            return Poll::Ready(Err(end));
        }
        if state.is_left {
            return Poll::Ready(Ok(()));
        }
        match &mut state.task {
            Some(task) => task.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    /// Sends what waits, however long it takes.
    pub(crate) async fn drain(&self, stream: &TcpStream) -> io::Result<()> {
        loop {
            stream.writable().await?;
            let mut state = self.state();
            // So the runtime hears that the network takes no more.
            match stream.try_io(Interest::WRITABLE, || state.write()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written,
            }
        }
    }

    /// The last thing to be sent, whether or not the outbox takes anything else.
    pub(crate) fn put_last(&self, frame: &[u8]) {
        self.state().unsent.extend_from_slice(frame);
    }

    /// The connection has ended.
    pub(crate) fn end(&self) {
        *self.state() = State { end: Some(Ended::Gone), ..State::default() };
    }
}

/// Wakes the task of the connection, if it waits.
fn wake(mut state: MutexGuard<'_, State>) {
    let task = state.task.take();
    drop(state);
    if let Some(task) = task {
        task.wake();
    }
}

impl State {
    /// Writes what waits, as far as the network takes it. It asks the network itself, and not the
    /// runtime first: what that knows of a connection lies elsewhere in memory, which takes longer.
    fn write(&mut self) -> io::Result<()> {
        let Some(stream) = &self.stream else { return Ok(()) };
        let socket = SockRef::from(stream.as_ref());
        let mut rest = &self.unsent[..];
        let mut result = Ok(());
        while result.is_ok() && !rest.is_empty() {
            match socket.send(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => result = Err(error),
            }
        }
        let written = self.unsent.len() - rest.len();
        if written == self.unsent.len() {
            self.unsent = SmallVec::new();
        } else {
            self.unsent.drain(..written);
        }
        self.is_left =
            result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        if result.is_err() && !self.is_left {
            self.end = Some(Ended::Gone);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;
    use tokio::net::tcp::OwnedReadHalf;

    use super::*;

    /// Both ends of a connection: the server's, of which the outbox has a half, and the client's.
    async fn connect(outbox: &Outbox) -> (OwnedReadHalf, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, sending) = listener.accept().await.unwrap().0.into_split();
        outbox.open(sending);
        (stream, client)
    }

    #[tokio::test]
    async fn what_was_put_before_the_connection_goes_out_with_it_and_the_rest_at_once() {
        let outbox = Outbox::default();
        outbox.put("one").unwrap();
        let (_stream, mut client) = connect(&outbox).await;
        outbox.put("two").unwrap();
        outbox.send("three").unwrap();
        let mut read = [0; 17];
        client.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"\x81\x03one\x81\x03two\x81\x05three");
        outbox.end();
        assert_eq!(outbox.send("four"), Err(Ended::Gone));
        assert_eq!(outbox.changed().await, Err(Ended::Gone));
    }

    #[tokio::test]
    async fn what_the_network_does_not_take_is_left_to_the_connection_and_comes_in_order() {
        let outbox = Arc::new(Outbox::default());
        let (stream, mut client) = connect(&outbox).await;
        let text = "0123456789".repeat(1_000);
        let mut sent = 0;
        while !outbox.state().is_left {
            outbox.send(&text).unwrap();
            sent += 1;
        }
        // Later ones go behind what is left.
        outbox.send("last").unwrap();
        outbox.changed().await.unwrap();
        let reading = tokio::spawn(async move {
            let mut read = Vec::new();
            client.read_to_end(&mut read).await.unwrap();
            read
        });
        outbox.drain(stream.as_ref()).await.unwrap();
        outbox.end();
        drop(stream);
        let mut expected = Vec::new();
        for _ in 0..sent {
            expected.extend_from_slice(b"\x81\x7e\x27\x10");
            expected.extend_from_slice(text.as_bytes());
        }
        expected.extend_from_slice(b"\x81\x04last");
        assert!(reading.await.unwrap() == expected);
    }

    #[tokio::test]
    async fn whoever_does_not_read_gets_no_more_and_a_quiet_one_costs_little() {
        let outbox = Outbox::default();
        let text = "0123456789".repeat(1_000);
        let full = std::iter::repeat_with(|| outbox.put(&text)).find(Result::is_err);
        assert_eq!(full, Some(Err(Ended::Slow)));
        assert!(outbox.state().unsent.len() <= MOST);
        assert_eq!(outbox.changed().await, Err(Ended::Slow));
        // The first reason counts.
        outbox.close(Ended::Stopping);
        assert_eq!(outbox.put("more"), Err(Ended::Slow));
        let (stream, mut client) = connect(&outbox).await;
        outbox.put_last(b"\x88\x00");
        outbox.drain(stream.as_ref()).await.unwrap();
        assert!(!outbox.state().unsent.spilled());
        outbox.end();
        drop(stream);
        let mut read = Vec::new();
        client.read_to_end(&mut read).await.unwrap();
        assert!(read.ends_with(b"\x88\x00"));
    }

    #[tokio::test]
    async fn whoever_waits_is_woken_by_what_is_left_and_by_the_end() {
        let outbox = Arc::new(Outbox::default());
        let (_stream, _client) = connect(&outbox).await;
        let waiting = || {
            let outbox = outbox.clone();
            tokio::spawn(async move { outbox.changed().await })
        };
        let left = waiting();
        tokio::task::yield_now().await;
        outbox.put("one").unwrap();
        outbox.flush_later();
        assert_eq!(left.await.unwrap(), Ok(()));
        outbox.state().is_left = false;
        let ended = waiting();
        tokio::task::yield_now().await;
        outbox.close(Ended::SignedOut);
        assert_eq!(ended.await.unwrap(), Err(Ended::SignedOut));
    }

    #[tokio::test]
    async fn a_crowd_is_told_by_its_own_tasks() {
        let outbox = Outbox::default();
        let (stream, mut client) = connect(&outbox).await;
        outbox.put("one").unwrap();
        outbox.flush_later();
        outbox.changed().await.unwrap();
        outbox.drain(stream.as_ref()).await.unwrap();
        let mut read = [0; 5];
        client.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"\x81\x03one");
    }
}
