//! Asking for a password.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, anyhow};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use crate::failure::Failure;
use crate::lines::Lines;

/// Where programs leave it.
const VARIABLE: &str = "NOUGHTS_PASSWORD";

/// The password of a name: from the environment, from whoever sits at the terminal, who sees nothing
/// of it, or the first line of what comes in.
pub(super) fn ask(name: &str) -> Result<String, Failure> {
    match std::env::var(VARIABLE) {
        Ok(password) => Ok(password),
        Err(_) if io::stdin().is_terminal() => type_unseen(name),
        Err(_) => {
            let mut lines = Lines::new(io::stdin().lock());
            let line = lines.next().context("the password can't be read")?;
            let expected = || anyhow!("expected a password as the first line, or in {VARIABLE}");
            Ok(line.ok_or_else(expected).map_err(Failure::Malformed)?.into_owned())
        }
    }
}

fn type_unseen(name: &str) -> Result<String, Failure> {
    eprint!("Password of {name}: ");
    io::stderr().flush().context("the terminal is gone")?;
    enable_raw_mode().context("the terminal can't be used")?;
    let typed = read_keys();
    disable_raw_mode().context("the terminal can't be given back")?;
    eprintln!();
    typed
}

fn read_keys() -> Result<String, Failure> {
    let mut typed = String::new();
    loop {
        let event = event::read().context("the terminal is gone")?;
        let Event::Key(KeyEvent { code, modifiers, kind, .. }) = event else { continue };
        if kind == KeyEventKind::Release {
            continue;
        }
        let control = modifiers.contains(KeyModifiers::CONTROL);
        match code {
            KeyCode::Enter => return Ok(typed),
            KeyCode::Char('c' | 'd') if control => return Err(Failure::Interrupted),
            KeyCode::Char('u') if control => typed.clear(),
            KeyCode::Char(letter) if !control => typed.push(letter),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Esc => return Err(Failure::Interrupted),
            _ => {}
        }
    }
}
