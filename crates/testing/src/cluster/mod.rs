//! A PostgreSQL cluster with automatic failover: three nodes with PostgreSQL under Patroni and etcd,
//! and two client machines with HAProxy.

mod network;
mod settings;

use std::fs::{self, File};
use std::net::Ipv4Addr;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::postgres::{User, programs, unprivileged_user};
use network::Network;

const NODES: [&str; 3] = ["node1", "node2", "node3"];
const CLIENTS: [&str; 2] = ["client1", "client2"];

/// HAProxy's port on the client machines.
const CLIENT_PORT: u16 = 5000;

const REQUIRED_PROGRAMS: [&str; 7] =
    ["ip", "nsenter", "setpriv", "curl", "etcd", "patroni", "haproxy"];

/// How long the cluster may take to elect, to recover or to start on a busy machine.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(180);

/// How long a node may take to rejoin before it is copied anew.
const REJOIN_TIME: Duration = Duration::from_secs(40);

const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// A running cluster. When it is dropped, or the test process ends, all of it is removed.
#[derive(Debug)]
pub struct Cluster {
    network: Network,
    directory: PathBuf,
    user: User,
    /// The addresses of the nodes.
    addresses: Vec<Ipv4Addr>,
    /// The running etcd of each node.
    etcd: Mutex<[Option<Child>; NODES.len()]>,
    /// The programs on all machines except for etcd.
    processes: Mutex<Vec<Child>>,
    /// The addresses of the client machines, as the test process reaches them.
    public: Vec<Ipv4Addr>,
}

impl Cluster {
    /// A cluster with synchronous replication, or `None` and a message on standard error if a package
    /// is not installed or network namespaces can't be made. With `NOUGHTS_CLUSTER=required` in the
    /// environment, which `cargo xtask` sets, that is a failure.
    ///
    /// # Panics
    ///
    /// Panics if the cluster does not start.
    #[must_use]
    pub fn start() -> Option<Cluster> {
        let cluster = match Cluster::create() {
            Ok(cluster) => cluster,
            Err(reason) => {
                let required =
                    std::env::var_os("NOUGHTS_CLUSTER").is_some_and(|value| value == "required");
                assert!(!required, "{reason}");
                eprintln!("{reason}, so this test is skipped");
                return None;
            }
        };
        for node in 0..NODES.len() {
            cluster.start_node(node);
        }
        for name in CLIENTS {
            let file = cluster.file("haproxy.cfg");
            cluster.run(name, "haproxy", &["haproxy", "-db", "-f", &file]);
        }
        cluster.wait_until_whole();
        Some(cluster)
    }

    fn create() -> Result<Cluster, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> =
            std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]).collect();
        for program in REQUIRED_PROGRAMS {
            if !folders.iter().any(|folder| folder.join(program).is_file()) {
                return Err(format!("{program} is not installed"));
            }
        }
        let programs = programs().ok_or("PostgreSQL is not installed")?;
        let user = unprivileged_user().map_err(|error| error.to_string())?;
        let user = user.ok_or("only root can make network namespaces")?;
        let failed = |error: std::io::Error| error.to_string();
        let folder = tempfile::Builder::new().prefix("noughts-cluster").tempdir_in("/tmp");
        let folder = folder.map_err(failed)?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).map_err(failed)?;
        chown(folder.path(), Some(user.id), Some(user.group)).map_err(failed)?;
        let machines = [&NODES[..], &CLIENTS].concat();
        let network = Network::create(&machines, &folder.path().display().to_string())
            .map_err(|error| format!("no network namespaces: {error}"))?;
        let publish = |name: &&str| network.publish(name).map_err(failed);
        let public = CLIENTS.iter().map(publish).collect::<Result<_, _>>()?;
        let addresses = NODES.iter().map(|name| network.address(name)).collect();
        let directory = folder.keep();
        let (etcd, processes) = Default::default();
        let cluster = Cluster { network, directory, user, addresses, etcd, processes, public };
        cluster.write_settings(&programs).map_err(failed)?;
        Ok(cluster)
    }

    fn write_settings(&self, programs: &Path) -> std::io::Result<()> {
        for node in 0..NODES.len() {
            let settings = settings::patroni(node, &self.addresses, &self.directory, programs);
            fs::write(self.directory.join(format!("patroni{node}.yml")), settings)?;
        }
        fs::write(self.directory.join("haproxy.cfg"), settings::haproxy(&self.addresses))
    }

    fn file(&self, name: &str) -> String {
        self.directory.join(name).display().to_string()
    }

    /// Runs a program on a machine until that is killed.
    fn run(&self, machine: &str, log: &str, program: &[&str]) {
        let process = self.spawn(machine, log, program);
        let mut processes = self.processes.lock().expect("no thread panics");
        processes.retain_mut(|process| matches!(process.try_wait(), Ok(None)));
        processes.push(process);
    }

    /// Starts a program on a machine, as PostgreSQL's user.
    fn spawn(&self, machine: &str, log: &str, program: &[&str]) -> Child {
        let User { id, group } = self.user;
        let log = self.directory.join(format!("{machine}-{log}.log"));
        let log = File::options().create(true).append(true).open(log).expect("the log opens");
        let mut command = self.command(machine, "setpriv");
        command
            .args([format!("--reuid={id}"), format!("--regid={group}"), "--clear-groups".into()])
            .args(program)
            .current_dir("/")
            .env("HOME", &self.directory)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("the log opens twice"))
            .stderr(log);
        command.spawn().expect("the program starts")
    }

    /// A program on a machine, as the user of the test.
    fn command(&self, machine: &str, program: &str) -> Command {
        let prefix = self.network.on(machine);
        let mut command = Command::new(&prefix[0]);
        command.args(&prefix[1..]).arg(program);
        command
    }

    /// The beginning of a command that runs on a client machine, which is `0` or `1`.
    #[must_use]
    pub fn on_client(&self, client: usize) -> Vec<String> {
        self.network.on(CLIENTS[client])
    }

    /// The address of a client machine, as the test process reaches it.
    #[must_use]
    pub fn client_address(&self, client: usize) -> Ipv4Addr {
        self.public[client]
    }

    /// The URL of the database for programs on the client machines.
    #[must_use]
    pub fn url_on_clients(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{CLIENT_PORT}/postgres?sslmode=disable")
    }

    /// The URL of the database for the test process, through a client machine.
    #[must_use]
    pub fn url(&self, client: usize) -> String {
        let address = self.public[client];
        format!("postgres://postgres@{address}:{CLIENT_PORT}/postgres?sslmode=disable")
    }

    /// The primary.
    #[must_use]
    pub fn primary(&self) -> usize {
        self.wait_for("a primary", || self.find_primary(None))
    }

    /// Waits until a node other than this one is the primary.
    pub fn wait_for_other_primary(&self, old: usize) {
        self.wait_for("another primary", || self.find_primary(Some(old)));
    }

    /// The node that says that it accepts writes.
    fn find_primary(&self, except: Option<usize>) -> Option<usize> {
        let mut nodes = (0..NODES.len()).filter(|node| Some(*node) != except);
        nodes.find(|node| self.request(*node, "primary", &[]).is_some())
    }

    /// Waits until all standbys follow the primary. Copies those anew that don't, as operators do.
    pub fn wait_until_whole(&self) {
        let mut next_copy = Instant::now() + REJOIN_TIME;
        self.wait_for("a whole cluster", || {
            let primary = self.find_primary(None)?;
            let following = self.following(primary)?;
            let is_synchronous = following.iter().any(|(_, is_synchronous)| *is_synchronous);
            if following.len() == NODES.len() - 1 && is_synchronous == self.is_synchronous() {
                return Some(());
            }
            if Instant::now() > next_copy {
                next_copy = Instant::now() + REJOIN_TIME;
                let follows = |node| following.iter().any(|(other, _)| *other == node);
                for node in (0..NODES.len()).filter(|node| *node != primary && !follows(*node)) {
                    eprintln!("{} does not follow {} and is copied", NODES[node], NODES[primary]);
                    let _ = self.request(node, "reinitialize", &["--data", r#"{"force": true}"#]);
                }
            }
            None
        });
    }

    /// The standbys to which the primary streams, and whether synchronously.
    fn following(&self, primary: usize) -> Option<Vec<(usize, bool)>> {
        let status = self.request(primary, "patroni", &[])?;
        let standbys = status["replication"].as_array().cloned().unwrap_or_default();
        let following = standbys.iter().filter(|standby| standby["state"] == "streaming");
        let node = |standby: &Value| {
            let node = NODES.iter().position(|node| standby["application_name"] == *node)?;
            Some((node, standby["sync_state"] == "sync"))
        };
        Some(following.filter_map(node).collect())
    }

    /// Kills a node with everything on it: PostgreSQL, Patroni and etcd.
    pub fn kill_node(&self, node: usize) {
        self.network.kill(NODES[node]);
    }

    /// Starts a node that does not run.
    pub fn start_node(&self, node: usize) {
        self.start_etcd(node);
        let settings = self.file(&format!("patroni{node}.yml"));
        self.run(NODES[node], "patroni", &["patroni", &settings]);
    }

    /// Kills etcd on a node.
    pub fn kill_etcd(&self, node: usize) {
        let mut etcd = self.etcd.lock().expect("no thread panics");
        let mut child = etcd[node].take().expect("etcd runs");
        child.kill().and_then(|()| child.wait()).expect("etcd is killed");
    }

    /// Starts etcd on a node where it does not run.
    pub fn start_etcd(&self, node: usize) {
        let address = self.addresses[node];
        let (peers, clients) = (format!("http://{address}:2380"), format!("http://{address}:2379"));
        let cluster = NODES.iter().zip(&self.addresses);
        let cluster: Vec<String> =
            cluster.map(|(name, address)| format!("{name}=http://{address}:2380")).collect();
        let (cluster, folder) = (cluster.join(","), self.file(&format!("etcd{node}")));
        let options = [
            ["--name", NODES[node]],
            ["--data-dir", &folder],
            ["--listen-peer-urls", &peers],
            ["--initial-advertise-peer-urls", &peers],
            ["--listen-client-urls", &clients],
            ["--advertise-client-urls", &clients],
            ["--initial-cluster", &cluster],
            ["--logger", "zap"],
        ];
        let program = [&["etcd", "--enable-v2"], options.as_flattened()].concat();
        let etcd = self.spawn(NODES[node], "etcd", &program);
        self.etcd.lock().expect("no thread panics")[node] = Some(etcd);
    }

    /// Cuts nodes and client machines off from all others.
    pub fn isolate(&self, nodes: &[usize], clients: &[usize]) {
        self.move_cables(nodes, clients, true);
    }

    /// Connects isolated machines again.
    pub fn reconnect(&self, nodes: &[usize], clients: &[usize]) {
        self.move_cables(nodes, clients, false);
    }

    fn move_cables(&self, nodes: &[usize], clients: &[usize], is_isolated: bool) {
        let nodes = nodes.iter().map(|node| NODES[*node]);
        for machine in nodes.chain(clients.iter().map(|client| CLIENTS[*client])) {
            self.network.isolate(machine, is_isolated);
        }
    }

    /// Makes the synchronous standby the primary.
    pub fn switch_over(&self) {
        let primary = self.primary();
        let leader = format!(r#"{{"leader": "{}"}}"#, NODES[primary]);
        self.wait_for("a switchover", || {
            let _ = self.request(primary, "switchover", &["--data", &leader, "--max-time", "60"]);
            self.find_primary(Some(primary))
        });
    }

    /// Makes replication synchronous or asynchronous.
    pub fn set_synchronous(&self, is_synchronous: bool) {
        let change = settings::replication(is_synchronous).to_string();
        let changed =
            || self.request(self.primary(), "config", &["--request", "PATCH", "--data", &change]);
        self.wait_for("changed settings", changed);
        self.wait_until_whole();
    }

    fn is_synchronous(&self) -> bool {
        let settings =
            self.wait_for("the settings", || self.request(self.primary(), "config", &[]));
        settings["synchronous_mode"] == true
    }

    /// Asks Patroni on a node. `None` if it does not answer.
    fn request(&self, node: usize, path: &str, options: &[&str]) -> Option<Value> {
        let url = format!("http://{}:{}/{path}", self.addresses[node], settings::PATRONI_PORT);
        let mut curl = self.command(NODES[node], "curl");
        curl.args(["--silent", "--fail", "--max-time", "5"]).args(options).arg(url);
        let output = curl.stdin(Stdio::null()).output().ok()?;
        let answer = || serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        output.status.success().then(answer)
    }

    fn wait_for<T>(&self, what: &str, mut find: impl FnMut() -> Option<T>) -> T {
        let deadline = Instant::now() + RECOVERY_TIMEOUT;
        loop {
            if let Some(found) = find() {
                return found;
            }
            if Instant::now() > deadline {
                let nodes = 0..NODES.len();
                let states: Vec<_> = nodes.map(|node| self.request(node, "patroni", &[])).collect();
                panic!("waited for {what}: {states:#?}");
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}
