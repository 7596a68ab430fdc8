//! Packages of npm.

use std::path::Path;
use std::process::Command;

use crate::{apt_install, succeeds};

/// Installs the packages of a folder unless they are there, or says why it can't.
pub(crate) fn install(folder: &Path) -> Result<(), String> {
    if !succeeds(Command::new("npm").arg("--version")) {
        apt_install("npm")?;
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    if succeeds(npm(folder).arg("ls")) || succeeds(npm(folder).args(install)) {
        Ok(())
    } else {
        Err(format!("npm can't install the packages of {}", folder.display()))
    }
}

pub(crate) fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    // The browser comes from the system.
    npm.current_dir(folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    npm
}
