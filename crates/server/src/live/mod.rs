//! Games in memory: one task each, loaded when someone needs it and dropped when nobody does.

mod attendance;
mod catalogue;
mod follow;
mod frames;
mod load;
mod mailbox;
mod outbox;
mod room;
mod sweep;
mod task;
mod think;
mod time;
mod wire;

pub(crate) use attendance::{attend, expect_back, leave_later};
pub(crate) use catalogue::{Summary, create, create_once};
pub(crate) use follow::follow;
pub(crate) use frames::Frames;
pub(crate) use load::load_since;
pub use load::{LoadError, read_game};
pub(crate) use outbox::{Ended, Outbox};
pub(crate) use room::{Room, Watcher};
pub(crate) use sweep::sweep;
pub(crate) use wire::{lag, refused};

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use metrics::Counter;
use noughts_store::{GameId, IdentityId};
use tokio::sync::oneshot;

use crate::app::App;
use crate::game::{GameView, OnlineGame, Order, Refusal};
use catalogue::Creating;
use mailbox::Letters;
use task::GameTask;
use think::Thought;

/// The registry is parted so that games hardly ever wait for each other.
const SHARDS: usize = 16;

/// All games that someone watches or plays on this server.
pub(crate) struct Live {
    shards: [Mutex<HashMap<GameId, Arc<Room>>>; SHARDS],
    creating: Creating,
    /// Counts the events of all games.
    events: Counter,
}

/// What a game's task is sent.
#[derive(Debug)]
pub(crate) enum Letter {
    /// Someone wants something.
    Order(Box<(Order, Answer)>),
    /// Someone wants to see the game.
    Look { answer: oneshot::Sender<Result<Box<OnlineGame>, Failure>> },
    /// Someone wants to be told what happens from now on, after what they missed.
    Watch {
        watcher: Box<Watcher>,
        since: Option<u32>,
        answer: oneshot::Sender<Result<(), Failure>>,
    },
    /// Someone's connection ended a while ago.
    Gone { identity: IdentityId },
    /// A computer has thought.
    Thought(Thought),
    /// The log may have more than is known here.
    CatchUp,
    /// Something may be overdue.
    Tick,
    /// The game was over when the last watcher left.
    Unwatched,
    /// The server stops.
    Stop,
}

/// Where the answer to an order goes.
#[derive(Debug)]
pub(crate) enum Answer {
    /// To whoever waits for it.
    Wait(oneshot::Sender<Result<Done, Failure>>),
    /// To the watcher with this number, if they are still there.
    Watcher(u64),
}

/// An order was done.
#[derive(Debug)]
pub(crate) struct Done {
    /// The sequence number after it.
    pub(crate) seq: u32,
    /// The game as it is.
    pub(crate) game: Box<OnlineGame>,
}

/// Why an order was not done, or a game not shown.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It is refused. Where the sender did not know the game, this is what they see of it.
    Refused(Refusal, Option<Box<GameView>>),
    /// There is no such game.
    NoGame,
    /// The store can't be reached.
    Unavailable,
}

impl Live {
    /// Nothing in memory.
    pub(crate) fn new() -> Live {
        Live {
            shards: std::array::from_fn(|_| Mutex::default()),
            creating: Creating::default(),
            events: metrics::counter!("noughts_events_total"),
        }
    }

    fn shard(&self, game: GameId) -> &Mutex<HashMap<GameId, Arc<Room>>> {
        // The last bytes of a key are random.
        &self.shards[usize::from(game.as_bytes()[15]) % SHARDS]
    }

    /// The room of a game, whether or not there is such a game.
    pub(crate) fn room(&self, game: GameId) -> Arc<Room> {
        let mut rooms = self.shard(game).lock().unwrap_or_else(PoisonError::into_inner);
        rooms.entry(game).or_insert_with(|| Arc::new(Room::new(game))).clone()
    }

    /// The room of a game, if someone needs it.
    pub(crate) fn find(&self, game: GameId) -> Option<Arc<Room>> {
        self.shard(game).lock().unwrap_or_else(PoisonError::into_inner).get(&game).cloned()
    }

    /// Forgets a room that nobody needs.
    pub(crate) fn tidy(&self, game: GameId) {
        let mut rooms = self.shard(game).lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever has a clone of the room may be about to use it.
        if rooms.get(&game).is_some_and(|room| Arc::strong_count(room) == 1 && room.is_empty()) {
            rooms.remove(&game);
        }
    }

    /// The games that someone watches or that are in memory.
    pub(crate) fn games(&self) -> Vec<GameId> {
        let keys = |shard: &Mutex<HashMap<GameId, Arc<Room>>>| {
            let rooms = shard.lock().unwrap_or_else(PoisonError::into_inner);
            rooms.keys().copied().collect::<Vec<_>>()
        };
        self.shards.iter().flat_map(keys).collect()
    }

    fn rooms(&self) -> impl Iterator<Item = Arc<Room>> {
        self.games().into_iter().filter_map(|game| self.find(game))
    }

    /// Ends all connections to games, because the server stops. One that opens from now on sees for
    /// itself that it does.
    pub(crate) fn close(&self) {
        self.rooms().for_each(|room| room.close(Ended::Stopping));
    }

    /// Ends the tasks of all games, each after what it was sent before. One that starts from now on
    /// sees for itself that the server stops.
    pub(crate) fn stop(&self) {
        self.rooms().for_each(|room| room.post_own(Letter::Stop));
    }

    /// Starts the task of a game that is about to be made. It waits for the game, and if it gets
    /// none it reads the log; letters wait for it, so that nothing that is told of the game in the
    /// meantime is missed. None where there is a task already: someone has asked for the game.
    fn expect(&self, app: &Arc<App>, game: GameId) -> Option<oneshot::Sender<Box<OnlineGame>>> {
        let letters = self.room(game).letters()?;
        let (sender, made) = oneshot::channel();
        start(app, letters, Some(made));
        Some(sender)
    }

    /// Sends a letter to the game's task, which is started where there is none.
    pub(crate) async fn send(&self, app: &Arc<App>, game: GameId, letter: Letter) {
        let room = self.room(game);
        self.send_to(app, &room, letter).await;
    }

    /// Sends a letter to the task of a room's game.
    pub(crate) async fn send_to(&self, app: &Arc<App>, room: &Arc<Room>, letter: Letter) {
        let mut letter = letter;
        loop {
            if let Some(letters) = room.letters() {
                start(app, letters, None);
            }
            match room.post_in_turn(letter).await {
                Ok(()) => return,
                // The task ended just before: the next one gets the letter.
                Err(back) => letter = back,
            }
        }
    }

    /// Sends an order and waits for what comes of it.
    pub(crate) async fn order(
        &self,
        app: &Arc<App>,
        game: GameId,
        order: Order,
    ) -> Result<Done, Failure> {
        let (answer, answered) = oneshot::channel();
        let letter = Letter::Order(Box::new((order, Answer::Wait(answer))));
        self.send(app, game, letter).await;
        answered.await.map_err(|_| Failure::Unavailable)?
    }

    /// The game as it is.
    pub(crate) async fn look(
        &self,
        app: &Arc<App>,
        game: GameId,
    ) -> Result<Box<OnlineGame>, Failure> {
        let (answer, answered) = oneshot::channel();
        self.send(app, game, Letter::Look { answer }).await;
        answered.await.map_err(|_| Failure::Unavailable)?
    }
}

/// Starts the task of a game.
fn start(app: &Arc<App>, letters: Letters, making: Option<oneshot::Receiver<Box<OnlineGame>>>) {
    app.lifecycle.tasks.spawn(GameTask::run(app.clone(), letters, making));
}
