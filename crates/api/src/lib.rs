#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod account;
mod analysis;
mod command;
mod error;
mod event;
mod fold;
mod id;
mod league;
mod people;
mod puzzle;
mod setup;
mod socket;
mod stream;
mod tournament;
mod view;

pub use account::{
    AccountExport, Confirmation, CreatedToken, Credentials, ExportedResult, Me, NameChange,
    NewToken, PasswordChange, Recovery, RecoveryCode, Session, SessionView, TokenKind, TokenView,
};
pub use analysis::{
    AnalysisRequest, AnalysisView, LosingMove, MoveValue, PresetView, RulesValue, RulesView,
    ValueKind,
};
pub use command::{CommandReply, CommandRequest, IdempotencyKey, PlayerCommand};
pub use error::{ErrorBody, ErrorCode};
pub use event::{CellChange, Event, GameUpdate};
pub use id::{GameId, IdentityId, ParseGameIdError, ParseTournamentIdError, TournamentId};
pub use league::{
    HeadToHead, LeagueStanding, LeagueTable, LeagueView, ProfileView, RankView, RatingPoint,
    StandingView,
};
pub use people::{
    Challenge, Emote, EmoteRequest, Inbox, KindRecord, OpponentRecord, PersonView, PlayerList,
    PlayerStatistics, Relation,
};
pub use puzzle::{
    AttemptResult, AttemptView, DailyPuzzle, PositionView, PuzzleAttemptRequest, PuzzleGame,
    PuzzleGoal, PuzzleHint, PuzzleProgressView, PuzzleSolution, PuzzleStep, PuzzleView,
    WrongBecause,
};
pub use setup::{
    GameSetup, IdentityKind, Level, NewGame, NewSeat, PairingRequest, Participant, SeatHolder,
    SeatSetup, SeriesScore, TimeControl,
};
pub use socket::ServerMessage;
pub use stream::StreamEvent;
pub use tournament::{
    NewTournament, TieBreaks, TournamentExport, TournamentFormat, TournamentGame,
    TournamentOutcome, TournamentPhase, TournamentSettings, TournamentStanding, TournamentState,
    TournamentSummary, TournamentView, TournamentYou,
};
pub use view::{
    BoardShape, ClockView, EndReason, ExitReason, GamePhase, GameResult, GameSummary, GameView,
    PlayerView, RatingChange, SubBoard, SummaryDetails, SummaryPlayer, TurnDetails, Uncounted,
    UndoRequest,
};

/// A time in milliseconds since 1970, or a duration in milliseconds.
pub type Millis = i64;
