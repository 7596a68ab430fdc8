//! Licences, sources, bans and known vulnerabilities of the dependencies, with cargo-deny.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::{step, succeeds};

const NOT_INSTALLED: &str =
    "cargo-deny is not installed (`cargo install cargo-deny` takes some minutes)";

/// Checks the dependencies of all programs. Advisories are checked where their database can be had.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    let deny = || {
        let mut command = Command::new("cargo");
        command.current_dir(root).arg("deny");
        command
    };
    if !succeeds(deny().arg("--version")) {
        return Ok(Some(NOT_INSTALLED.into()));
    }
    // Fetches crates for other systems, too: their licences count.
    step("dependencies", deny().args(["check", "bans", "licenses", "sources"]))?;
    if !succeeds(deny().args(["fetch", "db"])) {
        return Ok(Some("known vulnerabilities can't be fetched".into()));
    }
    step("advisories", deny().args(["check", "--disable-fetch", "advisories"]))?;
    Ok(None)
}
