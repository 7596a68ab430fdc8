// What happens in a game, in sentences. The person at this screen is "you".

import { isResignation } from './history.js';
import { list, locale, t } from './i18n.js';
import { DEFAULT_SYMBOLS } from './pieces.js';
import { boardName, moveText, parseMove } from './rules.js';

/** @import { Material } from './pieces.js' */
/** @import { GameUpdate, GameView, LosingMove } from './api' */
/** @import { GameState } from './state.js' */
/** @import { MessageKey } from './i18n.js' */

/**
 * A headline and what else there is to say.
 * @typedef {{ title: string, detail: string }} Status
 */

/**
 * How a game ended.
 * @param {GameState} state
 * @param {LosingMove | null | undefined} losing
 * @returns {Status}
 */
function resultStatus(state, losing) {
  const { result, moves } = state.view;
  if (!result) return { title: '', detail: '' };
  const winner = result.winner ?? null;
  const isYours = winner !== null && state.isYou(winner);
  // Whoever has one seat in a game that another won has lost it.
  const isLost = winner !== null && !isYours && state.view.your_seats.length === 1;
  const last = moves.findLastIndex(isResignation);
  const out = last < 0 ? null : state.seatOf(last);
  const wins = winner === null ? t('end.draw') : isYours ? t('end.youWin') : t('end.wins', { name: state.nameOf(winner) });
  const leaver = (/** @type {MessageKey} */ you, /** @type {MessageKey} */ other) =>
    (out !== null && state.isYou(out) ? t(you) : t(other, { name: state.nameOf(out) }));
  switch (result.reason) {
    case 'line':
      return { title: isLost ? t('end.youLose') : wins, detail: losing ? losingText(state, losing) : lineText(state) };
    case 'no_line':
      return { title: isLost ? t('end.youLose') : wins, detail: losing ? losingText(state, losing) : t('end.noLine') };
    case 'draw':
      return { title: t('end.draw'), detail: t('end.nobodyCanWin') };
    case 'repetition':
      return { title: t('end.draw'), detail: t('end.repetition') };
    case 'move_limit':
      return { title: t('end.draw'), detail: t('end.moveLimit') };
    case 'resigned':
      return { title: wins, detail: leaver('end.youResigned', 'end.resigned') };
    case 'time':
      return { title: wins, detail: leaver('end.youTimedOut', 'end.timedOut') };
    case 'left':
      return { title: wins, detail: leaver('end.youLeft', 'end.left') };
    case 'forfeit':
      return { title: wins, detail: leaver('end.youForfeited', 'end.forfeited') };
    case 'aborted':
      return { title: t('end.aborted'), detail: t('end.doesNotCount') };
    case 'abandoned':
      return { title: t('end.abandoned'), detail: t('end.doesNotCount') };
  }
}

/**
 * Which line decided a game. In some games it is not for the one who completes it.
 * @param {GameState} state
 */
function lineText(state) {
  const { rules, view: { moves, players, result } } = state;
  const mover = state.seatOf(moves.length - 1);
  const isBackfired = players.length === 2 && mover !== null && mover !== result?.winner;
  if (isBackfired) {
    const isLast = rules.notakto && rules.boards > 1;
    if (state.isYou(mover)) return t(isLast ? 'end.youCompletedLast' : 'end.youCompleted');
    return t(isLast ? 'end.completedLast' : 'end.completed', { name: state.nameOf(mover) });
  }
  const count = moves.filter((move, i) => parseMove(move).cell !== null && state.seatOf(i) === result?.winner).length;
  if (rules.ultimate) return t('end.boardsInARow', { count });
  return rules.lines ? t('end.inMoves', { count }) : t('end.line', { k: rules.k, count });
}

/**
 * The move that lost a game, to whoever looks.
 * @param {GameState} state
 * @param {LosingMove} losing
 */
export function losingText(state, losing) {
  const move = moveText(losing.move, state.symbols);
  const better = moveText(losing.better, state.symbols);
  const values = { move, better, name: state.nameOf(losing.seat) };
  return t(`losing.${state.isYou(losing.seat) ? 'your' : 'their'}.${losing.missed}`, values);
}

/**
 * Whose turn it is, or how the game ended.
 * @param {GameState} state
 * @param {LosingMove | null} [losing]
 * @returns {Status}
 */
export function statusOf(state, losing) {
  const { view } = state;
  if (view.phase === 'open') return openStatus(state);
  if (view.result || typeof view.turn !== 'number') return resultStatus(state, losing);
  const { fading } = view.details;
  return { title: turnText(state, view.turn), detail: fading ? t('turn.fades', { cell: fading }) : '' };
}

/**
 * @param {GameState} state
 * @returns {Status}
 */
function openStatus({ view, isPlayer }) {
  const count = view.players.filter((player) => !player.name).length;
  if (!isPlayer) return { title: t('open.invited'), detail: view.rated ? t('open.rated') : t('open.noAccount') };
  const invited = view.players.flatMap((player) => (player.invited && !player.name ? [player.invited] : []));
  if (invited.length) return { title: t('open.waitingFor', { names: list(invited) }), detail: t('open.bell') };
  if (view.public) return { title: t('open.waiting', { count }), detail: t('open.bell') };
  return { title: t('open.sendLink'), detail: count > 1 ? t('open.seats', { count }) : t('open.bell') };
}

/** How many stones an opening with swap2 has before each choice. */
const SWAP2_STONES = { first: 3, more: 5 };

/**
 * @param {GameState} state
 * @param {number} turn
 */
function turnText(state, turn) {
  const { rules, choices, symbols, view: { details, moves } } = state;
  const you = state.isAwaited;
  const name = state.nameOf(turn);
  const say = (/** @type {'side' | 'place' | 'board' | 'any' | 'stones' | 'plain'} */ kind, values = {}) =>
    t(you ? `turn.your.${kind}` : `turn.their.${kind}`, { name, ...values });
  if (choices.length) return say('side');
  if (rules.opening === 'swap2' && state.isOpening) {
    const target = moves.includes('more') ? SWAP2_STONES.more : SWAP2_STONES.first;
    const count = target - moves.filter((move) => parseMove(move).cell).length;
    return say('place', { symbol: symbols[state.markToPlace ?? 0], count });
  }
  if (rules.ultimate) return typeof details.board_to_play === 'number' ? say('board', { board: boardName(details.board_to_play, rules) }) : say('any');
  if (rules.stones > 1) return say('stones', { count: details.stones_left });
  return say('plain');
}

/**
 * An opening choice of the seat to move, in the words of a button.
 * @param {GameState} state
 * @param {string} choice
 */
export function choiceText(state, choice) {
  const own = state.ownMark(state.view.turn ?? 0) ?? 0;
  // The two seats exchange their marks.
  if (choice === 'swap') return t('choice.swap', { symbol: state.symbols[1 - own] });
  if (choice === 'keep') return t('choice.keep', { symbol: state.symbols[own] });
  return choice === 'more' ? t('choice.more') : choice;
}

/**
 * A move that a player has made.
 * @param {GameState} state
 * @param {string} move
 * @param {number} seat
 */
function playedText(state, move, seat) {
  const mark = state.ownMark(seat);
  const values = { name: state.nameOf(seat), symbol: mark === null ? '' : state.symbols[mark], move: moveText(move, state.symbols) };
  const kind = move === 'swap' || move === 'keep' || move === 'more' ? move : 'move';
  return `${t(state.isYou(seat) ? `played.you.${kind}` : `played.they.${kind}`, values)}${closedText(state)}`;
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
  if (typeof winner === 'number') return ` ${t('played.boardWon', { symbol: state.symbols[winner], board: name })}`;
  return ` ${state.rules.ultimate ? t('played.boardClosed', { board: name }) : t('played.numberClosed', { number: board + 1 })}`;
}

/**
 * An update in a sentence, for screen readers and for what happened while the connection was lost.
 * @param {GameState} state
 * @param {GameUpdate} update
 */
export function updateText(state, { event }) {
  const seat = 'seat' in event ? event.seat : null;
  const you = seat !== null && state.isYou(seat);
  const name = state.nameOf(seat);
  const say = (/** @type {MessageKey} */ yours, /** @type {MessageKey} */ other) => (you ? t(yours) : t(other, { name }));
  switch (event.type) {
    case 'joined':
      return t('update.joined', { name: event.player.name });
    case 'moved':
      return playedText(state, event.move, event.seat);
    case 'undo_requested':
      return say('update.youAskUndo', 'update.asksUndo');
    case 'undo_declined':
      return say('update.youDeclineUndo', 'update.declinesUndo');
    case 'undone':
      return state.isLocal || you ? t('update.undone') : t('update.tookBack', { name });
    case 'eliminated':
      return { resigned: say('end.youResigned', 'end.resigned'), time: say('end.youTimedOut', 'end.timedOut'),
        left: say('end.youLeft', 'end.left'), forfeit: say('end.youForfeited', 'end.forfeited') }[event.reason];
    case 'left':
      return say('update.youAway', 'update.away');
    case 'returned':
      return say('update.youBack', 'update.back');
    case 'rematch_offered':
      return say('update.youOfferRematch', 'update.offersRematch');
    case 'rematch_withdrawn':
      return say('update.yourRematchGone', 'update.rematchGone');
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
 * A time that is left, in minutes and seconds.
 * @param {number} ms
 */
export function countdownText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  const pad = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return hours ? `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/**
 * A time relative to now, such as `2 hours ago` or `in 2 hours`.
 * @param {number} at
 */
export function relativeTime(at) {
  const passed = (Date.now() - at) / 1000;
  const seconds = Math.abs(passed);
  const format = (/** @type {number} */ unit, /** @type {Intl.RelativeTimeFormatUnit} */ name) =>
    new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.round(passed / unit), name);
  if (seconds < 60) return t('time.justNow');
  if (seconds < 3600) return format(60, 'minute');
  return seconds < 86_400 ? format(3600, 'hour') : format(86_400, 'day');
}

/**
 * The name of a board for screen readers.
 * @param {GameView} view
 */
export function boardLabel({ shape }) {
  const { rows, cols } = shape;
  switch (shape.type) {
    case 'nested':
      return t('board.nested', { rows, cols });
    case 'boards':
      return shape.boards === 1 ? t('board.flat', { rows, cols }) : t('board.several', { boards: shape.boards, rows, cols });
    case 'grid':
      return shape.levels === 1 ? t('board.flat', { rows, cols }) : t('board.levels', { levels: shape.levels, rows, cols });
  }
}

/**
 * The action at an index: a move, or how a player left the game.
 * @param {GameState} state
 * @param {number} index
 */
export function actionText(state, index) {
  const action = state.view.moves[index];
  return isResignation(action) ? t(`move.${state.exitReason(index)}`) : moveText(action, state.symbols);
}

/**
 * What players call a mark: by the colour of stones, or else by its symbol.
 * @param {Material} material
 * @param {number} mark
 * @param {string} symbol
 */
export function markName(material, mark, symbol) {
  if (material !== 'stones' || mark > 1 || symbol !== DEFAULT_SYMBOLS[mark]) return symbol;
  return t(mark === 0 ? 'puzzle.black' : 'puzzle.white');
}
