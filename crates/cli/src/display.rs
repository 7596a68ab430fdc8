//! Flags for the full-screen game.

use std::io::{self, IsTerminal};

use clap::builder::FalseyValueParser;

use noughts_tui::Theme;

use crate::settings::Settings;

#[derive(clap::Args)]
pub(crate) struct Display {
    /// Play as a dialogue of plain lines, which suits screen readers
    #[arg(long, env = "NOUGHTS_PLAIN", value_parser = FalseyValueParser::new())]
    plain: bool,
    /// Draw with ASCII only
    #[arg(long, env = "NOUGHTS_ASCII", value_parser = FalseyValueParser::new())]
    ascii: bool,
}

impl Display {
    /// The theme of the full-screen game; `None` to use the line dialogue.
    pub(crate) fn screen(&self, settings: &Settings) -> Option<Theme> {
        let ascii = self.ascii || settings.is_ascii() || !is_unicode_locale();
        // Wrong settings were refused when they were read.
        let palette = settings.palette().unwrap_or_default();
        let theme = Theme { palette, ..Theme::new(ascii, !has_no_colour()) };
        let is_plain = self.plain || settings.is_plain();
        (!is_plain && is_capable_terminal()).then_some(theme)
    }
}

/// Whether input and output are a terminal that supports more than lines.
fn is_capable_terminal() -> bool {
    let dumb = match std::env::var_os("TERM") {
        Some(term) => term.is_empty() || term == "dumb",
        None => cfg!(unix),
    };
    !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Follows the no-color.org convention: set and not empty.
fn has_no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Whether the locale's characters are Unicode. Without any locale they are assumed to be.
pub(crate) fn is_unicode_locale() -> bool {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let Some(locale) = variables.into_iter().find(|value| !value.is_empty()) else { return true };
    let locale = locale.to_string_lossy().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}
