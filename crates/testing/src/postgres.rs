//! A PostgreSQL server for tests, in a temporary directory.

mod tls;
mod usage;

pub use tls::TlsPostgres;
pub use usage::Usage;

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

const SUPERUSER: &str = "noughts";

const NOT_INSTALLED: &str = "PostgreSQL is not installed, so this test is skipped: \
    `cargo xtask test` installs it, or see the package `postgresql`";

/// A server that listens on a socket in a temporary directory.
///
/// When the test process ends, even by a crash, the server stops and its directory is removed: a shell
/// waits for the end of a pipe that only the test process holds.
#[derive(Debug)]
pub struct Postgres {
    /// Removed by the shell once the server has stopped: without its directory, `pg_ctl` can't stop it.
    directory: PathBuf,
    programs: PathBuf,
    user: Option<User>,
    settings: Vec<String>,
    /// The write end of the pipe. Nothing is ever written to it.
    _guard: ChildStdin,
}

/// The user that the server runs as if the tests run as root, which PostgreSQL refuses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct User {
    pub(crate) id: u32,
    pub(crate) group: u32,
}

/// A server that does not answer, until this is dropped.
#[derive(Debug)]
pub struct Frozen {
    postmaster: String,
}

impl Frozen {
    fn signal(&self, signal: &str) {
        let script = r#"kill -s "$1" "$0" $(cat "/proc/$0/task/$0/children")"#;
        let status = Command::new("sh").args(["-c", script, &self.postmaster, signal]).status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "processes of PostgreSQL get {signal}"
        );
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        self.signal("CONT");
    }
}

static DATABASE_COUNT: AtomicU64 = AtomicU64::new(0);

impl Postgres {
    /// The server that all tests of a process share, or `None` and a message on standard error if
    /// PostgreSQL is not installed. With `NOUGHTS_POSTGRES=required` in the environment, which
    /// `cargo xtask test` sets, that is a failure.
    pub fn shared() -> Option<&'static Postgres> {
        static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
        SHARED.get_or_init(Postgres::start).as_ref()
    }

    /// A server of the test's own, which it may kill. It does not sync to disk: writes survive a killed
    /// server, but not a crash of the machine.
    #[must_use]
    pub fn start() -> Option<Postgres> {
        Postgres::start_with(|_| vec!["fsync=off".into()])
    }

    /// A server that syncs to disk as usual, for benchmarks.
    #[must_use]
    pub fn start_durable() -> Option<Postgres> {
        Postgres::start_with(|_| Vec::new())
    }

    fn start_with(configure: impl FnOnce(&Installation) -> Vec<String>) -> Option<Postgres> {
        let Some(programs) = programs() else {
            let required =
                std::env::var_os("NOUGHTS_POSTGRES").is_some_and(|value| value == "required");
            assert!(!required, "{NOT_INSTALLED}");
            eprintln!("{NOT_INSTALLED}");
            return None;
        };
        Some(create(programs, configure).expect("a private PostgreSQL starts"))
    }

    /// Creates a database and returns its URL.
    pub async fn database(&self) -> String {
        let number = DATABASE_COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let options = PgConnectOptions::new_without_pgpass()
            .socket(self.directory.as_path())
            .username(SUPERUSER)
            .database("postgres");
        let mut connection =
            options.connect().await.expect("the private PostgreSQL accepts connections");
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut connection)
            .await
            .expect("the database is created");
        connection.close().await.expect("the connection closes");
        format!("postgres://{SUPERUSER}@localhost/{name}?host={}", self.directory.display())
    }

    /// A program that comes with PostgreSQL, such as `pg_dump`.
    #[must_use]
    pub fn tool(&self, name: &str) -> Command {
        Command::new(self.programs.join(name))
    }

    /// Stops the server at once, like a crash.
    pub fn kill(&self) {
        self.control(&["stop", "--mode=immediate", "--wait"]);
    }

    /// Starts the killed server again.
    pub fn restart(&self) {
        self.run_server();
    }

    /// Stops all processes of the server where they are: connections stay open, but nothing answers
    /// until the guard is dropped.
    #[must_use]
    pub fn freeze(&self) -> Frozen {
        let frozen = Frozen { postmaster: self.postmaster() };
        frozen.signal("STOP");
        frozen
    }

    /// The process id of the server's first process.
    fn postmaster(&self) -> String {
        let file = self.data().join("postmaster.pid");
        let text = fs::read_to_string(file).expect("the server runs");
        text.lines().next().unwrap_or_default().to_string()
    }

    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn run_server(&self) {
        let directory = &self.directory;
        let mut options = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c max_connections=200",
            directory.display()
        );
        for setting in &self.settings {
            options.push_str(&format!(" -c {setting}"));
        }
        let log = directory.join("server.log");
        let log = log.display().to_string();
        self.control(&["start", "--wait", "--silent", "--log", &log, "--options", &options]);
    }

    fn control(&self, arguments: &[&str]) {
        let status = command(&self.programs.join("pg_ctl"), self.user)
            .arg("--pgdata")
            .arg(self.data())
            .args(arguments)
            .stdout(Stdio::null())
            .status()
            .expect("pg_ctl runs");
        assert!(status.success(), "pg_ctl {arguments:?}: {status}; {}", self.server_log());
    }

    fn server_log(&self) -> String {
        fs::read_to_string(self.directory.join("server.log")).unwrap_or_default()
    }
}

/// A new server before its first start.
struct Installation<'a> {
    directory: &'a Path,
    user: Option<User>,
}

fn create(
    programs: PathBuf,
    configure: impl FnOnce(&Installation) -> Vec<String>,
) -> io::Result<Postgres> {
    let directory = tempfile::Builder::new().prefix("noughts-pg").tempdir_in("/tmp")?;
    let user = unprivileged_user()?;
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755))?;
    if let Some(User { id, group }) = user {
        chown(directory.path(), Some(id), Some(group))?;
    }
    let initdb = command(&programs.join("initdb"), user)
        .args(["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"])
        .arg(format!("--username={SUPERUSER}"))
        .arg("--pgdata")
        .arg(directory.path().join("data"))
        .stdin(Stdio::null())
        .output()?;
    if !initdb.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&initdb.stderr).into_owned()));
    }
    let guard = guard(&programs, directory.path(), user)?;
    let settings = configure(&Installation { directory: directory.path(), user });
    let postgres =
        Postgres { directory: directory.keep(), programs, user, settings, _guard: guard };
    postgres.run_server();
    Ok(postgres)
}

/// Starts a shell that cleans up when this process ends.
fn guard(programs: &Path, directory: &Path, user: Option<User>) -> io::Result<ChildStdin> {
    let script = r#"read -r _; "$0/pg_ctl" --pgdata "$1/data" stop --mode=immediate; rm -rf "$1""#;
    let mut shell: Child = command(Path::new("/bin/sh"), user)
        .args(["-c", script])
        .args([programs, directory])
        // Out of reach of Ctrl-C at the terminal.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    shell.stdin.take().ok_or_else(|| io::Error::other("the shell has no input"))
}

fn command(program: &Path, user: Option<User>) -> Command {
    let mut command = Command::new(program);
    // The other user may not enter the current directory.
    command.current_dir("/");
    if let Some(User { id, group }) = user {
        command.uid(id).gid(group);
    }
    command
}

/// The directory of the newest installed PostgreSQL's programs.
pub(crate) fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok().into_iter().flatten().flatten();
    let mut debian: Vec<(u32, PathBuf)> = versions
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    debian.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let newest_first = debian.into_iter().rev().map(|(_, directory)| directory);
    let complete = |directory: &PathBuf| {
        ["initdb", "pg_ctl", "postgres"].iter().all(|program| directory.join(program).is_file())
    };
    newest_first.chain(std::env::split_paths(&path)).find(complete)
}

/// If the tests run as root: `postgres`, or else `nobody`.
pub(crate) fn unprivileged_user() -> io::Result<Option<User>> {
    let mut status = String::new();
    fs::File::open("/proc/self/status")?.read_to_string(&mut status)?;
    let uids = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap_or_default();
    if uids.split_whitespace().nth(1) != Some("0") {
        return Ok(None);
    }
    let accounts = fs::read_to_string("/etc/passwd")?;
    let find = |name: &str| {
        let line = accounts.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some(User { id: fields.next()?.parse().ok()?, group: fields.next()?.parse().ok()? })
    };
    find("postgres")
        .or_else(|| find("nobody"))
        .map(Some)
        .ok_or_else(|| io::Error::other("no unprivileged user to run PostgreSQL as"))
}
