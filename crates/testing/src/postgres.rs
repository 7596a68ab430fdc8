//! A PostgreSQL server for tests: its own folder, its own socket, gone when the test is.

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

/// Says what is left out where there is no PostgreSQL.
const MISSING: &str = "PostgreSQL is not installed here, so this test is left out: \
    `cargo xtask test` installs it, or see the package `postgresql`";

/// A server that listens on a socket in a temporary folder.
///
/// When the program that started it ends, however it ends, the server is stopped and the folder
/// removed: a small shell waits for the end of a pipe that only this program holds.
#[derive(Debug)]
pub struct Postgres {
    /// Removed by the shell, after the server has stopped: a server whose folder is gone can't be
    /// told to.
    folder: PathBuf,
    programs: PathBuf,
    user: Option<User>,
    settings: &'static [&'static str],
    /// The end of the pipe. Nothing is ever written to it.
    _guard: ChildStdin,
}

/// Whom the server runs as where the tests run as root, which it refuses.
#[derive(Debug, Clone, Copy)]
struct User {
    id: u32,
    group: u32,
}

static DATABASES: AtomicU64 = AtomicU64::new(0);

impl Postgres {
    /// The server that all tests of a program share, or none where PostgreSQL is not installed,
    /// which is then said on standard error. With `NOUGHTS_POSTGRES=required` in the environment,
    /// as `cargo xtask test` has it, a missing one is a failure.
    pub fn shared() -> Option<&'static Postgres> {
        static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
        SHARED.get_or_init(Postgres::start).as_ref()
    }

    /// A server of the test's own, which it may kill. It does not wait for the disk: what a killed
    /// server has written is safe as long as the machine runs.
    #[must_use]
    pub fn start() -> Option<Postgres> {
        Postgres::start_with(&["fsync=off"])
    }

    /// A server with its usual care for the disk, for measurements.
    #[must_use]
    pub fn start_durable() -> Option<Postgres> {
        Postgres::start_with(&[])
    }

    fn start_with(settings: &'static [&'static str]) -> Option<Postgres> {
        let Some(programs) = programs() else {
            let required =
                std::env::var_os("NOUGHTS_POSTGRES").is_some_and(|value| value == "required");
            assert!(!required, "{MISSING}");
            eprintln!("{MISSING}");
            return None;
        };
        Some(make(programs, settings).expect("a private PostgreSQL starts"))
    }

    /// The address of a database that nobody else uses, freshly made.
    pub async fn database(&self) -> String {
        let number = DATABASES.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let options = PgConnectOptions::new_without_pgpass()
            .socket(self.folder.as_path())
            .username(SUPERUSER)
            .database("postgres");
        let mut connection = options.connect().await.expect("the private PostgreSQL answers");
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut connection)
            .await
            .expect("a database is made");
        connection.close().await.expect("the connection ends");
        format!("postgres://{SUPERUSER}@localhost/{name}?host={}", self.folder.display())
    }

    /// Ends all of the server's processes at once and without a goodbye, as a crash would.
    pub fn kill(&self) {
        self.control(&["stop", "--mode=immediate", "--wait"]);
    }

    /// Starts the server again after it was killed.
    pub fn restart(&self) {
        self.run_server();
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn run_server(&self) {
        let folder = &self.folder;
        let mut options = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c max_connections=200",
            folder.display()
        );
        for setting in self.settings {
            options.push_str(&format!(" -c {setting}"));
        }
        let log = folder.join("server.log");
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
        fs::read_to_string(self.folder.join("server.log")).unwrap_or_default()
    }
}

fn make(programs: PathBuf, settings: &'static [&'static str]) -> io::Result<Postgres> {
    let folder = tempfile::Builder::new().prefix("noughts-pg").tempdir_in("/tmp")?;
    let user = unprivileged_user()?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
    if let Some(User { id, group }) = user {
        chown(folder.path(), Some(id), Some(group))?;
    }
    let made = command(&programs.join("initdb"), user)
        .args(["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"])
        .arg(format!("--username={SUPERUSER}"))
        .arg("--pgdata")
        .arg(folder.path().join("data"))
        .stdin(Stdio::null())
        .output()?;
    if !made.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&made.stderr).into_owned()));
    }
    let guard = guard(&programs, folder.path(), user)?;
    let postgres = Postgres { folder: folder.keep(), programs, user, settings, _guard: guard };
    postgres.run_server();
    Ok(postgres)
}

/// Waits in a process of its own for the end of this one, then cleans up.
fn guard(programs: &Path, folder: &Path, user: Option<User>) -> io::Result<ChildStdin> {
    let script = r#"read -r _; "$0/pg_ctl" --pgdata "$1/data" stop --mode=immediate; rm -rf "$1""#;
    let mut shell: Child = command(Path::new("/bin/sh"), user)
        .args(["-c", script])
        .args([programs, folder])
        // Not reached by what is typed at the terminal to end the tests.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    shell.stdin.take().ok_or_else(|| io::Error::other("the shell has no input"))
}

fn command(program: &Path, user: Option<User>) -> Command {
    let mut command = Command::new(program);
    // A folder that the other user may enter.
    command.current_dir("/");
    if let Some(User { id, group }) = user {
        command.uid(id).gid(group);
    }
    command
}

/// Where the server's programs are, the newest where there are several.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok().into_iter().flatten().flatten();
    let mut debian: Vec<(u32, PathBuf)> = versions
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    debian.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let newest_first = debian.into_iter().rev().map(|(_, folder)| folder);
    let complete = |folder: &PathBuf| {
        ["initdb", "pg_ctl", "postgres"].iter().all(|program| folder.join(program).is_file())
    };
    newest_first.chain(std::env::split_paths(&path)).find(complete)
}

/// `postgres`, or else `nobody`, where the tests run as root.
fn unprivileged_user() -> io::Result<Option<User>> {
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
