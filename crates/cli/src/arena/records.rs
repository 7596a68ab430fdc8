//! The games of a tournament in a file.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use noughts_arena::{Adjudicated, Ending, GameFile, MoveStatistics, PlayedGame, Tournament};
use noughts_play::read_games;
use noughts_rules::notation::sgf;
use noughts_rules::{Game, Outcome, Player, Rules, Seat};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::game_json::GameJson;

/// Appends games in the format of the file's extension.
pub(super) enum GameRecords {
    Text(GameFile),
    /// A collection of SGF trees.
    Sgf(File),
    /// An object on each line.
    Json(File),
}

impl GameRecords {
    pub(super) fn open(path: &Path, tournament: &Tournament) -> Result<GameRecords, Failure> {
        let shown = || format!("can't open {}", path.display());
        let append = || OpenOptions::new().append(true).create(true).open(path);
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("sgf") => {
                let empty = Game::with_default_players(tournament.start.rules());
                let error = sgf::write(&empty).err();
                match error {
                    Some(error) => Err(Failure::Malformed(anyhow!("no SGF: {error}"))),
                    None => Ok(GameRecords::Sgf(append().with_context(shown)?)),
                }
            }
            Some("json" | "jsonl") => Ok(GameRecords::Json(append().with_context(shown)?)),
            _ => Ok(GameRecords::Text(GameFile::open(path).with_context(shown)?)),
        }
    }

    /// Appends a game, unbuffered, so that an interrupted tournament keeps its games.
    pub(super) fn add(&mut self, game: &Game, played: &PlayedGame) -> Result<()> {
        let written = match self {
            GameRecords::Text(file) => file.add(game),
            GameRecords::Sgf(file) => file.write_all(sgf::write(game)?.as_bytes()),
            GameRecords::Json(file) => {
                let line = serde_json::to_string(&RecordJson::new(game, played))? + "\n";
                file.write_all(line.as_bytes())
            }
        };
        written.context("can't write the game")
    }
}

/// A game with why it ended and what the players' moves took.
#[derive(Serialize)]
struct RecordJson {
    #[serde(flatten)]
    game: GameJson,
    end: End,
    /// Why the loser forfeited.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// By player.
    statistics: [MoveStatistics; 2],
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum End {
    Rules,
    Forfeit,
    AdjudicatedDraw,
    AdjudicatedResignation,
    MaxMoves,
}

impl RecordJson {
    fn new(game: &Game, played: &PlayedGame) -> RecordJson {
        let (end, reason) = match &played.ending {
            Ending::Rules => (End::Rules, None),
            Ending::Forfeit { reason, .. } => (End::Forfeit, Some(reason.clone())),
            Ending::Adjudicated(Adjudicated::Draw) => (End::AdjudicatedDraw, None),
            Ending::Adjudicated(Adjudicated::Resignation) => (End::AdjudicatedResignation, None),
            Ending::Adjudicated(Adjudicated::MaxMoves) => (End::MaxMoves, None),
        };
        let json = GameJson::from(game);
        let game = if played.outcome == Outcome::Draw { json.drawn() } else { json };
        RecordJson { game, end, reason, statistics: played.statistics }
    }
}

/// What is read back of a [`RecordJson`].
#[derive(Deserialize)]
struct ReadJson {
    rules: String,
    players: Vec<ReadPlayer>,
    moves: Vec<String>,
    end: End,
    reason: Option<String>,
    statistics: [MoveStatistics; 2],
}

#[derive(Deserialize)]
struct ReadPlayer {
    name: String,
    symbol: String,
}

impl ReadJson {
    fn game(&self) -> Result<Game> {
        let rules: Rules = self.rules.parse()?;
        let players: Result<Vec<Player>> = self
            .players
            .iter()
            .map(|player| Ok(Player::new(&player.name, player.symbol.parse()?)?))
            .collect();
        let mut game = Game::new(&rules, players?)?;
        for text in &self.moves {
            match text.strip_prefix("resign:").map(str::parse::<u8>) {
                Some(number) => {
                    let seat = number?.checked_sub(1).and_then(Seat::new).context("no player")?;
                    game.resign(seat)?;
                }
                None => {
                    let seat = game.turn().context("a move after the end")?;
                    game.play(seat, rules.parse_move(text)?)?;
                }
            }
        }
        Ok(game)
    }

    fn played(self, tournament: &Tournament) -> Result<Option<PlayedGame>> {
        let Some(mut played) = tournament.replayed(&self.game()?) else { return Ok(None) };
        let loser = match played.outcome {
            Outcome::Win(winner) => played.entrants[1 - winner.index()],
            Outcome::Draw => played.entrants[0],
        };
        played.ending = match self.end {
            End::Rules => Ending::Rules,
            End::Forfeit => {
                Ending::Forfeit { entrant: loser, reason: self.reason.unwrap_or_default() }
            }
            End::AdjudicatedDraw => Ending::Adjudicated(Adjudicated::Draw),
            End::AdjudicatedResignation => Ending::Adjudicated(Adjudicated::Resignation),
            End::MaxMoves => Ending::Adjudicated(Adjudicated::MaxMoves),
        };
        played.statistics = self.statistics;
        Ok(Some(played))
    }
}

/// The games of an interrupted tournament: the first ones of its schedule.
pub(super) fn played(path: &Path, tournament: &Tournament) -> Result<Vec<PlayedGame>, Failure> {
    if fs::metadata(path).map_or(true, |file| file.len() == 0) {
        return Ok(Vec::new());
    }
    let shown = path.display();
    let is_ours = |(number, played): (u64, Option<PlayedGame>)| {
        played.ok_or_else(|| {
            let other = "is of another tournament: resume with the same arguments";
            Failure::Malformed(anyhow!("game {number} of {shown} {other}"))
        })
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    let read: Result<Vec<Option<PlayedGame>>> =
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("json" | "jsonl") => {
                let text =
                    fs::read_to_string(path).with_context(|| format!("can't read {shown}"))?;
                // A line that was cut off is an unfinished write.
                let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
                (1..)
                    .zip(lines)
                    .map(|(number, line)| {
                        let read = serde_json::from_str::<ReadJson>(line);
                        let read = read.map_err(anyhow::Error::from);
                        read.and_then(|read| read.played(tournament))
                            .with_context(|| format!("line {number} of {shown} is no game"))
                    })
                    .collect()
            }
            _ => Ok(read_games(path)?.iter().map(|game| tournament.replayed(game)).collect()),
        };
    (1..).zip(read.map_err(Failure::Malformed)?).map(is_ours).collect()
}
