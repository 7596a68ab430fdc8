//! Storing and reading behind the screen: another program may have the file for itself for seconds.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use noughts_rules::{Event, Game};
use noughts_scores::League;
use noughts_store::{LeagueChoice, StoreError, StoredGame};

use super::desk::{Message, Ticket};
use noughts_play::{Counting, Database, Recorder, not_stored};

/// Where games are stored, and what they count as.
#[derive(Clone)]
pub struct Books {
    pub path: PathBuf,
    /// Whether to give up at once where the file can't be used.
    pub must_be_usable: bool,
    pub league: LeagueChoice,
    pub counting: Counting,
}

/// How long something may take before people are told that they wait for it.
pub(crate) const NOTICEABLE: Duration = Duration::from_millis(300);

/// How long to wait before a file that is in use is tried again.
const PAUSE: Duration = Duration::from_millis(200);

/// Hands things to a thread that does them one after the other and sends a message for each. What
/// is to be stored is tried until the file is free.
#[derive(Clone)]
pub(crate) struct Clerk {
    requests: Sender<Request>,
    /// When each thing that is not stored yet was handed in, the first one first.
    pending: Rc<RefCell<VecDeque<Instant>>>,
}

enum Request {
    Hear(Box<Game>, Event),
    Table { ticket: Ticket, league: String },
    Games { ticket: Ticket },
    Close,
}

/// A league, and which others there are.
pub(crate) struct FoundLeague {
    pub(crate) leagues: Vec<String>,
    pub(crate) league: Option<Box<League>>,
}

impl Clerk {
    pub(crate) fn new(books: Books, messages: Sender<Message>) -> Clerk {
        let (requests, received) = channel();
        thread::spawn(move || Office { books, keeper: None }.work(&received, &messages));
        Clerk { requests, pending: Rc::default() }
    }

    /// Tells of an event of a game; what lasts of it is stored. [`Message::Stored`] is the answer
    /// to those events that anything can be stored of.
    pub(crate) fn hear(&self, game: &Game, event: &Event, now: Instant) {
        if can_last(event) {
            self.pending.borrow_mut().push_back(now);
        }
        self.ask(Request::Hear(Box::new(game.clone()), event.clone()));
    }

    /// Has heard that the first thing which was not stored yet is, or never will be.
    pub(crate) fn check_off(&self) {
        self.pending.borrow_mut().pop_front();
    }

    /// Since when something has waited for being stored.
    pub(crate) fn storing_since(&self) -> Option<Instant> {
        self.pending.borrow().front().copied()
    }

    /// Asks for the table of a league.
    pub(crate) fn table(&self, league: &str) -> Ticket {
        let ticket = Ticket::new();
        self.ask(Request::Table { ticket, league: league.to_string() });
        ticket
    }

    /// Asks for the games that were stored, the newest first.
    pub(crate) fn games(&self) -> Ticket {
        let ticket = Ticket::new();
        self.ask(Request::Games { ticket });
        ticket
    }

    /// Has the file closed: everything is in it then.
    pub(crate) fn close(&self) {
        self.ask(Request::Close);
    }

    fn ask(&self, request: Request) {
        // The thread listens as long as there is anybody who could ask.
        let _ = self.requests.send(request);
    }
}

fn can_last(event: &Event) -> bool {
    matches!(
        event,
        Event::Finished { .. } | Event::MoveUndone { .. } | Event::ResignationUndone { .. }
    )
}

/// What the thread works with.
struct Office {
    books: Books,
    /// Once the file is open.
    keeper: Option<Recorder>,
}

impl Office {
    fn work(mut self, requests: &Receiver<Request>, messages: &Sender<Message>) {
        // Nobody listens any more when the program ends.
        let _ = messages.send(Message::Opened(self.keeper().map(|_| ())));
        for request in requests {
            let message = match request {
                Request::Hear(game, event) if can_last(&event) => {
                    Message::Stored(self.store(&game, &event))
                }
                Request::Hear(game, event) => {
                    if let Some(keeper) = &mut self.keeper {
                        let _ = keeper.hear(&game, &event);
                    }
                    continue;
                }
                Request::Table { ticket, league } => {
                    Message::Table { ticket, found: self.table(&league) }
                }
                Request::Games { ticket } => Message::Games { ticket, games: self.games() },
                Request::Close => {
                    self.keeper = None;
                    Message::Closed
                }
            };
            let _ = messages.send(message);
        }
    }

    /// The file may not have been there before, or not for us: it is tried again each time.
    fn keeper(&mut self) -> Result<&mut Recorder> {
        let Books { path, league, counting, .. } = &self.books;
        match &mut self.keeper {
            Some(keeper) => Ok(keeper),
            none => Ok(none.insert(Recorder::new(
                Database::open_writable(path)?,
                league.clone(),
                *counting,
            ))),
        }
    }

    /// Stores what lasts of an event, and does not give up while others have the file. Answers a
    /// sentence for the players, if there is something to say.
    fn store(&mut self, game: &Game, event: &Event) -> Option<String> {
        loop {
            let keeper = self.keeper();
            match keeper.and_then(|keeper| Ok(keeper.hear(game, event)?)) {
                Ok(sentence) => return sentence,
                Err(error) if is_in_use(&error) => thread::sleep(PAUSE),
                Err(error) => return Some(not_stored(format!("{error:#}"))),
            }
        }
    }

    fn table(&mut self, league: &str) -> Result<FoundLeague> {
        let data = self.keeper()?.database();
        let mut leagues: Vec<String> =
            data.block_on(data.store.leagues())?.into_iter().map(|league| league.name).collect();
        // The one that games will count in may not be there yet.
        if !leagues.iter().any(|name| name == league) {
            leagues.insert(0, league.to_string());
        }
        Ok(FoundLeague { leagues, league: data.block_on(data.store.league(league))?.map(Box::new) })
    }

    fn games(&mut self) -> Result<Vec<StoredGame>> {
        /// The most games that are shown, the newest.
        const MOST: usize = 500;
        let data = self.keeper()?.database();
        Ok(data.block_on(data.store.games(None, MOST))?)
    }
}

/// Whether another program has the file for itself.
fn is_in_use(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(StoreError::is_busy)
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{Connection, SqliteConnection, query};

    use super::*;

    #[test]
    fn a_file_that_another_program_has_is_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteConnectOptions::new()
            .filename(folder.path().join("n.db"))
            .create_if_missing(true)
            .busy_timeout(Duration::ZERO);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let refused = runtime.block_on(async {
            let mut other = SqliteConnection::connect_with(&options).await.unwrap();
            query("BEGIN EXCLUSIVE").execute(&mut other).await.unwrap();
            let mut own = SqliteConnection::connect_with(&options).await.unwrap();
            query("BEGIN IMMEDIATE").execute(&mut own).await.unwrap_err()
        });
        assert!(is_in_use(&StoreError::from(refused).into()));
        assert!(!is_in_use(&StoreError::NotOver.into()));
    }
}
