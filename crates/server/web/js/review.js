// Reviewing a game: analysis by the server, the losing move, downloads.

import { ApiError, get, includingSeen, path, post, withSession } from './client.js';
import { h } from './dom.js';
import { isResignation } from './history.js';
import { announce, load, navigate, showToast } from './page.js';
import { hasOwnMarks, moveText, parseMove } from './rules.js';
import { copyText } from './share.js';

/** @import { AnalysisView, GameView, Level, LosingMove, MoveValue, NewGame, NewSeat, ValueKind } from './api' */
/** @import { GameState } from './state.js' */

/**
 * The value of a move as it is shown. `symbol` is the mark it places, if there is a choice.
 * @typedef {{ kind: ValueKind, isBest: boolean, text: string, words: string, symbol: string | null }} MoveLabel
 */

/**
 * The values of all moves: those to each cell, and those of opening choices.
 * @typedef {AnalysisView & { cells: Map<string, MoveLabel[]>, choices: Map<string, MoveLabel> }} Analysis
 */

const MAX_CACHED_ANALYSES = 200;

/** @type {Map<string, Promise<AnalysisView>>} */
const cache = new Map();

/**
 * The value of every move in a position of a game.
 * @param {string} game
 * @param {number} ply
 * @param {string[]} symbols the symbols of the marks
 * @returns {Promise<Analysis>}
 */
export async function analyse(game, ply, symbols) {
  const key = path('games', game, 'analysis', { ply });
  const cached = cache.get(key) ?? get(path('games', game, 'analysis', { ply, ...includingSeen(game) }));
  cache.set(key, cached);
  cached.catch(() => cache.delete(key));
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_ANALYSES) cache.delete(oldest);
  const analysis = await cached;
  /** @type {Map<string, MoveLabel[]>} */
  const cells = new Map();
  /** @type {Map<string, MoveLabel>} */
  const choices = new Map();
  for (const value of analysis.moves) {
    const { cell, mark } = parseMove(value.move);
    const label = moveLabel(value, analysis.best, mark === null ? null : symbols[mark]);
    if (cell === null) choices.set(value.move, label);
    else cells.set(cell, [...cells.get(cell) ?? [], label]);
  }
  return { ...analysis, cells, choices };
}

/**
 * @param {MoveValue} value
 * @param {string} best
 * @param {string | null} symbol
 * @returns {MoveLabel}
 */
function moveLabel({ move, kind, plies, score }, best, symbol) {
  const estimate = estimateText(score ?? 0);
  const labels = {
    win: { text: `W${plies ?? ''}`, words: `win in ${plies}` },
    draw: { text: '=', words: 'draw' },
    loss: { text: `L${plies ?? ''}`, words: `loss in ${plies}` },
    estimate: { text: estimate, words: `estimate ${estimate}` },
  };
  return { kind, isBest: move === best, symbol, ...labels[kind] };
}

/** The score beyond which an estimate sees a forced win or loss. */
const DECISIVE_SCORE = 500_000;

/**
 * @param {number} score
 */
function estimateText(score) {
  if (Math.abs(score) > DECISIVE_SCORE) return score > 0 ? '++' : '−−';
  const tenths = Math.round(score / 100) / 10;
  return tenths > 0 ? `+${tenths}` : tenths < 0 ? `−${-tenths}` : '0';
}

/**
 * A sentence about the best move.
 * @param {Analysis} analysis
 * @param {string} player
 * @param {string[]} symbols the symbols of the marks
 */
export function bestMoveText({ best, cells, choices }, player, symbols) {
  const label = choices.get(best) ?? cells.get(parseMove(best).cell ?? '')?.find(({ isBest }) => isBest);
  if (!label) return '';
  const outcome = { win: `${player} wins`, draw: 'a draw', loss: `${player} loses`, estimate: 'not proven' }[label.kind];
  const text = `Best is ${moveText(best, symbols)}: ${outcome}${label.kind === 'draw' ? '' : ` (${label.words})`}.`;
  const others = [...choices].filter(([move]) => move !== best).map(([move, { words }]) => `${moveText(move, symbols)}: ${words}.`);
  return [text, ...others].join(' ');
}

/** The analysis of the position shown, while it is switched on. */
export class PositionAnalysis {
  isOn = false;
  /** @type {Analysis | null} */
  result = null;
  text = '';
  #isWaiting = false;
  #handlers;

  /**
   * @param {{ shown: () => { state: GameState, ply: number }, onchange: () => void }} handlers
   */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  toggle() {
    this.isOn = !this.isOn;
    this.update();
  }

  switchOff() {
    this.isOn = false;
    this.#show(null, '');
  }

  /** Analyses the position that is now shown. */
  update() {
    this.#show(null, '');
    if (this.isOn) this.#request();
  }

  /**
   * @param {Analysis | null} result
   * @param {string} text
   */
  #show(result, text) {
    this.result = result;
    this.text = text;
    this.#handlers.onchange();
  }

  /**
   * One request at a time: positions skipped meanwhile are not asked for.
   * @returns {Promise<void>}
   */
  async #request() {
    if (this.#isWaiting) return;
    const { state, ply } = this.#handlers.shown();
    const { symbols, view: { id, moves, result } } = state;
    if (ply === moves.length && result) return this.#show(null, 'The game is over here. Step back to see what the moves were worth.');
    this.#isWaiting = true;
    /** @type {Analysis | null} */
    let analysis = null;
    let text;
    try {
      analysis = await analyse(id, ply, symbols);
      text = bestMoveText(analysis, state.nameOf(analysis.turn ?? 0), symbols);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      text = error.message;
    } finally {
      this.#isWaiting = false;
    }
    if (!this.isOn) return;
    if (ply !== this.#handlers.shown().ply) return this.#request();
    this.#show(analysis, text);
    announce(text);
  }
}

/**
 * The move that lost a game, if it can be determined.
 * @param {string} game
 * @returns {Promise<LosingMove | null>}
 */
export const losingMove = (game) => get(path('games', game, 'losing-move', includingSeen(game))).catch(() => null);

/**
 * Starts a game against the computer from a position, in the place of the player to move.
 * @param {GameState} state
 * @param {number} ply
 */
export async function continueAgainstComputer(state, ply) {
  const { view } = state;
  const turn = state.seatOf(ply);
  /** @type {{ level?: Level }} */
  const { level = 'medium' } = load('choice', {});
  const seats = view.players.map(({ seat, symbol }) =>
    /** @type {NewSeat} */ (seat === turn ? { for: 'me', symbol } : { for: 'computer', level, symbol }));
  /** @type {NewGame} */
  const game = { rules: view.rules, seats, moves: view.moves.slice(0, ply), public: false };
  try {
    /** @type {GameView} */
    const { id } = await withSession(() => post('/games', game));
    navigate(`/game/${id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showToast(error.message);
  }
}

/**
 * The section beside the board for stepping through a game.
 * @param {GameState} state
 * @param {{
 *   ply: number,
 *   losing: LosingMove | null,
 *   analysis: { isOn: boolean, text: string },
 *   goTo: (ply: number) => void,
 *   toggleAnalysis: () => void,
 *   continueHere: () => void,
 * }} options
 */
export function reviewSection(state, { ply, losing, analysis, goTo, toggleAnalysis, continueHere }) {
  const { view } = state;
  const isLive = view.phase !== 'finished';
  // A game can start from a position, but not from a resignation.
  const canContinue = ply < view.moves.length && !view.moves.slice(0, ply).some(isResignation);
  const better = { win: 'would have won', draw: 'would have drawn', loss: 'was better', estimate: 'looks better' };
  const button = (/** @type {string} */ action, /** @type {string} */ text, /** @type {() => unknown} */ onclick, /** @type {string} */ pressed = '') =>
    h('button', { type: 'button', 'data-action': action, onclick, 'aria-pressed': pressed || undefined }, text);
  return h('section.review', {},
    h('h2', {}, 'Review'),
    losing && h('p.losing-move', {}, `${state.nameOf(losing.seat)} ${losing.missed === 'estimate' ? 'seems to have lost' : 'lost'} the game with `,
      h('button.quiet', { type: 'button', 'data-action': 'losing-move', onclick: () => goTo(losing.ply) }, `move ${losing.ply + 1}, ${moveText(losing.move, state.symbols)}`),
      `; ${moveText(losing.better, state.symbols)} ${better[losing.missed]}.`),
    h('div.row', {},
      !(isLive && view.rated) && button('analysis', 'Analysis', toggleAnalysis, String(analysis.isOn)),
      canContinue && button('continue', 'Continue from here', continueHere),
      button('link', 'Copy link to this position', () => copyText(`${location.origin}/game/${view.id}?ply=${ply}`)),
      isLive && button('back', 'Back to the game', () => goTo(view.moves.length))),
    analysis.isOn && h('p.legend', {}, analysis.text || 'Thinking…',
      h('small', {}, 'W: win, =: draw, L: loss, with the number of moves. Other numbers are estimates.')),
    downloads(state));
}

/**
 * @param {GameState} state
 */
function downloads({ view: { id }, rules }) {
  const { k, players, levels, lines, gravity, wrap, misere, ultimate, fade, stones, opening } = rules;
  const isGomoku = k === 5 && players === 2 && levels === 1 && stones === 1 && hasOwnMarks(rules)
    && !(lines || gravity || wrap || misere || ultimate || fade || opening);
  const formats = [['text', 'text'], ['json', 'JSON'], ...(isGomoku ? [['psq', 'psq'], ['sgf', 'SGF']] : [])];
  return h('p.downloads', {}, 'Download: ', formats.map(([format, name], i) =>
    [i > 0 && ' · ', h('a', { href: `/api/v1${path('games', id, 'export', { format, ...includingSeen(id) })}`, download: '' }, name)]));
}
