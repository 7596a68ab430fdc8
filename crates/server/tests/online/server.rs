//! A server for one test.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use noughts_server::{Config, serve_log};
use noughts_store::{Log, Store};
use noughts_testing::FaultyLog;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::client::Client;

/// How long a server may take to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server, until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
    folder: Option<TempDir>,
}

impl Server {
    /// A server with an empty database.
    pub(crate) fn start() -> Server {
        Server::with(Config::default())
    }

    /// A server with an empty database and a configuration.
    pub(crate) fn with(config: Config) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noughts.db");
        let mut server = Server::on(path, config);
        server.folder = Some(folder);
        server
    }

    /// A server with an existing database file.
    pub(crate) fn on(path: PathBuf, config: Config) -> Server {
        Server::run(config, async move || with_log(Store::open(&path).await.unwrap()))
    }

    /// A server on a PostgreSQL database.
    pub(crate) fn on_database(url: &str, config: Config) -> Server {
        let url = url.to_string();
        Server::run(config, async move || with_log(Store::connect(&url).await.unwrap()))
    }

    /// A server with a log that fails on demand.
    pub(crate) fn faulty(config: Config) -> (Server, Arc<FaultyLog>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noughts.db");
        let (tell, told) = std::sync::mpsc::channel();
        let mut server = Server::run(config, async move || {
            let store = Store::open(&path).await.unwrap();
            let log = FaultyLog::new(store.log());
            tell.send(log.clone()).unwrap();
            (store, log as Arc<dyn Log>)
        });
        server.folder = Some(folder);
        (server, told.recv().unwrap())
    }

    fn run(
        config: Config,
        open: impl AsyncFnOnce() -> (Store, Arc<dyn Log>) + Send + 'static,
    ) -> Server {
        let config = Config {
            // All clients of a test have one address.
            requests_per_second: config.requests_per_second.or(Some(100_000)),
            commands_per_second: config.commands_per_second.or(Some(100_000)),
            sign_ins_per_minute: config.sign_ins_per_minute.or(Some(100_000)),
            think_ms: config.think_ms.or(Some(20)),
            grace_ms: config.grace_ms.or(Some(1)),
            thinkers: Some(1),
            ..config
        };
        let stop = CancellationToken::new();
        let (tell, told) = std::sync::mpsc::channel();
        let signal = stop.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let (store, log) = open().await;
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                serve_log(listener, store, log, config, signal).await.unwrap();
            });
        });
        let address = told.recv().unwrap();
        Server { address, stop, thread: Some(thread), folder: None }
    }

    /// Stops the server and waits for its end.
    pub(crate) fn stop(mut self) -> Option<TempDir> {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let start = Instant::now();
            while !thread.is_finished() {
                assert!(start.elapsed() < STOP_TIMEOUT, "the server does not stop");
                std::thread::sleep(Duration::from_millis(5));
            }
            thread.join().unwrap();
        }
        self.folder.take()
    }

    /// A client without a token.
    pub(crate) fn nobody(&self) -> Client {
        Client::new(self.address)
    }

    /// A guest.
    pub(crate) fn guest(&self) -> Client {
        let mut client = self.nobody();
        let session = client.post("/guests", "{}").expect(201);
        client.token = Some(session["token"].as_str().unwrap().to_string());
        client.name = session["player"]["name"].as_str().unwrap().to_string();
        client
    }

    /// A client with an account.
    pub(crate) fn named(&self, name: &str) -> Client {
        let mut client = self.nobody();
        let body = format!(r#"{{"name":"{name}","password":"correct horse"}}"#);
        let session = client.post("/names", &body).expect(201);
        client.token = Some(session["token"].as_str().unwrap().to_string());
        client.name = name.to_string();
        client
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
            // A failed test has already said more.
            let _ = thread.join();
        }
    }
}
