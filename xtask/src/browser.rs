//! The page in a real Chromium: what that needs is installed where it can be.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::{cargo, step, succeeds};

/// Where Debian and others put it.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Runs the tests of the page, or says why they can't run here.
pub(crate) fn test(root: &Path) -> Result<Option<&'static str>> {
    let folder = root.join("crates/server/web-tests");
    if !succeeds(Command::new("npm").arg("--version")) && !install(&["nodejs", "npm"]) {
        return Ok(Some("there is no Node.js here, and it could not be installed"));
    }
    let found =
        || env::var_os("CHROMIUM").is_some() || BROWSERS.iter().any(|p| Path::new(p).exists());
    if !found() && !(install(&["chromium", "fonts-noto-color-emoji"]) && found()) {
        return Ok(Some("there is no Chromium here, and it could not be installed"));
    }
    if !folder.join("node_modules/playwright-core").exists()
        && !succeeds(npm(&folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
    {
        return Ok(Some("the packages of the tests could not be installed"));
    }
    cargo("the program, for the page", &["build", "--package", "noughts"])?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    step(
        "the page in a browser",
        npm(&folder).args(["test"]).env("NOUGHTS_PROGRAM", target.join("debug/noughts")),
    )?;
    Ok(None)
}

fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    // Browsers come from the system, never from a test tool.
    npm.current_dir(folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    npm
}

/// Installs packages of Debian, where that is allowed.
fn install(packages: &[&str]) -> bool {
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).args(packages).env("DEBIAN_FRONTEND", "noninteractive");
        succeeds(&mut command)
    };
    let arguments = ["install", "--yes", "--no-install-recommends"];
    apt(&arguments) || (succeeds(Command::new("apt-get").arg("update")) && apt(&arguments))
}
