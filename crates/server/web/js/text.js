// What happens in a game, in sentences.

import { isResignation } from './history.js';
import { boardName, moveText, parseMove } from './rules.js';

/** @import { ErrorBody, ErrorCode, GameUpdate, GameView } from './api' */
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
  const last = moves.findLastIndex(isResignation);
  const loser = last < 0 ? 'The other player' : subject(state, state.seatOf(last));
  switch (result.reason) {
    case 'line': {
      // In some games the line is not for the one who completes it.
      const mover = state.seatOf(moves.length - 1);
      return players.length === 2 && mover !== null && mover !== winner ? `${subject(state, mover)} completed ${lineName(state)}. ${wins}` : wins;
    }
    case 'draw':
      return 'It’s a draw.';
    case 'repetition':
      return 'It’s a draw: the same position came up three times.';
    case 'move_limit':
      return 'It’s a draw: the game has reached the maximum number of moves.';
    case 'no_line':
      return `The board is full without a line. ${wins}`;
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
 * @param {GameState} state
 */
const lineName = ({ rules }) => (rules.notakto && rules.boards > 1 ? 'the last line' : 'a line');

/**
 * @param {GameState} state
 * @param {number | null} seat
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
  const { fading } = view.details;
  const turn = `${state.isAwaited ? 'Your turn' : `${state.nameOf(view.turn)}’s turn`}${turnDetails(state)}.`;
  return fading ? `${turn} ${fading} fades next.` : turn;
}

/** How many stones an opening with swap2 has before each choice. */
const SWAP2_STONES = { first: 3, more: 5 };

/**
 * What else there is to know about a turn.
 * @param {GameState} state
 */
function turnDetails(state) {
  const { rules, choices, symbols, view: { details, moves } } = state;
  if (choices.length) return ' to choose a side';
  if (rules.opening === 'swap2' && state.isOpening) {
    const target = moves.includes('more') ? SWAP2_STONES.more : SWAP2_STONES.first;
    const left = target - moves.filter((move) => parseMove(move).cell).length;
    return `: place ${symbols[state.markToPlace ?? 0]} (${left} left)`;
  }
  if (rules.ultimate) return typeof details.board_to_play === 'number' ? ` in the ${boardName(details.board_to_play, rules)}` : ' on any open board';
  return rules.stones > 1 ? `: ${stones(details.stones_left)} left` : '';
}

const stones = (/** @type {number} */ count) => (count === 1 ? '1 stone' : `${count} stones`);

/**
 * An opening choice of the seat to move, in the words of a button.
 * @param {GameState} state
 * @param {string} choice
 */
export function choiceText(state, choice) {
  const own = state.ownMark(state.view.turn ?? 0) ?? 0;
  // The two seats exchange their marks.
  return { swap: `Swap: play ${state.symbols[1 - own]}`, keep: `Keep ${state.symbols[own]}`, more: 'Place two more stones' }[choice] ?? choice;
}

/**
 * A move that a player has made.
 * @param {GameState} state
 * @param {string} who
 * @param {string} move
 * @param {number} seat
 */
function playedText(state, who, move, seat) {
  const mark = state.ownMark(seat);
  const symbol = mark === null ? '' : state.symbols[mark];
  switch (move) {
    case 'swap':
      return `${who} swapped and now ${who === 'You' ? 'play' : 'plays'} ${symbol}.`;
    case 'keep':
      return `${who} kept ${symbol}.`;
    case 'more':
      return `${who} chose to place two more stones.`;
    default:
      return `${who} played ${moveText(move, state.symbols)}.${closedText(state)}`;
  }
}

/**
 * The sub-board that the last move has closed.
 * @param {GameState} state
 */
function closedText(state) {
  const ply = state.view.moves.length;
  const before = state.detailsAt(ply - 1)?.boards ?? [];
  const board = state.view.details.boards.findIndex(({ closed }, i) => closed && before[i]?.closed === false);
  if (board < 0) return '';
  const { winner } = state.view.details.boards[board];
  const name = boardName(board, state.rules);
  return typeof winner === 'number' ? ` ${state.symbols[winner]} wins the ${name}.` : ` ${name[0].toUpperCase()}${name.slice(1)} is closed.`;
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
      return playedText(state, who, event.move, event.seat);
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
 * Refusals that the page can say more simply than the server, which answers programs too.
 * @type {Partial<Record<ErrorCode, string>>}
 */
const REFUSALS = {
  closed_board: 'That board is closed. Choose a cell in an open one.',
  other_board: 'Play in the highlighted board.',
  which_mark: 'Choose which mark to place first.',
  no_choice_of_mark: 'You can’t choose the mark in this game.',
  choice_due: 'First choose a side, with the buttons above the board.',
  no_choice_due: 'There is nothing to choose now.',
};

/**
 * Why a command was refused.
 * @param {ErrorBody} error
 */
export const refusalText = ({ code, message }) => REFUSALS[code] ?? message;

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

/**
 * The name of a board for screen readers.
 * @param {GameView} view
 */
export function boardLabel({ shape }) {
  const size = `${shape.rows} rows by ${shape.cols} columns`;
  switch (shape.type) {
    case 'nested':
      return `Board of ${shape.rows} by ${shape.cols} boards, each with ${size}`;
    case 'boards':
      return shape.boards === 1 ? `Board, ${size}` : `${shape.boards} boards of ${size}`;
    case 'grid':
      return shape.levels === 1 ? `Board, ${size}` : `Board of ${shape.levels} levels of ${size}`;
  }
}

/**
 * A move or a resignation.
 * @param {GameState} state
 * @param {string} action
 */
export const actionText = (state, action) => (isResignation(action) ? 'resigned' : moveText(action, state.symbols));
