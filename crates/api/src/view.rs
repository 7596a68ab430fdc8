//! A game as clients see it.

use noughts_rules::{Cell, Mark, Move, OpeningStage, Position, Rules, Seat, Shape, Zone};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    GameId, IdentityId, IdentityKind, Level, Millis, SeriesScore, TimeControl, TournamentId,
};

/// A game with everything a client needs to show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameView {
    /// The id of the game.
    pub id: GameId,
    /// The sequence number of the last event.
    pub seq: u32,
    /// Where the game is in its life.
    pub phase: GamePhase,
    /// The text form of the rules.
    #[schema(example = "3x3")]
    pub rules: String,
    /// The shape of the board.
    pub shape: BoardShape,
    /// How many cells in a row make a line, or the length of the longest of listed lines.
    pub k: u8,
    /// What stands on the cells, level by level and row by row from the top: the mark, or null. Mark N
    /// is drawn with the symbol of player N.
    #[schema(value_type = Vec<Vec<Vec<Option<u8>>>>)]
    pub board: Vec<Vec<Vec<Option<Mark>>>>,
    /// The actions so far, without those taken back: moves, or `resign:N` (player N from 1).
    #[schema(example = json!(["A1", "B2"]))]
    pub moves: Vec<String>,
    /// The legal moves of the seat to move: boxes such as `B3` or `2B3`, boxes with a mark such as
    /// `B3=o` where the mover chooses it, or the opening choices `swap`, `keep` and `more`.
    #[schema(value_type = Vec<String>)]
    pub legal: Vec<Move>,
    /// The seat to move.
    #[schema(value_type = Option<u8>)]
    pub turn: Option<Seat>,
    /// What else decides how the game goes on.
    pub details: TurnDetails,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    /// The result of a finished game.
    pub result: Option<GameResult>,
    /// What the result did to the players' ratings, in seat order; missing if it does not count, or is
    /// still being counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Vec<RatingChange>>,
    /// Whether the game is rated.
    pub rated: bool,
    /// The league of a rated game.
    pub league: Option<String>,
    /// Whether the game is listed.
    pub public: bool,
    /// The clocks.
    pub clock: Option<ClockView>,
    /// The pending undo request.
    pub undo_request: Option<UndoRequest>,
    /// The seats that offer a rematch.
    #[schema(value_type = Vec<u8>)]
    pub rematch_offers: Vec<Seat>,
    /// The rematch, once everyone has agreed.
    pub rematch: Option<GameId>,
    /// The game this is a rematch of.
    pub rematch_of: Option<GameId>,
    /// The score of the rematch series before this game.
    pub series: Option<SeriesScore>,
    /// The tournament the game belongs to. Its games can't be aborted or played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentId>,
    /// When the game was created, in milliseconds since 1970.
    pub created_at: Millis,
    /// When the last event happened, in milliseconds since 1970.
    pub updated_at: Millis,
    /// How long a player may be away before the others can claim the game, in milliseconds.
    pub away_ms: i64,
    /// Your identity, if you sent a token.
    pub viewer: Option<IdentityId>,
    /// The seats you hold.
    #[schema(value_type = Vec<u8>)]
    pub your_seats: Vec<Seat>,
}

impl GameView {
    /// Whether you are to move.
    #[must_use]
    pub fn is_your_turn(&self) -> bool {
        self.turn.is_some_and(|turn| self.your_seats.contains(&turn))
    }

    /// Whether you have to answer an undo request.
    #[must_use]
    pub fn awaits_your_undo_answer(&self) -> bool {
        self.undo_request.as_ref().is_some_and(|undo| {
            let is_out =
                |seat: Seat| self.players.get(seat.index()).is_some_and(|player| player.out);
            let must_answer = |seat: &Seat| !undo.accepted.contains(seat) && !is_out(*seat);
            !self.your_seats.contains(&undo.seat) && self.your_seats.iter().any(must_answer)
        })
    }
}

/// The shape of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BoardShape {
    /// A grid of one or more levels. Lines run in all directions, across levels too.
    #[schema(title = "GridShape")]
    Grid {
        /// Rows of a level.
        rows: u8,
        /// Columns of a level.
        cols: u8,
        /// Levels; 1 is a flat board.
        levels: u8,
    },
    /// A grid of boards that are the same grid again (ultimate). Boxes are named over the whole
    /// board, which has `rows` times `rows` rows.
    #[schema(title = "NestedShape")]
    Nested {
        /// Rows of a board, and of the grid of boards.
        rows: u8,
        /// Columns of a board, and of the grid of boards.
        cols: u8,
    },
    /// Several flat boards side by side, each of them a level.
    #[schema(title = "BoardsShape")]
    Boards {
        /// Rows of a board.
        rows: u8,
        /// Columns of a board.
        cols: u8,
        /// How many boards.
        boards: u8,
    },
}

impl BoardShape {
    /// The shape of the board of these rules.
    #[must_use]
    pub fn of(rules: &Rules) -> BoardShape {
        match rules.shape() {
            Shape::Nested { rows, cols } => BoardShape::Nested { rows, cols },
            Shape::Boards { rows, cols, boards } => BoardShape::Boards { rows, cols, boards },
            _ => {
                BoardShape::Grid { rows: rules.rows(), cols: rules.cols(), levels: rules.levels() }
            }
        }
    }
}

/// What decides how a game goes on besides the cells and the turn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct TurnDetails {
    /// How many stones the seat to move may still place in this turn; 0 if the game is over or has not
    /// started.
    pub stones_left: u8,
    /// The seat that plays each mark, by mark; null where a mark belongs to nobody. An opening swap
    /// exchanges them.
    #[schema(value_type = Vec<Option<u8>>)]
    pub owners: Vec<Option<Seat>>,
    /// The mark of the next stone of an opening (swap, swap2), in which marks alternate whoever places
    /// them; missing otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u8>)]
    pub opening_mark: Option<Mark>,
    /// The sub-board in which the seat to move must move; null if it may choose.
    #[schema(value_type = Option<u8>)]
    pub board_to_play: Option<Zone>,
    /// The sub-boards, by number; empty if the board is one piece.
    pub boards: Vec<SubBoard>,
    /// The cell whose mark disappears with the next move.
    #[schema(value_type = Option<String>)]
    pub fading: Option<Cell>,
}

impl TurnDetails {
    /// The details of a position.
    #[must_use]
    pub fn of(position: &Position) -> TurnDetails {
        let rules = position.rules();
        let is_placing =
            matches!(position.opening_stage(), OpeningStage::Place | OpeningStage::PlaceMore);
        let board = |zone| SubBoard {
            closed: position.is_closed(zone),
            winner: position.zone_winner(zone),
        };
        TurnDetails {
            stones_left: position.stones_left(),
            owners: rules.marks().map(|mark| position.owner(mark)).collect(),
            opening_mark: position.mark_to_place().filter(|_| is_placing),
            board_to_play: position.board_to_play(),
            boards: rules.zones().map(board).collect(),
            fading: position.fading_cell(),
        }
    }
}

/// The state of a sub-board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SubBoard {
    /// Whether no more moves are possible in it.
    pub closed: bool,
    /// The mark that won it (ultimate).
    #[schema(value_type = Option<u8>)]
    pub winner: Option<Mark>,
}

/// Where a game is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GamePhase {
    /// Waiting for players.
    Open,
    /// Being played.
    Live,
    /// Over, aborted or abandoned.
    Finished,
}

impl GamePhase {
    /// All phases.
    pub const ALL: [GamePhase; 3] = [GamePhase::Open, GamePhase::Live, GamePhase::Finished];

    /// The phase as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            GamePhase::Open => "open",
            GamePhase::Live => "live",
            GamePhase::Finished => "finished",
        }
    }
}

/// One seat and its player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerView {
    /// The seat, from 0.
    #[schema(value_type = u8)]
    pub seat: Seat,
    /// The player's name; null while the seat is free.
    pub name: Option<String>,
    /// The player's symbol. It stands for the mark with the number of this seat, which belongs to
    /// another seat after a swap.
    pub symbol: String,
    /// The kind of player; null while the seat is free.
    pub kind: Option<IdentityKind>,
    /// The level of a computer player.
    pub level: Option<Level>,
    /// The name of the player the seat is kept for.
    pub invited: Option<String>,
    /// The rating in the league of a rated game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i64>,
    /// Whether the player is out of the game.
    pub out: bool,
    /// Since when the player is away, in milliseconds since 1970.
    pub away_since: Option<Millis>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameResult {
    /// The winner; null for a draw or a game that does not count.
    #[schema(value_type = Option<u8>)]
    pub winner: Option<Seat>,
    /// How it ended.
    pub reason: EndReason,
    /// The cells of the line (in misère games the loser's), row by row.
    #[schema(value_type = Vec<String>)]
    pub cells: Vec<Cell>,
    /// Why a rated game does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<Uncounted>,
}

/// Why a finished rated game does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Uncounted {
    /// Not every player had moved twice.
    TooShort,
    /// A computer player failed, or ran out of time.
    ComputerFailed,
}

/// What a result did to a player's rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingChange {
    /// The rating before the game.
    pub before: i64,
    /// The rating after it.
    pub after: i64,
    /// How much the game counts for the player, in percent: nothing against a guest, and less and less
    /// if the same players or addresses meet often in a day.
    #[schema(maximum = 100)]
    pub weight: u8,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// By a line.
    Line,
    /// By a full board.
    Draw,
    /// Drawn, because the position occurred for the third time.
    Repetition,
    /// Drawn, because the game reached the maximum number of moves.
    MoveLimit,
    /// Won by a full board without a line (order and chaos).
    NoLine,
    /// By resignation.
    Resigned,
    /// On time.
    Time,
    /// A player left, and another claimed the game.
    Left,
    /// A computer player failed.
    Forfeit,
    /// Aborted before it really began.
    Aborted,
    /// Abandoned by everyone.
    Abandoned,
}

/// Why a seat is out of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExitReason {
    /// It resigned.
    Resigned,
    /// It ran out of time.
    Time,
    /// It left, and another player claimed the game.
    Left,
    /// A computer player failed.
    Forfeit,
}

impl From<ExitReason> for EndReason {
    fn from(reason: ExitReason) -> EndReason {
        match reason {
            ExitReason::Resigned => EndReason::Resigned,
            ExitReason::Time => EndReason::Time,
            ExitReason::Left => EndReason::Left,
            ExitReason::Forfeit => EndReason::Forfeit,
        }
    }
}

/// The clocks at the time of the view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockView {
    /// The time control.
    #[serde(flatten)]
    pub control: TimeControl,
    /// Milliseconds left, in seat order.
    pub remaining_ms: Vec<i64>,
    /// When the seat to move runs out of time, in milliseconds since 1970.
    pub deadline: Option<Millis>,
    /// When the seat to move loses unless it has made its first move, if that comes before `deadline`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_move_deadline: Option<Millis>,
    /// When the clocks were read, in milliseconds since 1970.
    pub at: Millis,
}

/// A pending undo request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UndoRequest {
    /// The seat that asks.
    #[schema(value_type = u8)]
    pub seat: Seat,
    /// How many actions would remain.
    pub to: u16,
    /// The seats that have accepted.
    #[schema(value_type = Vec<u8>)]
    pub accepted: Vec<Seat>,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// The id of the game.
    pub id: GameId,
    /// Where the game is in its life.
    pub phase: GamePhase,
    /// The rules.
    pub rules: String,
    /// Whether it is rated.
    pub rated: bool,
    /// The league of a rated game.
    pub league: Option<String>,
    /// When the last event happened, in milliseconds since 1970.
    pub updated_at: Millis,
    /// What else lists show.
    #[serde(flatten)]
    pub details: SummaryDetails,
}

/// What lists show of a game besides its phase and rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SummaryDetails {
    /// The players, in seat order.
    pub players: Vec<SummaryPlayer>,
    /// The time control.
    pub clock: Option<TimeControl>,
    /// When the game was created, in milliseconds since 1970.
    pub created_at: Millis,
    /// The winner.
    #[schema(value_type = Option<u8>)]
    pub winner: Option<Seat>,
    /// How it ended.
    pub reason: Option<EndReason>,
}

/// A player of a game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SummaryPlayer {
    /// The name; null while the seat is free.
    pub name: Option<String>,
    /// The kind of player; null while the seat is free.
    pub kind: Option<IdentityKind>,
    /// The name of the player the seat is kept for.
    pub invited: Option<String>,
}
