//! The Python package: installed as a user does it, then linted, tested and measured.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::{python, step, target};

/// What the tests need beside the package.
const TEST_PACKAGES: [&str; 4] =
    ["pytest>=8,<10", "mypy>=2,<3", "pettingzoo>=1.25", "gymnasium>=1"];

/// Compared with the rules game by game.
const OPENSPIEL: &str = "open_spiel==2.0.2";

/// PettingZoo's games import it.
const PYGAME: &str = "pygame>=2";

/// Training steps of the example, enough to win as the first player.
const SELF_PLAY_STEPS: &str = "1000";

/// Installs the package and runs its tests and examples.
pub(crate) fn check(root: &Path) -> Result<Option<String>> {
    let folder = root.join("target/python-environment");
    if let Some(reason) = python::install(&folder, &TEST_PACKAGES) {
        return Ok(Some(reason));
    }
    // Without it, pytest skips the comparison.
    let skipped = python::install(&folder, &[OPENSPIEL]);
    step("Python: format", cargo(root, &["fmt"]).args(["--", "--check"]))?;
    step("Python: lints", cargo(root, &["clippy"]).args(["--", "-D", "warnings"]))?;
    install(root, &folder)?;
    let run = |program: &str| {
        let mut command = Command::new(folder.join("bin").join(program));
        command.current_dir(root.join("python"));
        command
    };
    step("Python: tests", run("pytest").args(["--quiet", "-p", "no:cacheprovider"]))?;
    step("Python: types", run("mypy").args(["lib", "examples"]))?;
    let stubs = ["noughts", "--mypy-config-file=pyproject.toml", "--ignore-disjoint-bases"];
    step("Python: type stubs", run("stubtest").args(stubs))?;
    step("Python: Q-learning", run("python").arg("examples/q_learning.py"))?;
    step("Python: self-play", run("python").args(["examples/self_play.py", SELF_PLAY_STEPS]))?;
    Ok(skipped)
}

/// Measures the package beside PettingZoo and OpenSpiel.
pub(crate) fn measure(root: &Path) -> Result<Option<String>> {
    let folder = root.join("target/python-environment");
    let skipped = python::install(&folder, &TEST_PACKAGES)
        .or_else(|| python::install(&folder, &[OPENSPIEL]))
        .or_else(|| python::install(&folder, &[PYGAME]));
    if skipped.is_some() {
        return Ok(skipped);
    }
    install(root, &folder)?;
    let build = ["build", "--release", "--package", "noughts-engine", "--example", "playouts"];
    step("build of the same loop in Rust", Command::new("cargo").current_dir(root).args(build))?;
    let mut speed = Command::new(folder.join("bin/python"));
    speed.arg(root.join("python/benchmarks/speed.py"));
    let playouts = target(root).join("release/examples/playouts");
    step("Python: speed", speed.env("PLAYOUTS", playouts))?;
    Ok(None)
}

/// `pip install ./python`, as in the README.
fn install(root: &Path, folder: &Path) -> Result<()> {
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", "./python"]).current_dir(root);
    step("Python: pip install ./python", pip.env("CARGO_TARGET_DIR", target_folder(root)))
}

/// A cargo command on the package, which is a workspace of its own.
fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root.join("python")).args(arguments);
    cargo.env("CARGO_TARGET_DIR", target_folder(root));
    cargo
}

fn target_folder(root: &Path) -> std::path::PathBuf {
    target(root).join("python")
}
