//! Asking for a password.

use std::io::{self, IsTerminal};

use anyhow::{Context, anyhow};

use crate::failure::Failure;
use crate::lines::LineReader;

const PASSWORD_VARIABLE: &str = "NOUGHTS_PASSWORD";

/// Reads the password from the environment, from the terminal without echo, or from the first line
/// of piped input.
pub(super) fn ask(name: &str) -> Result<String, Failure> {
    if let Ok(password) = std::env::var(PASSWORD_VARIABLE) {
        return Ok(password);
    }
    if io::stdin().is_terminal() {
        return rpassword::prompt_password(format!("Password of {name}: ")).map_err(|error| {
            match error.kind() {
                io::ErrorKind::Interrupted | io::ErrorKind::UnexpectedEof => Failure::Interrupted,
                _ => Failure::Other(anyhow!("can't read the password: {error}")),
            }
        });
    }
    let mut lines = LineReader::new(io::stdin().lock());
    let line = lines.next().context("can't read the password")?;
    let expected = || anyhow!("expected a password as the first line, or in {PASSWORD_VARIABLE}");
    Ok(line.ok_or_else(expected).map_err(Failure::Malformed)?.into_owned())
}
