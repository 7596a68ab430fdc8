//! The server's HTTP API against its own OpenAPI description, with schemathesis (Python).

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::server::Server;
use crate::{program, python, step};

const PACKAGE: &str = "schemathesis>=4,<5";

/// Requests for each operation and phase, unless `NOUGHTS_EXAMPLES` says otherwise.
const MAX_EXAMPLES: &str = "25";

/// Creates a guest and prints its token.
const CREATE_GUEST: &str = "import json, sys, urllib.request as u
print(json.load(u.urlopen(u.Request(sys.argv[1] + '/api/v1/guests', method='POST')))['token'])";

/// Runs schemathesis against the debug build of the program.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    let folder = root.join("target/schemathesis");
    if let Some(reason) = python::install(&folder, &[PACKAGE]) {
        return Ok(Some(reason));
    }
    let server = Server::start(&program(root))?;
    let mut python = Command::new(folder.join("bin/python"));
    let guest = python.args(["-c", CREATE_GUEST, &server.address]).output()?;
    let token = String::from_utf8(guest.stdout)?;
    let seed = env::var("NOUGHTS_SEED").unwrap_or("1".into());
    let mut run = Command::new(folder.join("bin/schemathesis"));
    run.current_dir(folder);
    run.args(["run", &format!("{}/api/v1/openapi.json", server.address)]);
    let examples = env::var("NOUGHTS_EXAMPLES").unwrap_or(MAX_EXAMPLES.into());
    run.args(["--max-examples", &examples, "--seed", &seed]);
    run.args(["--phases", "examples,coverage,fuzzing", "--no-color"]);
    // It can't open a WebSocket or read an endless stream, and signing out would end the run.
    run.args(["--exclude-path-regex", "/(socket|stream|sessions|sessions/current|me/deletion)$"]);
    // Rules, cells and names have grammars a schema can't express: valid data may be refused.
    run.args(["--exclude-checks", "positive_data_acceptance"]);
    run.args(["--header", &format!("Authorization: Bearer {}", token.trim())]);
    step("schemathesis", &mut run)?;
    Ok(None)
}
