//! Python packages, each in a private environment.

use std::path::Path;
use std::process::Command;

use crate::succeeds;

/// Installs a package into an environment in a folder, unless it is there. Returns why it can't.
pub(crate) fn install(folder: &Path, package: &str) -> Option<String> {
    let installed = folder.join("installed");
    if installed.exists() {
        return None;
    }
    if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(folder)) {
        return Some("python3 with venv is not installed".into());
    }
    let mut pip = Command::new(folder.join("bin/pip"));
    if !succeeds(pip.args(["install", "--quiet", package]))
        || std::fs::write(&installed, package).is_err()
    {
        return Some(format!("pip can't install {package}"));
    }
    None
}
