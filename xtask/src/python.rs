//! Python packages, each in a private environment.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::succeeds;

/// Installs packages into an environment in a folder, unless they are there. Returns why it can't.
pub(crate) fn install(folder: &Path, packages: &[&str]) -> Option<String> {
    let installed = folder.join(format!("installed {}", packages.join(" ")));
    if installed.exists() {
        return None;
    }
    if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(folder)) {
        return Some("python3 with venv is not installed".into());
    }
    let mut pip = Command::new(folder.join("bin/pip"));
    if !succeeds(pip.args(["install", "--quiet"]).args(packages))
        || fs::write(&installed, "").is_err()
    {
        return Some(format!("pip can't install {}", packages.join(", ")));
    }
    None
}
