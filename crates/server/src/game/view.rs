//! A game as clients see it.

use std::borrow::Cow;

use noughts_api::{
    ClockView, EndReason, Event, GamePhase, GameResult, GameUpdate, GameView, IdentityId,
    IdentityKind, Millis, PlayerView, SeatHolder, SeatSetup, UndoRequest,
};
use noughts_rules::{Action, Cell, Outcome};

use super::setup::{display_name, players};
use super::{Ending, OnlineGame};

impl OnlineGame {
    /// The game as a viewer sees it.
    #[must_use]
    pub fn view(&self, viewer: Option<IdentityId>, now: Millis) -> GameView {
        let rules = &self.rules;
        let position = self.game.as_ref().map(|game| game.position());
        let holder = |row, col| position?.seat_at(Cell::new(row, col)?);
        let row = |row| (0..rules.cols()).map(|col| holder(row, col)).collect();
        GameView {
            id: self.id,
            seq: self.seq,
            phase: self.phase(),
            rules: self.setup.rules.clone(),
            rows: rules.rows(),
            cols: rules.cols(),
            k: rules.k(),
            board: (0..rules.rows()).map(row).collect(),
            moves: self.game.iter().flat_map(|game| game.history()).map(action_text).collect(),
            legal: self.legal_moves(),
            turn: self.turn(),
            players: self.player_views(),
            result: self.result(),
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
            created_at: self.created_at,
            updated_at: self.updated_at,
            away_ms: self.setup.away_ms,
            viewer,
            your_seats: viewer.map(|viewer| self.seats_of(viewer).collect()).unwrap_or_default(),
        }
    }

    /// The update about the event that was just applied.
    #[must_use]
    pub fn update(&self, event: Event, at: Millis) -> GameUpdate {
        // Without gravity, the legal moves are simply the empty cells.
        let has_legal = self.rules.gravity() && self.phase() == GamePhase::Live;
        GameUpdate {
            seq: self.seq,
            at,
            event,
            phase: self.phase(),
            turn: self.turn(),
            result: self.result(),
            legal: has_legal.then(|| self.legal_moves()),
            clock: self.clock_view(at),
            players: (self.seats_seq == self.seq).then(|| self.player_views()),
            opening: match self.started_seq == self.seq {
                true => self.setup.moves.clone(),
                false => Vec::new(),
            },
        }
    }

    fn legal_moves(&self) -> Vec<Cell> {
        let game = self.game.as_ref().filter(|_| self.ending.is_none());
        game.iter().flat_map(|game| game.position().legal_moves()).collect()
    }

    fn clock_view(&self, now: Millis) -> Option<ClockView> {
        let turn = self.turn().map(|seat| seat.index());
        self.clocks.as_ref().map(|clocks| ClockView {
            control: clocks.control(),
            remaining_ms: (0..self.seats.len())
                .map(|seat| clocks.remaining(seat, turn, now))
                .collect(),
            deadline: turn.and_then(|turn| clocks.deadline(turn)),
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
            Ending::Board(Outcome::Win(_)) => EndReason::Line,
            Ending::Board(Outcome::Draw) => EndReason::Draw,
            Ending::Eliminated { last_exit, .. } => last_exit.into(),
            Ending::Aborted => EndReason::Aborted,
            Ending::Abandoned => EndReason::Abandoned,
        };
        let winner = match ending.outcome() {
            Some(Outcome::Win(seat)) => Some(seat),
            _ => None,
        };
        Some(GameResult { winner, reason, cells: self.line.to_vec() })
    }
}

fn action_text(action: Action) -> String {
    match action {
        Action::Move { cell, .. } => cell.to_string(),
        Action::Resign { seat } => format!("resign:{seat}"),
    }
}
