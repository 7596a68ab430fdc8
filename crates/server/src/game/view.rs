//! A game as clients see it.

use std::borrow::Cow;

use noughts_rules::{Action, Outcome};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    ClockRule, Ending, Holder, Millis, OnlineGame, Phase, PlayerType, Series, StoredCell, Why,
};
use noughts_store::{GameId, IdentityId};

/// A game as clients see it: everything that a page needs to show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameView {
    /// The name of the game in addresses.
    #[schema(value_type = String, example = "3k7v9c2q5x8m1n4p6r0s2t4v6w")]
    pub id: GameId,
    /// The sequence number of the last event.
    pub seq: u32,
    /// Where it is in its life.
    pub phase: Phase,
    /// The text form of the rules.
    #[schema(example = "3x3")]
    pub rules: String,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// How many cells side by side make a line.
    pub k: u8,
    /// The position as text, with the rules and whose turn it is.
    #[schema(example = "3x3 x2/1o1/3 x")]
    pub position: String,
    /// Each row of the board from the top; the index of the seat that has taken a cell, or null.
    pub board: Vec<Vec<Option<u8>>>,
    /// What was done, without what was taken back: box names, or `resign:N` (player N from 1).
    #[schema(example = json!(["A1", "B2"]))]
    pub moves: Vec<String>,
    /// The cells that the seat to move can take.
    #[schema(value_type = Vec<String>)]
    pub legal: Vec<StoredCell>,
    /// The seat whose turn it is.
    pub turn: Option<u8>,
    /// Who plays, in seat order.
    pub players: Vec<PlayerView>,
    /// How it ended.
    pub result: Option<ResultView>,
    /// Whether the game counts in a league.
    pub rated: bool,
    /// The league in which it counts.
    pub league: Option<String>,
    /// Whether everyone finds the game in lists.
    pub public: bool,
    /// The clocks.
    pub clock: Option<ClockView>,
    /// Someone asks to take back a move.
    pub undo: Option<UndoView>,
    /// The seats that would play again.
    pub again: Vec<u8>,
    /// The rematch.
    #[schema(value_type = Option<String>)]
    pub next: Option<GameId>,
    /// The game of which this is the rematch.
    #[schema(value_type = Option<String>)]
    pub rematch_of: Option<GameId>,
    /// How the games before it ended, if it is a rematch.
    pub series: Option<Series>,
    /// When it was created, in milliseconds since 1970.
    pub created_at: Millis,
    /// When the last event was, in milliseconds since 1970.
    pub last_at: Millis,
    /// How long a player may stay away before the others can claim the game.
    pub away_ms: i64,
    /// The seats of whoever asks.
    pub yours: Vec<u8>,
}

/// Who sits at a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerView {
    /// The seat, from 0.
    pub seat: u8,
    /// The name; `null` while the seat is free.
    pub name: Option<String>,
    /// What the cells show.
    pub symbol: String,
    /// What kind of player; `null` while the seat is free.
    pub kind: Option<PlayerType>,
    /// The level of a computer player.
    pub level: Option<String>,
    /// For whom a free seat is kept.
    pub invited: Option<String>,
    /// The rating in the league of a rated game, where the server adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<i64>,
    /// Whether the player is out of the game.
    pub out: bool,
    /// Since when the player is away, in milliseconds since 1970.
    pub away_since: Option<Millis>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ResultView {
    /// Who won; nobody in a draw or a game that does not count.
    pub winner: Option<u8>,
    /// `line`, `draw`, `resigned`, `time`, `left`, `forfeit`, `aborted` or `abandoned`.
    #[schema(example = "line")]
    pub how: &'static str,
    /// The winning cells (in misère games the loser's), row by row.
    pub cells: Vec<String>,
}

/// The clocks at the time of the view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockView {
    /// The rule.
    #[serde(flatten)]
    pub rule: ClockRule,
    /// Milliseconds left of each seat, in seat order.
    pub left_ms: Vec<i64>,
    /// When the player to move runs out of time, in milliseconds since 1970.
    pub deadline: Option<Millis>,
    /// When this was looked at, in milliseconds since 1970.
    pub at: Millis,
}

/// A question that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct UndoView {
    /// Who asks.
    pub seat: u8,
    /// How many actions would be left.
    pub to: u16,
    /// Who agreed so far.
    pub agreed: Vec<u8>,
}

impl OnlineGame {
    /// The game as an account, or whoever else asks, sees it.
    #[must_use]
    pub fn view(&self, account: Option<IdentityId>, now: Millis) -> GameView {
        let rules = &self.rules;
        let position = self.game.as_ref().map(|game| game.position());
        let at = |row, col| {
            let cell = noughts_rules::Cell::new(row, col)?;
            Some(position?.seat_at(cell)?.index() as u8)
        };
        let legal = position.filter(|_| self.ending.is_none());
        let seats = |bits: u8| (0..8).filter(|seat| bits >> seat & 1 == 1).collect();
        GameView {
            id: self.id,
            seq: self.seq,
            phase: self.phase(),
            rules: self.setup.rules.clone(),
            rows: rules.rows(),
            cols: rules.cols(),
            k: rules.k(),
            position: match position {
                Some(position) => position.to_string(),
                None => noughts_rules::Position::new(rules).to_string(),
            },
            board: (0..rules.rows())
                .map(|row| (0..rules.cols()).map(|col| at(row, col)).collect())
                .collect(),
            moves: self.game.iter().flat_map(|game| game.history()).map(action).collect(),
            legal: legal
                .iter()
                .flat_map(|position| position.legal_moves())
                .map(StoredCell)
                .collect(),
            turn: self.turn().map(|seat| seat.index() as u8),
            players: self.player_views(),
            result: self.result_view(),
            rated: self.setup.league.is_some(),
            league: self.setup.league.clone(),
            public: self.setup.public,
            clock: self.clock_view(now),
            undo: self.undo_asked().map(|undo| UndoView {
                seat: undo.seat.index() as u8,
                to: undo.to,
                agreed: seats(undo.agreed),
            }),
            again: seats(self.again),
            next: self.next,
            rematch_of: self.setup.rematch_of,
            series: self.setup.series.clone(),
            created_at: self.created_at,
            last_at: self.last_at,
            away_ms: self.setup.away_ms,
            yours: account
                .map(|account| self.seats_of(account).map(|seat| seat.index() as u8).collect())
                .unwrap_or_default(),
        }
    }

    /// The clocks at a time, if there are any.
    #[must_use]
    pub fn clock_view(&self, now: Millis) -> Option<ClockView> {
        let turn = self.turn().map(|seat| seat.index());
        self.clocks.as_ref().map(|clocks| ClockView {
            rule: clocks.rule(),
            left_ms: (0..self.seats.len()).map(|seat| clocks.left(seat, turn, now)).collect(),
            deadline: turn.and_then(|turn| clocks.deadline(turn)),
            at: now,
        })
    }

    /// Who plays, in seat order.
    #[must_use]
    pub fn player_views(&self) -> Vec<PlayerView> {
        let players = match &self.game {
            Some(game) => Cow::Borrowed(game.players()),
            None => super::setup::players(&self.rules, &self.seats).unwrap_or_default().into(),
        };
        let player = |(i, setup): (usize, &super::SeatSetup)| {
            let seat = self.rules.seats().nth(i)?;
            let holder = &setup.holder;
            let (kind, level) = match holder {
                Holder::Taken(joining) => (Some(joining.kind), None),
                Holder::Computer { level } => (Some(PlayerType::Computer), Some(level.clone())),
                Holder::Open | Holder::Invited { .. } => (None, None),
            };
            let game = self.game.as_ref();
            Some(PlayerView {
                seat: i as u8,
                name: holder.is_seated().then(|| holder.name(seat)),
                symbol: players.get(i)?.symbol().to_string(),
                kind,
                level,
                invited: match holder {
                    Holder::Invited { name, .. } => Some(name.clone()),
                    _ => None,
                },
                rating: None,
                out: game.is_some_and(|game| game.position().has_resigned(seat)),
                away_since: self.away_since(seat),
            })
        };
        self.seats.iter().enumerate().filter_map(player).collect()
    }

    /// How the game ended, if it did.
    #[must_use]
    pub fn result_view(&self) -> Option<ResultView> {
        let ending = self.ending?;
        let how = match ending {
            Ending::Board(Outcome::Win(_)) => "line",
            Ending::Board(Outcome::Draw) => "draw",
            Ending::Out(_, Why::Resigned) => "resigned",
            Ending::Out(_, Why::Time) => "time",
            Ending::Out(_, Why::Left) => "left",
            Ending::Out(_, Why::Forfeit) => "forfeit",
            Ending::Aborted => "aborted",
            Ending::Abandoned => "abandoned",
        };
        let winner = match ending.outcome() {
            Some(Outcome::Win(seat)) => Some(seat.index() as u8),
            _ => None,
        };
        let cells = self.line.iter().map(ToString::to_string).collect();
        Some(ResultView { winner, how, cells })
    }
}

fn action(action: Action) -> String {
    match action {
        Action::Move { cell, .. } => cell.to_string(),
        Action::Resign { seat } => format!("resign:{seat}"),
    }
}
