//! What the screen hears of, and the work that is done behind it.

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
use noughts_rules::{Game, Position};
use noughts_store::StoredGame;

use super::storage::LoadedLeague;
#[cfg(feature = "online")]
use noughts_client::ConnectionEvent;

/// Something that the screen hears of. Nothing else wakes it.
pub(crate) enum Message {
    /// Keys, the mouse, the size of the window.
    Input(Event),
    /// There will be no more input.
    InputEnded,
    /// A signal that asks the program to stop for a while.
    Suspend,
    /// The program goes on after it was stopped.
    Resume,
    /// A signal that ends the program.
    Terminate(i32),
    /// A computer has made up its mind.
    ComputerDecided { id: RequestId, person: usize, computer: Box<Computer>, decision: Decision },
    /// What every cell of a position is worth.
    Analysed { id: RequestId, analysis: Result<Analysis, StrategyError> },
    /// Where a game was lost.
    LosingMoveFound { id: RequestId, lost: Result<Option<LosingMove>, LosingMoveError> },
    /// The file with games and scores is open, or can't be used.
    StorageOpened(anyhow::Result<()>),
    /// The file with games and scores is closed.
    StorageClosed,
    /// What was handed in to be stored is, with a sentence for the players if there is one.
    Stored(Option<String>),
    /// An event of the connection to an online game.
    #[cfg(feature = "online")]
    Online(ConnectionEvent),
    /// The table of a league.
    LeagueLoaded { id: RequestId, league: anyhow::Result<LoadedLeague> },
    /// The games that were stored.
    GamesLoaded { id: RequestId, games: anyhow::Result<Vec<StoredGame>> },
}

/// Tells one piece of work from all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestId(u64);

impl RequestId {
    pub(crate) fn new() -> RequestId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        RequestId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Hands out work to threads, which send a message when they are done.
#[derive(Clone)]
pub(crate) struct Workers {
    sender: Sender<Message>,
}

/// Work that is being done. It stops soon after this is dropped.
pub(crate) struct Job {
    pub(crate) id: RequestId,
    stop: Arc<AtomicBool>,
}

impl Job {
    /// Asks for an answer soon.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Workers {
    pub(crate) fn new(sender: Sender<Message>) -> Workers {
        Workers { sender }
    }

    /// For others who have something to tell the screen.
    pub(crate) fn sender(&self) -> Sender<Message> {
        self.sender.clone()
    }

    /// Lets a computer think.
    pub(crate) fn think(
        &self,
        id: RequestId,
        person: usize,
        mut computer: Box<Computer>,
        game: &Game,
        budget: Budget,
    ) -> Job {
        let game = game.clone();
        self.begin(id, budget, move |budget| {
            let decision = computer.decide_within(&game, &budget);
            Message::ComputerDecided { id, person, computer, decision }
        })
    }

    pub(crate) fn analyse(&self, position: &Position, time: Duration) -> Job {
        let position = position.clone();
        let id = RequestId::new();
        self.begin(id, Budget::unlimited().with_time(time), move |budget| Message::Analysed {
            id,
            analysis: analyse(&position, &budget),
        })
    }

    pub(crate) fn find_losing_move(&self, position: &Position, time: Duration) -> Job {
        let position = position.clone();
        let id = RequestId::new();
        self.begin(id, Budget::unlimited().with_time(time), move |budget| {
            Message::LosingMoveFound { id, lost: losing_move(&position, &budget) }
        })
    }

    fn begin(
        &self,
        id: RequestId,
        budget: Budget,
        work: impl FnOnce(Budget) -> Message + Send + 'static,
    ) -> Job {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = budget.with_stop(stop.clone());
        let sender = self.sender.clone();
        thread::spawn(move || {
            // Nobody listens any more when the program ends.
            let _ = sender.send(work(budget));
        });
        Job { id, stop }
    }
}
