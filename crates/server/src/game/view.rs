//! A game as clients see it.

use std::borrow::Cow;

use noughts_api::{
    BoardShape, CellChange, ClockView, EndReason, Event, GameResult, GameUpdate, GameView,
    IdentityId, IdentityKind, Millis, PlayerView, SeatHolder, SeatSetup, TurnDetails, UndoRequest,
};
use noughts_rules::{Action, Cell, DrawReason, Move, Opening, Outcome, Position, Status};

use super::setup::{display_name, players};
use super::{Ending, OnlineGame};

impl OnlineGame {
    /// The game as a viewer sees it.
    #[must_use]
    pub fn view(&self, viewer: Option<IdentityId>, now: Millis) -> GameView {
        let rules = &self.rules;
        let mark = |level, row, col| self.position()?.mark_at(Cell::in_space(level, row, col)?);
        let row = |level, row| (0..rules.cols()).map(|col| mark(level, row, col)).collect();
        let level = |level| (0..rules.rows()).map(|row_index| row(level, row_index)).collect();
        GameView {
            id: self.id,
            seq: self.seq,
            phase: self.phase(),
            rules: self.setup.rules.clone(),
            shape: BoardShape::of(rules),
            k: rules.k(),
            board: (0..rules.levels()).map(level).collect(),
            moves: self.game.iter().flat_map(|game| game.history()).map(action_text).collect(),
            legal: self.legal_moves(),
            turn: self.turn(),
            details: self.turn_details(),
            players: self.player_views(),
            result: self.result(),
            ratings: None,
            rated: self.setup.league.is_some(),
            league: self.setup.league.clone(),
            public: self.setup.public,
            clock: self.clock_view(now),
            undo_request: self.undo_request().map(|undo| UndoRequest {
                seat: undo.seat,
                to: undo.to,
                accepted: undo.accepted.iter().collect(),
            }),
            rematch_offers: self.rematch_offers.iter().collect(),
            rematch: self.rematch,
            rematch_of: self.setup.rematch_of,
            series: self.setup.series.clone(),
            tournament: self.setup.tournament,
            created_at: self.created_at,
            updated_at: self.updated_at,
            away_ms: self.setup.away_ms,
            viewer,
            your_seats: viewer.map(|viewer| self.seats_of(viewer).collect()).unwrap_or_default(),
        }
    }

    /// The update about the event that was just applied, and that changed these cells.
    #[must_use]
    pub fn update(&self, event: Event, at: Millis, changed: Vec<Cell>) -> GameUpdate {
        let starts = self.started_seq == self.seq;
        let changed = if starts { self.occupied_cells() } else { changed };
        let mark = |cell| self.position()?.mark_at(cell);
        GameUpdate {
            seq: self.seq,
            at,
            phase: self.phase(),
            turn: self.turn(),
            result: self.result(),
            ratings: None,
            cells: changed.into_iter().map(|cell| CellChange { cell, mark: mark(cell) }).collect(),
            legal: self.legal_differs_from_empty().then(|| self.legal_moves()),
            details: self.may_change_details(&event).then(|| self.turn_details()),
            event,
            clock: self.clock_view(at),
            players: (self.seats_seq == self.seq).then(|| self.player_views()),
            opening: if starts { self.setup.moves.clone() } else { Vec::new() },
        }
    }

    fn position(&self) -> Option<&Position> {
        self.game.as_ref().map(|game| game.position())
    }

    /// The position while the game is played.
    fn live_position(&self) -> Option<&Position> {
        self.position().filter(|_| self.ending.is_none())
    }

    fn occupied_cells(&self) -> Vec<Cell> {
        let is_occupied =
            |cell: &Cell| self.position().is_some_and(|position| position.mark_at(*cell).is_some());
        self.rules.cells().filter(is_occupied).collect()
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.live_position().map(|position| position.legal_moves().collect()).unwrap_or_default()
    }

    /// Whether clients can't tell the legal moves from the board alone.
    fn legal_differs_from_empty(&self) -> bool {
        self.live_position().is_some_and(|position| {
            let empty = self.rules.cell_count() - position.stone_count();
            let first = position.legal_moves().next();
            position.move_count() != empty || !matches!(first, Some(Move::Place(_)))
        })
    }

    /// What decides how the game goes on besides the cells and the turn.
    fn turn_details(&self) -> TurnDetails {
        let details = match self.position() {
            Some(position) => TurnDetails::of(position),
            None => TurnDetails::of(&Position::new(&self.rules)),
        };
        if self.live_position().is_some() {
            return details;
        }
        // Nobody is to move.
        TurnDetails { owners: details.owners, boards: details.boards, ..TurnDetails::default() }
    }

    /// Whether an event that was just applied may have changed the details of the turn.
    fn may_change_details(&self, event: &Event) -> bool {
        match event {
            Event::Created(_) | Event::Joined { .. } => self.started_seq == self.seq,
            Event::Moved { .. } | Event::Eliminated { .. } => {
                let is_simple =
                    self.rules.is_line_game() && self.rules.parts().opening == Opening::Free;
                !is_simple || self.ending.is_some()
            }
            Event::Undone { .. } | Event::Aborted { .. } | Event::Abandoned => true,
            _ => false,
        }
    }

    fn clock_view(&self, now: Millis) -> Option<ClockView> {
        let turn = self.turn().map(|seat| seat.index());
        self.clocks.as_ref().map(|clocks| ClockView {
            control: clocks.control(),
            remaining_ms: (0..self.seats.len())
                .map(|seat| clocks.remaining(seat, turn, now))
                .collect(),
            deadline: turn.and_then(|turn| clocks.deadline(turn)),
            first_move_deadline: self.first_move_deadline().filter(|first| {
                turn.and_then(|turn| clocks.deadline(turn)).is_some_and(|clock| *first < clock)
            }),
            at: now,
        })
    }

    /// The players, in seat order.
    #[must_use]
    pub fn player_views(&self) -> Vec<PlayerView> {
        let players = match &self.game {
            Some(game) => Cow::Borrowed(game.players()),
            None => players(&self.rules, &self.seats).unwrap_or_default().into(),
        };
        let view = |(seat, setup): (_, &SeatSetup)| {
            let holder = &setup.holder;
            let (kind, level) = match holder {
                SeatHolder::Taken(player) => (Some(player.kind), None),
                SeatHolder::Computer { level } => (Some(IdentityKind::Computer), Some(*level)),
                SeatHolder::Open | SeatHolder::Invited { .. } => (None, None),
            };
            let game = self.game.as_ref();
            Some(PlayerView {
                seat,
                name: holder.is_seated().then(|| display_name(holder, seat)),
                symbol: players.get(seat.index())?.symbol().to_string(),
                kind,
                level,
                invited: match holder {
                    SeatHolder::Invited { name, .. } => Some(name.clone()),
                    _ => None,
                },
                rating: None,
                out: game.is_some_and(|game| game.position().has_resigned(seat)),
                away_since: self.away_since(seat),
            })
        };
        self.rules.seats().zip(&*self.seats).filter_map(view).collect()
    }

    /// How the game ended, if it is over.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        let ending = self.ending?;
        let reason = match ending {
            Ending::Board(Outcome::Win(_)) if self.line.is_empty() => EndReason::NoLine,
            Ending::Board(Outcome::Win(_)) => EndReason::Line,
            Ending::Board(Outcome::Draw) => match self.position().map(Position::status) {
                Some(Status::Draw { reason: DrawReason::Repetition }) => EndReason::Repetition,
                Some(Status::Draw { reason: DrawReason::Length }) => EndReason::MoveLimit,
                _ => EndReason::Draw,
            },
            Ending::Eliminated { last_exit, .. } => last_exit.into(),
            Ending::Aborted => EndReason::Aborted,
            Ending::Abandoned => EndReason::Abandoned,
        };
        let winner = match ending.outcome() {
            Some(Outcome::Win(seat)) => Some(seat),
            _ => None,
        };
        let uncounted = self.uncounted();
        Some(GameResult { winner, reason, cells: self.line.to_vec(), uncounted })
    }
}

fn action_text(action: Action) -> String {
    match action {
        Action::Move { mv, .. } => mv.to_string(),
        Action::Resign { seat } => format!("resign:{seat}"),
    }
}
