//! What the full-screen game starts with.

use std::path::PathBuf;

use noughts_play::{Continuation, PuzzleChoice};
use noughts_rules::{Game, Position};

use super::{ComputerSettings, GameOptions, Keys, StorageOptions, Theme};

/// What the full-screen game starts with.
pub struct Setup {
    /// Characters and colours.
    pub theme: Theme,
    /// The options on the start page, or those to play with at once.
    pub options: GameOptions,
    /// The first page.
    pub first: FirstPage,
    /// The computers' threads and seed.
    pub computers: ComputerSettings,
    /// Where games are stored; `None` to store nothing.
    pub storage: Option<StorageOptions>,
    /// The file that remembers the options for the next start.
    pub options_file: Option<PathBuf>,
    /// A notice to show first.
    pub notice: Option<String>,
    /// Whether to ring when it becomes the user's turn in an online game.
    pub bell: bool,
    /// The keys of commands.
    pub keys: Keys,
}

impl Setup {
    /// The stored games of a file.
    pub fn of_games(path: PathBuf, theme: Theme) -> Setup {
        Setup {
            theme,
            options: GameOptions::default(),
            first: FirstPage::Games,
            computers: ComputerSettings { threads: 1, seed: 0 },
            storage: Some(StorageOptions { path, must_be_usable: true }),
            options_file: None,
            notice: None,
            bell: true,
            keys: Keys::default(),
        }
    }

    /// Puzzles, and nothing else.
    pub fn of_puzzles(choice: PuzzleChoice, path: PathBuf, theme: Theme) -> Setup {
        Setup { first: FirstPage::Puzzles(choice), ..Setup::of_games(path, theme) }
    }

    /// The review of a game, and nothing else.
    pub fn of_review(game: Game, theme: Theme) -> Setup {
        Setup {
            theme,
            options: GameOptions::of(game.rules().clone()),
            first: FirstPage::Review(Box::new(game)),
            computers: ComputerSettings { threads: 1, seed: 0 },
            storage: None,
            options_file: None,
            notice: None,
            bell: true,
            keys: Keys::default(),
        }
    }
}

/// What is on the screen first.
pub enum FirstPage {
    /// The start page.
    Start,
    /// A match with these options, whose games begin with this position if there is one.
    Play(Option<Box<Position>>),
    /// A kept game.
    Continue(Box<Continuation>),
    /// The review of a game.
    Review(Box<Game>),
    /// The stored games.
    Games,
    /// Puzzles.
    Puzzles(PuzzleChoice),
}
