//! How commands fail.

use std::io;
use std::process::ExitCode;

use crate::text::without_control_characters;

/// Why a command failed; each kind has its exit status.
pub(crate) enum Failure {
    /// Invalid arguments or input: status 2.
    Malformed(anyhow::Error),
    /// Anything else: status 1.
    Other(anyhow::Error),
    /// The question could not be decided within the budget: status 3, without a message.
    Undecided,
    /// Interrupted by Ctrl-C: status 130, without a message.
    Interrupted,
}

impl Failure {
    pub(crate) fn malformed(error: impl Into<anyhow::Error>) -> Failure {
        Failure::Malformed(error.into())
    }

    /// Prints the error in one line and returns the exit status. A closed output pipe is not an
    /// error.
    pub(crate) fn report(self) -> ExitCode {
        let (error, status) = match self {
            Failure::Malformed(error) => (error, 2),
            Failure::Other(error) => (error, 1),
            Failure::Undecided => return ExitCode::from(3),
            Failure::Interrupted => return ExitCode::from(130),
        };
        let closed_pipe = |cause: &(dyn std::error::Error + 'static)| {
            let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
            kind == Some(io::ErrorKind::BrokenPipe)
        };
        if error.chain().any(closed_pipe) {
            return ExitCode::SUCCESS;
        }
        eprintln!("noughts: {}", without_control_characters(&format!("{error:#}")));
        ExitCode::from(status)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Other(error.into())
    }
}
