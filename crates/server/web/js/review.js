// Reviewing a game: analysis by the server, the losing move, downloads.

import { ApiError, get, includingSeen, path, post } from './client.js';
import { h, svg } from './dom.js';
import { isResignation } from './history.js';
import { t } from './i18n.js';
import { verdictRing } from './overlay.js';
import { announce, load, navigate, showToast } from './page.js';
import { refusalText } from './refusals.js';
import { hasOwnMarks, moveText, parseMove } from './rules.js';
import { withSession } from './session.js';
import { copyText } from './share.js';
import { losingText } from './text.js';

/** @import { AnalysisView, GameView, Level, LosingMove, MoveValue, NewGame, NewSeat } from './api' */
/** @import { Child } from './dom.js' */
/** @import { MessageKey } from './i18n.js' */
/** @import { Verdict } from './overlay.js' */
/** @import { GameState } from './state.js' */

/**
 * The values of all moves in words by cell, the few moves worth marking, and the values of opening choices.
 * @typedef {AnalysisView & { words: Map<string, string>, verdicts: Map<string, Verdict>, choices: Map<string, string> }} Analysis
 */

const MAX_CACHED_ANALYSES = 200;

/** As many best moves are marked at most. */
const MAX_MARKED = 3;

/** @type {Map<string, Promise<AnalysisView>>} */
const cache = new Map();

/** The analysis that the server is asked for. It allows an address only few at a time. @type {Promise<unknown>} */
let running = Promise.resolve();

/**
 * Asks for an analysis when those before it have been answered.
 * @template T
 * @param {() => Promise<T>} request
 * @returns {Promise<T>}
 */
function inTurn(request) {
  const answer = running.then(request);
  running = answer.catch(() => {});
  return answer;
}

/**
 * The value of every move in a position of a game.
 * @param {string} game
 * @param {number} ply
 * @param {string[]} symbols the symbols of the marks
 * @returns {Promise<Analysis>}
 */
export async function analyse(game, ply, symbols) {
  const key = path('games', game, 'analysis', { ply });
  const cached = cache.get(key) ?? inTurn(() => get(path('games', game, 'analysis', { ply, ...includingSeen(game) })));
  cache.set(key, cached);
  cached.catch(() => cache.delete(key));
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_ANALYSES) cache.delete(oldest);
  return explain(await cached, symbols);
}

/**
 * @param {AnalysisView} analysis
 * @param {string[]} symbols
 * @returns {Analysis}
 */
export function explain(analysis, symbols) {
  /** @type {Map<string, string>} */
  const words = new Map();
  /** @type {Map<string, string>} */
  const choices = new Map();
  for (const value of analysis.moves) {
    const { cell, mark } = parseMove(value.move);
    const text = valueText(value);
    if (cell === null) choices.set(value.move, text);
    else if (mark === null) words.set(cell, text);
    else words.set(cell, [words.get(cell), `${symbols[mark]}: ${text}`].filter(Boolean).join(', '));
  }
  return { ...analysis, words, choices, verdicts: bestCells(analysis) };
}

/**
 * The cells of the best move and of those as good. If most moves are as good, only the best is marked.
 * @param {AnalysisView} analysis
 */
function bestCells({ best, moves }) {
  const worth = moves.find(({ move }) => move === best);
  const isEqual = (/** @type {MoveValue} */ { kind, plies }) => kind === worth?.kind && kind !== 'estimate' && kind !== 'loss' && plies === worth.plies;
  const equal = moves.filter(isEqual);
  const shown = equal.length <= MAX_MARKED ? [best, ...equal.map(({ move }) => move)] : [best];
  const verdict = /** @type {Verdict} */ (worth?.kind === 'estimate' ? 'promising' : 'best');
  return new Map(shown.flatMap((move) => parseMove(move).cell ?? []).map((cell) => [cell, verdict]));
}

/** Scores from which an estimate is told as a win, as better and as slightly better. */
const SCORES = { winning: 500_000, better: 2_000, slightly: 400 };

/**
 * What a move is worth, in words.
 * @param {MoveValue} value
 */
export function valueText({ kind, plies, score }) {
  if (kind === 'draw') return t('value.draw');
  // Of the plies until the end, every second is the mover's.
  if (kind !== 'estimate') return t(`value.${kind}`, { count: Math.ceil((plies ?? 1) / 2) });
  const size = Math.abs(score ?? 0);
  const isGood = (score ?? 0) > 0;
  if (size > SCORES.winning) return t(isGood ? 'value.winning' : 'value.losing');
  if (size > SCORES.better) return t(isGood ? 'value.better' : 'value.worse');
  return size > SCORES.slightly ? t(isGood ? 'value.slightlyBetter' : 'value.slightlyWorse') : t('value.even');
}

/**
 * A sentence about the best move.
 * @param {Analysis} analysis
 * @param {string[]} symbols the symbols of the marks
 */
export function bestMoveText({ best, moves, choices }, symbols) {
  const value = moves.find(({ move }) => move === best);
  if (!value) return '';
  const others = [...choices].filter(([move]) => move !== best).map(([move, outcome]) => t('review.choice', { move: moveText(move, symbols), outcome }));
  return [t('review.bestIs', { move: moveText(best, symbols), outcome: valueText(value) }), ...others].join(' ');
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
    if (ply === moves.length && result) return this.#show(null, t('review.over'));
    this.#isWaiting = true;
    /** @type {Analysis | null} */
    let analysis = null;
    let text;
    try {
      analysis = await analyse(id, ply, symbols);
      text = bestMoveText(analysis, symbols);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      text = refusalText(error);
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
export const losingMove = (game) => inTurn(() => get(path('games', game, 'losing-move', includingSeen(game)))).catch(() => null);

/**
 * Whether a game goes on as it was: with the same people at this screen and the same computers.
 * @param {GameState} state
 */
const isOwnGame = ({ isLocal }) => isLocal;

/**
 * Starts a game from a position: as it was, if everyone in it plays at this screen, or else against the computer, in
 * the place of the player to move.
 * @param {GameState} state
 * @param {number} ply
 */
export async function continueFrom(state, ply) {
  const { view } = state;
  const turn = state.seatOf(ply);
  /** @type {{ level?: Level }} */
  const { level: chosen = 'medium' } = load('choice', {});
  const hasNames = view.your_seats.length > 1;
  const seats = view.players.map(({ seat, symbol, kind, level, name }) => {
    const isOwn = isOwnGame(state) ? kind !== 'computer' : seat === turn;
    if (!isOwn) return /** @type {NewSeat} */ ({ for: 'computer', level: level ?? chosen, symbol });
    return /** @type {NewSeat} */ ({ for: 'me', symbol, ...(isOwnGame(state) && hasNames ? { name } : {}) });
  });
  /** @type {NewGame} */
  const game = { rules: view.rules, seats, moves: view.moves.slice(0, ply), public: false };
  try {
    /** @type {GameView} */
    const { id } = await withSession(() => post('/games', game));
    navigate(`/game/${id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showToast(refusalText(error));
  }
}

/**
 * The section beside the board for stepping through a game.
 * @param {GameState} state
 * @param {{
 *   ply: number,
 *   losing: LosingMove | null,
 *   analysis: PositionAnalysis,
 *   goTo: (ply: number) => void,
 *   toggleAnalysis: () => void,
 *   continueHere: () => void,
 *   curve: Child,
 * }} options
 */
export function reviewSection(state, { ply, losing, analysis, goTo, toggleAnalysis, continueHere, curve }) {
  const { view } = state;
  const isLive = view.phase !== 'finished';
  // A game can start from a position, but not from a resignation.
  const canContinue = ply < view.moves.length && !view.moves.slice(0, ply).some(isResignation);
  const verdict = [...analysis.result?.verdicts.values() ?? []].includes('promising') ? 'promising' : 'best';
  const canAnalyse = !isLive || (state.isLocal && !view.rated);
  const button = (/** @type {string} */ action, /** @type {MessageKey} */ text, /** @type {() => unknown} */ onclick, /** @type {string} */ pressed = '') =>
    h('button', { type: 'button', 'data-action': action, onclick, 'aria-pressed': pressed || undefined }, t(text));
  return h('section.review', {},
    losing && h('div.losing-move', {}, h('p', {}, losingText(state, losing)), button('losing-move', 'review.losing', () => goTo(losing.ply))),
    curve,
    h('div.card', {}, h('h2', {}, t('review.title')),
      analysis.isOn && h('p.legend', {}, legend(verdict, t(`review.${verdict}`)), losing && legend('mistake', t('review.yourMove')), t('review.legendLoses')),
      h('div.row', {},
        canAnalyse && button('analysis', 'review.analysis', toggleAnalysis, String(analysis.isOn)),
        canContinue && button('continue', isOwnGame(state) ? 'review.continue' : 'review.continueComputer', continueHere),
        button('link', 'review.copyLink', () => copyText(`${location.origin}/game/${view.id}?ply=${ply}`)),
        isLive && button('back', 'review.back', () => goTo(view.moves.length))),
      downloads(state, ply)));
}

/**
 * @param {Verdict} verdict
 * @param {string} text
 */
const legend = (verdict, text) => h('span', {}, svg('svg.sample', { viewBox: '0 0 100 100', 'aria-hidden': 'true' }, verdictRing(verdict)), text);

/**
 * @param {GameState} state
 * @param {number} ply
 */
function downloads({ view: { id }, rules }, ply) {
  const { k, players, levels, lines, gravity, wrap, misere, ultimate, fade, stones, opening } = rules;
  const isGomoku = k === 5 && players === 2 && levels === 1 && stones === 1 && hasOwnMarks(rules)
    && !(lines || gravity || wrap || misere || ultimate || fade || opening);
  const formats = [['text', t('review.text')], ['json', 'JSON'], ...(isGomoku ? [['psq', 'psq'], ['sgf', 'SGF']] : [])];
  const picture = (/** @type {'svg' | 'png'} */ format, /** @type {string} */ name) =>
    h('button.quiet', { type: 'button', 'data-action': format, onclick: async () => (await import('./export-picture.js')).downloadPicture(format, `noughts-${id}-${ply}`) }, name);
  return h('p.downloads', {}, t('review.download'), ' ', formats.map(([format, name], i) =>
    [i > 0 && ' · ', h('a', { href: `/api/v1${path('games', id, 'export', { format, ...includingSeen(id) })}`, download: '' }, name)]), ' · ', picture('svg', 'SVG'), ' · ', picture('png', 'PNG'));
}
