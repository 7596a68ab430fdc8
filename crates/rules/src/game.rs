//! A position with players.

use crate::player::check_players;
use crate::{Action, Cell, Event, Player, PlayersError, Position, Refusal, Rules, Seat, Status};

/// A game: the players, the position and the moves that led to it.
///
/// Every change returns two events: what was done, then whose turn it is or how the game ended. A
/// refused action changes nothing. The caller decides who may undo, and until when.
///
/// ```
/// use noughts_rules::{Event, Game, Player, Rules, Seat};
///
/// let players = [Player::new("John", "❎".parse()?)?, Player::new("Jane", "🛑".parse()?)?];
/// let mut game = Game::new(&Rules::classic(), players)?;
/// let [moved, turn] = game.play(Seat::FIRST, "B2".parse()?)?;
/// assert_eq!(moved, Event::Moved { seat: Seat::FIRST, cell: "B2".parse()? });
/// assert!(game.play(Seat::FIRST, "A1".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    position: Position,
    players: Vec<Player>,
}

impl Game {
    /// A new game between these players, given in seat order.
    pub fn new(rules: &Rules, players: impl Into<Vec<Player>>) -> Result<Game, PlayersError> {
        let players = players.into();
        check_players(rules, &players)?;
        Ok(Game { position: Position::new(rules), players })
    }

    /// A game between `Player 1`, `Player 2` and so on, with the default symbols.
    #[must_use]
    pub fn with_default_players(rules: &Rules) -> Game {
        let players = rules.seats().map(Player::default_for).collect();
        Game { position: Position::new(rules), players }
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

    /// The state of the game.
    #[must_use]
    pub fn status(&self) -> Status {
        self.position.status()
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

    /// The seat takes the cell.
    pub fn play(&mut self, seat: Seat, cell: Cell) -> Result<[Event; 2], Refusal> {
        match self.position.turn() {
            Some(turn) if turn != seat => return Err(Refusal::NotYourTurn { seat, turn }),
            _ => self.position.play(cell)?,
        };
        Ok([Event::Moved { seat, cell }, self.turn_or_finish()])
    }

    /// The seat leaves the game, even out of turn; the last seat left wins.
    pub fn resign(&mut self, seat: Seat) -> Result<[Event; 2], Refusal> {
        self.position.resign(seat)?;
        Ok([Event::Resigned { seat }, self.turn_or_finish()])
    }

    /// Undoes the last move or resignation. If it had ended the game, the game goes on.
    pub fn undo(&mut self) -> Result<[Event; 2], Refusal> {
        let undone = match self.position.undo()? {
            Action::Move { seat, cell } => Event::MoveUndone { seat, cell },
            Action::Resign { seat } => Event::ResignationUndone { seat },
        };
        Ok([undone, self.turn_or_finish()])
    }

    fn turn_or_finish(&self) -> Event {
        match self.status() {
            Status::InProgress { turn } => Event::Turn { seat: turn },
            status => Event::Finished { status },
        }
    }
}
