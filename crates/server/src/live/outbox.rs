//! What is on its way to a client.

use std::future::poll_fn;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use socket2::SockRef;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;

use super::frames::Frames;

/// How many bytes wait for a client that does not read. One that is further behind is dropped.
const MOST: usize = 64 << 10;

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
    /// What was not written. Most often there is nothing.
    unsent: Vec<u8>,
    /// Whether the task of the connection is to write it.
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

    /// Whether an empty one has room for this, and for what happens meanwhile.
    pub(super) fn takes(frames: &Frames) -> bool {
        frames.len() <= MOST / 2
    }

    /// Puts frames behind what waits. They go out with the next [`Outbox::flush`].
    pub(crate) fn put(&self, frames: &[u8]) -> Result<(), Ended> {
        let mut state = self.state();
        let put = state.put(frames);
        wake_if_needed(state);
        put
    }

    /// Sends frames, after those that wait. What the network does not take is left to the
    /// connection's task.
    pub(crate) fn send(&self, frames: &[u8]) -> Result<(), Ended> {
        let mut state = self.state();
        let sent = state.send(frames);
        wake_if_needed(state);
        sent
    }

    /// Writes what waits, as far as the network takes it. The rest is left to the connection's task.
    pub(crate) fn flush(&self) {
        let mut state = self.state();
        if !state.is_left {
            state.write();
        }
        wake_if_needed(state);
    }

    /// Leaves to the connection's task what waits.
    pub(crate) fn flush_later(&self) {
        let mut state = self.state();
        state.is_left |= !state.unsent.is_empty() && state.stream.is_some();
        wake_if_needed(state);
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
            let write = || {
                state.write();
                // So the runtime hears that the network takes no more.
                if state.is_left { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
            };
            match stream.try_io(Interest::WRITABLE, write) {
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

/// Wakes the task of the connection where it has something to do.
fn wake_if_needed(state: MutexGuard<'_, State>) {
    if state.is_left || state.end.is_some() {
        wake(state);
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
    fn put(&mut self, frames: &[u8]) -> Result<(), Ended> {
        if let Some(end) = self.end {
            return Err(end);
        }
        // The first one may be of any length: a game can be long.
        if !self.unsent.is_empty() && self.unsent.len() + frames.len() > MOST {
            metrics::counter!("noughts_slow_clients_dropped_total").increment(1);
            return Err(*self.end.insert(Ended::Slow));
        }
        self.unsent.extend_from_slice(frames);
        Ok(())
    }

    fn send(&mut self, frames: &[u8]) -> Result<(), Ended> {
        let mut rest = frames;
        // As a rule the network takes all of it, and nothing has to be kept.
        if let Some(stream) = &self.stream
            && self.unsent.is_empty()
            && self.end.is_none()
        {
            match write(stream.as_ref(), frames) {
                Ok(count) => rest = &frames[count..],
                Err(_) => return Err(*self.end.insert(Ended::Gone)),
            }
        }
        if !rest.is_empty() {
            self.put(rest)?;
            if !self.is_left {
                self.write();
            }
        }
        Ok(())
    }

    /// Writes what waits, as far as the network takes it.
    fn write(&mut self) {
        let Some(stream) = &self.stream else { return };
        match write(stream.as_ref(), &self.unsent) {
            Ok(count) if count == self.unsent.len() => self.unsent = Vec::new(),
            Ok(count) => drop(self.unsent.drain(..count)),
            Err(_) => {
                self.unsent = Vec::new();
                self.end = Some(Ended::Gone);
            }
        }
        self.is_left = !self.unsent.is_empty();
    }
}

/// Writes as much as the network takes, and answers how much that was. It asks the network itself, and
/// not the runtime first: what that knows of a connection lies elsewhere in memory, which takes
/// longer.
fn write(stream: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    let socket = SockRef::from(stream);
    let mut written = 0;
    while written < bytes.len() {
        match socket.send(&bytes[written..]) {
            Ok(count) => written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(written)
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;
    use tokio::net::tcp::OwnedReadHalf;

    use super::*;

    /// Both ends of a connection: the server's, of which the outbox has a half, and the client's.
    pub(in crate::live) async fn connect(outbox: &Outbox) -> (OwnedReadHalf, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, sending) = listener.accept().await.unwrap().0.into_split();
        outbox.open(sending);
        (stream, client)
    }

    #[tokio::test]
    async fn what_was_put_before_the_connection_goes_out_with_it_and_the_rest_at_once() {
        let outbox = Outbox::default();
        outbox.put(&Frames::of("one")).unwrap();
        let (_stream, mut client) = connect(&outbox).await;
        outbox.put(&Frames::of("two")).unwrap();
        outbox.send(&Frames::of("three")).unwrap();
        let mut read = [0; 17];
        client.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"\x81\x03one\x81\x03two\x81\x05three");
        outbox.end();
        assert_eq!(outbox.send(&Frames::of("four")), Err(Ended::Gone));
        assert_eq!(outbox.changed().await, Err(Ended::Gone));
    }

    #[tokio::test]
    async fn what_the_network_does_not_take_is_left_to_the_connection_and_comes_in_order() {
        let outbox = Arc::new(Outbox::default());
        let (stream, mut client) = connect(&outbox).await;
        let text = "0123456789".repeat(1_000);
        let frames = Frames::of(&text);
        let mut sent = 0;
        while !outbox.state().is_left {
            outbox.send(&frames).unwrap();
            sent += 1;
        }
        // Later ones go behind what is left.
        outbox.send(&Frames::of("last")).unwrap();
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
        let frames = Frames::of(&"0123456789".repeat(1_000));
        let full = std::iter::repeat_with(|| outbox.put(&frames)).find(Result::is_err);
        assert_eq!(full, Some(Err(Ended::Slow)));
        assert!(outbox.state().unsent.len() <= MOST);
        assert_eq!(outbox.changed().await, Err(Ended::Slow));
        // The first reason counts.
        outbox.close(Ended::Stopping);
        assert_eq!(outbox.put(&Frames::of("more")), Err(Ended::Slow));
        let (stream, mut client) = connect(&outbox).await;
        outbox.put_last(b"\x88\x00");
        outbox.drain(stream.as_ref()).await.unwrap();
        assert_eq!(outbox.state().unsent.capacity(), 0);
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
        outbox.put(&Frames::of("one")).unwrap();
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
        outbox.put(&Frames::of("one")).unwrap();
        outbox.flush_later();
        outbox.changed().await.unwrap();
        outbox.drain(stream.as_ref()).await.unwrap();
        let mut read = [0; 5];
        client.read_exact(&mut read).await.unwrap();
        assert_eq!(&read, b"\x81\x03one");
    }
}
