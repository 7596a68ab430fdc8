//! Stores and loads on a thread of its own, because another program may lock the file for seconds.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use noughts_play::{Continuation, Database, MatchDetail, Recorder, not_stored};
use noughts_rules::{Event, Game};
use noughts_scores::{League, Name};
use noughts_store::{RecordId, StoreError, StoredGame};

use super::workers::{Message, RequestId};

/// Where games are stored.
#[derive(Clone)]
pub struct StorageOptions {
    /// The file with games and scores.
    pub path: PathBuf,
    /// Whether to end the program if the file can't be used, instead of playing without it.
    pub must_be_usable: bool,
}

/// Operations that take longer than this are shown to the players.
pub(crate) const NOTICEABLE_DELAY: Duration = Duration::from_millis(300);

/// How long to wait before a locked file is tried again.
const BUSY_RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// How many games the list of stored games shows, the newest first.
const MAX_LISTED_GAMES: usize = 10_000;

/// Sends requests to the storage thread, which handles them in order and answers each with a
/// [`Message`].
#[derive(Clone)]
pub(crate) struct StorageHandle {
    requests: Sender<Request>,
    /// When each unfinished write was requested, oldest first.
    pending: Rc<RefCell<VecDeque<Instant>>>,
}

enum Request {
    RecordEvent(Box<Game>, Event, Box<MatchDetail>),
    BeginGame(Option<RecordId>),
    Save(Box<Game>, Box<MatchDetail>),
    LoadStart,
    LoadContinuation(RecordId),
    DeleteGame { id: RequestId, game: RecordId },
    LoadLeague { id: RequestId, league: String },
    LoadGames { id: RequestId },
    Close,
}

/// What the start page offers.
#[derive(Default)]
pub(crate) struct StartData {
    /// The leagues of games at the terminal.
    pub(crate) leagues: Vec<String>,
    /// The unfinished game that was played last.
    pub(crate) continuation: Option<Continuation>,
}

/// A league, and the names of all leagues.
pub(crate) struct LoadedLeague {
    pub(crate) leagues: Vec<String>,
    pub(crate) league: Option<Box<League<Name>>>,
}

impl StorageHandle {
    pub(crate) fn new(options: StorageOptions, messages: Sender<Message>) -> StorageHandle {
        let (requests, received) = channel();
        thread::spawn(move || StorageThread { options, recorder: None }.run(&received, &messages));
        StorageHandle { requests, pending: Rc::default() }
    }

    /// Records an event of a game. Events that change what is stored are answered with
    /// [`Message::Stored`].
    pub(crate) fn record_event(
        &self,
        game: &Game,
        event: &Event,
        detail: MatchDetail,
        now: Instant,
    ) {
        if affects_storage(event) {
            self.pending.borrow_mut().push_back(now);
        }
        let (game, detail) = (Box::new(game.clone()), Box::new(detail));
        self.send(Request::RecordEvent(game, event.clone(), detail));
    }

    /// Begins another game, or goes on with the one in this record.
    pub(crate) fn begin_game(&self, record: Option<RecordId>) {
        self.send(Request::BeginGame(record));
    }

    /// Stores a game that is not over: [`Message::Stored`].
    pub(crate) fn save(&self, game: &Game, detail: &MatchDetail, now: Instant) {
        self.pending.borrow_mut().push_back(now);
        self.send(Request::Save(Box::new(game.clone()), Box::new(detail.clone())));
    }

    /// Requests what the start page offers: [`Message::StartLoaded`].
    pub(crate) fn load_start(&self) {
        self.send(Request::LoadStart);
    }

    /// Marks the oldest pending write as finished, be it stored or given up.
    pub(crate) fn mark_stored(&self) {
        self.pending.borrow_mut().pop_front();
    }

    /// When the oldest pending write was requested.
    pub(crate) fn saving_since(&self) -> Option<Instant> {
        self.pending.borrow().front().copied()
    }

    /// Requests a league: [`Message::LeagueLoaded`].
    pub(crate) fn load_league(&self, league: &str) -> RequestId {
        let id = RequestId::new();
        self.send(Request::LoadLeague { id, league: league.to_string() });
        id
    }

    /// Requests the newest stored games: [`Message::GamesLoaded`].
    pub(crate) fn load_games(&self) -> RequestId {
        let id = RequestId::new();
        self.send(Request::LoadGames { id });
        id
    }

    /// Requests a game to go on with: [`Message::ContinuationLoaded`].
    pub(crate) fn load_continuation(&self, id: RecordId) {
        self.send(Request::LoadContinuation(id));
    }

    /// Deletes a stored game and requests the others: [`Message::GamesLoaded`].
    pub(crate) fn delete_game(&self, game: RecordId) -> RequestId {
        let id = RequestId::new();
        self.send(Request::DeleteGame { id, game });
        id
    }

    /// Requests that the file be closed, which merges its write-ahead log:
    /// [`Message::StorageClosed`].
    pub(crate) fn close(&self) {
        self.send(Request::Close);
    }

    fn send(&self, request: Request) {
        // The thread outlives every handle.
        let _ = self.requests.send(request);
    }
}

fn affects_storage(event: &Event) -> bool {
    matches!(
        event,
        Event::Turn { .. }
            | Event::Finished { .. }
            | Event::MoveUndone { .. }
            | Event::ResignationUndone { .. }
    )
}

struct StorageThread {
    options: StorageOptions,
    /// `None` until the file is open.
    recorder: Option<Recorder>,
}

impl StorageThread {
    fn run(mut self, requests: &Receiver<Request>, messages: &Sender<Message>) {
        // Sending fails only while the program ends.
        let _ = messages.send(Message::StorageOpened(self.recorder().map(|_| ())));
        for request in requests {
            let message = match request {
                Request::RecordEvent(game, event, detail) if affects_storage(&event) => {
                    Message::Stored(
                        self.store(|recorder| recorder.record_event(&game, &event, &detail)),
                    )
                }
                Request::RecordEvent(game, event, detail) => {
                    if let Some(recorder) = &mut self.recorder {
                        let _ = recorder.record_event(&game, &event, &detail);
                    }
                    continue;
                }
                Request::BeginGame(record) => {
                    if let Ok(recorder) = self.recorder() {
                        recorder.begin_game(record);
                    }
                    continue;
                }
                Request::Save(game, detail) => Message::Stored(
                    self.store(|recorder| recorder.save(&game, &detail).map(|()| None)),
                ),
                Request::LoadStart => {
                    Message::StartLoaded(Box::new(self.load_start().unwrap_or_default()))
                }
                Request::LoadLeague { id, league } => {
                    Message::LeagueLoaded { id, league: self.load_league(&league) }
                }
                Request::LoadGames { id } => Message::GamesLoaded { id, games: self.load_games() },
                Request::LoadContinuation(game) => {
                    Message::ContinuationLoaded(self.load_continuation(game).map(Box::new))
                }
                Request::DeleteGame { id, game } => {
                    let deleted = self.delete_game(game);
                    Message::GamesLoaded { id, games: deleted.and_then(|()| self.load_games()) }
                }
                Request::Close => {
                    self.recorder = None;
                    Message::StorageClosed
                }
            };
            let _ = messages.send(message);
        }
    }

    /// Opens the file if it is not open. A file that could not be opened is tried again each time.
    fn recorder(&mut self) -> Result<&mut Recorder> {
        match &mut self.recorder {
            Some(recorder) => Ok(recorder),
            none => {
                let database = Database::open_writable(&self.options.path)?;
                Ok(none.insert(Recorder::new(database)))
            }
        }
    }

    /// Stores something, retrying while another program locks the file. Returns a sentence for the
    /// players if there is something to tell them.
    fn store(
        &mut self,
        write: impl Fn(&mut Recorder) -> Result<Option<String>, StoreError>,
    ) -> Option<String> {
        loop {
            match self.recorder().and_then(|recorder| Ok(write(recorder)?)) {
                Ok(sentence) => return sentence,
                Err(error) if is_locked(&error) => thread::sleep(BUSY_RETRY_INTERVAL),
                Err(error) => return Some(not_stored(format!("{error:#}"))),
            }
        }
    }

    fn load_start(&mut self) -> Result<StartData> {
        let database = self.recorder()?.database();
        Ok(StartData {
            leagues: database.leagues()?.into_iter().map(|league| league.name).collect(),
            continuation: database.continuation(None)?,
        })
    }

    fn load_league(&mut self, league: &str) -> Result<LoadedLeague> {
        let database = self.recorder()?.database();
        let leagues = database.leagues()?;
        let mut leagues: Vec<String> = leagues.into_iter().map(|league| league.name).collect();
        // The league is created with its first result.
        if !leagues.iter().any(|name| name == league) {
            leagues.insert(0, league.to_string());
        }
        let league = database.league(league)?;
        Ok(LoadedLeague { leagues, league: league.map(Box::new) })
    }

    fn load_continuation(&mut self, id: RecordId) -> Result<Continuation> {
        let found = self.recorder()?.database().continuation(Some(id))?;
        found.with_context(|| format!("game {id} can't be continued"))
    }

    fn delete_game(&mut self, id: RecordId) -> Result<()> {
        Ok(self.recorder()?.database().delete_game(id)?)
    }

    fn load_games(&mut self) -> Result<Vec<StoredGame>> {
        let database = self.recorder()?.database();
        Ok(database.games(None, MAX_LISTED_GAMES)?)
    }
}

/// Whether another program locks the file.
fn is_locked(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(StoreError::is_busy)
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{Connection, SqliteConnection, query};

    use super::*;

    #[test]
    fn file_locked_elsewhere_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteConnectOptions::new()
            .filename(folder.path().join("n.db"))
            .create_if_missing(true)
            .busy_timeout(Duration::ZERO);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let error = runtime.block_on(async {
            let mut other = SqliteConnection::connect_with(&options).await.unwrap();
            query("BEGIN EXCLUSIVE").execute(&mut other).await.unwrap();
            let mut second = SqliteConnection::connect_with(&options).await.unwrap();
            query("BEGIN IMMEDIATE").execute(&mut second).await.unwrap_err()
        });
        assert!(is_locked(&StoreError::from(error).into()));
        assert!(!is_locked(&StoreError::NotOver.into()));
    }
}
