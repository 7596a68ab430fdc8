//! The program as its users meet it: what they type and what they see.

mod arena;
#[cfg(unix)]
mod arena_engines;
#[cfg(unix)]
mod commands;
mod dialogue;
mod engine;
mod family;
mod games;
#[cfg(unix)]
mod kept;
#[cfg(all(feature = "online", feature = "server"))]
mod online;
#[cfg(all(feature = "online", feature = "server"))]
mod online_family;
#[cfg(all(unix, feature = "online", feature = "server"))]
mod online_lobby;
#[cfg(all(feature = "online", feature = "server"))]
mod online_scores;
#[cfg(all(unix, feature = "online", feature = "server"))]
mod online_screen;
mod perft;
mod program;
mod puzzles;
mod replay;
#[cfg(all(feature = "online", feature = "server", feature = "postgres"))]
mod restoring;
mod rules;
mod scores;
#[cfg(unix)]
mod screen;
#[cfg(all(unix, feature = "online", feature = "server"))]
mod serving;
mod settings;
#[cfg(unix)]
mod start_screen;
mod stored;
#[cfg(unix)]
mod terminal;
#[cfg(all(target_os = "linux", feature = "online", feature = "server"))]
mod unit_file;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program with arguments, parted by white space, and an input. What it stores is gone
/// afterwards.
fn noughts(arguments: &str, input: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a folder for the data");
    noughts_with(&folder.path().join("noughts.db"), arguments, input)
}

/// Runs the program with arguments that may have spaces in them.
fn noughts_args(arguments: &[&str], input: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a folder for the data");
    run(&folder.path().join("noughts.db"), arguments, input)
}

/// Runs the program with a file for its data.
fn noughts_with(data: &Path, arguments: &str, input: &str) -> Ran {
    run(data, &arguments.split_whitespace().collect::<Vec<_>>(), input)
}

/// Runs the program with an input that may be anything.
fn noughts_bytes(arguments: &str, input: &[u8]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder for the data");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    run_with_bytes(&folder.path().join("noughts.db"), &arguments, input)
}

fn run(data: &Path, arguments: &[&str], input: &str) -> Ran {
    run_with_bytes(data, arguments, input.as_bytes())
}

fn run_with_bytes(data: &Path, arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(arguments)
        .env("NOUGHTS_SETTINGS", data.with_file_name("settings.toml"))
        .env_remove("LC_ALL")
        .env("NOUGHTS_DATA", data)
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    // It may end without reading everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    Ran(child.wait_with_output().expect("the program ends"))
}

struct Ran(Output);

impl Ran {
    fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).expect("the output is UTF-8")
    }

    fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).expect("the errors are UTF-8")
    }

    fn status(&self) -> i32 {
        self.0.status.code().expect("the program was not killed")
    }

    /// Asserts that all went well and answers the output.
    #[track_caller]
    fn ok(&self) -> &str {
        assert_eq!((self.stderr(), self.status()), ("", 0), "{}", self.stdout());
        self.stdout()
    }

    /// Asserts that it failed, with one sentence.
    #[track_caller]
    fn fails(&self, status: i32, sentence: &str) {
        assert_eq!(
            (self.stderr(), self.status()),
            (format!("noughts: {sentence}\n").as_str(), status)
        );
    }
}
