//! A game as JSON.

use noughts_play::{GameEnd, date, game_end};
use noughts_rules::{Action, Game, Outcome, Position};
use noughts_store::StoredGame;
use serde::Serialize;

/// A game with everything that follows from it.
#[derive(Serialize)]
pub(crate) struct GameJson {
    rules: String,
    players: Vec<PlayerJson>,
    /// The first position, unless it is the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// Moves, and `resign:N` for a resignation of player N.
    moves: Vec<String>,
    /// `win`, `draw` or `unfinished`.
    result: &'static str,
    /// The number of the winner, from 1.
    winner: Option<usize>,
    /// The last position.
    position: String,
}

impl GameJson {
    /// The game as one that was adjudicated as a draw.
    pub(crate) fn drawn(self) -> GameJson {
        GameJson { result: "draw", winner: None, ..self }
    }
}

#[derive(Serialize)]
struct PlayerJson {
    name: String,
    symbol: String,
}

impl From<&Game> for GameJson {
    fn from(game: &Game) -> GameJson {
        let start = game.start();
        let action = |action: Action| match action {
            Action::Move { mv, .. } => mv.to_string(),
            Action::Resign { seat } => format!("resign:{seat}"),
        };
        let player = |player: &noughts_rules::Player| PlayerJson {
            name: player.name().to_string(),
            symbol: player.symbol().to_string(),
        };
        let (result, winner) = match game.outcome() {
            Some(Outcome::Win(seat)) => ("win", Some(seat.index() + 1)),
            Some(Outcome::Draw) => ("draw", None),
            None => ("unfinished", None),
        };
        GameJson {
            rules: game.rules().to_string(),
            players: game.players().iter().map(player).collect(),
            start: (start != Position::new(game.rules())).then(|| start.to_string()),
            moves: game.history().map(action).collect(),
            result,
            winner,
            position: game.position().to_string(),
        }
    }
}

/// A stored game.
#[derive(Serialize)]
pub(crate) struct StoredJson {
    id: u64,
    /// When it was stored, in milliseconds since 1970.
    at: i64,
    league: Option<String>,
    /// The number of its result in the league.
    result_id: Option<u64>,
    retracted: bool,
    #[serde(flatten)]
    game: GameJson,
}

impl From<&StoredGame> for StoredJson {
    fn from(stored: &StoredGame) -> StoredJson {
        let result = stored.result.as_ref();
        StoredJson {
            id: stored.id.0,
            at: stored.at,
            league: result.map(|result| result.league.clone()),
            result_id: result.map(|result| result.id.0),
            retracted: result.is_some_and(|result| result.retracted),
            game: GameJson::from(&stored.game),
        }
    }
}

/// The cells of a stored game in a table: number, date, rules, players and result.
pub(crate) fn table_row(stored: &StoredGame) -> [String; 5] {
    let names: Vec<&str> = stored.game.players().iter().map(|player| player.name()).collect();
    let result = match game_end(stored) {
        (GameEnd::Win, Some(winner)) => winner.to_string(),
        (GameEnd::Draw, _) => "draw".to_string(),
        _ => "not over".to_string(),
    };
    [
        stored.id.to_string(),
        date(stored.at),
        stored.game.rules().to_string(),
        names.join(", "),
        result,
    ]
}
