// The types of the API. Generated from the crate `noughts-api`; to update:
// UPDATE_TYPES=1 cargo test -p noughts-api --test typescript

/** Everything that the server keeps about you. */
export type AccountExport = {
  /** The players you have blocked. */
  blocked?: string[];
  /** Your bot tokens. */
  bot_tokens: TokenView[];
  /** When you were first seen, in milliseconds since 1970. */
  created_at: Millis;
  /** The players you follow. */
  following?: string[];
  /** Your games, newest first. `GET /games/{id}/export` has their moves. */
  games: GameSummary[];
  /** Who you are. */
  player: Me;
  /** Your ratings. */
  ratings: LeagueStanding[];
  /** Your rated results, oldest first. */
  results: ExportedResult[];
  /** Your sessions. */
  sessions: SessionView[];
  /** The tournaments that you joined or created. */
  tournaments?: TournamentSummary[];
};

/** A position to analyse: its text form, or rules and moves. */
export type AnalysisRequest = {
  /** The moves that lead to the position. */
  moves?: string[] | null;
  /** The position, such as `3x3 x2/1o1/3 x`. */
  position?: string | null;
  /** The rules. */
  rules?: string | null;
};

/** The value of every move in a position. */
export type AnalysisView = {
  /** The best move. */
  best: string;
  /** The principal variation: best play from here, as far as it was found. */
  line: string[];
  /** Every legal move. */
  moves: MoveValue[];
  /** The position. */
  position: string;
  /** The seat to move. */
  turn?: number | null;
};

/** What the last move of an attempt did. */
export type AttemptResult = "right" | "solved" | "wrong";

/** The answer to an attempt. */
export type AttemptView = {
  because?: WrongBecause | null;
  /** After a wrong move, its best answers; after an only move, how the game may go on. */
  continuation: PuzzleStep[];
  /** Moves of your own that are left to find. */
  moves_left: number;
  progress?: PuzzleProgressView | null;
  /** What the last move did. */
  result: AttemptResult;
  /** The last move and the defender's replies. */
  steps: PuzzleStep[];
};

/** The shape of a board. */
export type BoardShape = {
  /** Columns of a level. */
  cols: number;
  /** Levels; 1 is a flat board. */
  levels: number;
  /** Rows of a level. */
  rows: number;
  type: "grid";
} | {
  /** Columns of a board, and of the grid of boards. */
  cols: number;
  /** Rows of a board, and of the grid of boards. */
  rows: number;
  type: "nested";
} | {
  /** How many boards. */
  boards: number;
  /** Columns of a board. */
  cols: number;
  /** Rows of a board. */
  rows: number;
  type: "boards";
};

/** What stands on a cell after an event. */
export type CellChange = {
  /** The cell. */
  cell: string;
  /** The mark on it; null if it is empty again. */
  mark?: number | null;
};

/** A game that a player is invited to. */
export type Challenge = {
  /** When it expires, in milliseconds since 1970. */
  expires_at: Millis;
  /** Who challenges. */
  from: string;
  /** The game. */
  game: GameView;
  /** Who is challenged. */
  to: string;
};

/** The clocks at the time of the view. */
export type ClockView = TimeControl & {
  /** When the clocks were read, in milliseconds since 1970. */
  at: Millis;
  deadline?: Millis | null;
  first_move_deadline?: Millis | null;
  /** Milliseconds left, in seat order. */
  remaining_ms: number[];
};

/** The reply to an accepted command over HTTP. */
export type CommandReply = {
  /** The game as it is now. */
  game: GameView;
  /** The sequence number right after the command. Sending the command again gives the same. */
  seq: number;
};

/** A command of a player, the same over HTTP and WebSocket.
 *
 * `seq` is the last event the sender has seen: a command based on an outdated game is refused with
 * `stale`. Sending the same `key` again is safe: the command takes effect once and gets the same reply. */
export type CommandRequest = {
  /** What to do. */
  command: PlayerCommand;
  /** An idempotency key of your choice, different for each command. */
  key: string;
  /** The seat to act for, if you hold several. */
  seat?: number | null;
  /** The sequence number of the last event you have seen. `join` and `rematch` ignore it. */
  seq: number;
};

/** Your password, to confirm what can't be undone. */
export type Confirmation = {
  /** The current password. Guests have none. */
  password?: string | null;
};

/** A token that was just created. */
export type CreatedToken = {
  /** The id by which it can be revoked. */
  id: string;
  /** The token, shown only once. */
  token: string;
};

/** A name and its password. */
export type Credentials = {
  /** 1 to 32 characters. */
  name: string;
  /** 8 to 256 characters. */
  password: string;
};

/** The puzzle of the day. */
export type DailyPuzzle = {
  /** The day in UTC, counted from 1 January 1970. */
  day: number;
  /** The puzzle. */
  puzzle: PuzzleView;
  /** How many have solved it today. */
  solvers: number;
};

/** What players say to each other during a game. */
export type Emote = "hello" | "good_luck" | "nice_move" | "thanks" | "oops" | "thinking" | "good_game" | "one_more";

/** An emote to send to everyone at a game. */
export type EmoteRequest = {
  /** The emote. */
  emote: Emote;
  /** The seat that says it, if you hold several. */
  seat?: number | null;
};

/** How a game ended. */
export type EndReason = "line" | "draw" | "repetition" | "move_limit" | "no_line" | "resigned" | "time" | "left" | "forfeit" | "aborted" | "abandoned";

/** The body of every error. */
export type ErrorBody = {
  /** A stable code for programs. */
  code: ErrorCode;
  game?: GameView | null;
  /** A sentence for people. */
  message: string;
};

/** Why a request was refused. The codes are stable; later versions may add some. */
export type ErrorCode = "off_board" | "taken" | "floating" | "closed_board" | "other_board" | "which_mark" | "no_choice_of_mark" | "forbidden" | "choice_due" | "no_choice_due" | "not_your_turn" | "game_over" | "nothing_to_undo" | "not_playing" | "stale" | "not_a_player" | "not_your_seat" | "not_started" | "too_late_to_abort" | "not_over" | "rated_is_final" | "nobody_to_ask" | "too_many_undos" | "undo_pending" | "no_undo_request" | "no_free_seat" | "already_seated" | "not_away" | "rematch_offered" | "rated_against_oneself" | "invited_twice" | "seat_count" | "time_control" | "symbol" | "same_symbol" | "name" | "no_game" | "no_player" | "no_league" | "no_puzzle" | "no_token" | "no_route" | "no_method" | "sign_in_needed" | "bad_token" | "wrong_password" | "wrong_code" | "name_taken" | "already_named" | "account_needed" | "not_for_bots" | "password" | "malformed" | "not_a_websocket" | "too_large" | "too_slow" | "not_json" | "invalid" | "cross_site" | "too_fast" | "daily_limit" | "blocked" | "too_many" | "busy" | "unavailable" | "behind" | "cant_export" | "still_played" | "no_tournament" | "tournament_game" | "tournament_closed" | "tournament_full" | "too_few_players" | "not_yours" | "unknown";

/** Something that happened in a game. Logs are read for ever, so the names are stable. */
export type Event = GameSetup & {
  type: "created";
} | {
  /** The player. */
  player: Participant;
  /** The seat. */
  seat: number;
  /** The symbol the player chose. */
  symbol?: string | null;
  type: "joined";
} | {
  /** The move. Older logs call it `cell`. */
  move: string;
  /** The seat. */
  seat: number;
  type: "moved";
} | {
  /** The seat that asks. */
  seat: number;
  /** How many actions would remain. */
  to: number;
  type: "undo_requested";
} | {
  /** The seat that accepts. */
  seat: number;
  type: "undo_accepted";
} | {
  /** The seat that declines. */
  seat: number;
  type: "undo_declined";
} | {
  /** The seat that asked. */
  seat: number;
  /** How many actions remain. */
  to: number;
  type: "undone";
} | {
  /** Why. */
  reason: ExitReason;
  /** The seat. */
  seat: number;
  type: "eliminated";
} | {
  /** The seat that aborted it. */
  seat: number;
  type: "aborted";
} | {
  type: "abandoned";
} | {
  /** The seat. */
  seat: number;
  type: "left";
} | {
  /** The seat. */
  seat: number;
  type: "returned";
} | {
  /** The player under the new name. */
  player: Participant;
  /** The seat. */
  seat: number;
  type: "renamed";
} | {
  /** Milliseconds. */
  ms: number;
  type: "clock_held";
} | {
  /** The seat. */
  seat: number;
  type: "rematch_offered";
} | {
  /** The seat. */
  seat: number;
  type: "rematch_withdrawn";
} | {
  /** The next game. */
  game: GameId;
  /** The seat that agreed last. */
  seat: number;
  type: "rematch_started";
};

/** Why a seat is out of the game. */
export type ExitReason = "resigned" | "time" | "left" | "forfeit";

/** One of your rated results. */
export type ExportedResult = {
  /** When the game ended, in milliseconds since 1970. */
  at: Millis;
  /** The game. */
  game: GameId;
  /** The league. */
  league: string;
  /** Whether the result was retracted, so that it does not count. */
  retracted: boolean;
  /** Your seat, from 0. */
  seat: number;
  /** How much the result counts for you, in percent. */
  weight: number;
  /** The winner's seat; null for a draw. */
  winner?: number | null;
};

/** The id of an online game: a ULID, so ids order by creation time and can't be guessed.
 *
 * As text, an id has 26 letters and digits. Case does not matter when it is parsed.
 *
 * ```
 * use noughts_api::GameId;
 *
 * let id = GameId::new(1_700_000_000_000, *b"0123456789");
 * assert_eq!(id.to_string(), "01hf7yat0060rk4csm6mv3ee1s");
 * assert_eq!("01HF7YAT0060RK4CSM6MV3EE1S".parse(), Ok(id));
 * ``` */
export type GameId = string;

/** Where a game is in its life. */
export type GamePhase = "open" | "live" | "finished";

/** How a game ended. */
export type GameResult = {
  /** The cells of the line (in misère games the loser's), row by row. */
  cells: string[];
  /** How it ended. */
  reason: EndReason;
  uncounted?: Uncounted | null;
  /** The winner; null for a draw or a game that does not count. */
  winner?: number | null;
};

/** What a game was created with: the first event of every log. */
export type GameSetup = {
  /** How long a player may be away before the others can claim the game, in milliseconds. */
  away_ms: number;
  clock?: TimeControl | null;
  /** The identity that created it. */
  creator: IdentityId;
  /** How long each player of a game with a clock has for the first move, in milliseconds. */
  first_move_ms?: number | null;
  /** How long a live game may be idle before it is abandoned, in milliseconds. */
  idle_ms: number;
  /** The league of a rated game. */
  league?: string | null;
  /** The moves the game starts with, if it starts from a position. */
  moves?: string[];
  /** The same while it waits for players. */
  open_ms?: number | null;
  /** Whether the game is listed. */
  public: boolean;
  rematch_of?: GameId | null;
  /** The text form of the rules. */
  rules: string;
  /** Who may sit where, in seat order. */
  seats: SeatSetup[];
  series?: SeriesScore | null;
  tournament?: TournamentId | null;
  /** The version of the events in this log. */
  v: number;
};

/** A game in a list. */
export type GameSummary = SummaryDetails & {
  /** The id of the game. */
  id: GameId;
  /** The league of a rated game. */
  league?: string | null;
  /** Where the game is in its life. */
  phase: GamePhase;
  /** Whether it is rated. */
  rated: boolean;
  /** The rules. */
  rules: string;
  /** When the last event happened, in milliseconds since 1970. */
  updated_at: Millis;
};

/** An event with its place in the game and what follows from it, so that no client has to know the rules. */
export type GameUpdate = {
  /** When it happened, in milliseconds since 1970. */
  at: Millis;
  /** The cells that the event changed; all taken cells if the game starts with this event. */
  cells?: CellChange[];
  clock?: ClockView | null;
  details?: TurnDetails | null;
  /** What happened. */
  event: Event;
  /** The legal moves, if they are not simply the empty cells. */
  legal?: string[] | null;
  /** The moves the game starts with, if it starts with this event from a given position. */
  opening?: string[];
  /** The phase afterwards. */
  phase: GamePhase;
  /** All players, if the event changed who sits where. */
  players?: PlayerView[] | null;
  /** What the result did to the players' ratings, in seat order. */
  ratings?: RatingChange[] | null;
  result?: GameResult | null;
  /** The sequence number. Numbers have no gaps. */
  seq: number;
  /** The seat to move afterwards. */
  turn?: number | null;
};

/** A game with everything a client needs to show it. */
export type GameView = {
  /** How long a player may be away before the others can claim the game, in milliseconds. */
  away_ms: number;
  /** What stands on the cells, level by level and row by row from the top: the mark, or null. Mark N
   * is drawn with the symbol of player N. */
  board: (((number | null)[])[])[];
  clock?: ClockView | null;
  /** When the game was created, in milliseconds since 1970. */
  created_at: Millis;
  /** What else decides how the game goes on. */
  details: TurnDetails;
  /** The id of the game. */
  id: GameId;
  /** How many cells in a row make a line, or the length of the longest of listed lines. */
  k: number;
  /** The league of a rated game. */
  league?: string | null;
  /** The legal moves of the seat to move: boxes such as `B3` or `2B3`, boxes with a mark such as
   * `B3=o` where the mover chooses it, or the opening choices `swap`, `keep` and `more`. */
  legal: string[];
  /** The actions so far, without those taken back: moves, or `resign:N` (player N from 1). */
  moves: string[];
  /** Where the game is in its life. */
  phase: GamePhase;
  /** The players, in seat order. */
  players: PlayerView[];
  /** Whether the game is listed. */
  public: boolean;
  /** Whether the game is rated. */
  rated: boolean;
  /** What the result did to the players' ratings, in seat order; missing if it does not count, or is
   * still being counted. */
  ratings?: RatingChange[] | null;
  rematch?: GameId | null;
  rematch_of?: GameId | null;
  /** The seats that offer a rematch. */
  rematch_offers: number[];
  result?: GameResult | null;
  /** The text form of the rules. */
  rules: string;
  /** The sequence number of the last event. */
  seq: number;
  series?: SeriesScore | null;
  /** The shape of the board. */
  shape: BoardShape;
  tournament?: TournamentId | null;
  /** The seat to move. */
  turn?: number | null;
  undo_request?: UndoRequest | null;
  /** When the last event happened, in milliseconds since 1970. */
  updated_at: Millis;
  viewer?: IdentityId | null;
  /** The seats you hold. */
  your_seats: number[];
};

/** The score of two players against each other, in all leagues. */
export type HeadToHead = {
  /** Games drawn. */
  draws: number;
  /** Games the second player won. */
  losses: number;
  /** Games the first player won. */
  wins: number;
};

/** The number of an identity: a guest, an account or a computer player. Seats, results and ratings
 * belong to it, whatever its name. */
export type IdentityId = number;

/** What kind of player somebody is. */
export type IdentityKind = "guest" | "account" | "bot" | "computer";

/** What waits for your answer, or for that of others. */
export type Inbox = {
  /** Challenges to you: the command `join` accepts, `abort` declines. */
  received: Challenge[];
  /** Finished games whose players offer you a rematch: the command `rematch` accepts. */
  rematches: GameView[];
  /** Your own challenges: the command `abort` withdraws. */
  sent: Challenge[];
  /** Games that wait for your move, or for your answer to an undo request. */
  turns: GameView[];
};

/** How a player has done in a kind of game. */
export type KindRecord = {
  /** Games drawn. */
  draws: number;
  /** The kind: a preset such as `gomoku`, or `other`. */
  kind: string;
  /** Games lost. */
  losses: number;
  /** The kind in words. */
  title: string;
  /** Games won. */
  wins: number;
};

/** A player's standing in one league. */
export type LeagueStanding = StandingView & {
  /** The league. */
  league: string;
  /** The league in words. */
  title: string;
};

/** A page of a league table. */
export type LeagueTable = {
  /** The league. */
  name: string;
  /** How many players the table has. */
  players: number;
  /** This page's rows, best first. */
  rows: StandingView[];
  /** The rating system. */
  system: string;
};

/** A league. */
export type LeagueView = {
  /** The name: a kind of game such as `gomoku`, `other`, or one that the operator has chosen. */
  name: string;
  /** How many players its table has. */
  players: number;
  /** The rules that are rated in it, if it is the league of a kind of game. */
  rules: string[];
  /** The rating system. */
  system: string;
  /** The name in words, such as `Gomoku`. */
  title: string;
};

/** The level of a computer player. */
export type Level = "random" | "easy" | "medium" | "hard" | "perfect";

/** The move that lost a game. */
export type LosingMove = {
  /** A better move. */
  better: string;
  /** What the better move would have kept. `estimate` means that it is not proven, but the search saw
   * no loss before this move. */
  missed: ValueKind;
  /** The move. */
  move: string;
  /** How many actions came before it. */
  ply: number;
  /** The seat that made it. */
  seat: number;
};

/** Who you are. */
export type Me = {
  /** The number of your identity. */
  id: IdentityId;
  /** What kind of player you are. */
  kind: IdentityKind;
  /** Your name. */
  name: string;
};

/** The value of a move for the seat that makes it. */
export type MoveValue = {
  /** What it leads to. */
  kind: ValueKind;
  /** The move. */
  move: string;
  /** Plies until the win or loss. */
  plies?: number | null;
  /** The score of an estimate: above 0 is good. */
  score?: number | null;
};

/** A new name. */
export type NameChange = {
  /** 1 to 32 characters. */
  name: string;
};

/** A game to create. */
export type NewGame = {
  /** How many seconds a player may be away before the others can claim the game: 10 to 604800. */
  away_seconds?: number | null;
  clock?: TimeControl | null;
  /** An idempotency key: sent again, the request creates no second game. */
  key?: string | null;
  /** The league of a rated game; that of its kind of game if missing. */
  league?: string | null;
  /** Moves already made, to start a casual game from a position. */
  moves?: string[];
  /** Whether the game is listed, as it is by default. Otherwise only people with the link find it. */
  public?: boolean;
  /** Whether the game is rated. */
  rated?: boolean;
  /** The rules, such as `3x3` (which is the default), `15x15:5+exact`, `3x3+ultimate`, or a preset
   * such as `connect4`. */
  rules?: string;
  /** Who plays, in turn order. */
  seats: NewSeat[];
  /** Whether to shuffle the seats. */
  shuffle?: boolean;
};

/** Who a seat of a new game is for. */
export type NewSeat = {
  for: "me";
  /** Your name in this game, if everyone plays on one screen. */
  name?: string | null;
  /** The symbol for your cells. */
  symbol?: string | null;
} | {
  for: "anyone";
  /** The symbol for their cells. */
  symbol?: string | null;
} | {
  for: "player";
  /** The name. */
  name: string;
  /** The symbol for their cells. */
  symbol?: string | null;
} | {
  for: "computer";
  /** Its level. */
  level: Level;
  /** The symbol for its cells. */
  symbol?: string | null;
};

/** A token to create for a bot. */
export type NewToken = {
  /** A label of your choice: 1 to 64 characters. */
  label: string;
};

/** A tournament to create. */
export type NewTournament = {
  /** Whether bots may join. */
  bots?: boolean;
  /** The time control of every game. */
  clock: TimeControl;
  /** Who meets whom, and for how long. */
  format: TournamentFormat;
  /** An idempotency key: sent again, the request creates no second tournament. */
  key?: string | null;
  /** Its name: 2 to 60 characters. */
  name: string;
  /** Whether the tournament and its games are listed. Otherwise only people with the link find it. */
  public?: boolean;
  /** Whether the games are rated. */
  rated?: boolean;
  /** The rules, for two players. */
  rules?: string;
  starts_at?: Millis | null;
};

/** How a player has done against another one. */
export type OpponentRecord = {
  /** Games drawn. */
  draws: number;
  /** What kind of player. */
  kind: IdentityKind;
  /** Games lost. */
  losses: number;
  /** The opponent. */
  name: string;
  /** Games won. */
  wins: number;
};

/** A request to be paired with anyone who is waiting. */
export type PairingRequest = {
  clock?: TimeControl | null;
  /** An idempotency key: sent again, the request leads to the same game. */
  key?: string | null;
  /** Whether the game is rated. */
  rated?: boolean;
  /** The rules; `3x3` by default. */
  rules?: string;
};

/** A person or a bot in a game. */
export type Participant = {
  /** Who they are. */
  identity: IdentityId;
  /** What kind of player they are. */
  kind: IdentityKind;
  /** The name the others see. */
  name: string;
};

/** A change of password. */
export type PasswordChange = {
  /** The current password. */
  current: string;
  /** The new password, 8 to 256 characters. */
  new: string;
};

/** Another player, as you see them. */
export type PersonView = {
  /** Whether you follow them. */
  following: boolean;
  /** What kind of player: `bot` for an account that only its bot is connected to. */
  kind: IdentityKind;
  /** The name. */
  name: string;
  /** Whether they are connected. */
  online: boolean;
};

/** Everything a player can do in a game. */
export type PlayerCommand = {
  /** The symbol for your cells. */
  symbol?: string | null;
  type: "join";
} | {
  /** A box such as `B3`; on a level or board `2B3`; with the mark that you choose `B3=o`; or an
   * opening choice: `swap`, `keep` or `more`. */
  move: string;
  type: "move";
} | {
  type: "request_undo";
} | {
  /** Whether the move may be taken back. */
  accept: boolean;
  type: "answer_undo";
} | {
  type: "resign";
} | {
  type: "abort";
} | {
  type: "claim";
} | {
  type: "rematch";
};

/** Players who are there, or whose names begin with a text. */
export type PlayerList = {
  /** How many players are connected. */
  online: number;
  /** Those you follow first, then by name; without yourself, and without those you have blocked or
   * who have blocked you. */
  players: PersonView[];
};

/** How a player has done, in the newest of their finished games. */
export type PlayerStatistics = {
  /** How many games are counted: at most the newest 1,000. Of other players, only public games. */
  games: number;
  /** By kind of game, the most played first. */
  kinds: KindRecord[];
  /** By opponent in games of two, the most met first; at most 20. */
  opponents: OpponentRecord[];
};

/** One seat and its player. */
export type PlayerView = {
  away_since?: Millis | null;
  /** The name of the player the seat is kept for. */
  invited?: string | null;
  kind?: IdentityKind | null;
  level?: Level | null;
  /** The player's name; null while the seat is free. */
  name?: string | null;
  /** Whether the player is out of the game. */
  out: boolean;
  /** The rating in the league of a rated game. */
  rating?: number | null;
  /** The seat, from 0. */
  seat: number;
  /** The player's symbol. It stands for the mark with the number of this seat, which belongs to
   * another seat after a swap. */
  symbol: string;
};

/** A position, as much as clients need to draw it. */
export type PositionView = {
  /** What stands on the cells, level by level and row by row from the top: the mark, or null. */
  board: (((number | null)[])[])[];
  /** What else decides how the game goes on. */
  details: TurnDetails;
  /** The legal moves of the seat to move. */
  legal: string[];
  /** The seat to move. */
  turn?: number | null;
  /** The cells of the line of a game that is won (in misère games the loser's). */
  winning: string[];
};

/** A well-known game. */
export type PresetView = {
  /** A short name, which stands for the rules wherever they are asked for. */
  name: string;
  /** The text form of the rules. */
  rules: string;
  /** The game in one sentence. */
  summary: string;
  /** The name of the game. */
  title: string;
};

/** A player's profile. */
export type ProfileView = {
  /** When the player was first seen, in milliseconds since 1970. */
  created_at: Millis;
  /** What kind of player. */
  kind: IdentityKind;
  /** The player's standing in each league. */
  leagues: LeagueStanding[];
  /** The name. */
  name: string;
  /** Whether the player is connected. */
  online: boolean;
  relation?: Relation | null;
};

/** The moves of an attempt. */
export type PuzzleAttemptRequest = {
  /** Your own moves so far, the one to check last. */
  moves: string[];
};

/** A game that has puzzles. */
export type PuzzleGame = {
  /** How many puzzles it has. */
  puzzles: number;
  /** The rules. */
  rules: string;
  /** The name of the game. */
  title: string;
};

/** What a puzzle asks for. */
export type PuzzleGoal = "win" | "draw";

/** A hint: some moves, including the right one. */
export type PuzzleHint = {
  /** The moves. */
  moves: string[];
};

/** How far you have come with puzzles. */
export type PuzzleProgressView = {
  /** What the last result did to it. */
  change?: number | null;
  /** The days on which you solved the puzzle of the day, the last first, back to a week ago. */
  days: number[];
  /** Your rating. */
  rating: number;
  /** Puzzles you have solved. */
  solved: number;
  /** Days in a row, up to today or yesterday, on which you solved the puzzle of the day. */
  streak: number;
  /** Today, counted from 1 January 1970 (UTC). */
  today: number;
  /** Puzzles you have tried. */
  tried: number;
};

/** The solution from the beginning. */
export type PuzzleSolution = {
  progress?: PuzzleProgressView | null;
  /** The moves of both sides. */
  steps: PuzzleStep[];
};

/** A move of an explanation, with the position after it. */
export type PuzzleStep = {
  /** The move. */
  move: string;
  /** The position after it. */
  view: PositionView;
};

/** A puzzle, without its solution. */
export type PuzzleView = {
  /** From 1, easy, to 5, hard. */
  difficulty: number;
  /** The id: 16 hexadecimal digits. */
  id: string;
  /** What it asks for. */
  kind: PuzzleGoal;
  /** How many moves of your own it takes. */
  moves: number;
  /** The position in text form. */
  position: string;
  /** The rating of the puzzle as an opponent. */
  rating: number;
  /** The rules. */
  rules: string;
  /** The seat to move, whose puzzle it is. */
  seat: number;
  /** The shape of the board. */
  shape: BoardShape;
  /** Whether you have solved it. */
  solved: boolean;
  /** The game in one sentence. */
  summary: string;
  /** The name of the game. */
  title: string;
  /** The position. */
  view: PositionView;
};

/** A player's rank with the players around it. */
export type RankView = {
  /** The players above; the nearest is last. */
  above: StandingView[];
  /** The players below; the nearest is first. */
  below: StandingView[];
  /** The player. */
  player: StandingView;
};

/** What a result did to a player's rating. */
export type RatingChange = {
  /** The rating after it. */
  after: number;
  /** The rating before the game. */
  before: number;
  /** How much the game counts for the player, in percent: nothing against a guest, and less and less
   * if the same players or addresses meet often in a day. */
  weight: number;
};

/** A point of a rating history. */
export type RatingPoint = {
  /** When the game ended, in milliseconds since 1970. */
  at: Millis;
  /** The rating deviation after the game, if the system has one. */
  deviation?: number | null;
  /** The rating after the game. */
  rating: number;
};

/** A new password for an account whose password is lost. */
export type Recovery = {
  /** Its recovery code. */
  code: string;
  /** The account's name. */
  name: string;
  /** The new password, 8 to 256 characters. */
  password: string;
};

/** A recovery code. */
export type RecoveryCode = {
  /** The code, shown only once. */
  code: string;
};

/** What you have chosen about another player. */
export type Relation = "following" | "blocked";

/** What perfect play leads to. */
export type RulesValue = {
  /** Plies until the win or loss, if known. */
  plies?: number | null;
  /** For the first player. */
  result: ValueKind;
  /** Where it is published; null if the server proved it. */
  source?: string | null;
};

/** Rules: what clients need to explain them and to draw the board. */
export type RulesView = {
  /** Whether the mover chooses the mark. */
  choice_of_mark: boolean;
  /** Whether moves fall to the lowest empty cell. */
  gravity: boolean;
  /** How to play, sentence by sentence. */
  how_to_play: string[];
  /** How many cells in a row make a line, or the length of the longest of listed lines. */
  k: number;
  /** How many players. */
  players: number;
  /** The text form. */
  rules: string;
  /** The shape of the board. */
  shape: BoardShape;
  /** The game in one sentence. */
  summary: string;
  /** The name of the game. */
  title: string;
  value?: RulesValue | null;
};

/** Who holds a seat. */
export type SeatHolder = {
  type: "open";
} | {
  /** Who is invited. */
  identity: IdentityId;
  /** Their name. */
  name: string;
  type: "invited";
} | Participant & {
  type: "taken";
} | {
  /** Its level. */
  level: Level;
  type: "computer";
};

/** One seat of a game. */
export type SeatSetup = {
  /** Who holds the seat. */
  holder: SeatHolder;
  /** The symbol, if it is not the default. */
  symbol?: string | null;
};

/** The score of a series of rematches. */
export type SeriesScore = {
  /** Games drawn. */
  draws: number;
  /** Games won, in seat order. */
  wins: number[];
};

/** A message from the server over a game's WebSocket. */
export type ServerMessage = {
  /** The game. */
  game: GameView;
  type: "state";
} | GameUpdate & {
  type: "update";
} | {
  /** The command's key. */
  key: string;
  /** The sequence number right after the command. */
  seq: number;
  type: "accepted";
} | ErrorBody & {
  /** The command's key, if it could be read. */
  key?: string | null;
} & {
  type: "refused";
} | {
  /** Milliseconds. */
  ms: number;
  /** The player's seat. */
  seat: number;
  type: "lag";
} | {
  /** What they say. */
  emote: Emote;
  /** The player's seat. */
  seat: number;
  type: "emote";
} | {
  /** How many. Large numbers are not sent at every change. */
  count: number;
  type: "spectators";
};

/** A new session. */
export type Session = {
  /** Who you are. */
  player: Me;
  /** The recovery code of a new account, shown only once: it sets a new password if the old one is
   * lost. */
  recovery_code?: string | null;
  /** The token, for `Authorization: Bearer`. Browsers get it in a cookie. */
  token: string;
};

/** One of your sessions. */
export type SessionView = {
  /** The address it began from: an IPv4 address, or the first half of an IPv6 address. */
  address?: string | null;
  /** When it began, in milliseconds since 1970. */
  created_at: Millis;
  /** Whether it is the one that asks. */
  current: boolean;
  /** The device, such as `Firefox on Linux`, if it said. */
  device?: string | null;
  /** The id by which it can be ended. */
  id: string;
  /** When it was used last, to within an hour. */
  last_used_at: Millis;
};

/** A player's row in a league table. */
export type StandingView = {
  /** The rating deviation, if the system has one: `glicko2` in points, `weng-lin` on its own scale,
   * where 25/3 corresponds to 200 points. */
  deviation?: number | null;
  /** Games drawn. */
  draws: number;
  /** What kind of player. */
  kind: IdentityKind;
  /** Games lost. */
  losses: number;
  /** The player. */
  name: string;
  /** From 1; equal ratings share a rank. Null for players who are not in the table: guests, whose
   * ratings are provisional, and players without a game that counts. */
  rank?: number | null;
  /** The rating. */
  rating: number;
  /** Games won. */
  wins: number;
};

/** The state of a sub-board. */
export type SubBoard = {
  /** Whether no more moves are possible in it. */
  closed: boolean;
  /** The mark that won it (ultimate). */
  winner?: number | null;
};

/** What lists show of a game besides its phase and rules. */
export type SummaryDetails = {
  clock?: TimeControl | null;
  /** When the game was created, in milliseconds since 1970. */
  created_at: Millis;
  /** The players, in seat order. */
  players: SummaryPlayer[];
  reason?: EndReason | null;
  /** The winner. */
  winner?: number | null;
};

/** A player of a game in a list. */
export type SummaryPlayer = {
  /** The name of the player the seat is kept for. */
  invited?: string | null;
  kind?: IdentityKind | null;
  /** The name; null while the seat is free. */
  name?: string | null;
};

/** Tie-breaks, in points as in `points`. */
export type TieBreaks = {
  /** Buchholz: the sum of the opponents' points. A bye counts as an opponent with one's own points. */
  buchholz: number;
  /** Points in the games among those with the same number of points. */
  head_to_head: number;
  /** Sonneborn–Berger: the points of the opponents one has beaten, and half of those one has drawn
   * with; doubled, to be a whole number. */
  sonneborn_berger: number;
};

/** How much time each player has. */
export type TimeControl = {
  /** Milliseconds each move adds: at most 1 hour. */
  increment_ms?: number;
  /** Milliseconds for the whole game: 1 second to 7 days. */
  initial_ms: number;
};

/** What a token is for. */
export type TokenKind = "session" | "bot";

/** One of your tokens. */
export type TokenView = {
  /** When it was created, in milliseconds since 1970. */
  created_at: Millis;
  /** The id by which it can be revoked. */
  id: string;
  /** What it is for. */
  kind: TokenKind;
  /** Its label. */
  label: string;
};

/** Who meets whom. */
export type TournamentFormat = {
  /** How long it lasts. */
  minutes: number;
  type: "arena";
} | {
  /** How often: 1, or 2 with the first move going to each player once. */
  cycles: number;
  type: "round_robin";
} | {
  /** The number of rounds. */
  rounds: number;
  type: "swiss";
};

/** A game of a tournament. */
export type TournamentGame = {
  /** The number of the player who moves first. */
  first: number;
  /** The game. */
  game: GameId;
  outcome?: TournamentOutcome | null;
  /** The round, from 1; in an arena, the number of the pairing. */
  round: number;
  /** The number of the player who moves second. */
  second: number;
};

/** The id of an online tournament, in the same form as a [`GameId`]. */
export type TournamentId = string;

/** How a game of a tournament ended. */
export type TournamentOutcome = "first" | "second" | "draw" | "none";

/** Where a tournament is in its life. */
export type TournamentPhase = "waiting" | "running" | "finished" | "cancelled";

/** What a tournament was created with. */
export type TournamentSettings = {
  /** Whether bots may join. */
  bots: boolean;
  /** The time control of every game. */
  clock: TimeControl;
  /** Who meets whom. */
  format: TournamentFormat;
  /** The league of rated games; missing if the games are casual. */
  league?: string | null;
  /** Its name. */
  name: string;
  /** Whether the tournament and its games are listed. */
  public: boolean;
  /** The text form of the rules. */
  rules: string;
  starts_at?: Millis | null;
};

/** A player of a tournament. */
export type TournamentStanding = {
  /** Whether the player is paired: false after leaving, or after not coming to a game. */
  active: boolean;
  /** Rounds that counted as won without a game. */
  byes: number;
  /** Games drawn. */
  draws: number;
  /** Games played to a result. */
  games: number;
  /** What kind of player it is. */
  kind: IdentityKind;
  /** Games lost. */
  losses: number;
  /** The name. */
  name: string;
  /** The number of the player, from 1, in the order in which they joined. */
  number: number;
  /** Points: 2 for a win or a bye, 1 for a draw. */
  points: number;
  /** The rank, from 1. Players that no tie-break separates share one. */
  rank: number;
  /** What separates players with the same number of points. */
  tie_breaks: TieBreaks;
  /** Games won. */
  wins: number;
};

/** A tournament with what concerns you: the answer to every request about it, and a line of
 * `GET /api/v1/tournaments/{id}/stream`. */
export type TournamentState = {
  /** The time of the server, in milliseconds since 1970. */
  at: Millis;
  /** The tournament, the same for everyone. */
  tournament: TournamentView;
  you?: TournamentYou | null;
};

/** A tournament in a list. */
export type TournamentSummary = TournamentSettings & {
  ends_at?: Millis | null;
  /** Its id. */
  id: TournamentId;
  /** Where it is in its life. */
  phase: TournamentPhase;
  /** The number of players who have joined and not left. */
  players: number;
  started_at?: Millis | null;
};

/** A tournament as everyone sees it. */
export type TournamentView = TournamentSettings & {
  /** When it was created, in milliseconds since 1970. */
  created_at: Millis;
  /** The name of the player who created it. */
  creator: string;
  ends_at?: Millis | null;
  /** The games that are being played. */
  games: TournamentGame[];
  /** Its id. */
  id: TournamentId;
  next_pairing_at?: Millis | null;
  /** Where it is in its life. */
  phase: TournamentPhase;
  /** The round that is played, from 1; 0 before the first. An arena has none. */
  round: number;
  /** The number of rounds, once it is known; 0 for an arena. */
  rounds: number;
  /** The sequence number of its last event. */
  seq: number;
  /** The players, best first. */
  standings: TournamentStanding[];
  started_at?: Millis | null;
};

/** Your part in a tournament. */
export type TournamentYou = {
  /** Whether you are paired. */
  active: boolean;
  /** Whether you created the tournament: you may start and cancel it. */
  creator: boolean;
  game?: GameId | null;
  /** Your number, if you have joined. */
  number?: number | null;
};

/** What decides how a game goes on besides the cells and the turn. */
export type TurnDetails = {
  /** The sub-board in which the seat to move must move; null if it may choose. */
  board_to_play?: number | null;
  /** The sub-boards, by number; empty if the board is one piece. */
  boards: SubBoard[];
  /** The cell whose mark disappears with the next move. */
  fading?: string | null;
  /** The mark of the next stone of an opening (swap, swap2), in which marks alternate whoever places
   * them; missing otherwise. */
  opening_mark?: number | null;
  /** The seat that plays each mark, by mark; null where a mark belongs to nobody. An opening swap
   * exchanges them. */
  owners: (number | null)[];
  /** How many stones the seat to move may still place in this turn; 0 if the game is over or has not
   * started. */
  stones_left: number;
};

/** Why a finished rated game does not count. */
export type Uncounted = "too_short" | "computer_failed";

/** A pending undo request. */
export type UndoRequest = {
  /** The seats that have accepted. */
  accepted: number[];
  /** The seat that asks. */
  seat: number;
  /** How many actions would remain. */
  to: number;
};

/** What a move leads to. */
export type ValueKind = "win" | "draw" | "loss" | "estimate";

/** What a wrong move leads to, with best play of both sides. */
export type WrongBecause = "loses" | "draws" | "too_slow";

export type Millis = number;
