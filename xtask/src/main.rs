//! What the project does to itself. `cargo xtask test` runs every check there is and installs what
//! a check needs; steps that can't run on this machine are named at the end.

mod browser;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// How long each fuzz target runs.
const FUZZ_SECONDS: u32 = 3;

const USAGE: &str = "usage: cargo xtask test";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent")?;
    env::set_current_dir(root)?;
    cargo("format", &["fmt", "--all", "--check"])?;
    cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    cargo("tests", &["test", "--workspace", "--all-targets"])?;
    cargo("examples in the documentation", &["test", "--workspace", "--doc"])?;
    step(
        "documentation",
        Command::new("cargo")
            .args(["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    let left_out: Vec<String> = [("the page", browser::test(root)?), ("fuzzing", fuzz(root)?)]
        .into_iter()
        .filter_map(|(what, reason)| Some(format!("{what} was left out: {}", reason?)))
        .collect();
    match &left_out[..] {
        [] => println!("\nEverything passed."),
        reasons => println!("\nEverything passed, but {}.", reasons.join(", and ")),
    }
    Ok(())
}

/// Runs each fuzz target for a moment, or says why it can't.
fn fuzz(root: &Path) -> Result<Option<&'static str>> {
    if !succeeds(Command::new("cargo").args(["+nightly", "--version"])) {
        return Ok(Some("there is no nightly Rust here"));
    }
    if !succeeds(Command::new("cargo").args(["+nightly", "fuzz", "--version"])) {
        return Ok(Some("cargo-fuzz is not installed here"));
    }
    let mut targets: Vec<PathBuf> = root
        .join("fuzz/fuzz_targets")
        .read_dir()?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    targets.sort();
    for target in targets {
        let name = target.file_stem().and_then(|name| name.to_str()).context("a target's name")?;
        step(
            &format!("fuzz target {name}"),
            Command::new("cargo").args(["+nightly", "fuzz", "run", name, "--"]).args([
                &format!("-max_total_time={FUZZ_SECONDS}"),
                "-max_len=2000",
                "-verbosity=0",
            ]),
        )?;
    }
    Ok(None)
}

fn cargo(name: &str, arguments: &[&str]) -> Result<()> {
    step(name, Command::new("cargo").args(arguments))
}

/// Runs a command that must succeed, saying what it is for and how long it took.
fn step(name: &str, command: &mut Command) -> Result<()> {
    println!("\n== {name}");
    let start = Instant::now();
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("{name}: can't start {command:?}"))?;
    if !status.success() {
        bail!("{name} failed: {command:?} ended with {status}");
    }
    println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
