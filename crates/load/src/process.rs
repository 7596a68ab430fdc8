//! A server process, and the resources it uses.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

/// Memory is stable if it changes by less than 1% in this time.
const MEMORY_INTERVAL: Duration = Duration::from_secs(2);

/// A server that runs until this value is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// The address it listens on: `127.0.0.1:1234`.
    pub(crate) address: String,
}

impl Server {
    /// Starts a program whose first line of output ends in its URL, such as `http://127.0.0.1:1234`.
    pub(crate) fn start(command: &mut Command) -> Result<Server> {
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = started.with_context(|| format!("can't start {command:?}"))?;
        let output = child.stdout.take().context("the server has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().rsplit_once("http://").map(|(_, address)| address.to_string());
        let server = |address| Server { child, address };
        match address {
            Some(address) => Ok(server(address)),
            None => {
                drop(server(String::new()));
                anyhow::bail!("expected the URL of {command:?}, got {line:?}")
            }
        }
    }

    /// The process id, for profilers.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The processor time used so far.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        cpu(&self.id().to_string())
    }

    /// The resident memory in bytes.
    pub(crate) fn memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Ok(kilobytes.context("no VmRSS in the status")?.trim().parse::<u64>()? * 1024)
    }

    /// The resident memory once it is stable: allocators return freed memory with a delay.
    pub(crate) fn settled_memory(&self) -> Result<u64> {
        let mut before = self.memory()?;
        loop {
            thread::sleep(MEMORY_INTERVAL);
            let memory = self.memory()?;
            if memory.abs_diff(before) * 100 < before {
                return Ok(memory);
            }
            before = memory;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processor time of the load generator itself so far.
pub(crate) fn own_cpu() -> Result<Duration> {
    cpu("self")
}

/// Linux reports ticks of 10 ms here.
fn cpu(process: &str) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name in parentheses may contain spaces, so fields are counted after it.
    let (_, fields) = stat.rsplit_once(')').context("no process name in stat")?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    let ticks = ticks.sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 10))
}

/// Raises the limit of open files as far as possible. Returns it.
pub(crate) fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = [Some(1 << 20), limit.maximum];
    for value in wanted {
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit { current: value, maximum: value.max(limit.maximum) },
        );
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}
