//! The program as a server, for checks from outside.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

/// A server with limits that one client does not reach, until it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    folder: PathBuf,
}

impl Server {
    pub(crate) fn start(program: &Path) -> Result<Server> {
        let folder = env::temp_dir().join(format!("noughts-server-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "error"]);
        command.arg("--data").arg(folder.join("noughts.db"));
        command.args(["--requests-per-second=100000", "--commands-per-second=100000"]);
        command.args(["--sign-ins-per-minute=100000", "--games-per-player=100000"]);
        command.args(["--sign-ins-per-day=1000000", "--games-per-day=1000000"]);
        command.arg("--games-per-address-per-day=1000000");
        command.args(["--think-ms=10", "--analysis-ms=10"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("the server has no output")?;
        let mut server = Server { child, address: String::new(), folder };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        match line.trim().rsplit_once(' ') {
            Some((_, address)) => server.address = address.into(),
            None => bail!("the server does not print its address: {line:?}"),
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
