//! Short runs of all fuzz targets with cargo-fuzz, which needs a nightly Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{step, succeeds};

const SECONDS_PER_TARGET: u32 = 3;

/// Runs each fuzz target for a few seconds.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    if !succeeds(Command::new("cargo").args(["+nightly", "--version"])) {
        return Ok(Some("a nightly Rust is not installed".into()));
    }
    let installed = || succeeds(Command::new("cargo").args(["fuzz", "--version"]));
    let install = || succeeds(Command::new("cargo").args(["install", "--locked", "cargo-fuzz"]));
    if !installed() && !install() {
        return Ok(Some("cargo-fuzz can't be installed".into()));
    }
    let entries = root.join("fuzz/fuzz_targets").read_dir()?;
    let mut targets: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    targets.sort();
    for target in targets {
        let name = target.file_stem().and_then(|name| name.to_str()).context("a target's name")?;
        let mut run = Command::new("cargo");
        run.current_dir(root).args(["+nightly", "fuzz", "run", name, "--"]);
        run.args([&format!("-max_total_time={SECONDS_PER_TARGET}"), "-max_len=2000"]);
        step(&format!("fuzz target {name}"), run.arg("-verbosity=0"))?;
    }
    Ok(None)
}
