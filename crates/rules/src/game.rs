//! A position with players.

use crate::player::check_players;
use crate::{
    Action, Event, Mark, Move, Outcome, Player, PlayersError, Position, Refusal, Rules, Seat,
    Status, Symbol,
};

/// A game: the players, the position and the moves that led to it.
///
/// Every change returns its events: what was done, what that did to the board, and last whose turn it
/// is or how the game ended. A refused action changes nothing. The caller decides who may undo, and
/// until when. Two games are equal if their players and positions are.
///
/// ```
/// use noughts_rules::{Cell, Event, Game, Player, Rules, Seat};
///
/// let players = [Player::new("John", "❎".parse()?)?, Player::new("Jane", "🛑".parse()?)?];
/// let mut game = Game::new(&Rules::classic(), players)?;
/// let centre: Cell = "B2".parse()?;
/// let events = game.play(Seat::FIRST, centre)?;
/// assert!(matches!(events[..], [Event::Moved { seat: Seat::FIRST, .. }, Event::Turn { .. }]));
/// assert!(game.play(Seat::FIRST, centre).is_err());
/// game.undo()?;
/// game.redo()?;
/// assert_eq!(game.history().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game {
    position: Position,
    players: Vec<Player>,
    /// Undone actions, the last undone last.
    undone: Vec<Action>,
}

impl Game {
    /// A new game between these players, given in seat order.
    pub fn new(rules: &Rules, players: impl Into<Vec<Player>>) -> Result<Game, PlayersError> {
        let players = players.into();
        check_players(rules, &players)?;
        Ok(Game { position: Position::new(rules), players, undone: Vec::new() })
    }

    /// A game that goes on from a position, with the position's history.
    ///
    /// ```
    /// use noughts_rules::{Game, Outcome, Player, Position};
    ///
    /// let position: Position = "3x3 xx1/oo1/3 x".parse()?;
    /// let players: Vec<Player> = position.rules().seats().map(Player::default_for).collect();
    /// let mut game = Game::from_position(position, players)?;
    /// game.play_turn(game.rules().parse_move("A3")?)?;
    /// assert!(matches!(game.outcome(), Some(Outcome::Win(_))));
    /// assert!(game.to_string().contains("start 3x3 xx1/oo1/3 x"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_position(
        position: Position,
        players: impl Into<Vec<Player>>,
    ) -> Result<Game, PlayersError> {
        let players = players.into();
        check_players(position.rules(), &players)?;
        Ok(Game { position, players, undone: Vec::new() })
    }

    /// A game between `Player 1`, `Player 2` and so on, with the default symbols.
    #[must_use]
    pub fn with_default_players(rules: &Rules) -> Game {
        let players = rules.seats().map(Player::default_for).collect();
        Game { position: Position::new(rules), players, undone: Vec::new() }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.position.rules()
    }

    /// The players in seat order.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player at a seat, or `None` if the game has no such seat.
    #[must_use]
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.get(seat.index())
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position with which the game began.
    #[must_use]
    pub fn start(&self) -> Position {
        let mut start = self.position.clone();
        while start.undo().is_ok() {}
        start
    }

    /// The state of the game.
    #[must_use]
    pub fn status(&self) -> Status {
        self.position.status()
    }

    /// The outcome, or `None` if the game is not over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// The seat to move, or `None` if the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        self.position.turn()
    }

    /// The moves and resignations that led here, without undone ones.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Action> + ExactSizeIterator + '_ {
        self.position.history()
    }

    /// The symbol that stands for a mark: the one of the player who began with it.
    #[must_use]
    pub fn mark_symbol(&self, mark: Mark) -> &Symbol {
        self.players[mark.index() % self.players.len()].symbol()
    }

    /// The symbol with which a seat plays: its player's own, unless the seats have swapped.
    #[must_use]
    pub fn seat_symbol(&self, seat: Seat) -> Option<&Symbol> {
        let mark = self.position.mark_of(seat).map_or(seat.index(), Mark::index);
        self.players.get(mark).map(Player::symbol)
    }

    /// The seat to move makes the move.
    pub fn play_turn(&mut self, mv: impl Into<Move>) -> Result<Vec<Event>, Refusal> {
        self.play(self.turn().ok_or(Refusal::GameOver)?, mv)
    }

    /// The seat makes the move.
    pub fn play(&mut self, seat: Seat, mv: impl Into<Move>) -> Result<Vec<Event>, Refusal> {
        let mv = mv.into();
        let fading = self.position.fading_cell();
        let mark = mv.chosen_mark().or_else(|| self.position.mark_to_place());
        match self.position.turn() {
            Some(turn) if turn != seat => return Err(Refusal::NotYourTurn { seat, turn }),
            _ => self.position.play(mv)?,
        };
        self.undone.clear();
        let mark = mark.filter(|_| mv.cell().is_some());
        let mut events = vec![Event::Moved { seat, mv, mark }];
        if let (Some(cell), Some(mark)) = (fading, mark) {
            events.push(Event::Faded { cell, mark });
        }
        if let Some(board) = mv.cell().and_then(|cell| self.rules().zone(cell))
            && self.position.is_closed(board)
        {
            let line =
                mark.filter(|_| mv.cell().is_some_and(|cell| self.position.is_on_line(cell)));
            events.push(Event::BoardClosed { board, by: line });
        }
        events.push(self.turn_or_finish());
        Ok(events)
    }

    /// The seat leaves the game, even out of turn; the last seat left wins.
    pub fn resign(&mut self, seat: Seat) -> Result<Vec<Event>, Refusal> {
        self.position.resign(seat)?;
        self.undone.clear();
        Ok(vec![Event::Resigned { seat }, self.turn_or_finish()])
    }

    /// Undoes the last move or resignation. If it had ended the game, the game goes on.
    pub fn undo(&mut self) -> Result<Vec<Event>, Refusal> {
        let action = self.position.undo()?;
        self.undone.push(action);
        let undone = match action {
            Action::Move { seat, mv } => Event::MoveUndone { seat, mv },
            Action::Resign { seat } => Event::ResignationUndone { seat },
        };
        Ok(vec![undone, self.turn_or_finish()])
    }

    /// Repeats the action that was undone last. A new action discards what was undone.
    pub fn redo(&mut self) -> Result<Vec<Event>, Refusal> {
        let mut undone = std::mem::take(&mut self.undone);
        let action = undone.pop().ok_or(Refusal::NothingToRedo)?;
        let events = match action {
            Action::Move { seat, mv } => self.play(seat, mv),
            Action::Resign { seat } => self.resign(seat),
        };
        self.undone = undone;
        events
    }

    /// The undone actions that [`redo`](Game::redo) repeats, the next one first.
    pub fn undone(&self) -> impl ExactSizeIterator<Item = Action> + '_ {
        self.undone.iter().rev().copied()
    }

    fn turn_or_finish(&self) -> Event {
        match self.status() {
            Status::InProgress { turn } => Event::Turn {
                seat: turn,
                stones: self.position.stones_left(),
                board: self.position.board_to_play(),
            },
            status => Event::Finished { status },
        }
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.position == other.position && self.players == other.players
    }
}

impl Eq for Game {}
