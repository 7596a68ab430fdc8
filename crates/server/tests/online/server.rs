//! A server that runs for one test.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use noughts_server::{Config, MetricsAddress, serve_log};
use noughts_store::{Log, Store};
use noughts_testing::FaultyLog;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::client::Client;

const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server, stopped when dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    metrics: SocketAddr,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
    /// Disconnected when the thread ends.
    stopped: Mutex<mpsc::Receiver<()>>,
    directory: Option<TempDir>,
    time_steps: UnboundedSender<TimeStep>,
}

/// A step of a server's time, and where to say that it is made.
type TimeStep = (Duration, mpsc::Sender<()>);

impl Server {
    /// Starts a server with an empty file and settings for tests.
    pub(crate) fn start() -> Server {
        Server::with(Config::default())
    }

    /// Starts a server with an empty file.
    pub(crate) fn with(config: Config) -> Server {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("noughts.db");
        let mut server = Server::on(path, config);
        server.directory = Some(directory);
        server
    }

    /// Starts a server with an empty file, whose time a test can advance.
    pub(crate) fn with_test_time(config: Config) -> Server {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("noughts.db");
        // Only a runtime of one thread can change its time.
        let mut server = Server::run(Builder::new_current_thread(), config, async move || {
            with_log(Store::open(&path).await.unwrap())
        });
        server.directory = Some(directory);
        server
    }

    /// Advances the server's time. Only for servers from [`Server::with_test_time`].
    pub(crate) fn advance_time(&self, step: Duration) {
        let (done, is_done) = mpsc::channel();
        self.time_steps.send((step, done)).unwrap();
        is_done.recv_timeout(SHUTDOWN_TIMEOUT).expect("a server with test time");
    }

    /// Starts a server on an existing file.
    pub(crate) fn on(path: PathBuf, config: Config) -> Server {
        Server::run(threads(), config, async move || with_log(Store::open(&path).await.unwrap()))
    }

    /// Starts a server on a PostgreSQL database.
    pub(crate) fn on_database(url: &str, config: Config) -> Server {
        let url = url.to_string();
        Server::run(threads(), config, async move || with_log(Store::connect(&url).await.unwrap()))
    }

    /// Starts a server with an empty file and a log that fails on demand.
    pub(crate) fn faulty(config: Config) -> (Server, Arc<FaultyLog>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("noughts.db");
        let (log_sender, log_receiver) = mpsc::channel();
        let mut server = Server::run(threads(), config, async move || {
            let store = Store::open(&path).await.unwrap();
            let log = FaultyLog::new(store.log());
            log_sender.send(log.clone()).unwrap();
            (store, log as Arc<dyn Log>)
        });
        server.directory = Some(directory);
        (server, log_receiver.recv().unwrap())
    }

    fn run(
        mut runtime: Builder,
        config: Config,
        open: impl AsyncFnOnce() -> (Store, Arc<dyn Log>) + Send + 'static,
    ) -> Server {
        let mut config = Config {
            // All requests of a test come from one address.
            requests_per_second: config.requests_per_second.or(Some(100_000)),
            commands_per_second: config.commands_per_second.or(Some(100_000)),
            sign_ins_per_minute: config.sign_ins_per_minute.or(Some(100_000)),
            sign_ins_per_day: config.sign_ins_per_day.or(Some(100_000)),
            games_per_day: config.games_per_day.or(Some(100_000)),
            games_per_address_per_day: config.games_per_address_per_day.or(Some(100_000)),
            think_ms: config.think_ms.or(Some(20)),
            grace_ms: config.grace_ms.or(Some(1)),
            thinkers: Some(1),
            ..config
        };
        let stop = CancellationToken::new();
        let (address_sender, address) = mpsc::channel();
        let (alive, stopped) = mpsc::channel::<()>();
        let signal = stop.clone();
        let (time_steps, steps) = unbounded_channel();
        let thread = std::thread::spawn(move || {
            let _alive = alive;
            runtime.enable_all().build().unwrap().block_on(async {
                tokio::spawn(make_time_steps(steps));
                let (store, log) = open().await;
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                // A port that is free until the server takes it, in the next moment.
                let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
                let metrics = free.local_addr().unwrap();
                config.metrics = Some(MetricsAddress::At(metrics));
                address_sender.send((listener.local_addr().unwrap(), metrics)).unwrap();
                drop(free);
                serve_log(listener, store, log, config, signal).await.unwrap();
            });
        });
        let (address, metrics) = address.recv().unwrap();
        Server {
            address,
            metrics,
            stop,
            thread: Some(thread),
            stopped: Mutex::new(stopped),
            directory: None,
            time_steps,
        }
    }

    /// Stops the server and waits for it. Returns the directory of its file.
    pub(crate) fn stop(mut self) -> Option<TempDir> {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let stopped = self.stopped.get_mut().unwrap().recv_timeout(SHUTDOWN_TIMEOUT);
            assert_eq!(stopped, Err(RecvTimeoutError::Disconnected), "the server does not stop");
            thread.join().unwrap();
        }
        self.directory.take()
    }

    /// What the server tells its monitoring.
    pub(crate) fn metrics(&self) -> String {
        Client::new(self.metrics).get("!/metrics").text
    }

    /// A client without a token.
    pub(crate) fn nobody(&self) -> Client {
        Client::new(self.address)
    }

    /// A new guest.
    pub(crate) fn guest(&self) -> Client {
        let mut client = self.nobody();
        let session = client.post("/guests", "{}").expect(201);
        client.token = Some(session["token"].as_str().unwrap().to_string());
        client.name = session["player"]["name"].as_str().unwrap().to_string();
        client
    }

    /// A new account.
    pub(crate) fn named(&self, name: &str) -> Client {
        let mut client = self.nobody();
        let body = format!(r#"{{"name":"{name}","password":"correct horse"}}"#);
        let session = client.post("/names", &body).expect(201);
        client.token = Some(session["token"].as_str().unwrap().to_string());
        client.name = name.to_string();
        client
    }
}

fn threads() -> Builder {
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(2);
    runtime
}

async fn make_time_steps(mut steps: UnboundedReceiver<TimeStep>) {
    while let Some((step, done)) = steps.recv().await {
        tokio::time::pause();
        tokio::time::advance(step).await;
        tokio::time::resume();
        let _ = done.send(());
    }
}

fn with_log(store: Store) -> (Store, Arc<dyn Log>) {
    let log = store.log();
    (store, log)
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // The test may have failed already; a second panic would hide its message.
            let _ = thread.join();
        }
    }
}
