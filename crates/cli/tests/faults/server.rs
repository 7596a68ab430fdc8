//! The program as a server, in a process that can be killed.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use noughts_store::Store;
use noughts_testing::Postgres;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Where games are stored, whatever becomes of servers.
pub(crate) enum Place {
    Sqlite(TempDir),
    Postgres(Postgres, String),
}

impl Place {
    pub(crate) fn sqlite() -> Place {
        Place::Sqlite(tempfile::tempdir().expect("a temporary folder"))
    }

    /// None where there is no PostgreSQL, which is then said.
    pub(crate) async fn postgres() -> Option<Place> {
        let postgres = Postgres::start()?;
        let url = postgres.database().await;
        Some(Place::Postgres(postgres, url))
    }

    pub(crate) async fn store(&self) -> Store {
        match self {
            Place::Sqlite(folder) => Store::open(&folder.path().join("noughts.db")).await.unwrap(),
            Place::Postgres(_, url) => Store::connect(url).await.unwrap(),
        }
    }

    fn largest_file(&self) -> u64 {
        let Place::Sqlite(folder) = self else { return 0 };
        let files = folder.path().read_dir().unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).max().unwrap_or(0)
    }

    fn arguments(&self) -> [String; 2] {
        match self {
            Place::Sqlite(folder) => {
                ["--data".into(), folder.path().join("noughts.db").display().to_string()]
            }
            Place::Postgres(_, url) => ["--database".into(), url.clone()],
        }
    }
}

/// A server with an address of its own, which it has again after a restart.
pub(crate) struct Server {
    pub(crate) address: String,
    place: [String; 2],
    child: Mutex<Option<Child>>,
}

impl Server {
    pub(crate) fn start(place: &Place) -> Server {
        let server = Server::new(place);
        server.restart();
        server
    }

    fn new(place: &Place) -> Server {
        // A port that was free a moment ago; clients find the server there again.
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        Server { address: free.to_string(), place: place.arguments(), child: Mutex::default() }
    }

    /// A server whose files may not grow beyond the largest that is there and so many kilobytes, as
    /// on a disk that is full.
    pub(crate) fn start_on_small_disk(place: &Place, kilobytes: u64) -> Server {
        let server = Server::new(place);
        // The unit of `ulimit -f` in a shell of POSIX is 512 bytes.
        let blocks = place.largest_file() / 512 + kilobytes * 2;
        let shell = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &shell, env!("CARGO_BIN_EXE_noughts")]);
        server.run(command);
        server
    }

    pub(crate) fn restart(&self) {
        self.run(Command::new(env!("CARGO_BIN_EXE_noughts")));
    }

    fn run(&self, mut command: Command) {
        command.args(["serve", "--log", "off", "--listen", &self.address]).args(&self.place);
        for limit in ["sockets-per-address", "requests-per-second", "commands-per-second"] {
            command.arg(format!("--{limit}=100000"));
        }
        command.args(["--sign-ins-per-minute=100000", "--games-per-player=10000"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains(&self.address), "the server says where it is: {line:?}");
        *self.child.lock().unwrap() = Some(child);
    }

    /// Ends the server with SIGKILL, which no program can do anything about.
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

/// Someone who asks a server over HTTP.
pub(crate) struct Agent {
    address: String,
    agent: ureq::Agent,
}

impl Agent {
    pub(crate) fn of(address: &str) -> Agent {
        Agent { address: address.into(), agent: ureq::Agent::new_with_defaults() }
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let url = format!("http://{}/api/v1/{path}", self.address);
        let mut answer = self.agent.get(url).call().unwrap_or_else(|e| panic!("{path}: {e}"));
        answer.body_mut().read_json().unwrap()
    }

    fn post(&self, path: &str, token: Option<&str>, body: Value) -> Value {
        let mut request = self.agent.post(format!("http://{}/api/v1/{path}", self.address));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut answer = request.send_json(body).unwrap_or_else(|e| panic!("{path}: {e}"));
        answer.body_mut().read_json().unwrap()
    }

    /// Two people with names, and so many rated games between them, begun in turn.
    pub(crate) fn games(&self, names: [&str; 2], rules: &str, count: usize) -> Vec<Seats> {
        let token = |name| {
            let session = json!({"name": name, "password": "correct horse"});
            self.post("names", None, session)["token"].as_str().unwrap().to_string()
        };
        let mut tokens = names.map(token);
        let seats = json!([{"for": "me"}, {"for": "anyone"}]);
        let mut games = Vec::new();
        for _ in 0..count {
            let wanted = json!({"rules": rules, "rated": true, "seats": seats});
            let game = self.post("games", Some(&tokens[0]), wanted);
            let game = game["id"].as_str().unwrap().to_string();
            let join = json!({"command": {"type": "join"}, "seq": 0, "key": "join"});
            self.post(&format!("games/{game}/commands"), Some(&tokens[1]), join);
            games.push(Seats { game, tokens: tokens.clone() });
            tokens.reverse();
        }
        games
    }
}

/// A game and who plays it, in seat order.
#[derive(Clone)]
pub(crate) struct Seats {
    pub(crate) game: String,
    pub(crate) tokens: [String; 2],
}
