//! The task that owns a live game.
//!
//! A command is checked against what the sender has seen, decided by the rules, and appended to the
//! log; only then are its events broadcast and the sender gets a reply. The task applies events to
//! its game before the log has them. Nobody sees that state: the task handles no other message until
//! the log has answered, and loads the game again if the append failed.

use std::sync::Arc;

use noughts_api::{
    CommandRequest, GameId, IdentityId, Millis, Participant, PlayerCommand, ServerMessage,
};
use noughts_store::LogThrottle;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, Instant, sleep, sleep_until, timeout};

use super::LiveGames;
use super::computer::{self, Search};
use super::load::LoadError;
use super::message::{Accepted, Failure, GameMessage, PlayerMessage, ReplyTo, Snapshot};
use super::presence::Presence;
use super::spectators::Spectators;
use super::subscribers::{Resume, Subscriber, Subscribers, Text, text};
use crate::game::{Away, Decision, OnlineGame, Refusal, ServerCommand};

/// Attempts at a command while other servers append to the same game.
const MAX_ATTEMPTS: usize = 5;

/// How often a game that has subscribers but can't be loaded is tried again.
const RELOAD_INTERVAL: Duration = Duration::from_secs(1);

/// A client that missed more than this gets the whole game instead of the updates.
const MAX_REPLAY_BYTES: usize = 32 << 10;

static LOAD_FAILURES: LogThrottle = LogThrottle::new();

pub(super) struct GameTask {
    pub(super) games: Arc<LiveGames>,
    pub(super) game: Box<OnlineGame>,
    pub(super) subscribers: Subscribers,
    pub(super) presence: Presence,
    pub(super) spectators: Spectators,
    /// The running search of a computer player.
    pub(super) search: Option<Search>,
    /// The position that another server has made: its computer is thinking.
    pub(super) remote_seq: Option<u32>,
    pub(super) last_used: Instant,
    /// The difference between the game's time and the server's steady time.
    pub(super) time_offset: Millis,
    /// How far the server's clock had been set back when the game was loaded.
    pub(super) set_back: Millis,
}

/// The game has to be loaded again: its state may differ from the log.
#[derive(Debug)]
pub(super) struct OutOfSync;

impl From<OutOfSync> for Failure {
    fn from(OutOfSync: OutOfSync) -> Failure {
        Failure::Unavailable
    }
}

impl GameTask {
    /// Runs until nobody has needed the game for a while. A game that is being created here need not
    /// be loaded.
    pub(super) async fn run(
        games: Arc<LiveGames>,
        id: GameId,
        mut inbox: mpsc::Receiver<GameMessage>,
        created: Option<oneshot::Receiver<Box<OnlineGame>>>,
    ) {
        let mut created = match created {
            Some(created) => created.await.ok(),
            None => None,
        };
        let mut subscribers = Subscribers::default();
        loop {
            // Thousands of tasks wait, so rare work is boxed to keep them small.
            let failure =
                match Box::pin(GameTask::start(&games, id, subscribers, created.take())).await {
                    Ok(mut task) => {
                        metrics::gauge!("noughts_games_in_memory").increment(1.0);
                        let ended = task.serve(&mut inbox).await;
                        metrics::gauge!("noughts_games_in_memory").decrement(1.0);
                        games.spectators.forget(id);
                        subscribers = task.subscribers;
                        match ended {
                            Ok(()) => break,
                            Err(OutOfSync) => {
                                // Loading may succeed where storing does not.
                                if games.outages.is_outage_possible_now() {
                                    sleep(RELOAD_INTERVAL).await;
                                }
                                continue;
                            }
                        }
                    }
                    Err((failure, unchanged)) => {
                        subscribers = unchanged;
                        failure
                    }
                };
            while let Ok(message) = inbox.try_recv() {
                fail(message, &failure, &mut subscribers);
            }
            if subscribers.is_empty() || games.lifecycle.stop.is_cancelled() {
                break;
            }
            if let Ok(Some(message)) = timeout(RELOAD_INTERVAL, inbox.recv()).await {
                fail(message, &failure, &mut subscribers);
            }
        }
        games.registry.close(id, &mut inbox);
        Box::pin(requeue_for_next_task(&games, id, inbox)).await;
    }

    /// Loads the game, unless it was just created, and does what is overdue.
    async fn start(
        games: &Arc<LiveGames>,
        id: GameId,
        mut subscribers: Subscribers,
        created: Option<Box<OnlineGame>>,
    ) -> Result<Box<GameTask>, (Failure, Subscribers)> {
        // Without subscribers nobody needs the updates.
        let known = match subscribers.is_empty() {
            true => u32::MAX,
            false => subscribers.last_broadcast_seq,
        };
        let loaded = match created {
            Some(game) => Ok((game, Vec::new())),
            None => {
                games.load_since(id, known).await.map(|(game, missed)| (Box::new(game), missed))
            }
        };
        let (game, missed) = match loaded {
            Ok(loaded) => loaded,
            Err(LoadError::NoGame) => return Err((Failure::NoGame, subscribers)),
            Err(error) => {
                if let Some(failures) = LOAD_FAILURES.count() {
                    tracing::error!(%error, game = %id, failures, "could not load a game");
                }
                return Err((Failure::Unavailable, subscribers));
            }
        };
        if subscribers.is_empty() {
            subscribers.last_broadcast_seq = game.seq();
        }
        subscribers.broadcast_updates(missed);
        let set_back = games.outages.set_back();
        let time_offset = game.updated_at().max(games.now()) - games.outages.steady();
        let mut task = Box::new(GameTask {
            games: games.clone(),
            game,
            subscribers,
            presence: Presence::default(),
            spectators: Spectators::default(),
            search: None,
            remote_seq: None,
            last_used: Instant::now(),
            time_offset,
            set_back,
        });
        match task.resume().await {
            Ok(()) => Ok(task),
            Err(OutOfSync) => Err((Failure::Unavailable, task.subscribers)),
        }
    }

    /// Does what became due while the game was not in memory.
    async fn resume(&mut self) -> Result<(), OutOfSync> {
        // The last server may have stopped between the agreement and the rematch.
        self.create_rematch_if_missing().await;
        self.expect_players_after_outage();
        self.return_present_players().await?;
        self.end_overdue().await?;
        self.start_search();
        Ok(())
    }

    /// Handles messages until nobody needs the game.
    async fn serve(&mut self, inbox: &mut mpsc::Receiver<GameMessage>) -> Result<(), OutOfSync> {
        let alarm = sleep_until(self.next_alarm());
        tokio::pin!(alarm);
        // A token of its own for each game: many waiting for one would share its lock.
        let stop = self.games.lifecycle.stop.child_token();
        let stopped = stop.cancelled();
        tokio::pin!(stopped);
        loop {
            tokio::select! {
                biased;
                message = inbox.recv() => {
                    // The registry holds a sender.
                    let Some(message) = message else { return Ok(()) };
                    let is_unsubscribe = matches!(message, GameMessage::Unsubscribe { .. });
                    self.handle(message).await?;
                    if is_unsubscribe && self.is_unwatched_and_over() {
                        return Ok(());
                    }
                    // Most messages put the next alarm off, which needs no reset.
                    if let Some(urgent) = self.urgent_alarm().filter(|at| *at < alarm.deadline()) {
                        alarm.as_mut().reset(urgent);
                    }
                }
                choice = computer::finished(&mut self.search) => {
                    Box::pin(self.play_choice(choice)).await?;
                    alarm.as_mut().reset(self.next_alarm());
                }
                () = alarm.as_mut() => {
                    Box::pin(self.check_timers()).await?;
                    if self.is_idle() {
                        return Ok(());
                    }
                    alarm.as_mut().reset(self.next_alarm());
                }
                () = stopped.as_mut() => return Ok(()),
            }
        }
    }

    async fn handle(&mut self, message: GameMessage) -> Result<(), OutOfSync> {
        self.hold_clock_if_needed().await?;
        match message {
            GameMessage::Command(message) => {
                self.last_used = Instant::now();
                return Box::pin(self.command(message)).await;
            }
            GameMessage::Rename { player, reply } => {
                let renamed =
                    Box::pin(self.server_command(ServerCommand::Rename { player: *player })).await;
                let _ = reply.send(renamed.as_ref().map(|_| ()).map_err(|_| Failure::Unavailable));
                renamed.map(|_| ())
            }
            GameMessage::View { viewer, seq, reply } => {
                self.last_used = Instant::now();
                Box::pin(self.show(viewer, seq, reply)).await
            }
            GameMessage::Subscribe { subscriber, resume, reply } => {
                self.last_used = Instant::now();
                Box::pin(self.subscribe(*subscriber, resume, reply)).await
            }
            GameMessage::Unsubscribe { id } => {
                self.last_used = Instant::now();
                self.unsubscribe(id);
                self.announce_spectators(None);
                Ok(())
            }
            GameMessage::Lag { identity, ms } => {
                for seat in self.game.seats_of(identity).collect::<Vec<_>>() {
                    self.subscribers.broadcast(&ServerMessage::Lag { seat, ms });
                }
                Ok(())
            }
            GameMessage::Emote { seat, emote } => {
                self.subscribers.broadcast(&ServerMessage::Emote { seat, emote });
                Ok(())
            }
            GameMessage::SpectatorsElsewhere { count } => {
                self.spectators.elsewhere = count;
                self.announce_spectators(None);
                Ok(())
            }
            GameMessage::CatchUp { seq } => {
                if seq > u64::from(self.game.seq()) {
                    Box::pin(self.catch_up()).await?;
                    Box::pin(self.return_present_players()).await?;
                }
                Ok(())
            }
            GameMessage::Tick => Box::pin(self.check_timers()).await,
        }
    }

    async fn show(
        &mut self,
        viewer: Option<IdentityId>,
        seq: u32,
        reply: oneshot::Sender<Result<Snapshot, Failure>>,
    ) -> Result<(), OutOfSync> {
        self.catch_up_to(seq).await?;
        if let Some(viewer) = viewer.filter(|viewer| self.is_player(*viewer)) {
            self.note_visit(viewer);
            self.return_present_players().await?;
        }
        self.games.find_result(&self.game).await;
        let snapshot = Snapshot { game: self.game.clone(), present: self.present() };
        let _ = reply.send(Ok(snapshot));
        Ok(())
    }

    async fn subscribe(
        &mut self,
        subscriber: Subscriber,
        resume: Resume,
        reply: oneshot::Sender<Result<Vec<Text>, Failure>>,
    ) -> Result<(), OutOfSync> {
        self.catch_up_to(resume.seq.max(resume.since.unwrap_or(0))).await?;
        let identity = subscriber.identity;
        let is_player = identity.is_some_and(|identity| self.is_player(identity));
        if self.subscribers.len() >= self.games.config.watchers_per_game() && !is_player {
            let _ = reply.send(Err(Failure::TooManySpectators));
            return Ok(());
        }
        let first = match self.missed_since(resume.since).await {
            Ok(Some(updates)) => updates,
            Ok(None) => {
                self.games.find_result(&self.game).await;
                let game = Box::new(self.games.view_for(&self.game, identity));
                vec![text(&ServerMessage::State { game })]
            }
            Err(error) => {
                let _ = reply.send(Err(Failure::Unavailable));
                return Err(error);
            }
        };
        let id = subscriber.id();
        self.subscribers.add(subscriber);
        if reply.send(Ok(first)).is_err() {
            // The client went away while it waited.
            self.subscribers.remove(id);
            return Ok(());
        }
        self.announce_spectators(Some(id));
        self.return_present_players().await
    }

    /// The updates that a client missed. None if it should get the whole game instead.
    async fn missed_since(&self, since: Option<u32>) -> Result<Option<Vec<Text>>, OutOfSync> {
        let Some(since) = since.filter(|since| *since <= self.game.seq()) else { return Ok(None) };
        if since == self.game.seq() {
            return Ok(Some(Vec::new()));
        }
        let loaded = self.games.load_since(self.game.id(), since).await;
        let (_, updates) = loaded.map_err(|error| self.out_of_sync(&error))?;
        // Events of other servers that this task has not seen yet come as updates later.
        let known = updates.into_iter().filter(|update| update.seq <= self.game.seq());
        let message = |update| text(&ServerMessage::Update(Box::new(update)));
        let texts: Vec<Text> = known.map(message).collect();
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        Ok((bytes <= MAX_REPLAY_BYTES).then_some(texts))
    }

    async fn command(&mut self, message: Box<PlayerMessage>) -> Result<(), OutOfSync> {
        let PlayerMessage { player, request, reply_to, permit: _permit } = *message;
        if matches!(reply_to, ReplyTo::Request(_)) && self.is_player(player.identity) {
            self.note_visit(player.identity);
        }
        let outcome = self.accept(&player, &request).await;
        let has_joined = matches!(request.command, PlayerCommand::Join { .. }) && outcome.is_ok();
        let is_out_of_sync = matches!(outcome, Err(Failure::Unavailable));
        match reply_to {
            ReplyTo::Request(reply) => {
                let game = || self.game.clone();
                let _ = reply.send(outcome.map(|seq| Accepted { seq, game: game() }));
            }
            ReplyTo::Subscriber(id) => {
                let message = match outcome {
                    Ok(seq) => ServerMessage::Accepted { key: request.key, seq },
                    Err(failure) => failure.into_message(request.key),
                };
                self.subscribers.send_to(id, &message);
            }
        }
        if has_joined {
            self.announce_spectators(None);
        }
        if is_out_of_sync { Err(OutOfSync) } else { Ok(()) }
    }

    /// Executes a player's command. Returns the sequence number right after it.
    async fn accept(
        &mut self,
        player: &Participant,
        request: &CommandRequest,
    ) -> Result<u32, Failure> {
        // Another server may know more than this one, and so may a client that talks to it: nothing
        // is refused before this game has caught up.
        let is_shared = self.games.storage.is_shared;
        let is_behind =
            |refusal: &Refusal| matches!(refusal, Refusal::Stale { seq, seen } if seen > seq);
        let mut is_current = false;
        for _ in 0..MAX_ATTEMPTS {
            let mut now = self.now_after_holding().await?;
            if self.game.deadline().is_some_and(|deadline| deadline <= now) {
                Box::pin(self.end_overdue()).await?;
                // That may have added events.
                now = self.now_after_holding().await?;
            }
            let new_game = || self.games.new_game_id();
            match self.game.decide(player, request, now, new_game) {
                Ok(Decision::Repeated(seq)) => return Ok(seq),
                Ok(Decision::Events(events)) => {
                    let key = Some((player.identity, &request.key));
                    if self.append(events, now, key).await? {
                        return Ok(self.game.seq());
                    }
                }
                Err(Refusal::NotAway(Away::Nobody))
                    if Box::pin(self.note_absences(player.identity)).await? => {}
                Err(refusal) if !is_current && (is_shared || is_behind(&refusal)) => {
                    Box::pin(self.catch_up()).await?;
                    is_current = true;
                }
                Err(refusal) => {
                    let view = refusal
                        .depends_on_state()
                        .then(|| Box::new(self.games.view_for(&self.game, Some(player.identity))));
                    return Err(Failure::Refused(refusal, view));
                }
            }
        }
        Err(Failure::Unavailable)
    }

    /// Executes a command of the server. Returns whether anything happened.
    pub(super) async fn server_command(
        &mut self,
        command: ServerCommand,
    ) -> Result<bool, OutOfSync> {
        self.server_command_if(|_| Some(command.clone())).await
    }

    /// The same for a command that depends on the game's state, which may change between attempts.
    pub(super) async fn server_command_if(
        &mut self,
        command: impl Fn(&GameTask) -> Option<ServerCommand>,
    ) -> Result<bool, OutOfSync> {
        for _ in 0..MAX_ATTEMPTS {
            let now = match command(self) {
                Some(ServerCommand::HoldClock { .. }) => self.now(),
                Some(_) => self.now_after_holding().await?,
                None => return Ok(false),
            };
            let Some(command) = command(self) else { return Ok(false) };
            match self.game.decide_server(&command, now) {
                Ok(events) if !events.is_empty() => {
                    if self.append(events, now, None).await? {
                        return Ok(true);
                    }
                }
                Ok(_) => return Ok(false),
                Err(refusal) => {
                    tracing::warn!(%refusal, ?command, game = %self.game.id(), "refused");
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    pub(super) fn out_of_sync(&self, error: &dyn std::error::Error) -> OutOfSync {
        tracing::error!(%error, game = %self.game.id(), "could not read or append to a game");
        OutOfSync
    }
}

/// Replies to a message that can't be handled, because the game can't be loaded.
fn fail(message: GameMessage, failure: &Failure, subscribers: &mut Subscribers) {
    match message {
        GameMessage::Command(message) => match message.reply_to {
            ReplyTo::Request(reply) => drop(reply.send(Err(failure.clone()))),
            ReplyTo::Subscriber(id) => {
                subscribers.send_to(id, &failure.clone().into_message(message.request.key));
            }
        },
        GameMessage::Rename { reply, .. } => drop(reply.send(Err(failure.clone()))),
        GameMessage::View { reply, .. } => drop(reply.send(Err(failure.clone()))),
        GameMessage::Subscribe { reply, .. } => drop(reply.send(Err(failure.clone()))),
        GameMessage::Unsubscribe { id } => drop(subscribers.remove(id)),
        GameMessage::Lag { .. }
        | GameMessage::Emote { .. }
        | GameMessage::SpectatorsElsewhere { .. }
        | GameMessage::CatchUp { .. }
        | GameMessage::Tick => {}
    }
}

/// Hands messages that arrived too late to the next task.
async fn requeue_for_next_task(
    games: &Arc<LiveGames>,
    id: GameId,
    mut inbox: mpsc::Receiver<GameMessage>,
) {
    while let Some(message) = inbox.recv().await {
        games.send(id, message).await;
    }
}
