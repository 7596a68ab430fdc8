//! How a command ends when it could not do what it was asked to.

use std::io;
use std::process::ExitCode;

/// Why a command did not succeed. Each kind has its exit status.
pub(crate) enum Failure {
    /// What the command was given makes no sense: status 2, as for a wrong flag.
    Malformed(anyhow::Error),
    /// Anything else: status 1.
    Other(anyhow::Error),
    /// Someone pressed Ctrl-C, and knows that: status 130, as shells have it.
    Interrupted,
}

impl Failure {
    pub(crate) fn malformed(error: impl Into<anyhow::Error>) -> Failure {
        Failure::Malformed(error.into())
    }

    /// Tells the user, in one line, and answers the exit status. Whoever closed the pipe that
    /// the output went to has seen enough: that is not a failure.
    pub(crate) fn report(self) -> ExitCode {
        let (error, status) = match self {
            Failure::Malformed(error) => (error, 2),
            Failure::Other(error) => (error, 1),
            Failure::Interrupted => return ExitCode::from(130),
        };
        let closed_pipe = |cause: &(dyn std::error::Error + 'static)| {
            let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
            kind == Some(io::ErrorKind::BrokenPipe)
        };
        if error.chain().any(closed_pipe) {
            return ExitCode::SUCCESS;
        }
        eprintln!("noughts: {error:#}");
        ExitCode::from(status)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Other(error.into())
    }
}
