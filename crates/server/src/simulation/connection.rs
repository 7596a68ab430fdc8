//! A server's connection to the simulated database, with delays and failures.

use std::collections::HashMap;
use std::fmt;
use std::future::pending;
use std::sync::Arc;

use noughts_api::{GameId, Millis};
use noughts_store::{
    AppendError, Appended, Batch, DueGame, GameQuery, ListedGame, Log, LogFuture, LoggedEvent,
    Notice, Outage, StoreError,
};
use noughts_testing::connection_lost;
use tokio::sync::oneshot;
use tokio::time::{Duration, sleep};
use tokio_util::sync::CancellationToken;

use super::Bug;
use super::database::Health;
use super::world::{World, lock};
use crate::storage::server_table::{ServerTable, TableFuture};

/// How soon a request is tried again while the database does not answer.
const SILENCE_POLL: Duration = Duration::from_millis(100);

/// How late an acknowledgement by [`Bug::EarlyAcknowledgement`] is stored, in milliseconds.
const EARLY_MS: u64 = 400;

/// How late a notice arrives at most, in milliseconds.
const MAX_NOTICE_MS: u64 = 60;

#[derive(Clone)]
pub(super) struct Connection {
    pub(super) world: Arc<World>,
    /// The place of the server.
    pub(super) index: usize,
    /// Another one after each restart.
    pub(super) instance: u64,
    /// How far the server's own clock is off.
    pub(super) clock_offset: Millis,
    /// The server has crashed: nothing of it reaches the database any more, and no answer reaches it.
    pub(super) crashed: CancellationToken,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection {}", self.instance)
    }
}

impl Connection {
    /// Carries a request to the database, or its answer back.
    async fn travel(&self) -> Result<(), StoreError> {
        self.world.delay(self.world.database.max_latency()).await;
        loop {
            if self.crashed.is_cancelled() {
                pending::<()>().await;
            }
            match self.world.database.health() {
                Health::Up => return Ok(()),
                Health::Refusing => return Err(connection_lost()),
                Health::Silent => sleep(SILENCE_POLL).await,
            }
        }
    }

    async fn read<'a, T>(&self, read: impl FnOnce() -> LogFuture<'a, T>) -> Result<T, StoreError> {
        self.travel().await?;
        if self.world.fault(1) {
            return Err(connection_lost());
        }
        let found = read().await?;
        self.travel().await?;
        Ok(found)
    }

    /// Stores a batch. Once the request is on its way it goes on without the server.
    async fn send_append(self, batch: Batch, reply: oneshot::Sender<Outcomes>) {
        let world = &self.world;
        if world.fault(3) || self.travel_without_server().await.is_err() {
            world.note(|| format!("server {}: request lost", self.index));
            drop(reply.send(Err(connection_lost())));
            return;
        }
        if self.crashed.is_cancelled() && world.chance(50) {
            return;
        }
        let is_reply_lost = world.fault(3);
        if world.has_bug(Bug::EarlyAcknowledgement) {
            let stored = batch.appends().iter().map(|append| {
                let last = append.expected + append.events.len() as u64;
                Ok(Appended { first: append.expected + 1, last, repeated: false })
            });
            drop(reply.send(Ok(stored.collect())));
            sleep(Duration::from_millis(EARLY_MS)).await;
            if !self.crashed.is_cancelled() {
                drop(world.database.append(world, &batch, false).await);
            }
            return;
        }
        let outcomes = world.database.append(world, &batch, is_reply_lost).await;
        if let Ok(outcomes) = &outcomes {
            for (append, outcome) in batch.appends().iter().zip(outcomes) {
                let (game, events) = (append.game, append.events.join(" "));
                world.note(|| format!("server {}: {game} {outcome:?} {events}", self.index));
                if let Ok(Appended { first, last, repeated: false }) = outcome {
                    (*first..=*last).for_each(|sequence| world.stored(game, sequence));
                }
            }
        }
        if is_reply_lost {
            world.note(|| format!("server {}: reply lost", self.index));
            drop(reply.send(Err(connection_lost())));
            return;
        }
        if self.travel_without_server().await.is_ok() {
            if let (Ok(outcomes), false) = (&outcomes, self.crashed.is_cancelled()) {
                self.send_notices(&batch, outcomes);
            }
            drop(reply.send(outcomes));
        } else {
            drop(reply.send(Err(connection_lost())));
        }
    }

    async fn travel_without_server(&self) -> Result<(), StoreError> {
        let alone = Connection { crashed: CancellationToken::new(), ..self.clone() };
        alone.travel().await
    }

    /// Tells the other servers what was stored. Notices may be lost; servers resynchronise now and
    /// then.
    fn send_notices(&self, batch: &Batch, outcomes: &[Result<Appended, AppendError>]) {
        for (append, outcome) in batch.appends().iter().zip(outcomes) {
            let Ok(appended) = outcome else { continue };
            let notice = Notice::Game { game: append.game, sequence: appended.last };
            for index in (0..self.world.server_count()).filter(|index| *index != self.index) {
                if self.world.fault(10) {
                    continue;
                }
                let (world, notice) = (self.world.clone(), notice.clone());
                tokio::spawn(async move {
                    world.delay(MAX_NOTICE_MS).await;
                    if let Some(server) = world.server(index) {
                        server.notices.publish(notice);
                    }
                });
            }
        }
    }

    async fn change_table<T>(
        &self,
        change: impl FnOnce(&mut super::database::Table) -> T,
    ) -> Result<T, StoreError> {
        self.travel().await?;
        let changed = {
            let mut table = lock(&self.world.database.table);
            let changed = change(&mut table);
            self.world.note(|| format!("server {}: now {table:?}", self.index));
            changed
        };
        self.travel().await?;
        Ok(changed)
    }

    /// The answer to a heartbeat, or what [`Bug::SwallowedHeartbeats`] makes of it.
    fn unless_swallowed<T: Default>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        match answer {
            Err(_) if self.world.has_bug(Bug::SwallowedHeartbeats) => Ok(T::default()),
            answer => answer,
        }
    }
}

type Outcomes = Result<Vec<Result<Appended, AppendError>>, StoreError>;

impl Log for Connection {
    fn append<'a>(&'a self, batch: &'a Batch) -> LogFuture<'a, Vec<Result<Appended, AppendError>>> {
        Box::pin(async move {
            if self.crashed.is_cancelled() {
                pending::<()>().await;
            }
            let mut request = Batch::default();
            for append in batch.appends() {
                // Valid, because it was so in the original batch.
                let _ = request.push(append.clone());
            }
            let (reply, outcomes) = oneshot::channel();
            tokio::spawn(self.clone().send_append(request, reply));
            let outcomes = outcomes.await;
            if self.crashed.is_cancelled() {
                pending::<()>().await;
            }
            outcomes.map_err(|_| connection_lost())?
        })
    }

    fn events(&self, game: GameId, since: u64, limit: u32) -> LogFuture<'_, Vec<LoggedEvent>> {
        Box::pin(self.read(move || self.world.database.log.events(game, since, limit)))
    }

    fn sequences<'a>(&'a self, games: &'a [GameId]) -> LogFuture<'a, HashMap<GameId, u64>> {
        Box::pin(self.read(move || self.world.database.log.sequences(games)))
    }

    fn game(&self, game: GameId) -> LogFuture<'_, Option<ListedGame>> {
        Box::pin(self.read(move || self.world.database.log.game(game)))
    }

    fn games<'a>(&'a self, query: &'a GameQuery) -> LogFuture<'a, Vec<ListedGame>> {
        Box::pin(self.read(move || self.world.database.log.games(query)))
    }

    fn due(&self, until: i64, after: Option<DueGame>, limit: u32) -> LogFuture<'_, Vec<DueGame>> {
        Box::pin(self.read(move || self.world.database.log.due(until, after, limit)))
    }
}

impl ServerTable for Connection {
    /// A shared database has a clock, a file has none.
    fn clock(&self) -> TableFuture<'_, Option<Millis>> {
        Box::pin(async move {
            self.travel().await?;
            let clock = match self.world.has_bug(Bug::OwnClocks) {
                true => self.world.now() + self.clock_offset,
                false => self.world.database_clock(),
            };
            self.travel().await?;
            Ok(self.world.is_shared.then_some(clock))
        })
    }

    fn ping(&self) -> TableFuture<'_, ()> {
        Box::pin(self.change_table(|_| ()))
    }

    fn register_server(&self, at: Millis, tolerance: Millis) -> TableFuture<'_, ()> {
        let is_connected = |instance| {
            let servers = (0..self.world.server_count()).filter_map(|i| self.world.server(i));
            servers.into_iter().any(|server| server.instance == instance)
        };
        let cuts_off = !self.world.has_bug(Bug::FutureHeartbeats);
        Box::pin(self.change_table(move |table| {
            table.register(self.instance, at, tolerance, is_connected, cuts_off);
        }))
    }

    fn heartbeat(&self, at: Millis, tolerance: Millis) -> TableFuture<'_, ()> {
        Box::pin(async move {
            let stored = self.change_table(move |table| {
                table.heartbeat(self.instance, at, tolerance, false);
            });
            self.unless_swallowed(stored.await)
        })
    }

    fn stop_server(&self, at: Millis) -> TableFuture<'_, ()> {
        Box::pin(self.change_table(move |table| {
            table.heartbeat(self.instance, at, Millis::MAX, true);
        }))
    }

    fn outages(&self, since: Millis) -> TableFuture<'_, Vec<Outage>> {
        Box::pin(async move {
            self.unless_swallowed(self.change_table(move |table| table.outages(since)).await)
        })
    }
}
