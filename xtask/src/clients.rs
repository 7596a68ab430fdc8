//! Clients that are generated from the server's OpenAPI description play a game.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::server::Server;
use crate::{npm, program, python, step};

const PYTHON_PACKAGES: [&str; 3] = ["openapi-python-client==0.29.1", "httpx", "jsonschema>=4"];

/// Generates a client in Python and one in TypeScript, and plays a game with each.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    let folder = root.join("target/generated-clients");
    if let Some(reason) = python::install(&folder, &PYTHON_PACKAGES) {
        return Ok(Some(reason));
    }
    let clients = root.join("xtask/clients");
    if let Err(reason) = npm::install(&clients) {
        return Ok(Some(reason));
    }
    let server = Server::start(&program(root))?;
    let description = format!("{}/api/v1/openapi.json", server.address);
    play_with_python(&folder, &clients, &server, &description)?;
    play_with_typescript(&clients, &server, &description)?;
    Ok(None)
}

fn play_with_python(
    folder: &Path,
    clients: &Path,
    server: &Server,
    description: &str,
) -> Result<()> {
    let package = folder.join("noughts_client");
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    let bin = folder.join("bin");
    let mut generate = Command::new(bin.join("openapi-python-client"));
    generate.args(["generate", "--url", description, "--meta", "none", "--output-path"]);
    // It looks for its formatter there.
    let mut path = OsString::from(&bin);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    step("generated client: Python", generate.arg(&package).env("PATH", path))?;
    let mut play = Command::new(bin.join("python"));
    play.arg(clients.join("python_client.py")).arg(&server.address);
    // The package lies beside the environment's own.
    step("generated client: a game in Python", play.env("PYTHONPATH", folder))
}

fn play_with_typescript(clients: &Path, server: &Server, description: &str) -> Result<()> {
    let npx = |arguments: &[&str]| {
        let mut command = Command::new("npx");
        command.current_dir(clients).arg("--no-install").args(arguments);
        command
    };
    let generate = ["openapi-typescript", description, "--output", "generated/noughts.d.ts"];
    step("generated client: TypeScript", &mut npx(&generate))?;
    step("generated client: types", &mut npx(&["tsc"]))?;
    let mut play = Command::new("node");
    play.current_dir(clients).args(["typescript_client.js", &server.address]);
    step("generated client: a game in TypeScript", &mut play)
}
