//! Following a lobby in the background.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::{LobbyEvent, LobbyLists};
use crate::backoff::Backoff;
use crate::client::{Client, ClientError};

/// Follows a lobby in the background until it is dropped.
#[derive(Debug)]
pub struct LobbyConnection {
    signals: Arc<Signals>,
}

/// What the owner of a connection tells its threads.
#[derive(Debug, Default)]
struct Signals {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_closed: bool,
    /// Whether the lists shall be read at once.
    is_outdated: bool,
}

/// How often the lists are read.
const LIST_INTERVAL: Duration = Duration::from_secs(5);

impl LobbyConnection {
    /// Starts to follow a lobby. Without a token only what everybody sees is read.
    #[must_use]
    pub fn open(
        client: &Client,
        on_event: impl FnMut(LobbyEvent) + Clone + Send + 'static,
    ) -> LobbyConnection {
        let signals = Arc::new(Signals::default());
        let start = |work: fn(&Client, &Signals, &mut dyn FnMut(LobbyEvent))| {
            let (client, signals, mut on_event) =
                (client.clone(), Arc::clone(&signals), on_event.clone());
            thread::spawn(move || work(&client, &signals, &mut on_event));
        };
        start(read_lists);
        if client.token().is_some() {
            start(follow_player);
        }
        LobbyConnection { signals }
    }

    /// Reads the lists again at once.
    pub fn refresh(&self) {
        self.signals.lock().is_outdated = true;
        self.signals.changed.notify_all();
    }
}

impl Drop for LobbyConnection {
    fn drop(&mut self) {
        self.signals.lock().is_closed = true;
        self.signals.changed.notify_all();
    }
}

impl Signals {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Waits while something holds, but not longer than this.
    fn wait_while(&self, time: Duration, holds: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let waited = self.changed.wait_timeout_while(self.lock(), time, |state| holds(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

fn read_lists(client: &Client, signals: &Signals, on_event: &mut dyn FnMut(LobbyEvent)) {
    let mut name = None;
    while !signals.is_closed() {
        let lists =
            own_name(client, &mut name).and_then(|()| LobbyLists::load(client, name.as_deref()));
        on_event(match lists {
            Ok(lists) => LobbyEvent::Lists(Box::new(lists)),
            Err(error) => LobbyEvent::Unreachable(error.to_string()),
        });
        let is_idle = |state: &State| !state.is_closed && !state.is_outdated;
        signals.wait_while(LIST_INTERVAL, is_idle).is_outdated = false;
    }
}

/// Asks for the name of a player, once.
fn own_name(client: &Client, name: &mut Option<String>) -> Result<(), ClientError> {
    if name.is_none() && client.token().is_some() {
        *name = Some(client.me()?.name);
    }
    Ok(())
}

fn follow_player(client: &Client, signals: &Signals, on_event: &mut dyn FnMut(LobbyEvent)) {
    let mut backoff = Backoff::new();
    while !signals.is_closed() {
        let mut is_first = true;
        let ended = client.follow(|event| {
            if signals.is_closed() {
                return false;
            }
            if std::mem::take(&mut is_first) {
                on_event(LobbyEvent::Reset);
            }
            on_event(LobbyEvent::Yours(event));
            true
        });
        match ended {
            Ok(()) => backoff = Backoff::new(),
            Err(ClientError::Refused(error)) => {
                on_event(LobbyEvent::Unreachable(error.message));
                return;
            }
            Err(error) => on_event(LobbyEvent::Unreachable(error.to_string())),
        }
        drop(signals.wait_while(backoff.next_delay(), |state| !state.is_closed));
    }
}
