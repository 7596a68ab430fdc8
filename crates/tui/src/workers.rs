//! Messages to the screen, and the threads that search in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crossterm::event::Event;
use noughts_engine::{
    Analysis, Budget, Computer, Decision, LosingMove, LosingMoveError, StrategyError, analyse,
    losing_move,
};
use noughts_play::{Continuation, PuzzleSession};
use noughts_rules::{Game, Position};
use noughts_store::StoredGame;

#[cfg(feature = "online")]
use super::online::{connect::SignedIn, lobby::LobbyMessage};
use super::puzzles::PuzzleAnswer;
use super::storage::{LoadedLeague, StartData};
#[cfg(feature = "online")]
use noughts_client::ConnectionEvent;

/// A message to the screen. Nothing else wakes it.
pub(crate) enum Message {
    /// A key, the mouse, or a new window size.
    Input(Event),
    /// The terminal was closed.
    InputEnded,
    /// A signal to stop until continued.
    Suspend,
    /// The program was continued.
    Resume,
    /// A signal to end.
    Terminate(i32),
    /// A computer player has chosen.
    ComputerDecided { id: RequestId, person: usize, computer: Box<Computer>, decision: Decision },
    /// The value of every cell of a position.
    Analysed { id: RequestId, analysis: Result<Analysis, StrategyError> },
    /// The move that lost a game.
    LosingMoveFound { id: RequestId, lost: Result<Option<LosingMove>, LosingMoveError> },
    /// The storage file was opened, or can't be.
    StorageOpened(anyhow::Result<()>),
    /// The storage file was closed.
    StorageClosed,
    /// An event was stored. The sentence, if any, is for the players.
    Stored(Option<String>),
    /// A stored game to go on with.
    ContinuationLoaded(anyhow::Result<Box<Continuation>>),
    /// What the start page offers.
    StartLoaded(Box<StartData>),
    /// The puzzles were opened.
    PuzzlesOpened(anyhow::Result<Option<Box<PuzzleSession>>>),
    /// A move in a puzzle was answered.
    PuzzleAnswered(Box<PuzzleAnswer>),
    /// An event of the connection to an online game.
    #[cfg(feature = "online")]
    Online(ConnectionEvent),
    /// News of a lobby, marked with the page that they are for.
    #[cfg(feature = "online")]
    Lobby(RequestId, LobbyMessage),
    /// A server was found, or not.
    #[cfg(feature = "online")]
    SignedIn { id: RequestId, signed_in: Box<Result<SignedIn, String>> },
    /// A league was loaded.
    LeagueLoaded { id: RequestId, league: anyhow::Result<LoadedLeague> },
    /// The stored games were loaded.
    GamesLoaded { id: RequestId, games: anyhow::Result<Vec<StoredGame>> },
}

/// Matches an answer to its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestId(u64);

impl RequestId {
    pub(crate) fn new() -> RequestId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        RequestId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Runs searches on threads of their own. Each sends a message when it is done.
#[derive(Clone)]
pub(crate) struct Workers {
    sender: Sender<Message>,
}

/// A running search. Dropping this stops it.
pub(crate) struct Search {
    pub(crate) id: RequestId,
    stop: Arc<AtomicBool>,
}

impl Search {
    /// Asks the search to return its best result so far.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Workers {
    pub(crate) fn new(sender: Sender<Message>) -> Workers {
        Workers { sender }
    }

    /// A sender of messages to the screen.
    pub(crate) fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    /// Lets a computer player choose.
    pub(crate) fn think(
        &self,
        id: RequestId,
        person: usize,
        mut computer: Box<Computer>,
        game: &Game,
        budget: Budget,
    ) -> Search {
        let game = game.clone();
        self.spawn(id, budget, move |budget| {
            let decision = computer.decide_within(&game, &budget);
            Message::ComputerDecided { id, person, computer, decision }
        })
    }

    pub(crate) fn analyse(&self, position: &Position, time: Duration) -> Search {
        let position = position.clone();
        let id = RequestId::new();
        self.spawn(id, Budget::unlimited().with_time(time), move |budget| Message::Analysed {
            id,
            analysis: analyse(&position, &budget),
        })
    }

    pub(crate) fn find_losing_move(&self, position: &Position, time: Duration) -> Search {
        let position = position.clone();
        let id = RequestId::new();
        self.spawn(id, Budget::unlimited().with_time(time), move |budget| {
            Message::LosingMoveFound { id, lost: losing_move(&position, &budget) }
        })
    }

    /// Runs anything that may take long, and that nobody stops.
    pub(crate) fn run(&self, work: impl FnOnce() -> Message + Send + 'static) {
        let sender = self.sender.clone();
        thread::spawn(move || {
            // Sending fails only while the program ends.
            let _ = sender.send(work());
        });
    }

    fn spawn(
        &self,
        id: RequestId,
        budget: Budget,
        work: impl FnOnce(Budget) -> Message + Send + 'static,
    ) -> Search {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = budget.with_stop(stop.clone());
        let sender = self.sender.clone();
        thread::spawn(move || {
            // Sending fails only while the program ends.
            let _ = sender.send(work(budget));
        });
        Search { id, stop }
    }
}
