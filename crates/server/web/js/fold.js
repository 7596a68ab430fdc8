// Keeping a view up to date by the updates that follow it.

import { resignation } from './history.js';
import { cellName, parseCell } from './rules.js';

/** @import { CellChange, GameUpdate, GameView } from './api' */

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
  if (update.ratings) view.ratings = update.ratings;
  if (update.clock) view.clock = update.clock;
  if (update.players) view.players = update.players;
  if (update.details) view.details = update.details;
  for (const change of update.cells ?? []) setCell(view, change);
  view.moves.push(...update.opening ?? []);
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
      view.moves.push(event.move);
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
      view.moves.length = event.to;
      view.undo_request = null;
      view.rematch_offers = [];
      break;
    case 'eliminated':
      view.moves.push(resignation(event.seat));
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
 * @param {CellChange} change
 */
function setCell(view, { cell, mark }) {
  const [level, row, col] = parseCell(cell);
  view.board[level][row][col] = mark ?? null;
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
  return board.flatMap((rows, level) => rows.flatMap((cells, row) =>
    cells.flatMap((mark, col) => (mark === null ? [cellName(level, row, col)] : []))));
}
