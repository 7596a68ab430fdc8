// Reviewing a game: analysis by the server, the losing move, downloads.

import { get, path } from './client.js';
import { h } from './dom.js';
import { parseRules } from './rules.js';
import { copyText } from './share.js';
import { isResignation } from './state.js';

/** @import { AnalysisView, LosingMove, MoveValue, ValueKind } from './api' */
/** @import { GameState } from './state.js' */

/**
 * The value of a cell as it is shown.
 * @typedef {{ kind: ValueKind, isBest: boolean, text: string, words: string }} CellValue
 */

/** @typedef {AnalysisView & { values: Map<string, CellValue> }} Analysis */

const MAX_CACHED_ANALYSES = 200;

/** @type {Map<string, Promise<AnalysisView>>} */
const cache = new Map();

/**
 * The value of every move in a position of a game.
 * @param {string} game
 * @param {number} ply
 * @returns {Promise<Analysis>}
 */
export async function analyse(game, ply) {
  const key = path('games', game, 'analysis', { ply });
  const cached = cache.get(key) ?? get(key);
  cache.set(key, cached);
  cached.catch(() => cache.delete(key));
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED_ANALYSES) cache.delete(oldest);
  const analysis = await cached;
  return { ...analysis, values: new Map(analysis.cells.map((value) => [value.cell, cellValue(value, analysis.best)])) };
}

/**
 * @param {MoveValue} value
 * @param {string} best
 * @returns {CellValue}
 */
function cellValue({ cell, kind, plies, score }, best) {
  const estimate = estimateText(score ?? 0);
  const labels = {
    win: { text: `W${plies ?? ''}`, words: `win in ${plies}` },
    draw: { text: '=', words: 'draw' },
    loss: { text: `L${plies ?? ''}`, words: `loss in ${plies}` },
    estimate: { text: estimate, words: `estimate ${estimate}` },
  };
  return { kind, isBest: cell === best, ...labels[kind] };
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
 */
export function bestMoveText({ best, values }, player) {
  const value = values.get(best);
  if (!value) return '';
  const outcome = { win: `${player} wins`, draw: 'a draw', loss: `${player} loses`, estimate: 'not proven' }[value.kind];
  return `Best is ${best}: ${outcome}${value.kind === 'draw' ? '' : ` (${value.words})`}.`;
}

/**
 * The move that lost a game, if it can be determined.
 * @param {string} game
 * @returns {Promise<LosingMove | null>}
 */
export const losingMove = (game) => get(path('games', game, 'losing-move')).catch(() => null);

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
      h('button.quiet', { type: 'button', 'data-action': 'losing-move', onclick: () => goTo(losing.ply) }, `move ${losing.ply + 1}, ${losing.cell}`),
      `; ${losing.better} ${better[losing.missed]}.`),
    h('div.row', {},
      !(isLive && view.rated) && button('analysis', 'Analysis', toggleAnalysis, String(analysis.isOn)),
      canContinue && button('continue', 'Continue from here', continueHere),
      button('link', 'Copy link to this position', () => copyText(`${location.origin}/game/${view.id}?ply=${ply}`)),
      isLive && button('back', 'Back to the game', () => goTo(view.moves.length))),
    analysis.isOn && h('p.legend', {}, analysis.text || 'Thinking…',
      h('small', {}, 'W: win, =: draw, L: loss, with the number of moves. Other numbers are estimates.')),
    downloads(view));
}

/**
 * @param {import('./api').GameView} view
 */
function downloads({ id, rules }) {
  const { k, players, gravity, wrap, misere } = parseRules(rules);
  const isGomoku = k === 5 && players === 2 && !gravity && !wrap && !misere;
  const formats = [['text', 'text'], ['json', 'JSON'], ...(isGomoku ? [['psq', 'psq'], ['sgf', 'SGF']] : [])];
  return h('p.downloads', {}, 'Download: ', formats.map(([format, name], i) =>
    [i > 0 && ' · ', h('a', { href: `/api/v1${path('games', id, 'export', { format })}`, download: '' }, name)]));
}
