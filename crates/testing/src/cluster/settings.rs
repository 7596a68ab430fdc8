//! The settings of Patroni and HAProxy.

use std::net::Ipv4Addr;
use std::path::Path;

use serde_json::{Value, json};

use super::{CLIENT_PORT, NODES};

pub(super) const PATRONI_PORT: u16 = 8008;

/// What of Patroni's settings concerns replication. Strict: without a synchronous standby the primary
/// commits nothing.
pub(super) fn replication(is_synchronous: bool) -> Value {
    json!({"synchronous_mode": is_synchronous, "synchronous_mode_strict": is_synchronous})
}

/// Patroni's settings for a node. JSON is YAML, too.
pub(super) fn patroni(
    node: usize,
    addresses: &[Ipv4Addr],
    folder: &Path,
    programs: &Path,
) -> String {
    let own = addresses[node];
    let etcd: Vec<String> = addresses.iter().map(|address| format!("{address}:2379")).collect();
    let own_folder = |name: &str| folder.join(format!("{name}{node}")).display().to_string();
    let mut cluster = json!({
        // Shorter than the defaults of 30, 10 and 10 s: a failover takes this time at least.
        "ttl": 8,
        "loop_wait": 2,
        "retry_timeout": 3,
        // A crashed primary is replaced, not waited for.
        "primary_start_timeout": 0,
        "postgresql": {
            "use_pg_rewind": true,
            "parameters": {
                "max_connections": 100,
                "wal_log_hints": "on",
                // Only processes are killed here, never the machine.
                "fsync": "off",
            },
        },
    });
    let replication = replication(true);
    cluster
        .as_object_mut()
        .expect("an object")
        .extend(replication.as_object().cloned().expect("one"));
    let trust = |what: &str| format!("host {what} all 10.77.0.0/24 trust");
    let settings = json!({
        "scope": "noughts",
        "name": NODES[node],
        "restapi": {
            "listen": format!("{own}:{PATRONI_PORT}"),
            "connect_address": format!("{own}:{PATRONI_PORT}"),
        },
        // Not `etcd3`: through it, Patroni 3.0 overwrites the leader key of a newer primary when it was cut
        // off, which lost moves in this test (https://github.com/patroni/patroni/pull/2689).
        "etcd": {"hosts": etcd},
        "bootstrap": {
            "dcs": cluster,
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "no-sync"],
            "pg_hba": [trust("all"), trust("replication")],
        },
        "postgresql": {
            "listen": format!("{own}:5432"),
            "connect_address": format!("{own}:5432"),
            "data_dir": own_folder("data"),
            "pgpass": own_folder("pgpass"),
            "bin_dir": programs.display().to_string(),
            "authentication": {
                "superuser": {"username": "postgres"},
                "replication": {"username": "replicator"},
                "rewind": {"username": "postgres"},
            },
            "parameters": {"unix_socket_directories": ""},
            "basebackup": [{"checkpoint": "fast"}, "no-sync"],
        },
    });
    settings.to_string()
}

/// HAProxy's settings: connections go to the node that Patroni calls the primary, and end when it no
/// longer is.
pub(super) fn haproxy(addresses: &[Ipv4Addr]) -> String {
    let mut text = format!(
        "global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind *:{CLIENT_PORT}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
"
    );
    for (name, address) in NODES.iter().zip(addresses) {
        text.push_str(&format!("  server {name} {address}:5432 check port {PATRONI_PORT}\n"));
    }
    text
}
