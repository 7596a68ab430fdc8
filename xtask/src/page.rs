//! The web page: types, unit tests, and tests in Chromium.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::{apt_install, program, step, succeeds};

const CHROMIUM_PATHS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Checks the page with the debug build of the program.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    let folder = root.join("crates/server/web-tests");
    if let Err(reason) = install_packages(&folder) {
        return Ok(Some(reason));
    }
    step("page: types and unit tests", npm(&folder).args(["run", "check"]))?;
    if let Err(reason) = install_chromium() {
        return Ok(Some(reason));
    }
    step("page: browser tests", npm(&folder).arg("test").env("NOUGHTS_PROGRAM", program(root)))?;
    Ok(None)
}

fn install_packages(folder: &Path) -> Result<(), String> {
    if !succeeds(Command::new("npm").arg("--version")) {
        apt_install("npm")?;
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    if succeeds(npm(folder).arg("ls")) || succeeds(npm(folder).args(install)) {
        Ok(())
    } else {
        Err("npm can't install the packages of the tests".into())
    }
}

fn install_chromium() -> Result<(), String> {
    let exists = |path: &&str| Path::new(path).exists();
    if env::var_os("CHROMIUM").is_some() || CHROMIUM_PATHS.iter().any(exists) {
        return Ok(());
    }
    apt_install("chromium")
}

fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    // The browser comes from the system.
    npm.current_dir(folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    npm
}
