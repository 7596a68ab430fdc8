//! Commands that this build leaves out.

use std::ffi::OsString;

use anyhow::anyhow;

use crate::failure::Failure;

/// Accepts the arguments of the full build, so that the refusal names the real reason.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _ignored: Vec<OsString>,
}

pub(crate) fn refuse(command: &str, feature: &str) -> Result<(), Failure> {
    Err(Failure::malformed(anyhow!(
        "this build has no `{command}`: rebuild with `cargo build --release --features {feature}`"
    )))
}
