//! Machines on one switch: network namespaces with virtual cables.

use std::io;
use std::net::Ipv4Addr;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The side of the switch on which all machines begin.
const WHOLE: &str = "whole";

/// The side to which isolated machines are moved.
const ISOLATED: &str = "isolated";

const KILL_TIMEOUT: Duration = Duration::from_secs(20);

/// The network. Dropping it, or the end of the test process, kills everything on its machines.
#[derive(Debug)]
pub(super) struct Network {
    prefix: String,
    machines: Vec<String>,
    /// Makes the addresses that this machine uses differ from those of other test processes.
    subnet: u8,
    /// The write end of a pipe to the shell that cleans up. Nothing is ever written to it.
    _guard: ChildStdin,
}

impl Network {
    /// Creates the machines. `directory` is removed with them.
    pub(super) fn create(machines: &[&str], directory: &str) -> io::Result<Network> {
        let process = std::process::id();
        let prefix = format!("nt{process:x}");
        let guard = guard(&prefix, directory)?;
        let network = Network {
            prefix,
            machines: machines.iter().map(|name| (*name).to_string()).collect(),
            subnet: process.to_le_bytes()[0],
            _guard: guard,
        };
        let switch = network.namespace("switch");
        ip(&["netns", "add", &switch])?;
        for side in [WHOLE, ISOLATED] {
            ip(&["-n", &switch, "link", "add", side, "type", "bridge"])?;
            ip(&["-n", &switch, "link", "set", side, "up"])?;
        }
        for name in machines {
            network.plug_in(name)?;
        }
        Ok(network)
    }

    fn plug_in(&self, name: &str) -> io::Result<()> {
        let (machine, switch) = (self.namespace(name), self.namespace("switch"));
        ip(&["netns", "add", &machine])?;
        ip(&["-n", &machine, "link", "set", "lo", "up"])?;
        let cable = ["type", "veth", "peer", "name", name, "netns", &switch];
        ip(&[&["link", "add", "eth0", "netns", &machine], &cable[..]].concat())?;
        let address = format!("{}/24", self.address(name));
        ip(&["-n", &machine, "address", "add", &address, "dev", "eth0"])?;
        ip(&["-n", &machine, "link", "set", "eth0", "up"])?;
        ip(&["-n", &switch, "link", "set", name, "master", WHOLE, "up"])
    }

    /// Connects a machine with the test process, by a cable of its own. Returns its address there.
    pub(super) fn publish(&self, name: &str) -> io::Result<Ipv4Addr> {
        let (machine, number) = (self.namespace(name), self.number(name));
        let (here, there) = (self.public(number * 4 + 1), self.public(number * 4 + 2));
        let cable = format!("{}-{number}", self.prefix);
        let peer = ["type", "veth", "peer", "name", "public", "netns", &machine];
        ip(&[&["link", "add", &cable], &peer[..]].concat())?;
        ip(&["address", "add", &format!("{here}/30"), "dev", &cable])?;
        ip(&["link", "set", &cable, "up"])?;
        ip(&["-n", &machine, "address", "add", &format!("{there}/30"), "dev", "public"])?;
        ip(&["-n", &machine, "link", "set", "public", "up"])?;
        Ok(there)
    }

    fn public(&self, host: u8) -> Ipv4Addr {
        Ipv4Addr::new(10, 213, self.subnet, host)
    }

    /// The address of a machine on the switch.
    pub(super) fn address(&self, name: &str) -> Ipv4Addr {
        Ipv4Addr::new(10, 77, 0, self.number(name) + 1)
    }

    fn number(&self, name: &str) -> u8 {
        let place = self.machines.iter().position(|machine| machine == name);
        u8::try_from(place.expect("a machine of the network")).expect("few machines")
    }

    fn namespace(&self, name: &str) -> String {
        format!("{}-{name}", self.prefix)
    }

    /// The beginning of a command that runs on a machine.
    pub(super) fn on(&self, name: &str) -> Vec<String> {
        vec!["nsenter".into(), format!("--net=/run/netns/{}", self.namespace(name))]
    }

    /// Moves a machine to the other side of the switch, where only other isolated machines hear it.
    pub(super) fn isolate(&self, name: &str, is_isolated: bool) {
        let side = if is_isolated { ISOLATED } else { WHOLE };
        let switch = self.namespace("switch");
        ip(&["-n", &switch, "link", "set", name, "master", side]).expect("the cable is moved");
    }

    /// Kills everything that runs on a machine, at once.
    pub(super) fn kill(&self, name: &str) {
        let deadline = Instant::now() + KILL_TIMEOUT;
        loop {
            let namespace = self.namespace(name);
            let listed = Command::new("ip").args(["netns", "pids", &namespace]).output();
            let listed = String::from_utf8_lossy(&listed.expect("ip runs").stdout).into_owned();
            if listed.trim().is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "processes of {name} live on: {listed}");
            let _ = Command::new("kill").arg("-9").args(listed.split_whitespace()).status();
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn ip(arguments: &[&str]) -> io::Result<()> {
    let output = Command::new("ip").args(arguments).stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Err(io::Error::other(format!("ip {}: {reason}", arguments.join(" "))))
}

/// Starts a shell that cleans up when this process ends.
fn guard(prefix: &str, directory: &str) -> io::Result<ChildStdin> {
    const SCRIPT: &str = r#"read -r _
        for namespace in $(ip netns list | cut -d' ' -f1 | grep "^$0-"); do
            kill -9 $(ip netns pids "$namespace")
            ip netns delete "$namespace"
        done
        rm -rf "$1""#;
    let mut shell: Child = Command::new("/bin/sh")
        .args(["-c", SCRIPT, prefix, directory])
        // Out of reach of Ctrl-C at the terminal.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    shell.stdin.take().ok_or_else(|| io::Error::other("the shell has no input"))
}
