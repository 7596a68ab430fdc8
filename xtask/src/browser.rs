//! The page in a real Chromium: what that needs is installed where it can be.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::{install, step, succeeds};

/// Where Debian and others put it.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Runs the tests of the page, or says why they can't run here.
pub(crate) fn test(root: &Path) -> Result<Option<String>> {
    let folder = root.join("crates/server/web-tests");
    if let Err(reason) = prepare(&folder) {
        return Ok(Some(reason));
    }
    // The tests before have built the program.
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let program = target.join("debug/noughts");
    step("the page in a browser", npm(&folder).arg("test").env("NOUGHTS_PROGRAM", program))?;
    Ok(None)
}

fn prepare(folder: &Path) -> Result<(), String> {
    if !succeeds(Command::new("npm").arg("--version")) {
        install("npm")?;
    }
    let is_there = |path: &&str| Path::new(path).exists();
    if env::var_os("CHROMIUM").is_none() && !BROWSERS.iter().any(is_there) {
        install("chromium")?;
    }
    let modules = folder.join("node_modules/playwright-core");
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    if !modules.exists() && !succeeds(npm(folder).args(install)) {
        return Err("the packages of the tests could not be installed with npm".into());
    }
    Ok(())
}

fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    // Browsers come from the system, never from a test tool.
    npm.current_dir(folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    npm
}
