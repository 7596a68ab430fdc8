//! The task that directs a tournament.

use std::sync::Arc;
use std::time::Duration;

use noughts_api::{Millis, TournamentId};
use noughts_store::{LogThrottle, Notice, TournamentAppend};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::Directors;
use super::load::{self, LoadError};
use super::message::{TournamentFailure, TournamentMessage, TournamentRequest};
use super::snapshot::{CHECK_INTERVAL_MS, Snapshot};
use crate::live::EndedGame;
use crate::tournament::{Tournament, TournamentEvent};

/// Attempts at a step while other servers append to the same tournament.
const MAX_ATTEMPTS: usize = 5;

/// How soon a step that failed is tried again.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

static FAILURES: LogThrottle = LogThrottle::new();

pub(super) struct TournamentTask {
    directors: Arc<Directors>,
    tournament: Tournament,
    /// Whether the log may have events that the tournament lacks, because an append failed.
    in_doubt: bool,
    seq: watch::Sender<u32>,
    snapshot: Option<Arc<Snapshot>>,
    last_used: Instant,
    /// When its games were last compared with the log.
    checked_at: Millis,
    /// No step before this time: the last one failed.
    retry_at: Option<Instant>,
}

impl From<LoadError> for TournamentFailure {
    fn from(error: LoadError) -> TournamentFailure {
        if let LoadError::NoTournament = error {
            return TournamentFailure::NoTournament;
        }
        if let Some(failures) = FAILURES.count() {
            tracing::error!(%error, failures, "could not direct a tournament");
        }
        TournamentFailure::Unavailable
    }
}

impl TournamentTask {
    /// Runs until nobody has needed the tournament for a while.
    pub(super) async fn run(
        directors: Arc<Directors>,
        id: TournamentId,
        mut inbox: mpsc::Receiver<TournamentMessage>,
    ) {
        match load::load(&directors.storage.store, id).await {
            Ok(tournament) => {
                let mut task = TournamentTask {
                    directors: directors.clone(),
                    seq: watch::Sender::new(tournament.seq()),
                    checked_at: directors.games.now(),
                    tournament,
                    in_doubt: false,
                    snapshot: None,
                    last_used: Instant::now(),
                    retry_at: None,
                };
                task.serve(&mut inbox).await;
            }
            Err(error) => {
                let failure = TournamentFailure::from(error);
                while let Ok(message) = inbox.try_recv() {
                    fail(message, failure);
                }
            }
        }
        directors.registry.close(id, &mut inbox);
        while let Some(message) = inbox.recv().await {
            Box::pin(directors.send(id, message)).await;
        }
    }

    async fn serve(&mut self, inbox: &mut mpsc::Receiver<TournamentMessage>) {
        let stop = self.directors.lifecycle.stop.clone();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                message = inbox.recv() => match message {
                    Some(message) => self.handle(message).await,
                    None => return,
                },
                () = sleep_until(self.next_alarm()) => {
                    if self.is_idle() {
                        return;
                    }
                    // Followers keep it in memory.
                    if self.last_used.elapsed() >= self.directors.config.idle_after() {
                        self.last_used = Instant::now();
                    }
                    if self.is_due() {
                        self.step().await;
                    }
                }
            }
        }
    }

    async fn handle(&mut self, message: TournamentMessage) {
        match message {
            TournamentMessage::Request { request, reply } => {
                self.last_used = Instant::now();
                let done = self.request(request).await;
                if done.is_ok() {
                    self.step().await;
                }
                let _ = reply.send(match done {
                    Ok(()) => self.snapshot().await,
                    Err(failure) => Err(failure),
                });
            }
            TournamentMessage::View { seq, reply } => {
                self.last_used = Instant::now();
                let caught_up = match seq > self.tournament.seq() {
                    true => self.catch_up().await,
                    false => Ok(()),
                };
                let _ = reply.send(match caught_up {
                    Ok(()) => self.snapshot().await,
                    Err(failure) => Err(failure),
                });
            }
            TournamentMessage::Follow { reply } => {
                let _ = reply.send(Ok(self.seq.subscribe()));
            }
            TournamentMessage::GameEnded(ended) => {
                if self.record(ended).await.is_ok() {
                    self.step().await;
                }
            }
            TournamentMessage::CatchUp { seq } => {
                if seq > self.tournament.seq() {
                    // A failure is logged, and the next notice or alarm tries again.
                    let _ = self.catch_up().await;
                }
            }
            TournamentMessage::Tick => {
                let _ = self.catch_up().await;
                // A server that has just started looks after the games at once.
                self.checked_at = Millis::MIN;
                self.step().await;
            }
        }
    }

    fn now(&self) -> Millis {
        self.directors.games.now()
    }

    /// When something is due.
    fn due(&self) -> Option<Millis> {
        let check = self.checked_at.saturating_add(CHECK_INTERVAL_MS);
        let check = (!self.tournament.pending_games().is_empty()).then_some(check);
        self.tournament.due_at().into_iter().chain(check).min()
    }

    fn is_due(&self) -> bool {
        self.due().is_some_and(|due| due <= self.now())
    }

    /// When the task looks at the time next.
    fn next_alarm(&self) -> Instant {
        let now = Instant::now();
        let due = self.due().map(|due| {
            let wait = u64::try_from(due - self.now()).unwrap_or(0);
            (now + Duration::from_millis(wait)).max(self.retry_at.unwrap_or(now))
        });
        let idle = (self.last_used + self.directors.config.idle_after()).max(now + RETRY_INTERVAL);
        due.map_or(idle, |due| due.min(idle))
    }

    /// Whether nobody needs the task.
    fn is_idle(&self) -> bool {
        let idle_after = self.directors.config.idle_after();
        let is_due_soon = self.due().is_some_and(|due| {
            due - self.now() <= i64::try_from(idle_after.as_millis()).unwrap_or(i64::MAX)
        });
        self.last_used.elapsed() >= idle_after && self.seq.receiver_count() == 0 && !is_due_soon
    }

    async fn snapshot(&mut self) -> Result<Arc<Snapshot>, TournamentFailure> {
        if let Some(snapshot) = &self.snapshot {
            return Ok(snapshot.clone());
        }
        let taken = self.directors.take_snapshot(&self.tournament).await;
        let snapshot = Arc::new(taken.map_err(LoadError::from)?);
        self.snapshot = Some(snapshot.clone());
        Ok(snapshot)
    }

    fn changed(&mut self) {
        self.snapshot = None;
        self.seq.send_replace(self.tournament.seq());
    }

    async fn catch_up(&mut self) -> Result<(), TournamentFailure> {
        let store = &self.directors.storage.store;
        let caught_up = load::catch_up(store, &mut self.tournament).await;
        // Some events may have been applied before it failed.
        self.changed();
        caught_up?;
        self.in_doubt = false;
        Ok(())
    }

    /// Does what somebody asks for.
    async fn request(&mut self, request: TournamentRequest) -> Result<(), TournamentFailure> {
        self.append_decided(|tournament| {
            match request {
                TournamentRequest::Join { player, bot } => tournament.join(player, bot),
                TournamentRequest::Leave { player } => tournament.leave(player),
                TournamentRequest::Start { by } => tournament.start(by),
                TournamentRequest::Cancel { by } => tournament.cancel(by),
            }
            .map_err(TournamentFailure::Refused)
        })
        .await
        .map(|_| ())
    }

    /// Records the end of a game.
    async fn record(&mut self, ended: EndedGame) -> Result<(), TournamentFailure> {
        if !self.tournament.is_pending(ended.game) {
            // Another server may have paired it a moment ago.
            self.catch_up().await?;
        }
        let EndedGame { game, outcome, absent, .. } = ended;
        let decide = |tournament: &Tournament| Ok(tournament.game_ended(game, outcome, absent));
        self.append_decided(decide).await.map(|_| ())
    }

    /// Does everything that is due. What fails is tried again soon.
    async fn step(&mut self) {
        let done = match self.advance().await {
            Ok(()) => self.check_games().await,
            Err(failure) => Err(failure),
        };
        self.retry_at = done.is_err().then(|| Instant::now() + RETRY_INTERVAL);
    }

    /// Starts, pairs and ends.
    async fn advance(&mut self) -> Result<(), TournamentFailure> {
        loop {
            let games_before = self.tournament.games().len();
            let (now, directors) = (self.now(), self.directors.clone());
            let decide = |tournament: &Tournament| {
                Ok(tournament.tick(now, || directors.games.new_game_id()))
            };
            if !self.append_decided(decide).await? {
                return Ok(());
            }
            let paired = self.tournament.games().get(games_before..).unwrap_or_default();
            self.directors.create_games(&self.tournament, paired).await;
        }
    }

    /// Looks after the games, if that is due: another server may have stopped before it created them or
    /// recorded their results.
    async fn check_games(&mut self) -> Result<(), TournamentFailure> {
        let now = self.now();
        if self.tournament.pending_games().is_empty()
            || now < self.checked_at.saturating_add(CHECK_INTERVAL_MS)
        {
            return Ok(());
        }
        self.checked_at = now;
        let ended = self.directors.check_games(&self.tournament).await.map_err(LoadError::from)?;
        if ended.is_empty() {
            let due = self.directors.listing(&self.tournament, now).due.unwrap_or(now);
            let (id, seq) = (self.tournament.id(), self.tournament.seq());
            let postponed = self.directors.storage.store.postpone_tournament(id, seq, due).await;
            return Ok(postponed.map_err(LoadError::from)?);
        }
        for ended in ended {
            self.record(ended).await?;
        }
        self.advance().await
    }

    /// Decides on the newest state and appends the events. Returns whether there were any.
    async fn append_decided(
        &mut self,
        decide: impl Fn(&Tournament) -> Result<Vec<TournamentEvent>, TournamentFailure>,
    ) -> Result<bool, TournamentFailure> {
        if self.in_doubt {
            self.catch_up().await?;
        }
        for _ in 0..MAX_ATTEMPTS {
            let events = decide(&self.tournament)?;
            if events.is_empty() {
                return Ok(false);
            }
            if self.append(&events).await? {
                return Ok(true);
            }
            self.catch_up().await?;
        }
        Err(TournamentFailure::Unavailable)
    }

    /// Appends events. Returns false if another server appended first.
    async fn append(&mut self, events: &[TournamentEvent]) -> Result<bool, TournamentFailure> {
        let (at, mut next) = (self.now(), self.tournament.clone());
        for event in events {
            next.apply(event, at).map_err(LoadError::from)?;
        }
        let joined = |event: &TournamentEvent| match event {
            TournamentEvent::Joined { player, .. } => Some(*player),
            _ => None,
        };
        let append = TournamentAppend {
            tournament: next.id(),
            expected: self.tournament.seq(),
            events: events.iter().map(load::event_json).collect(),
            at,
            joined: events.iter().filter_map(joined).collect(),
            listing: self.directors.listing(&next, at),
        };
        // Until the database has answered, it may or may not have them.
        self.in_doubt = true;
        let stored = self.directors.storage.store.append_to_tournament(&append).await;
        if !stored.map_err(LoadError::from)? {
            return Ok(false);
        }
        self.in_doubt = false;
        self.tournament = next;
        self.changed();
        let (tournament, sequence) = (self.tournament.id(), self.tournament.seq());
        self.directors.storage.notices.publish_remote(&Notice::Tournament { tournament, sequence });
        Ok(true)
    }
}

/// Answers a message of a tournament that can't be loaded.
fn fail(message: TournamentMessage, failure: TournamentFailure) {
    match message {
        TournamentMessage::Request { reply, .. } | TournamentMessage::View { reply, .. } => {
            let _ = reply.send(Err(failure));
        }
        TournamentMessage::Follow { reply } => {
            let _ = reply.send(Err(failure));
        }
        TournamentMessage::GameEnded(_)
        | TournamentMessage::CatchUp { .. }
        | TournamentMessage::Tick => {}
    }
}
