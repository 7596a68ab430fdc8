//! What a game begins with: the empty board, a position, moves, a game in a file, or a kept game.

use std::path::PathBuf;

use anyhow::anyhow;
use noughts_play::{Continuation, Database, read_games};
use noughts_rules::{Game, Position};
use noughts_store::RecordId;

use super::Arguments;
use crate::failure::Failure;
use crate::moves::play_moves;

#[derive(clap::Args)]
pub(super) struct Beginning {
    /// Go on with an unfinished game: the last one, or the one with this number
    #[arg(long = "continue", value_name = "ID", num_args = 0..=1,
        value_parser = crate::numbers::positive,
        conflicts_with_all = ["rules", "players", "names", "symbols", "clock", "league", "casual",
            "rated", "moves", "position", "from"])]
    kept: Option<Option<u64>>,
    /// Moves that lead to the first position, such as "B2 A1"
    #[arg(long)]
    moves: Option<String>,
    /// The first position, such as "3x3 xx1/oo1/3 x"
    #[arg(long, conflicts_with_all = ["rules", "from"])]
    position: Option<Position>,
    /// Go on from the end of a game in a file: text, .sgf or .psq
    #[arg(long, value_name = "FILE", conflicts_with = "rules")]
    from: Option<PathBuf>,
}

/// What a game begins with.
pub(super) enum Begun {
    New,
    Position(Box<Position>),
    /// A game in a file, whose players play on.
    Game(Box<Game>),
    Kept(Box<Continuation>),
}

impl Begun {
    /// The first position.
    pub(super) fn position(&self, arguments: &Arguments) -> Position {
        match self {
            Begun::New => Position::new(&arguments.rules.clone().unwrap_or_default()),
            Begun::Position(position) => (**position).clone(),
            Begun::Game(game) => game.position().clone(),
            Begun::Kept(kept) => kept.game.position().clone(),
        }
    }
}

impl Beginning {
    /// Whether the flags say by which rules the game goes.
    pub(super) fn decides_the_rules(&self) -> bool {
        self.kept.is_some() || self.position.is_some() || self.from.is_some()
    }

    pub(super) fn read(&self, arguments: &Arguments) -> Result<Begun, Failure> {
        if let Some(id) = self.kept {
            return self.find_kept(id, arguments);
        }
        let moves = self.moves.as_deref().unwrap_or_default();
        let refuse_end = |position: &Position| match position.turn() {
            Some(_) => Ok(()),
            None => Err(Failure::malformed(anyhow!("the game is over: expected one to play on"))),
        };
        if let Some(path) = &self.from {
            let games = read_games(path)?;
            let [game] = &games[..] else {
                let reason = format!("{} has several games: expected one", path.display());
                return Err(Failure::malformed(anyhow!(reason)));
            };
            let mut position = game.position().clone();
            play_moves(&mut position, moves)?;
            refuse_end(&position)?;
            let game = Game::from_position(position, game.players().to_vec())?;
            return Ok(Begun::Game(Box::new(game)));
        }
        if self.position.is_none() && self.moves.is_none() {
            return Ok(Begun::New);
        }
        let rules = arguments.rules.clone().unwrap_or_default();
        let mut position = self.position.clone().unwrap_or_else(|| Position::new(&rules));
        play_moves(&mut position, moves)?;
        refuse_end(&position)?;
        Ok(Begun::Position(Box::new(position)))
    }

    fn find_kept(&self, id: Option<u64>, arguments: &Arguments) -> Result<Begun, Failure> {
        let database: Database = arguments.data.open_to_read()?;
        let id = id.map(RecordId);
        let kept = database.continuation(id)?;
        let kept = kept.ok_or_else(|| match id {
            None => anyhow!("there is no unfinished game"),
            Some(id) => match database.game(id) {
                Ok(Some(_)) => anyhow!("game {id} is over: `noughts show {id}` reviews it"),
                _ => anyhow!("there is no game {id}: `noughts games` lists those there are"),
            },
        })?;
        Ok(Begun::Kept(Box::new(kept)))
    }
}
