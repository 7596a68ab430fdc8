//! The state of a tournament, and how events change it.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_api::{
    GameId, IdentityId, Millis, TournamentFormat, TournamentId, TournamentOutcome, TournamentPhase,
};

use super::event::{TournamentEvent, TournamentSetup};

/// The version of the events that this program writes.
pub(crate) const VERSION: u8 = 1;

/// A tournament at a point of its log. Only events change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    pub(super) id: TournamentId,
    pub(super) setup: Arc<TournamentSetup>,
    pub(super) phase: TournamentPhase,
    /// In the order in which they joined. In this module, players are places in this list.
    pub(super) players: Vec<TournamentPlayer>,
    numbers: HashMap<IdentityId, usize>,
    pub(super) games: Vec<PlayedGame>,
    /// The places in `games` of those that are not over.
    pending: HashMap<GameId, usize>,
    /// How often games were paired.
    pub(super) round: u16,
    /// The number of players when it started: a round robin is among these.
    pub(super) starters: usize,
    /// When games can be paired again.
    pub(super) pairing_at: Millis,
    pub(super) seq: u32,
    created_at: Millis,
    started_at: Option<Millis>,
    finished_at: Option<Millis>,
}

/// A player of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TournamentPlayer {
    /// Who it is.
    pub identity: IdentityId,
    /// Whether a bot plays.
    pub is_bot: bool,
    /// Whether the player is paired.
    pub is_active: bool,
    /// Rounds that counted as won without a game.
    pub(super) byes: u32,
    /// The game that is being played, as a place in the list of games.
    pub(super) playing: Option<usize>,
    /// The opponent of the last game.
    pub(super) last_opponent: Option<usize>,
    /// How much oftener the player moved first than second.
    pub(super) balance: i32,
    pub(super) points: u32,
}

/// A game of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedGame {
    /// The game.
    pub game: GameId,
    /// The pairing it belongs to, from 1.
    pub round: u16,
    /// The places of the two players in the list of players; the first moves first.
    pub players: [usize; 2],
    /// How it ended.
    pub outcome: Option<TournamentOutcome>,
}

impl PlayedGame {
    /// The points of both players: 2 for a win, 1 for a draw.
    #[must_use]
    pub fn points(&self) -> [u32; 2] {
        match self.outcome {
            Some(TournamentOutcome::First) => [2, 0],
            Some(TournamentOutcome::Second) => [0, 2],
            Some(TournamentOutcome::Draw) => [1, 1],
            Some(TournamentOutcome::None) | None => [0, 0],
        }
    }

    /// Whether it has a result that counts.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.outcome.is_some_and(|outcome| outcome != TournamentOutcome::None)
    }
}

/// A log whose events don't make a tournament: it is damaged, or a later version wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} of the tournament is invalid: {reason}")]
pub struct BrokenTournamentLog {
    /// The sequence number of the event.
    pub seq: u32,
    /// What is wrong.
    pub reason: String,
}

impl Tournament {
    /// Creates a tournament.
    pub fn create(
        id: TournamentId,
        setup: TournamentSetup,
        at: Millis,
    ) -> Result<Tournament, BrokenTournamentLog> {
        if setup.v != VERSION {
            let reason = format!("version {}, expected {VERSION}", setup.v);
            return Err(BrokenTournamentLog { seq: 1, reason });
        }
        Ok(Tournament {
            id,
            setup: Arc::new(setup),
            phase: TournamentPhase::Waiting,
            players: Vec::new(),
            numbers: HashMap::new(),
            games: Vec::new(),
            pending: HashMap::new(),
            round: 0,
            starters: 0,
            pairing_at: at,
            seq: 1,
            created_at: at,
            started_at: None,
            finished_at: None,
        })
    }

    /// Applies the next event.
    pub fn apply(
        &mut self,
        event: &TournamentEvent,
        at: Millis,
    ) -> Result<(), BrokenTournamentLog> {
        let seq = self.seq + 1;
        let broken = |reason: &str| BrokenTournamentLog { seq, reason: reason.into() };
        self.apply_event(event, at).map_err(broken)?;
        self.seq = seq;
        Ok(())
    }

    fn apply_event(&mut self, event: &TournamentEvent, at: Millis) -> Result<(), &'static str> {
        match event {
            TournamentEvent::Created(_) => return Err("the tournament exists already"),
            TournamentEvent::Joined { player, bot } => self.add(*player, *bot),
            TournamentEvent::Withdrawn { player, .. } => {
                let number = self.number(*player)?;
                self.players[number].is_active = false;
            }
            TournamentEvent::Started => {
                self.phase = TournamentPhase::Running;
                self.started_at = Some(at);
                self.pairing_at = at;
                // Nobody has played yet: those who have left again were never there.
                self.players.retain(|player| player.is_active);
                let numbers = self.players.iter().enumerate();
                self.numbers = numbers.map(|(number, player)| (player.identity, number)).collect();
                self.starters = self.players.len();
            }
            TournamentEvent::Paired { games, byes } => {
                self.round += 1;
                for paired in games {
                    let players = [self.number(paired.first)?, self.number(paired.second)?];
                    self.begin_game(paired.game, players)?;
                }
                for bye in byes {
                    let number = self.number(*bye)?;
                    self.players[number].byes += 1;
                    self.players[number].points += 2;
                }
                self.pairing_at = at + self.setup.break_ms;
            }
            TournamentEvent::GameEnded { game, outcome } => {
                self.end_game(*game, *outcome)?;
                // Everyone sees the standings before the next round. An arena has its own rhythm.
                if !self.is_arena() {
                    self.pairing_at = at + self.setup.break_ms;
                }
            }
            TournamentEvent::Finished => {
                self.phase = TournamentPhase::Finished;
                self.finished_at = Some(at);
                let pending: Vec<GameId> = self.pending.keys().copied().collect();
                for game in pending {
                    self.end_game(game, TournamentOutcome::None)?;
                }
            }
            TournamentEvent::Cancelled => {
                self.phase = TournamentPhase::Cancelled;
                self.finished_at = Some(at);
            }
        }
        Ok(())
    }

    fn add(&mut self, identity: IdentityId, is_bot: bool) {
        match self.numbers.get(&identity) {
            Some(&number) => {
                let player = &mut self.players[number];
                (player.is_bot, player.is_active) = (is_bot, true);
            }
            None => {
                self.numbers.insert(identity, self.players.len());
                self.players.push(TournamentPlayer {
                    identity,
                    is_bot,
                    is_active: true,
                    byes: 0,
                    playing: None,
                    last_opponent: None,
                    balance: 0,
                    points: 0,
                });
            }
        }
    }

    fn begin_game(&mut self, game: GameId, players: [usize; 2]) -> Result<(), &'static str> {
        let place = self.games.len();
        if players[0] == players[1] || self.pending.insert(game, place).is_some() {
            return Err("the game can't be paired");
        }
        self.games.push(PlayedGame { game, round: self.round, players, outcome: None });
        for (side, &number) in players.iter().enumerate() {
            let player = &mut self.players[number];
            if player.playing.replace(place).is_some() {
                return Err("the player is playing another game");
            }
            player.last_opponent = Some(players[1 - side]);
            player.balance += if side == 0 { 1 } else { -1 };
        }
        Ok(())
    }

    fn end_game(&mut self, game: GameId, outcome: TournamentOutcome) -> Result<(), &'static str> {
        let place = self.pending.remove(&game).ok_or("the game is not being played")?;
        let game = &mut self.games[place];
        game.outcome = Some(outcome);
        for (number, points) in game.players.into_iter().zip(game.points()) {
            self.players[number].playing = None;
            self.players[number].points += points;
        }
        Ok(())
    }

    fn number(&self, player: IdentityId) -> Result<usize, &'static str> {
        self.numbers.get(&player).copied().ok_or("the player has not joined")
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> TournamentId {
        self.id
    }

    /// What it was created with.
    #[must_use]
    pub fn setup(&self) -> &TournamentSetup {
        &self.setup
    }

    /// Where it is in its life.
    #[must_use]
    pub fn phase(&self) -> TournamentPhase {
        self.phase
    }

    /// The sequence number of the last event.
    #[must_use]
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// The players, in the order in which they joined.
    #[must_use]
    pub fn players(&self) -> &[TournamentPlayer] {
        &self.players
    }

    /// The place of a player in that list.
    #[must_use]
    pub fn player(&self, identity: IdentityId) -> Option<usize> {
        self.numbers.get(&identity).copied()
    }

    /// The game that a player is playing.
    #[must_use]
    pub fn game_of(&self, identity: IdentityId) -> Option<GameId> {
        let playing = self.players[self.player(identity)?].playing?;
        Some(self.games[playing].game)
    }

    /// All games, in the order in which they were paired.
    #[must_use]
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    /// The games that are not over, in the order in which they were paired.
    #[must_use]
    pub fn pending_games(&self) -> Vec<PlayedGame> {
        let mut places: Vec<usize> = self.pending.values().copied().collect();
        places.sort_unstable();
        places.into_iter().map(|place| self.games[place]).collect()
    }

    /// Whether a game of this tournament is not over.
    #[must_use]
    pub fn is_pending(&self, game: GameId) -> bool {
        self.pending.contains_key(&game)
    }

    pub(super) fn has_pending_games(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The players of a pending game.
    pub(super) fn pending_players(&self, game: GameId) -> Option<[usize; 2]> {
        Some(self.games[*self.pending.get(&game)?].players)
    }

    /// How many players are paired.
    #[must_use]
    pub fn active_players(&self) -> usize {
        self.players.iter().filter(|player| player.is_active).count()
    }

    /// When it was created.
    #[must_use]
    pub fn created_at(&self) -> Millis {
        self.created_at
    }

    /// When it started.
    #[must_use]
    pub fn started_at(&self) -> Option<Millis> {
        self.started_at
    }

    /// When it ended, or when an arena will end.
    #[must_use]
    pub fn ends_at(&self) -> Option<Millis> {
        self.finished_at.or_else(|| match self.setup.settings.format {
            TournamentFormat::Arena { minutes } => Some(self.started_at? + arena_ms(minutes)),
            _ => None,
        })
    }

    /// Whether it lasts for a time, without rounds.
    pub(super) fn is_arena(&self) -> bool {
        matches!(self.setup.settings.format, TournamentFormat::Arena { .. })
    }

    /// The round that is played, from 1; 0 before the first, and in an arena.
    #[must_use]
    pub fn round(&self) -> u16 {
        if self.is_arena() { 0 } else { self.round }
    }

    /// The number of rounds; 0 for an arena, and for a round robin before it starts.
    #[must_use]
    pub fn rounds(&self) -> u16 {
        match self.setup.settings.format {
            TournamentFormat::Arena { .. } => 0,
            TournamentFormat::Swiss { rounds } => rounds.into(),
            TournamentFormat::RoundRobin { .. } if self.starters < 2 => 0,
            TournamentFormat::RoundRobin { cycles } => {
                let cycle = self.starters + self.starters % 2 - 1;
                u16::try_from(cycle).unwrap_or(u16::MAX).saturating_mul(cycles.into())
            }
        }
    }
}

fn arena_ms(minutes: u16) -> Millis {
    Millis::from(minutes) * 60_000
}
