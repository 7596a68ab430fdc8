//! The web page: types, unit tests, and tests in Chromium.

use std::env;
use std::path::Path;

use anyhow::Result;

use crate::npm::{self, npm};
use crate::{apt_install, program, step};

const CHROMIUM_PATHS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Checks the page with the debug build of the program.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    let folder = root.join("crates/server/web-tests");
    if let Err(reason) = npm::install(&folder) {
        return Ok(Some(reason));
    }
    step("page: types and unit tests", npm(&folder).args(["run", "check"]))?;
    if let Err(reason) = install_chromium() {
        return Ok(Some(reason));
    }
    step("page: browser tests", npm(&folder).arg("test").env("NOUGHTS_PROGRAM", program(root)))?;
    let lighthouse = ["run", "lighthouse"];
    step("page: Lighthouse", npm(&folder).args(lighthouse).env("NOUGHTS_PROGRAM", program(root)))?;
    Ok(None)
}

fn install_chromium() -> Result<(), String> {
    let exists = |path: &&str| Path::new(path).exists();
    if env::var_os("CHROMIUM").is_some() || CHROMIUM_PATHS.iter().any(exists) {
        return Ok(());
    }
    apt_install("chromium")
}
