//! The program as a server in a process of its own.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;

use noughts_api::{
    CommandReply, CommandRequest, Credentials, GameId, GameView, IdempotencyKey, NewGame, NewSeat,
    PlayerCommand, Session,
};
use noughts_store::Store;
use noughts_testing::Postgres;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The database of a test's servers.
pub(crate) enum Database {
    Sqlite(TempDir),
    Postgres(Postgres, String),
    /// The URL of a PostgreSQL cluster.
    Cluster(String),
}

impl Database {
    pub(crate) fn sqlite() -> Database {
        Database::Sqlite(tempfile::tempdir().expect("a temporary folder"))
    }

    /// `None`, with a message, if PostgreSQL is not installed.
    pub(crate) async fn postgres() -> Option<Database> {
        let postgres = Postgres::start()?;
        let url = postgres.database().await;
        Some(Database::Postgres(postgres, url))
    }

    pub(crate) async fn store(&self) -> Store {
        match self {
            Database::Sqlite(folder) => {
                Store::open(&folder.path().join("noughts.db")).await.unwrap()
            }
            Database::Postgres(_, url) | Database::Cluster(url) => {
                Store::connect(url).await.unwrap()
            }
        }
    }

    fn largest_file(&self) -> u64 {
        let Database::Sqlite(folder) = self else { return 0 };
        let files = folder.path().read_dir().unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).max().unwrap_or(0)
    }

    fn arguments(&self) -> [String; 2] {
        match self {
            Database::Sqlite(folder) => {
                ["--data".into(), folder.path().join("noughts.db").display().to_string()]
            }
            Database::Postgres(_, url) | Database::Cluster(url) => {
                ["--database".into(), url.clone()]
            }
        }
    }
}

/// A server that keeps its address when it restarts.
pub(crate) struct Server {
    pub(crate) address: String,
    database: [String; 2],
    /// The beginning of the command that starts it, such as that of a machine to start it on.
    prefix: Vec<String>,
    child: Mutex<Option<Child>>,
}

impl Server {
    pub(crate) fn start(database: &Database) -> Server {
        let server = Server::new(database);
        server.restart();
        server
    }

    fn new(database: &Database) -> Server {
        // A free port, which clients use again after a restart.
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        Server {
            address: free.to_string(),
            database: database.arguments(),
            prefix: Vec::new(),
            child: Mutex::default(),
        }
    }

    /// A server on another machine, which commands with this prefix start.
    pub(crate) fn start_elsewhere(
        prefix: Vec<String>,
        address: String,
        database: &Database,
    ) -> Server {
        let mut server = Server::new(database);
        (server.address, server.prefix) = (address, prefix);
        server.restart();
        server
    }

    /// A server that keeps its address, and the beginning of the command that starts it.
    pub(crate) fn start_with_prefix(database: &Database, prefix: Vec<String>) -> Server {
        let mut server = Server::new(database);
        server.prefix = prefix;
        server.restart();
        server
    }

    /// A server whose files can grow by only this many kilobytes, as on a full disk.
    pub(crate) fn start_on_small_disk(database: &Database, kilobytes: u64) -> Server {
        let server = Server::new(database);
        // POSIX counts `ulimit -f` in blocks of 512 bytes.
        let blocks = database.largest_file() / 512 + kilobytes * 2;
        let shell = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &shell, env!("CARGO_BIN_EXE_noughts")]);
        server.run(command);
        server
    }

    /// A server that is started by a changed command.
    pub(crate) fn start_as(database: &Database, command: Command) -> Server {
        let server = Server::new(database);
        server.run(command);
        server
    }

    /// Asks the server to stop, as service managers do, and waits for it.
    pub(crate) fn terminate(&self) -> ExitStatus {
        let mut child = self.child.lock().unwrap().take().expect("a running server");
        let status = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status();
        assert!(status.unwrap().success());
        child.wait().unwrap()
    }

    pub(crate) fn restart(&self) {
        let program = env!("CARGO_BIN_EXE_noughts");
        let mut words = self.prefix.iter().map(String::as_str).chain([program]);
        let mut command = Command::new(words.next().expect("a program"));
        command.args(words);
        self.run(command);
    }

    fn run(&self, mut command: Command) {
        command.args(["serve", "--log", "off", "--listen", &self.address]).args(&self.database);
        for limit in ["sockets-per-address", "requests-per-second", "commands-per-second"] {
            command.arg(format!("--{limit}=100000"));
        }
        command.args(["--sign-ins-per-minute=100000", "--games-per-player=10000"]);
        command.arg("--rated-rules=3x3,4x4,5x5:4,8x8:5");
        let daily = ["sign-ins", "games", "games-per-address", "commands", "commands-per-address"];
        for limit in daily {
            command.arg(format!("--{limit}-per-day=1000000000"));
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains(&self.address), "the server prints its address: {line:?}");
        *self.child.lock().unwrap() = Some(child);
    }

    /// Kills the server with SIGKILL.
    pub(crate) fn kill(&self) {
        if let Some(mut child) = self.child.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub(crate) fn agent(&self) -> Agent {
        Agent { address: self.address.clone(), agent: ureq::Agent::new_with_defaults() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An HTTP client of a server.
pub(crate) struct Agent {
    address: String,
    agent: ureq::Agent,
}

impl Agent {
    pub(crate) fn of(address: &str) -> Agent {
        Agent { address: address.into(), agent: ureq::Agent::new_with_defaults() }
    }

    pub(crate) fn game(&self, id: GameId) -> GameView {
        let url = format!("http://{}/api/v1/games/{id}", self.address);
        let mut response = self.agent.get(url).call().unwrap_or_else(|e| panic!("{id}: {e}"));
        response.body_mut().read_json().unwrap()
    }

    /// Whether the server can store what it is told.
    pub(crate) fn is_ready(&self) -> bool {
        self.agent.get(format!("http://{}/readyz", self.address)).call().is_ok()
    }

    /// Creates a game as a new guest, and returns its id.
    pub(crate) fn open_game(&self, game: Value) -> String {
        let token = self.post::<Session>("guests", None, json!({})).token;
        let game: Value = self.post("games", Some(&token), game);
        game["id"].as_str().unwrap().to_string()
    }

    /// The updates of a game.
    pub(crate) fn updates(&self, game: &str) -> Vec<Value> {
        let url = format!("http://{}/api/v1/games/{game}/events", self.address);
        self.agent.get(url).call().unwrap().body_mut().read_json().unwrap()
    }

    fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        token: Option<&str>,
        body: impl serde::Serialize,
    ) -> T {
        let mut request = self.agent.post(format!("http://{}/api/v1/{path}", self.address));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut response = request.send_json(body).unwrap_or_else(|e| panic!("{path}: {e}"));
        response.body_mut().read_json().unwrap()
    }

    /// Rated games between two new accounts, who take turns to create them.
    pub(crate) fn games(&self, names: [&str; 2], rules: &str, count: usize) -> Vec<Seats> {
        let sign_up = |name: &str| {
            let credentials = Credentials { name: name.into(), password: "correct horse".into() };
            self.post::<Session>("names", None, credentials).token
        };
        let mut tokens = names.map(sign_up);
        let mut games = Vec::new();
        for _ in 0..count {
            let seats =
                vec![NewSeat::Me { name: None, symbol: None }, NewSeat::Anyone { symbol: None }];
            let new: NewGame =
                serde_json::from_value(json!({"rules": rules, "rated": true, "seats": seats}))
                    .unwrap();
            let game = self.post::<GameView>("games", Some(&tokens[0]), new).id;
            let join = CommandRequest {
                command: PlayerCommand::Join { symbol: None },
                seq: 0,
                key: IdempotencyKey::new("join").unwrap(),
                seat: None,
            };
            let _: CommandReply =
                self.post(&format!("games/{game}/commands"), Some(&tokens[1]), join);
            games.push(Seats { game, tokens: tokens.clone() });
            tokens.reverse();
        }
        games
    }
}

/// A game and its players' tokens, in seat order.
#[derive(Clone)]
pub(crate) struct Seats {
    pub(crate) game: GameId,
    pub(crate) tokens: [String; 2],
}
