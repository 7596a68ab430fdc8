//! The settings file of players, and `noughts config`, which shows where it is.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use etcetera::BaseStrategy;
use noughts_rules::{Player, Rules, Seat, Symbol};
use noughts_tui::{Keys, Palette};
use serde::Deserialize;

use crate::failure::Failure;

/// The variable that names another file.
const VARIABLE: &str = "NOUGHTS_SETTINGS";

/// What a new file contains.
const TEMPLATE: &str = include_str!("settings.toml");

/// Show the settings and where they are
///
/// The settings are a small TOML file with your name, symbol, theme and board. Flags and environment
/// variables come before it.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  noughts config\n  noughts config --init")]
pub(crate) struct Arguments {
    /// Create the file, with all settings explained
    #[arg(long)]
    init: bool,
    /// Print only the path
    #[arg(long, conflicts_with = "init")]
    path: bool,
}

/// What players can set. Nothing needs to be.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    name: Option<String>,
    symbol: Option<String>,
    board: Option<String>,
    theme: Option<String>,
    ascii: Option<bool>,
    plain: Option<bool>,
    bell: Option<bool>,
    /// Keys of commands, by name.
    keys: BTreeMap<String, String>,
}

impl Settings {
    /// Reads the file, if there is one.
    pub(crate) fn load() -> Result<Settings, Failure> {
        let path = path()?;
        match fs::read_to_string(&path) {
            Ok(text) => {
                let settings = Settings::read(&text);
                Ok(settings.map_err(|error| error.context(path.display().to_string()))?)
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(Settings::default())
            }
            Err(error) => Err(anyhow!("can't read {}: {error}", path.display()).into()),
        }
    }

    fn read(text: &str) -> Result<Settings> {
        let settings: Settings =
            toml::from_str(text).map_err(|error| anyhow!("{}", error.message()))?;
        settings.name()?;
        settings.symbol()?;
        settings.board()?;
        settings.palette()?;
        settings.keys()?;
        Ok(settings)
    }

    /// The name of the first player.
    pub(crate) fn name(&self) -> Result<Option<String>> {
        let Some(name) = &self.name else { return Ok(None) };
        let player = Player::new(name, Symbol::default_for(Seat::FIRST)).context("name")?;
        Ok(Some(player.name().to_string()))
    }

    /// The symbol of the first player.
    pub(crate) fn symbol(&self) -> Result<Option<Symbol>> {
        self.symbol.as_ref().map(|symbol| symbol.parse().context("symbol")).transpose()
    }

    /// The rules of the first game.
    pub(crate) fn board(&self) -> Result<Option<Rules>> {
        self.board.as_ref().map(|board| board.parse().context("board")).transpose()
    }

    /// The colours.
    pub(crate) fn palette(&self) -> Result<Palette> {
        let Some(theme) = &self.theme else { return Ok(Palette::default()) };
        let known = Palette::ALL.iter().find(|(name, _)| name == theme);
        let names = Palette::ALL.map(|(name, _)| name).join(", ");
        let palette = known.map(|(_, palette)| *palette);
        palette.ok_or_else(|| anyhow!("theme: expected one of {names}, not {theme}"))
    }

    /// The keys of commands.
    pub(crate) fn keys(&self) -> Result<Keys> {
        Keys::chosen(&self.keys).map_err(|error| anyhow!("keys: {error}"))
    }

    /// Whether to draw with ASCII only.
    pub(crate) fn is_ascii(&self) -> bool {
        self.ascii.unwrap_or(false)
    }

    /// Whether to play as a line dialogue.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain.unwrap_or(false)
    }

    /// Whether to ring when it becomes the user's turn in an online game.
    pub(crate) fn has_bell(&self) -> bool {
        self.bell.unwrap_or(true)
    }
}

fn path() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let folders = etcetera::choose_base_strategy().context("can't find your settings folder")?;
    Ok(folders.config_dir().join("noughts").join("settings.toml"))
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let path = path()?;
    let mut output = io::stdout().lock();
    if arguments.path {
        writeln!(output, "{}", path.display())?;
        return Ok(());
    }
    if arguments.init {
        create(&path)?;
        writeln!(output, "{} is new: every setting is explained in it.", path.display())?;
        return Ok(());
    }
    let settings = Settings::load()?;
    writeln!(output, "{}", path.display())?;
    if !path.exists() {
        writeln!(output, "There is no such file yet: `noughts config --init` creates it.")?;
    }
    let word = |value: Option<&String>, default: &str| {
        value.cloned().unwrap_or_else(|| format!("{default} (default)"))
    };
    let flag = |value: Option<bool>, default: bool| match value {
        Some(value) => value.to_string(),
        None => format!("{default} (default)"),
    };
    writeln!(output, "\nname    {}", word(settings.name.as_ref(), "Player 1"))?;
    writeln!(output, "symbol  {}", word(settings.symbol.as_ref(), "X"))?;
    writeln!(output, "board   {}", word(settings.board.as_ref(), "the last one"))?;
    writeln!(output, "theme   {}", word(settings.theme.as_ref(), "dark"))?;
    writeln!(output, "ascii   {}", flag(settings.ascii, false))?;
    writeln!(output, "plain   {}", flag(settings.plain, false))?;
    writeln!(output, "bell    {}", flag(settings.bell, true))?;
    let keys = settings.keys()?;
    let keys: Vec<String> = keys.iter().map(|(name, key)| format!("{name} {key}")).collect();
    writeln!(output, "keys    {}", keys.join(", "))?;
    Ok(())
}

fn create(path: &Path) -> Result<()> {
    let shown = path.display();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
    }
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(anyhow!("{shown} exists already"));
        }
        opened => opened.with_context(|| format!("can't create {shown}"))?,
    };
    file.write_all(TEMPLATE.as_bytes()).with_context(|| format!("can't write {shown}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_explains_every_setting() {
        assert_eq!(Settings::read(TEMPLATE).unwrap(), Settings::default());
        let all = TEMPLATE.lines().filter_map(|line| line.strip_prefix("# "));
        let all: Vec<&str> =
            all.filter(|line| line.contains(" = ") || line.starts_with('[')).collect();
        let settings = Settings::read(&all.join("\n")).unwrap();
        let Settings { name, symbol, board, theme, ascii, plain, bell, keys } = settings;
        assert!([name, symbol, board, theme].iter().all(Option::is_some));
        assert!([ascii, plain, bell].iter().all(Option::is_some));
        assert_eq!(keys.len(), Keys::default().iter().count());
    }

    #[test]
    fn wrong_settings_are_explained() {
        let check = |text: &str, expected: &str| {
            let error = format!("{:#}", Settings::read(text).unwrap_err());
            assert!(error.contains(expected), "{error}");
        };
        check("theme = \"pink\"", "expected one of dark, light, contrast, not pink");
        check("symbol = \"XX\"", "symbol: expected exactly one character");
        check("board = \"99x99\"", "board: ");
        check("colour = true", "unknown field `colour`");
        check("name = 7", "invalid type");
        check("[keys]\nundo = \"r\"", "keys: undo and redo have the same key r");
        check("[keys]\njump = \"x\"", "keys: expected one of undo, redo,");
        check("[keys]\nundo = \"b\"", "keys: undo: b names a row of a board");
    }
}
