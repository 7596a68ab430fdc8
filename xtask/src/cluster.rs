//! A PostgreSQL cluster with automatic failover, whose tests lose machines during play.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{apt_install, install_postgres, root, step, succeeds};

/// Fails over a PostgreSQL cluster under load.
pub(crate) fn run(times: &str) -> Result<()> {
    if !times.parse::<u32>().is_ok_and(|times| times > 0) {
        bail!("expected how often to inject each fault, such as 20");
    }
    install_postgres().and_then(|()| install()).map_err(anyhow::Error::msg)?;
    let mut test = Command::new("cargo");
    test.current_dir(root()?);
    test.args([
        "test",
        "--package",
        "noughts",
        "--test",
        "faults",
        "failover",
        "--",
        "--nocapture",
    ]);
    test.envs([("NOUGHTS_CLUSTER", "required"), ("NOUGHTS_FAULTS", times)]);
    step("failover of PostgreSQL", &mut test)
}

/// Installs the programs of a PostgreSQL cluster, and checks that its machines can be made.
fn install() -> Result<(), String> {
    let packages = [
        ("patroni", "patroni"),
        ("etcd", "etcd-server"),
        ("haproxy", "haproxy"),
        ("ip", "iproute2"),
        ("curl", "curl"),
    ];
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]).collect();
    for (program, package) in packages {
        if !folders.iter().any(|folder| folder.join(program).is_file()) {
            apt_install(package)?;
        }
    }
    let namespace = format!("noughts-check-{}", std::process::id());
    let ip = |action: &str| succeeds(Command::new("ip").args(["netns", action, &namespace]));
    if ip("add") && ip("delete") {
        Ok(())
    } else {
        Err("network namespaces can't be made; root can make them".into())
    }
}
