//! The rules against OpenSpiel (Python): random games must go alike in both.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::{python, step, target};

const PACKAGE: &str = "open_spiel==2.0.2";

/// Plays random games in OpenSpiel and traces them with the debug build of the rules.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    let folder = root.join("target/openspiel");
    if let Some(reason) = python::install(&folder, PACKAGE) {
        return Ok(Some(reason));
    }
    // `cargo test` builds examples under names of their own.
    let build = ["build", "--package", "noughts-rules", "--example", "trace"];
    step("build of the tracer", Command::new("cargo").current_dir(root).args(build))?;
    let mut compare = Command::new(folder.join("bin/python"));
    compare.arg(root.join("crates/rules/tests/openspiel.py"));
    step("OpenSpiel", compare.arg(target(root).join("debug/examples/trace")))?;
    Ok(None)
}
