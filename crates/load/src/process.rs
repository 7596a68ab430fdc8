//! A server in a process of its own, and what it uses.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

/// A server that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// Where it listens: `127.0.0.1:1234`.
    pub(crate) address: String,
}

impl Server {
    /// Starts a program that prints its address (`… http://127.0.0.1:1234`) on its first line.
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
                anyhow::bail!("{command:?} did not say where it listens: {line:?}")
            }
        }
    }

    /// The number of its process, for whoever wants to look into it.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The processor time that it has used so far.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        cpu(&self.id().to_string())
    }

    /// Bytes of its memory that are in use.
    pub(crate) fn memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Ok(kilobytes.context("no VmRSS")?.trim().parse::<u64>()? * 1024)
    }

    /// The same once it stays: what a program frees goes back to the system a little later.
    pub(crate) fn settled_memory(&self) -> Result<u64> {
        let mut before = self.memory()?;
        loop {
            thread::sleep(SETTLING);
            let memory = self.memory()?;
            if memory.abs_diff(before) * 100 < before {
                return Ok(memory);
            }
            before = memory;
        }
    }
}

/// Memory that has not changed in this time, by a hundredth, stays as it is.
const SETTLING: Duration = Duration::from_secs(2);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processor time that the generator itself has used so far.
pub(crate) fn own_cpu() -> Result<Duration> {
    cpu("self")
}

/// Linux counts in hundredths of a second here, whatever its own clock does.
fn cpu(process: &str) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name in parentheses may contain anything, so fields are counted after it.
    let (_, fields) = stat.rsplit_once(')').context("no name in stat")?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    let ticks = ticks.sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 10))
}

/// Allows as many open files as this process may have. Answers how many.
pub(crate) fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = [Some(1 << 20), limit.maximum];
    for most in wanted {
        let _ =
            setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most.max(limit.maximum) });
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}
