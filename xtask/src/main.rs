//! Project tasks: `cargo xtask test` runs every check, installs what the checks need, and lists at
//! the end what it had to skip.

#![forbid(unsafe_code)]

mod clients;
mod cluster;
mod deny;
mod fuzz;
mod npm;
mod page;
mod python;
mod python_package;
mod schemathesis;
mod server;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo xtask test              run every check
       cargo xtask python            check the Python package, and the rules against OpenSpiel
       cargo xtask python speed      measure the Python package beside PettingZoo and OpenSpiel
       cargo xtask page              check the web page
       cargo xtask api               check the server against its OpenAPI description, and with clients
                                     that are generated from it
       cargo xtask cluster [N]       fail over PostgreSQL under load, N times in each way
       cargo xtask deny              check licences and advisories of dependencies
       cargo xtask load [OPTIONS]    measure the server under load (see --help)";

/// The libraries, ready to publish.
const PUBLISHED_PACKAGES: [&str; 6] = [
    "noughts-rules",
    "noughts-scores",
    "noughts-engine",
    "noughts-arena",
    "noughts-api",
    "noughts-client",
];

/// A check that may have to be skipped, with the reason.
type Check = fn(&Path) -> Result<Option<String>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["python"] => root().and_then(|root| passed(python_package::check(root)?)),
        ["python", "speed"] => root().and_then(|root| passed(python_package::measure(root)?)),
        ["page"] => required(page::check),
        ["cluster"] => cluster::run("1"),
        ["cluster", times] => cluster::run(times),
        ["deny"] => root().and_then(|root| passed(deny::check(root)?)),
        ["api"] => required(schemathesis::check).and_then(|()| required(clients::check)),
        ["load", ref options @ ..] => load(options),
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match result {
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
    let mut skipped = Vec::new();
    cargo("format", &["fmt", "--all", "--check"])?;
    cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    let terminal = ["clippy", "--package", "noughts", "--no-default-features", "--"];
    cargo("lints of the terminal game alone", &[&terminal[..], &["-D", "warnings"]].concat())?;
    let mut tests = Command::new("cargo");
    tests.args(["test", "--workspace", "--all-targets"]);
    match install_postgres() {
        // Tests that find no PostgreSQL fail instead of passing without it.
        Ok(()) => drop(tests.env("NOUGHTS_POSTGRES", "required")),
        Err(reason) => skipped.push(format!("PostgreSQL: {reason}")),
    }
    match install_faketime() {
        Ok(()) => drop(tests.env("NOUGHTS_FAKETIME", "required")),
        Err(reason) => skipped.push(format!("clock jumps: {reason}")),
    }
    step("tests", &mut tests)?;
    cargo("doc tests", &["test", "--workspace", "--doc"])?;
    let documentation = ["doc", "--workspace", "--no-deps", "--document-private-items"];
    step(
        "documentation",
        Command::new("cargo").args(documentation).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    // In dependency order, which cargo finds out.
    let publish = ["publish", "--dry-run", "--no-verify", "--allow-dirty"];
    let packages = PUBLISHED_PACKAGES.map(|package| ["--package", package]);
    cargo("packages of the libraries", &[&publish[..], packages.as_flattened()].concat())?;
    let checks: [(&str, Check); 6] = [
        ("cargo deny", deny::check),
        ("Python", python_package::check),
        ("page", page::check),
        ("schemathesis", schemathesis::check),
        ("generated clients", clients::check),
        ("fuzzing", fuzz::check),
    ];
    for (name, check) in checks {
        skipped.extend(check(root)?.map(|reason| format!("{name}: {reason}")));
    }
    println!("\nAll checks passed.");
    for reason in skipped {
        println!("Skipped {reason}.");
    }
    Ok(())
}

/// Runs a check that must not be skipped.
fn required(check: Check) -> Result<()> {
    let root = root()?;
    build_program(root)?;
    passed(check(root)?)
}

/// Fails if something was skipped.
fn passed(skipped: Option<String>) -> Result<()> {
    skipped.map_or(Ok(()), |reason| bail!(reason))
}

/// Runs the load generator against the release build of the program.
fn load(options: &[&str]) -> Result<()> {
    let root = root()?;
    let build = ["build", "--release", "--package", "noughts", "--package", "noughts-load"];
    step("release build", Command::new("cargo").current_dir(root).args(build))?;
    let status = Command::new(target(root).join("release/noughts-load")).args(options).status()?;
    if !status.success() {
        bail!("the load generator ended with {status}");
    }
    Ok(())
}

fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent folder")
}

/// Cargo's target folder.
fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from)
}

/// The debug build of the program.
fn program(root: &Path) -> PathBuf {
    target(root).join("debug/noughts")
}

/// Builds the program with the features of the tests, so that nothing is compiled twice.
fn build_program(root: &Path) -> Result<()> {
    let build = ["build", "--workspace", "--all-targets"];
    step("build", Command::new("cargo").current_dir(root).args(build))
}

/// Installs PostgreSQL unless the tests can find one. They look in the same places.
fn install_postgres() -> Result<(), String> {
    let versions = Path::new("/usr/lib/postgresql").read_dir().into_iter().flatten().flatten();
    let debian = versions.map(|version| version.path().join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = debian.chain(env::split_paths(&path));
    if folders.any(|folder| folder.join("initdb").is_file()) {
        return Ok(());
    }
    apt_install("postgresql")
}

/// Installs faketime, with which tests set the clock of a server.
fn install_faketime() -> Result<(), String> {
    if succeeds(Command::new("faketime").arg("--version")) {
        return Ok(());
    }
    apt_install("faketime")
}

/// Installs a Debian package, or says why it can't.
fn apt_install(package: &str) -> Result<(), String> {
    println!("\n== installing {package}");
    let apt_get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let install = ["install", "--yes", "--no-install-recommends", package];
    // The package lists may be missing or outdated.
    if apt_get(&install) || (apt_get(&["update"]) && apt_get(&install)) {
        Ok(())
    } else {
        Err(format!("{package} is not installed, and apt-get can't install it"))
    }
}

fn cargo(name: &str, arguments: &[&str]) -> Result<()> {
    step(name, Command::new("cargo").args(arguments))
}

/// Runs a command that must succeed, and prints how long it took.
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

/// Whether a command succeeds, without its output.
fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
