//! The server's API against its own description, by schemathesis (Python).

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{cargo, step, succeeds};

/// Requests for each operation and kind of test.
const EXAMPLES: &str = "25";

/// Becomes a guest and prints the token.
const GUEST: &str = "import json, sys, urllib.request as u
print(json.load(u.urlopen(u.Request(sys.argv[1] + '/api/v1/guests', method='POST')))['token'])";

/// Runs it for a moment, or says why it can't.
pub(crate) fn run(root: &Path) -> Result<Option<&'static str>> {
    let folder = root.join("target/schemathesis");
    let program = folder.join("bin/schemathesis");
    if !program.exists() {
        if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder)) {
            return Ok(Some("there is no Python with venv here"));
        }
        let pip = folder.join("bin/pip");
        if !succeeds(Command::new(pip).args(["install", "--quiet", "schemathesis>=4,<5"])) {
            return Ok(Some("it can't be installed here"));
        }
    }
    cargo("the server for schemathesis", &["build", "--workspace", "--all-targets"])?;
    let server = Server::start(root)?;
    let guest = Command::new(folder.join("bin/python"))
        .args(["-c", GUEST, &server.address])
        .output()
        .context("can't start Python")?;
    let token = String::from_utf8(guest.stdout)?;
    let seed = env::var("NOUGHTS_SEED").unwrap_or("1".into());
    step(
        "schemathesis",
        Command::new(program)
            .current_dir(folder)
            .args(["run", &format!("{}/api/v1/openapi.json", server.address)])
            .args([
                "--max-examples",
                EXAMPLES,
                "--seed",
                &seed,
                "--phases",
                "examples,coverage,fuzzing",
            ])
            // A WebSocket is nothing that it could open, and signing out would end the test.
            .args(["--exclude-path-regex", "/(socket|sessions|sessions/current)$", "--no-color"])
            // The texts of rules, cells and names are languages of their own, which a schema does
            // not describe: what looks right to it may still be refused.
            .args(["--exclude-checks", "positive_data_acceptance"])
            .args(["--header", &format!("Authorization: Bearer {}", token.trim())]),
    )?;
    Ok(None)
}

/// The program as a server, with limits that one client does not reach.
struct Server {
    child: Child,
    address: String,
    folder: PathBuf,
}

impl Server {
    fn start(root: &Path) -> Result<Server> {
        let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), Into::into);
        let folder = env::temp_dir().join(format!("noughts-schemathesis-{}", std::process::id()));
        let data = folder.join("noughts.db");
        let mut command = Command::new(target.join("debug/noughts"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--data"]).arg(&data);
        command.args(["--requests-per-second=100000", "--commands-per-second=100000"]);
        command.args(["--sign-ins-per-minute=100000", "--games-per-player=100000"]);
        command.args(["--think-ms=10", "--analysis-ms=10"]);
        fs::create_dir_all(&folder)?;
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().context("the server has no output")?;
        let mut server = Server { child, address: String::new(), folder };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        match line.trim().rsplit_once(' ') {
            Some((_, address)) => server.address = address.into(),
            None => bail!("the server does not say where it is: {line:?}"),
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
