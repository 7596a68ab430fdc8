//! Whether a command takes the whole screen, and what it is drawn with.

use std::io::{self, IsTerminal};

use clap::builder::FalseyValueParser;

use noughts_tui::Theme;

#[derive(clap::Args)]
pub(crate) struct Display {
    /// Play as a dialogue of plain lines of text, which suits screen readers
    #[arg(long, env = "NOUGHTS_PLAIN", value_parser = FalseyValueParser::new())]
    plain: bool,
    /// Draw with nothing but ASCII, for terminals without box drawing
    #[arg(long, env = "NOUGHTS_ASCII", value_parser = FalseyValueParser::new())]
    ascii: bool,
}

impl Display {
    /// What the full screen is drawn with, if it is wanted and possible.
    pub(crate) fn screen(&self) -> Option<Theme> {
        let theme = Theme { ascii: self.ascii, colour: !has_no_colour() };
        (!self.plain && is_capable_terminal()).then_some(theme)
    }
}

/// Whether there is a terminal on both sides that can do more than write lines.
fn is_capable_terminal() -> bool {
    let dumb = match std::env::var_os("TERM") {
        Some(term) => term.is_empty() || term == "dumb",
        None => cfg!(unix),
    };
    !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// As the convention at no-color.org has it: set, and not empty.
fn has_no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
