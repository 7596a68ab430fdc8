// A game as this page knows it: the server's view, and every update since.

import { cellName, parseCell } from './rules.js';

/** @import { GameUpdate, GameView } from './api' */

/**
 * Applies the next update to a view. The result is what the server would show after it: `fixtures/`
 * in the crate `noughts-api` holds this fold and the one there to the same results.
 * @param {GameView} view
 * @param {GameUpdate} update
 */
export function applyUpdate(view, update) {
  view.seq = update.seq;
  view.updated_at = update.at;
  view.phase = update.phase;
  view.turn = update.turn ?? null;
  view.result = update.result ?? null;
  if (update.clock) view.clock = update.clock;
  if (update.players) view.players = update.players;
  for (const [index, cell] of (update.opening ?? []).entries()) {
    setCell(view, cell, index % view.players.length);
    view.moves.push(cell);
  }
  applyEvent(view, update);
  const { event } = update;
  if ('seat' in event && event.type !== 'renamed' && event.type !== 'left') view.players[event.seat].away_since = null;
  view.legal = view.phase === 'live' ? update.legal ?? emptyCells(view) : [];
}

/**
 * @param {GameView} view
 * @param {GameUpdate} update
 */
function applyEvent(view, { at, event }) {
  switch (event.type) {
    case 'joined':
      if (view.viewer === event.player.identity) addSeat(view.your_seats, event.seat);
      break;
    case 'moved':
      setCell(view, event.cell, event.seat);
      view.moves.push(event.cell);
      view.undo_request = null;
      break;
    case 'undo_requested':
      view.undo_request = { seat: event.seat, to: event.to, accepted: [] };
      break;
    case 'undo_accepted':
      if (view.undo_request) addSeat(view.undo_request.accepted, event.seat);
      break;
    case 'undo_declined':
      view.undo_request = null;
      break;
    case 'undone':
      // Resignations are never taken back.
      for (const action of view.moves.splice(event.to)) if (!isResignation(action)) setCell(view, action, null);
      view.undo_request = null;
      view.rematch_offers = [];
      break;
    case 'eliminated':
      view.moves.push(`resign:${event.seat + 1}`);
      view.players[event.seat].out = true;
      view.undo_request = null;
      break;
    case 'aborted':
    case 'abandoned':
      view.undo_request = null;
      break;
    case 'left':
      view.players[event.seat].away_since = at;
      break;
    case 'clock_held':
      for (const player of view.players) if (typeof player.away_since === 'number') player.away_since += event.ms;
      break;
    case 'rematch_offered':
      addSeat(view.rematch_offers, event.seat);
      break;
    case 'rematch_withdrawn':
      view.rematch_offers = view.rematch_offers.filter((seat) => seat !== event.seat);
      break;
    case 'rematch_started':
      addSeat(view.rematch_offers, event.seat);
      view.rematch = event.game;
      view.undo_request = null;
      break;
    case 'created':
    case 'returned':
    case 'renamed':
      break;
  }
}

/**
 * @param {GameView} view
 * @param {string} cell
 * @param {number | null} seat
 */
function setCell(view, cell, seat) {
  const [row, col] = parseCell(cell);
  view.board[row][col] = seat;
}

/**
 * Adds a seat to a sorted list, once.
 * @param {number[]} seats
 * @param {number} seat
 */
function addSeat(seats, seat) {
  if (seats.includes(seat)) return;
  seats.push(seat);
  seats.sort((a, b) => a - b);
}

/**
 * @param {GameView} view
 */
function emptyCells({ board }) {
  return board.flatMap((cells, row) => cells.flatMap((seat, col) => (seat === null ? [cellName(row, col)] : [])));
}

/**
 * Actions are cells or resignations, `resign:N`.
 * @param {string} action
 */
export const isResignation = (action) => action.startsWith('resign:');

export class GameState {
  /** When the clocks were received, by this page's own clock. */
  #clockReceived = 0;

  /**
   * @param {GameView} view
   */
  constructor(view) {
    this.view = view;
    this.replace(view);
  }

  /**
   * @param {GameView} view
   */
  replace(view) {
    this.view = view;
    this.#clockReceived = performance.now();
  }

  /**
   * @param {GameUpdate} update
   */
  apply(update) {
    applyUpdate(this.view, update);
    if (update.clock) this.#clockReceived = performance.now();
  }

  /**
   * The board after some number of actions. Cells are never taken twice, so the latest board has them all.
   * @param {number} ply
   * @returns {(row: number, col: number) => number | null}
   */
  boardAt(ply) {
    const { board, moves } = this.view;
    const later = new Set(moves.slice(ply));
    return (row, col) => (later.has(cellName(row, col)) ? null : board[row][col]);
  }

  /**
   * The seat that made a move or resigned.
   * @param {string} action
   */
  seatOf(action) {
    if (isResignation(action)) return Number(action.slice('resign:'.length)) - 1;
    const [row, col] = parseCell(action);
    return this.view.board[row][col] ?? 0;
  }

  /**
   * @param {number} seat
   */
  nameOf(seat) {
    const { name, invited } = this.view.players[seat];
    return name ?? invited ?? `Player ${seat + 1}`;
  }

  /**
   * Milliseconds left on a seat's clock.
   * @param {number} seat
   */
  remainingMs(seat) {
    const { clock, turn } = this.view;
    if (!clock) return 0;
    const elapsed = turn === seat && clock.deadline ? performance.now() - this.#clockReceived : 0;
    return Math.max(clock.remaining_ms[seat] - elapsed, 0);
  }

  /** Whether this page holds a seat. */
  get isPlayer() {
    return this.view.your_seats.length > 0;
  }

  /** Whether everyone plays on this screen. */
  get isLocal() {
    const { players, your_seats: yours } = this.view;
    return this.isPlayer && players.every((player) => player.kind === 'computer' || yours.includes(player.seat));
  }

  /**
   * Whether a seat is the only one held by this page, so that its player is "you".
   * @param {number} seat
   */
  isYou(seat) {
    return this.view.your_seats.length === 1 && this.view.your_seats[0] === seat;
  }

  get isYourTurn() {
    const { turn, your_seats: yours } = this.view;
    return typeof turn === 'number' && yours.includes(turn);
  }

  /** Whether others wait for this page, and not for the other player at this screen. */
  get isAwaited() {
    return this.isYourTurn && !(this.isLocal && this.view.your_seats.length > 1);
  }
}
