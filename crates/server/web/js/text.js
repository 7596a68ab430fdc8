// What happens in a game, in sentences.

import { isResignation } from './state.js';

/** @import { GameUpdate } from './api' */
/** @import { GameState } from './state.js' */

/**
 * How a game ended.
 * @param {GameState} state
 */
function resultText(state) {
  const { result, players, moves } = state.view;
  if (!result) return '';
  const winner = result.winner ?? null;
  const wins = winner === null ? '' : state.isYou(winner) ? 'You win!' : `${state.nameOf(winner)} wins.`;
  const last = moves.findLast(isResignation);
  const loser = last === undefined ? 'The other player' : subject(state, state.seatOf(last));
  switch (result.reason) {
    case 'line':
      return players.length === 2 && winner !== null && isLosingLine(state)
        ? `${subject(state, 1 - winner)} completed a line. ${wins}`
        : wins;
    case 'draw':
      return 'It’s a draw.';
    case 'resigned':
      return `${loser} resigned. ${wins}`;
    case 'time':
      return `${loser} ran out of time. ${wins}`;
    case 'left':
      return `${loser} left. ${wins}`;
    case 'forfeit':
      return `${loser} failed to move. ${wins}`;
    case 'aborted':
      return 'The game was aborted.';
    case 'abandoned':
      return 'The game was abandoned.';
  }
}

/**
 * In misère games the line belongs to the loser.
 * @param {GameState} state
 */
function isLosingLine(state) {
  const { result } = state.view;
  return result?.cells[0] !== undefined && state.seatOf(result.cells[0]) !== result.winner;
}

/**
 * @param {GameState} state
 * @param {number} seat
 */
const subject = (state, seat) => (state.isYou(seat) ? 'You' : state.nameOf(seat));

/**
 * Whose turn it is, or how the game ended.
 * @param {GameState} state
 */
export function statusText(state) {
  const { view } = state;
  if (view.phase === 'open') {
    const missing = view.players.filter((player) => !player.name).length;
    return missing === 1 ? 'Waiting for one more player.' : `Waiting for ${missing} more players.`;
  }
  if (view.result || typeof view.turn !== 'number') return resultText(state);
  return state.isAwaited ? 'Your turn.' : `${state.nameOf(view.turn)}’s turn.`;
}

/**
 * An update in a sentence, for screen readers and for what happened while the connection was lost.
 * @param {GameState} state
 * @param {GameUpdate} update
 */
export function updateText(state, { event }) {
  const who = 'seat' in event ? subject(state, event.seat) : '';
  const you = who === 'You';
  switch (event.type) {
    case 'joined':
      return `${event.player.name} joined.`;
    case 'moved':
      return `${who} played ${event.cell}.`;
    case 'undo_requested':
      return you ? 'You asked to take back a move.' : `${who} asks to take back a move.`;
    case 'undo_declined':
      return `${who} declined the undo.`;
    case 'undone':
      return state.isLocal || you ? 'Move taken back.' : `${who} took back a move.`;
    case 'eliminated':
      return { resigned: `${who} resigned.`, time: `${who} ran out of time.`, left: `${who} left.`, forfeit: `${who} failed to move.` }[event.reason];
    case 'aborted':
      return 'The game was aborted.';
    case 'abandoned':
      return 'The game was abandoned.';
    case 'left':
      return you ? 'You are away.' : `${who} is away.`;
    case 'returned':
      return you ? 'You are back.' : `${who} is back.`;
    case 'rematch_offered':
      return you ? 'You offered a rematch.' : `${who} offers a rematch.`;
    case 'rematch_withdrawn':
      return you ? 'You were away, so your rematch offer was withdrawn.' : `${who} left, so the rematch offer was withdrawn.`;
    default:
      return '';
  }
}

/**
 * A duration: `3:07`, `1:00:00`, or `0:04.2` below ten seconds.
 * @param {number} ms
 */
export function durationText(ms) {
  const [tenths, seconds, minutes, hours] = [100, 1000, 60_000, 3_600_000].map((unit) => Math.floor(ms / unit));
  const pad = (/** @type {number} */ n) => String(n).padStart(2, '0');
  if (ms < 10_000) return `0:${pad(seconds)}.${tenths % 10}`;
  return hours ? `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/**
 * A time relative to now, such as `2 hours ago`.
 * @param {number} at
 */
export function relativeTime(at) {
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  const format = (/** @type {number} */ unit, /** @type {Intl.RelativeTimeFormatUnit} */ name) =>
    new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.round(seconds / unit), name);
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return format(60, 'minute');
  return seconds < 86_400 ? format(3600, 'hour') : format(86_400, 'day');
}
