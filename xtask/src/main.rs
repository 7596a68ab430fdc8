//! What the project does to itself. `cargo xtask test` runs every check there is and installs what
//! a check needs; steps that can't run on this machine are named at the end. `cargo xtask api` runs
//! one of them, which holds the server to the description of its API. `cargo xtask load` puts the
//! server under load.

#![forbid(unsafe_code)]

mod browser;
mod schemathesis;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// How long each fuzz target runs.
const FUZZ_SECONDS: u32 = 3;

const USAGE: &str = "usage: cargo xtask test
       cargo xtask api
       cargo xtask load [OPTIONS]    (--help tells them)";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["api"] => api(),
        ["load", ref options @ ..] => load(options),
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
    let root = root()?;
    env::set_current_dir(root)?;
    cargo("format", &["fmt", "--all", "--check"])?;
    cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    let mut left_out = Vec::new();
    let postgres = if has_postgres() { Ok(()) } else { install("postgresql") };
    let mut tests = Command::new("cargo");
    tests.args(["test", "--workspace", "--all-targets"]);
    match postgres {
        // A test that finds no PostgreSQL then fails in place of leaving itself out.
        Ok(()) => drop(tests.env("NOUGHTS_POSTGRES", "required")),
        Err(reason) => left_out.push(format!("PostgreSQL: {reason}")),
    }
    step("tests", &mut tests)?;
    cargo("examples in the documentation", &["test", "--workspace", "--doc"])?;
    step(
        "documentation",
        Command::new("cargo")
            .args(["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    left_out.extend(browser::test(root)?.map(|reason| format!("the page: {reason}")));
    left_out.extend(schemathesis::run(root)?.map(|reason| format!("schemathesis: {reason}")));
    left_out.extend(fuzz(root)?.map(|reason| format!("fuzzing: {reason}")));
    println!("\nEverything passed.");
    for what in left_out {
        println!("Left out: {what}.");
    }
    Ok(())
}

/// Holds the server to the description of its API.
fn api() -> Result<()> {
    match schemathesis::run(root()?)? {
        Some(reason) => bail!("schemathesis: {reason}"),
        None => Ok(()),
    }
}

/// Measures what the server bears, with the release build of the program.
fn load(options: &[&str]) -> Result<()> {
    let build = ["build", "--release", "--package", "noughts", "--package", "noughts-load"];
    let built = Command::new("cargo").current_dir(root()?).args(build).status()?;
    if !built.success() {
        bail!("could not build");
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root()?.join("target"), PathBuf::from);
    let status = Command::new(target.join("release/noughts-load")).args(options).status()?;
    if !status.success() {
        bail!("the load generator ended with {status}");
    }
    Ok(())
}

fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent")
}

/// Whether the tests can start a PostgreSQL server of their own. They look in the same places.
fn has_postgres() -> bool {
    let versions = Path::new("/usr/lib/postgresql").read_dir().into_iter().flatten().flatten();
    let debian = versions.map(|version| version.path().join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    debian.chain(env::split_paths(&path)).any(|folder| folder.join("initdb").is_file())
}

/// Installs a package, or says why it can't.
fn install(package: &str) -> Result<(), String> {
    println!("\n== installing {package}");
    let apt_get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let installs = ["install", "--yes", "--no-install-recommends", package];
    // The list of packages may be missing or old.
    if apt_get(&installs) || (apt_get(&["update"]) && apt_get(&installs)) {
        Ok(())
    } else {
        Err(format!("the package {package} is missing, and could not be installed with apt-get"))
    }
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
