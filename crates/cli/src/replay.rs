//! `noughts replay`: replays a list of moves.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use noughts_rules::Rules;
use noughts_rules::replay::Replay;

use crate::failure::Failure;
use crate::lines::LineReader;

/// Replay a list of moves and print one line for each
///
/// The list is a count, and that many lines `move ROW COL` with rows and columns from 0. Boards with
/// levels, and several boards, take `move LEVEL ROW COL`; ultimate is one board of 9 by 9. Where the
/// mover chooses the mark, x or o follows. Opening choices are lines `swap`, `keep` and `more`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    printf '2\\nmove 0 0\\nmove 1 1\\n' | noughts replay\n  \
    printf '1\\nmove 2 0 0\\n' | noughts replay --rules 3x3x3")]
pub(crate) struct Arguments {
    /// The file with the list; standard input if omitted
    file: Option<PathBuf>,
    /// The rules, such as 3x3, 6x7:4+gravity or ultimate; see `noughts rules`
    #[arg(long, default_value = "3x3")]
    rules: Rules,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let replay = Replay::new(&arguments.rules);
    let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match arguments.file {
        Some(path) if path.is_dir() => {
            Err(anyhow!("{} is a folder: expected a file", path.display()).into())
        }
        Some(path) => {
            let file =
                File::open(&path).with_context(|| format!("can't open {}", path.display()))?;
            answer(replay, BufReader::with_capacity(1 << 16, file), output, false)
        }
        None => {
            // Someone who types the moves wants each answer at once.
            let typed = io::stdin().is_terminal();
            answer(replay, BufReader::with_capacity(1 << 16, io::stdin().lock()), output, typed)
        }
    }
}

fn answer(
    mut replay: Replay,
    input: impl BufRead,
    mut output: impl Write,
    at_once: bool,
) -> Result<(), Failure> {
    let mut lines = LineReader::new(input);
    let replayed = loop {
        let Some(line) = lines.next()? else { break replay.end() };
        match replay.line(&line) {
            Ok(Some(report)) => writeln!(output, "{report}")?,
            Ok(None) => {}
            Err(error) => break Err(error),
        }
        if at_once {
            output.flush()?;
        }
    };
    output.flush()?;
    replayed.map_err(Failure::malformed)
}
