//! What holds for the program as a whole.

use std::process::{Command, Stdio};

use crate::noughts;

#[test]
fn help_and_version() {
    assert!(noughts("--version", "").ok().starts_with("noughts "));
    for arguments in ["--help", "play --help", "replay --help", "perft --help"] {
        assert!(noughts(arguments, "").ok().contains("Example"), "{arguments}");
    }
}

#[test]
fn unknown_flag_is_usage_error() {
    assert_eq!(noughts("--no-such-flag", "").status(), 2);
    assert_eq!(noughts("play --rules 3x3:9", "").status(), 2);
    assert_eq!(noughts("no-such-command", "").status(), 2);
}

#[test]
fn readme_shows_the_current_screenshot() {
    let readme = include_str!("../../../../README.md");
    let picture = noughts("picture", "");
    assert!(readme.contains(&format!("```text\n{}```", picture.ok().trim_start_matches('\n'))));
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(noughts(&format!("completions {shell}"), "").ok().contains("noughts"));
    }
    assert!(noughts("man", "").ok().contains(".TH noughts"));
    let page = noughts("man arena", "");
    assert!(page.ok().contains(".TH noughts-arena") && page.stdout().contains("sprt"));
    let folder = std::env::temp_dir().join(format!("noughts-man-{}", std::process::id()));
    noughts(&format!("man {}", folder.display()), "").ok();
    assert!(folder.join("noughts-replay.1").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, input) in [
        ("perft 3x3", ""),
        ("play", "\n\n\n\nA1\n"),
        ("replay", "1\nmove 0 0\n"),
        ("completions bash", ""),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
            .args(arguments.split_whitespace())
            .env("NOUGHTS_DATA", folder.path().join("noughts.db"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        use std::io::Write;
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments}");
        assert_eq!(output.status.code(), Some(0), "{arguments}");
    }
}

/// A line `NAME=` in a service's file or a script sets nothing.
#[test]
fn empty_variables_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(["scores", "leagues"])
        .env("NOUGHTS_DATA", "")
        .env("XDG_DATA_HOME", folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(folder.path().join("noughts/noughts.db").exists());
}

#[test]
fn numbers_and_names_are_explained_in_own_words() {
    let depth = noughts("perft 3x3 --depth abc", "");
    assert_eq!(depth.status(), 2);
    assert!(depth.stderr().contains("expected a whole number"), "{}", depth.stderr());
    assert!(!depth.stderr().contains("digit"));
    let threads = noughts("play --threads 0", "");
    assert!(threads.stderr().contains("expected a whole number from 1 to 1024"));
    // No control character reaches the terminal.
    let name = crate::noughts_args(&["play", "--name", "a\u{1b}[31mb"], "");
    assert_eq!(name.status(), 2);
    assert!(name.stderr().contains("expected a name without control characters"));
    assert!(!name.stderr().contains('\u{1b}'), "{:?}", name.stderr());
    let file = crate::noughts_args(&["show", "a\u{1b}[31mb"], "");
    assert!(!file.stderr().contains('\u{1b}'), "{:?}", file.stderr());
}
