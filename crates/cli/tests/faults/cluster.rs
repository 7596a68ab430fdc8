//! Faults of a PostgreSQL cluster with automatic failover: machines crash or lose their network
//! while games are played.
//!
//! Where the packages are installed, the test command kills one primary. `cargo xtask cluster 20` injects every
//! fault twenty times, and prints how long no move was acknowledged.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use noughts_checker::Record;
use noughts_testing::Cluster;

use crate::checker::violations;
use crate::fault_count;
use crate::player::{Behaviour, play};
use crate::server::{Agent, Database, Seats, Server};

const RULES: &str = "8x8:5";
const GAMES: usize = 6;

/// Makes games last for some seconds, longer than a fault with no effect.
const THINK_TIME: Duration = Duration::from_millis(100);

/// How long moves may go on behind a cut before it is certain that none is acknowledged.
const CUT_TIME: Duration = Duration::from_secs(6);

/// Asynchronous replication may lose moves, and does not have to.
const CONTROL_ATTEMPTS: usize = 3;

/// How long a server may take to notice that its database is back.
const READY_TIMEOUT: Duration = Duration::from_secs(120);

/// What happens to the cluster, or to the servers.
#[derive(Debug, Clone, Copy)]
enum Fault {
    PrimaryKilled,
    /// The primary is cut off from everything else.
    PrimaryCutOff,
    /// The primary and one of the servers are cut off together, so that they still reach each other.
    PrimaryCutOffWithServer,
    Switchover,
    EtcdKilled,
    ServersKilled,
}

/// The faults of a round. The primary is cut off together with a server and alone by turns.
fn faults(round: usize) -> [Fault; 5] {
    let cut_off = [Fault::PrimaryCutOffWithServer, Fault::PrimaryCutOff][round % 2];
    [Fault::PrimaryKilled, cut_off, Fault::Switchover, Fault::EtcdKilled, Fault::ServersKilled]
}

/// A cluster with a server on each client machine.
struct Installation {
    cluster: Cluster,
    database: Database,
    servers: [Server; 2],
    record: Record,
    rounds: usize,
}

impl Installation {
    /// `None`, with a message, where a cluster can't be started.
    fn start() -> Option<Installation> {
        let cluster = Cluster::start()?;
        let on_clients = Database::Cluster(cluster.url_on_clients());
        let servers = [0, 1].map(|client| {
            let address = format!("{}:8000", cluster.client_address(client));
            Server::start_elsewhere(cluster.on_client(client), address, &on_clients)
        });
        let database = Database::Cluster(cluster.url(1));
        Some(Installation { cluster, database, servers, record: Record::default(), rounds: 0 })
    }

    fn addresses(&self) -> Vec<String> {
        self.servers.iter().map(|server| server.address.clone()).collect()
    }

    /// Waits until the cluster is whole and the servers can store what they are told.
    fn wait_until_ready(&self) {
        self.cluster.wait_until_whole();
        self.wait_for_servers();
    }

    fn wait_for_servers(&self) {
        for server in &self.servers {
            let deadline = Instant::now() + READY_TIMEOUT;
            while !server.agent().is_ready() {
                assert!(Instant::now() < deadline, "{} is not ready", server.address);
                thread::sleep(Duration::from_millis(100));
            }
        }
    }

    fn new_games(&mut self) -> Vec<Seats> {
        self.rounds += 1;
        let names = ["Ann", "Bob"].map(|name| format!("{name} {}", self.rounds));
        let agent = self.servers[0].agent();
        agent.games(names.each_ref().map(String::as_str), RULES, GAMES)
    }

    /// Plays games to their end during a fault, and checks everything that was ever acknowledged.
    async fn play_through(&mut self, fault: Fault) {
        let games = self.new_games();
        let before = self.record.moves();
        let behaviour = Behaviour { think_time: THINK_TIME, ..Behaviour::default() };
        let addresses = self.addresses();
        let playing = play(&addresses, &games, &behaviour, &self.record);
        let breaking = async {
            self.record.until_moves(before + GAMES * 2).await;
            tokio::task::block_in_place(|| self.inject(fault));
            self.record.moves()
        };
        let ((), moves) = tokio::join!(playing, breaking);
        assert!(self.record.moves() > moves, "{fault:?}: play went on afterwards");
        let gap = self.record.longest_gap(before);
        eprintln!("{fault:?}: {:.1} s without service", gap.as_secs_f64());
        self.check(&games).await;
        tokio::task::block_in_place(|| self.wait_until_ready());
    }

    fn inject(&self, fault: Fault) {
        let cluster = &self.cluster;
        let primary = cluster.primary();
        match fault {
            Fault::PrimaryKilled => {
                cluster.kill_node(primary);
                cluster.wait_for_other_primary(primary);
                cluster.start_node(primary);
            }
            Fault::PrimaryCutOff => self.cut_off(primary, &[]),
            Fault::PrimaryCutOffWithServer => self.cut_off(primary, &[0]),
            Fault::Switchover => cluster.switch_over(),
            Fault::EtcdKilled => {
                cluster.kill_etcd(primary);
                thread::sleep(Duration::from_secs(3));
                cluster.start_etcd(primary);
            }
            Fault::ServersKilled => {
                self.servers.iter().for_each(Server::kill);
                self.servers.iter().for_each(Server::restart);
            }
        }
    }

    fn cut_off(&self, primary: usize, clients: &[usize]) {
        self.cluster.isolate(&[primary], clients);
        self.cluster.wait_for_other_primary(primary);
        self.cluster.reconnect(&[primary], clients);
    }

    async fn check(&self, games: &[Seats]) {
        for address in self.addresses() {
            assert_eq!(violations(&self.database, &self.record, Some(&address)).await, [""; 0]);
        }
        let agent = Agent::of(&self.servers[1].address);
        let unfinished = games.iter().filter(|seats| agent.game(seats.game).result.is_none());
        assert_eq!(unfinished.count(), 0, "all games were played");
    }

    /// Cuts the primary off together with the only server that anyone plays on, until others have
    /// replaced the primary. Returns how many moves were acknowledged behind the cut.
    async fn play_behind_cut(&mut self) -> usize {
        let games = self.new_games();
        let behaviour = Behaviour::default();
        let cut_off_server = [self.servers[0].address.clone()];
        let start = self.record.moves();
        let playing = play(&cut_off_server, &games, &behaviour, &self.record);
        let breaking = async {
            self.record.until_moves(start + GAMES).await;
            let primary = tokio::task::block_in_place(|| {
                let primary = self.cluster.primary();
                self.cluster.isolate(&[primary], &[0]);
                primary
            });
            let before = self.record.moves();
            let more = self.record.until_moves(before + GAMES * 2);
            let _ = tokio::time::timeout(CUT_TIME, more).await;
            let acknowledged = self.record.moves() - before;
            behaviour.stop.store(true, Ordering::Relaxed);
            tokio::task::block_in_place(|| {
                self.cluster.wait_for_other_primary(primary);
                self.cluster.reconnect(&[primary], &[0]);
            });
            acknowledged
        };
        let ((), acknowledged) = tokio::join!(playing, breaking);
        acknowledged
    }

    async fn violations(&self) -> Vec<String> {
        violations(&self.database, &self.record, None).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failover_of_postgresql_loses_nothing() {
    let Some(mut installation) = Installation::start() else { return };
    if std::env::var_os("NOUGHTS_CLUSTER").is_none() {
        return installation.play_through(Fault::PrimaryKilled).await;
    }
    for round in 0..fault_count(1) {
        for fault in faults(round) {
            installation.play_through(fault).await;
        }
    }
    // Without a standby, nothing is acknowledged. The same with asynchronous replication loses moves:
    // otherwise this test would prove nothing.
    let acknowledged = installation.play_behind_cut().await;
    // The old primary interrupts connections when it comes back.
    tokio::task::block_in_place(|| installation.wait_until_ready());
    assert_eq!(installation.violations().await, [""; 0]);
    eprintln!(
        "synchronous replication: {acknowledged} moves acknowledged behind the cut, none lost"
    );
    tokio::task::block_in_place(|| installation.cluster.set_synchronous(false));
    for _ in 0..CONTROL_ATTEMPTS {
        let acknowledged = installation.play_behind_cut().await;
        tokio::task::block_in_place(|| installation.wait_for_servers());
        let found = installation.violations().await;
        let lost = found.iter().filter(|text| text.contains("is in the log 0 times")).count();
        eprintln!(
            "asynchronous replication: {acknowledged} moves acknowledged behind the cut, {lost} lost"
        );
        if lost > 0 {
            return;
        }
    }
    panic!("asynchronous replication lost nothing");
}
