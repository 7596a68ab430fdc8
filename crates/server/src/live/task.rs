//! The task that owns a live game.
//!
//! The way of a command: what the sender saw is checked, the rules decide, the events are
//! appended to the log, and only then everyone is told, and the sender gets the answer. The task's
//! game is a step ahead of the log meanwhile, which nobody sees: it looks at the next letter when
//! the log has answered, and reads the game again where the answer was no.

use std::sync::Arc;

use noughts_api::ErrorCode;
use noughts_store::{AppendError, IdentityId};
use smallvec::SmallVec;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use super::catalogue::{self, Before};
use super::frames::Frames;
use super::load::{LoadError, Untold, catch_up, load_since};
use super::mailbox::Letters;
use super::room::Room;
use super::think::Thinking;
use super::{Answer, Done, Failure, Letter, wire};
use crate::app::App;
use crate::game::{
    Actor, Away, Command, CommandKey, Decision, Event, Holder, Millis, OnlineGame, Order, Phase,
    Refusal,
};

/// How often a command is tried when others were faster to append to the same log.
const TRIES: usize = 5;

pub(super) struct GameTask {
    pub(super) app: Arc<App>,
    pub(super) room: Arc<Room>,
    pub(super) game: OnlineGame,
    /// About what a computer is thinking.
    pub(super) thinking: Option<Thinking>,
    /// The sequence number of the position that another server has made: its computer thinks.
    pub(super) heard: Option<u32>,
    pub(super) used: Instant,
    /// What watchers are told next.
    pub(super) news: Frames,
    /// Whether the game is what the log says, as far as this server knows.
    is_sound: bool,
}

/// The task has to end: the game can't be read any more.
pub(super) struct Lost;

impl GameTask {
    /// Serves the game until nobody has needed it for a while. A game that is being made here need
    /// not be read from the log.
    pub(super) async fn run(
        app: Arc<App>,
        mut letters: Letters,
        making: Option<oneshot::Receiver<Box<OnlineGame>>>,
    ) {
        let room = letters.room().clone();
        let key = room.game;
        let made = match making {
            Some(making) => making.await.ok(),
            None => None,
        };
        // Where nobody watches there is nobody to be told.
        let told = if room.watchers() == 0 { u32::MAX } else { room.told() };
        let loaded = match made {
            Some(game) => Ok((*game, Vec::new())),
            None => Box::pin(load_since(&app, key, told)).await,
        };
        match loaded {
            Ok((game, untold)) => {
                let mut task = GameTask::new(app.clone(), room, game);
                task.tell(&untold);
                task.serve(&mut letters).await;
            }
            Err(error) => {
                if !matches!(error, LoadError::NoGame) {
                    tracing::error!(%error, game = %key, "could not load a game");
                }
                let failure = || match error {
                    LoadError::NoGame => Failure::NoGame,
                    LoadError::Store(_) | LoadError::Broken(_) => Failure::Unavailable,
                };
                letters.close().into_iter().for_each(|letter| fail(&room, letter, failure()));
                drop(room);
            }
        }
        drop(letters);
        app.rooms.tidy(key);
    }

    fn new(app: Arc<App>, room: Arc<Room>, game: OnlineGame) -> GameTask {
        let used = Instant::now();
        let task = GameTask {
            app,
            room,
            game,
            thinking: None,
            heard: None,
            used,
            news: Frames::default(),
            is_sound: true,
        };
        task.introduce_players();
        task
    }

    async fn serve(&mut self, letters: &mut Letters) {
        metrics::gauge!("noughts_games_in_memory").increment(1.0);
        let alarm = sleep_until(Instant::now());
        tokio::pin!(alarm);
        // Thousands of games wait here, so what they do now and then has a place of its own.
        Box::pin(self.begin_rematch(true)).await;
        self.miss_players();
        let mut ended = Box::pin(self.hold_clock()).await.is_err()
            || Box::pin(self.welcome_back()).await.is_err()
            || Box::pin(self.look_at_the_time()).await.is_err()
            || self.app.lifecycle.stop.is_cancelled();
        self.set(alarm.as_mut());
        while !ended {
            self.tell_news(None);
            ended = tokio::select! {
                biased;
                letter = letters.next() => match letter {
                    Letter::Stop => true,
                    // As a rule nobody asks for such a game again, and who does has it read.
                    Letter::Unwatched => self.is_over_and_unwatched(),
                    letter => {
                        self.used = Instant::now();
                        let lost = self.handle(letter).await.is_err();
                        self.bring_forward(alarm.as_mut());
                        lost
                    }
                },
                () = alarm.as_mut() => {
                    let lost = Box::pin(self.look_at_the_time()).await.is_err();
                    self.set(alarm.as_mut());
                    lost || self.is_idle()
                }
            };
        }
        self.tell_news(None);
        metrics::gauge!("noughts_games_in_memory").decrement(1.0);
        Box::pin(self.hand_over(letters)).await;
    }

    fn is_over_and_unwatched(&self) -> bool {
        self.game.phase() == Phase::Over && self.room.watchers() == 0
    }

    /// What came in before the mailbox closed is left to the next task, which reads the log: this
    /// one may know a game that never was. Only where no next one comes, because the server stops,
    /// it is answered here as long as the log answers.
    async fn hand_over(&mut self, letters: &mut Letters) {
        let mut is_lost = !self.is_sound;
        for letter in letters.close() {
            if !self.app.lifecycle.stop.is_cancelled() {
                self.app.rooms.send_to(&self.app, &self.room, letter).await;
            } else if is_lost {
                fail(&self.room, letter, Failure::Unavailable);
            } else {
                is_lost = self.handle(letter).await.is_err();
                self.tell_news(None);
            }
        }
    }

    /// Most letters are orders, and many games wait in here for the log at once: everything else
    /// has a place of its own.
    async fn handle(&mut self, letter: Letter) -> Result<(), Lost> {
        if self.app.outages.may_be_one(self.now())
            || self.app.outages.since(self.game.last_at()) > 0
        {
            Box::pin(self.hold_clock()).await?;
        }
        match letter {
            Letter::Order(letter) => {
                let (order, answer) = *letter;
                if let (Actor::Identity(who), Answer::Wait(_)) = (&order.actor, &answer) {
                    self.room.note_look(*who);
                }
                let done = self.order(&order).await;
                let lost = matches!(done, Err(Failure::Unavailable));
                self.answer(&order, answer, done);
                return if lost { Err(Lost) } else { Ok(()) };
            }
            Letter::Look { answer } => {
                let _ = answer.send(Ok(Box::new(self.game.clone())));
            }
            Letter::Watch { watcher, since, answer } => {
                Box::pin(self.watch(*watcher, since, answer)).await?;
            }
            Letter::Gone { identity } => Box::pin(self.gone(identity)).await?,
            Letter::Thought(thought) => Box::pin(self.play_thought(thought)).await?,
            Letter::CatchUp => {
                Box::pin(self.catch_up()).await?;
                Box::pin(self.welcome_back()).await?;
            }
            Letter::Tick => Box::pin(self.look_at_the_time()).await?,
            // It has ended already.
            Letter::Stop | Letter::Unwatched => {}
        }
        Ok(())
    }

    /// Does what an order wants, or says why not.
    pub(super) async fn order(&mut self, order: &Order) -> Result<u32, Failure> {
        // Another server may know more than this one, and then nothing is refused for it. Nor where
        // the sender has seen more than is known here.
        let is_shared = self.app.storage.store.path().is_none();
        let is_behind =
            |refusal: &Refusal| matches!(refusal, Refusal::Stale { seq, seen } if seen > seq);
        let mut is_current = false;
        for _ in 0..TRIES {
            let now = self.now();
            if self.game.due().is_some_and(|due| due <= now) {
                Box::pin(self.tick()).await.map_err(|Lost| Failure::Unavailable)?;
            }
            match self.game.decide(order, now) {
                Ok(Decision::DoneBefore(seq)) => return Ok(seq),
                Ok(Decision::Events(events)) if events.is_empty() => return Ok(self.game.seq()),
                Ok(Decision::Events(events)) => {
                    let key = match (&order.actor, &order.seen) {
                        (Actor::Identity(whose), Some(seen)) => Some((*whose, &seen.key)),
                        _ => None,
                    };
                    if self.append(&events, now, key).await.map_err(|Lost| Failure::Unavailable)? {
                        return Ok(self.game.seq());
                    }
                }
                Err(Refusal::NotAway(Away::Nobody))
                    if Box::pin(self.note_absence(order)).await? => {}
                Err(refusal) if !is_current && (is_shared || is_behind(&refusal)) => {
                    Box::pin(self.catch_up()).await.map_err(|Lost| Failure::Unavailable)?;
                    is_current = true;
                }
                Err(refusal) => return Err(self.refuse(refusal, order)),
            }
        }
        Err(Failure::Unavailable)
    }

    /// Appends events that were decided. Answers whether they are in the log; if not, others were
    /// faster, and the game is as they left it.
    async fn append(
        &mut self,
        events: &[Event],
        now: Millis,
        key: Option<(IdentityId, &CommandKey)>,
    ) -> Result<bool, Lost> {
        let before = Before::of(&self.game);
        self.is_sound = false;
        let told = self.news.len();
        let mut bodies = SmallVec::new();
        for event in events {
            if let Err(error) = self.game.apply(event, now, key) {
                self.news.truncate(told);
                tracing::error!(%error, game = %self.game.id(), "decided what can't happen");
                return Err(Lost);
            }
            let body = event.to_json();
            self.news.push(&wire::event(&body, now, &self.game));
            bodies.push(body);
        }
        let append = catalogue::append(&self.app, &before, &self.game, bodies, now, key);
        let appended = self.app.storage.writer.append(append).await;
        if !matches!(&appended, Ok(appended) if !appended.repeated) {
            // It is no news, or did not happen.
            self.news.truncate(told);
        }
        match appended {
            Ok(appended) if !appended.repeated => {
                self.is_sound = true;
                if !before.has_seats_of(&self.game)
                    || before.needs_players != self.game.needs_players()
                {
                    self.introduce_players();
                }
                // Whoever hears of the rematch asks for it.
                if self.game.next().is_some() {
                    Box::pin(self.begin_rematch(before.has_next)).await;
                }
                self.room.set_told(self.game.seq());
                self.app.rooms.events.increment(events.len() as u64);
                if before.phase != Phase::Over && self.game.phase() == Phase::Over {
                    metrics::counter!("noughts_games_ended_total").increment(1);
                }
                self.ask_computer();
                Ok(true)
            }
            // They were stored when it was tried before. Whose command has a key finds it there.
            Ok(_) => {
                Box::pin(self.go_back(before.seq)).await?;
                Ok(key.is_none())
            }
            Err(AppendError::Conflict { .. }) => {
                metrics::counter!("noughts_conflicts_total").increment(1);
                Box::pin(self.go_back(before.seq)).await?;
                Ok(false)
            }
            Err(error) => {
                tracing::error!(%error, game = %self.game.id(), "could not append");
                Err(Lost)
            }
        }
    }

    /// Takes back what did not happen: the game is what the log says, of which the first events
    /// are known.
    async fn go_back(&mut self, known: u32) -> Result<(), Lost> {
        let loaded = load_since(&self.app, self.game.id(), known).await;
        let untold = loaded.map(|(game, untold)| {
            self.game = game;
            self.is_sound = true;
            untold
        });
        self.hear(untold).await
    }

    /// Makes the game after this one where everybody wants it. A server may have ended between
    /// the agreement and the game, so this is looked at again when a game is loaded.
    async fn begin_rematch(&self, may_exist: bool) {
        let Some(next) = self.game.next() else { return };
        if !may_exist || !matches!(self.app.storage.log.game(next).await, Ok(Some(_))) {
            catalogue::begin_rematch(&self.app, &self.game).await;
        }
    }

    async fn catch_up(&mut self) -> Result<(), Lost> {
        let untold = catch_up(&self.app, &mut self.game).await;
        self.hear(untold).await
    }

    /// Passes on what others have done to the game.
    async fn hear(&mut self, untold: Result<Vec<Untold>, LoadError>) -> Result<(), Lost> {
        match untold {
            Ok(untold) => {
                if !untold.is_empty() {
                    // Whoever agreed may have gone before there was a game.
                    Box::pin(self.begin_rematch(true)).await;
                    self.heard = Some(self.game.touched());
                    self.introduce_players();
                }
                self.tell(&untold);
                self.ask_computer();
                Ok(())
            }
            Err(error) => {
                tracing::error!(%error, game = %self.game.id(), "could not read a game");
                Err(Lost)
            }
        }
    }

    /// Lets the room know who plays, and whether they still do.
    fn introduce_players(&self) {
        let seated =
            self.game.rules().seats().zip(self.game.seats()).filter_map(|(seat, setup)| {
                let Holder::Taken(joining) = &setup.holder else { return None };
                Some((joining.account, seat.index() as u8))
            });
        self.room.set_players(seated.collect(), !self.game.needs_players());
    }

    /// Makes news of what others have done.
    fn tell(&mut self, untold: &[Untold]) {
        for event in untold.iter().filter(|event| event.seq > self.room.told()) {
            self.news.push(&event.text);
        }
        self.room.set_told(self.game.seq());
    }

    /// Tells everyone the news, and one watcher an answer with it.
    fn tell_news(&mut self, answer: Option<(u64, &str)>) {
        self.room.tell(&mut self.news, answer);
    }

    fn answer(&mut self, order: &Order, answer: Answer, done: Result<u32, Failure>) {
        match answer {
            Answer::Wait(answer) => {
                let game = || Box::new(self.game.clone());
                let _ = answer.send(done.map(|seq| Done { seq, game: game() }));
            }
            Answer::Watcher(id) => {
                let key = order.seen.as_ref().map(|seen| &seen.key);
                let text = match done {
                    Ok(seq) => wire::done(key, seq),
                    Err(Failure::Refused(refusal, view)) => {
                        let view = view.map(|view| *view);
                        wire::refused(key, refusal.code(), &refusal.to_string(), view)
                    }
                    Err(failure) => failure.text(order),
                };
                self.tell_news(Some((id, &text)));
            }
        }
    }

    fn refuse(&self, refusal: Refusal, order: &Order) -> Failure {
        let view = wire::needs_state(&refusal).then(|| {
            let whose = match order.actor {
                Actor::Identity(whose) => Some(whose),
                _ => None,
            };
            Box::new(self.app.view_for(&self.game, whose))
        });
        Failure::Refused(refusal, view)
    }

    /// Does what the server itself wants. Answers whether anything happened.
    pub(super) async fn by_server(&mut self, command: Command) -> Result<bool, Lost> {
        self.by_server_if(|_| Some(command.clone())).await
    }

    /// The same with a command that depends on how the game stands, if any is to be done.
    pub(super) async fn by_server_if(
        &mut self,
        command: impl Fn(&GameTask) -> Option<Command>,
    ) -> Result<bool, Lost> {
        for _ in 0..TRIES {
            let Some(command) = command(self) else { return Ok(false) };
            let (order, now) = (Order::of_server(command), self.now());
            match self.game.decide(&order, now) {
                Ok(Decision::Events(events)) if !events.is_empty() => {
                    if self.append(&events, now, None).await? {
                        return Ok(true);
                    }
                }
                _ => return Ok(false),
            }
        }
        Ok(false)
    }
}

impl Failure {
    /// The reply to the sender of an order over a WebSocket.
    fn text(&self, order: &Order) -> String {
        let (code, message) = self.words();
        wire::refused(order.seen.as_ref().map(|seen| &seen.key), code, &message, None)
    }

    /// The code and the message for clients.
    pub(crate) fn words(&self) -> (ErrorCode, String) {
        match self {
            Failure::Refused(refusal, _) => (refusal.code(), refusal.to_string()),
            Failure::NoGame => (ErrorCode::NoGame, "there is no such game".into()),
            Failure::Unavailable => (
                ErrorCode::Unavailable,
                "the game can't be reached for a moment: send it again with the same key".into(),
            ),
        }
    }
}

/// Answers a letter that can't be handled.
fn fail(room: &Room, letter: Letter, failure: Failure) {
    match letter {
        Letter::Order(letter) => match *letter {
            (_, Answer::Wait(answer)) => drop(answer.send(Err(failure))),
            (order, Answer::Watcher(id)) => {
                room.tell(&mut Frames::default(), Some((id, &failure.text(&order))));
            }
        },
        Letter::Look { answer } => drop(answer.send(Err(failure))),
        Letter::Watch { answer, .. } => drop(answer.send(Err(failure))),
        _ => {}
    }
}
