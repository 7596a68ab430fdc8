// Games in words, as the server describes them.

import { get, path } from './client.js';
import { h, setChildren } from './dom.js';
import { openDialog } from './page.js';
import { rulesName } from './rules.js';

/** @import { PresetView, RulesView } from './api' */

/** @type {Map<string, Promise<unknown>>} */
const cache = new Map();

/**
 * Asks the server once, and again after a failure.
 * @template T
 * @param {string} address
 * @returns {Promise<T>}
 */
function getOnce(address) {
  const cached = /** @type {Promise<T> | undefined} */ (cache.get(address));
  if (cached) return cached;
  /** @type {Promise<T>} */
  const answer = get(address);
  cache.set(address, answer);
  answer.catch(() => cache.delete(address));
  return answer;
}

/**
 * What rules mean, and how to play by them.
 * @param {string} rules
 * @returns {Promise<RulesView>}
 */
export const rulesInfo = (rules) => getOnce(path('rules', { rules }));

/**
 * The well-known games.
 * @returns {Promise<PresetView[]>}
 */
export const presets = () => getOnce(path('presets'));

/**
 * What perfect play leads to.
 * @param {RulesView} rules
 */
export function perfectPlay({ players, value }) {
  if (players > 2) return 'With more than two players, perfect play has no known result.';
  if (!value) return 'The result of perfect play is unknown.';
  if (value.result === 'draw') return 'With perfect play, it’s a draw.';
  const note = value.source ?? (value.plies ? `in at most ${value.plies} moves` : '');
  return `With perfect play, the ${value.result === 'win' ? 'first' : 'second'} player wins${note && ` (${note})`}.`;
}

/**
 * How to play a game, as a list of sentences.
 * @param {RulesView} info
 */
export const howToPlay = (info) => h('ul.how-to', {}, info.how_to_play.map((sentence) => h('li', {}, sentence)));

/**
 * Explains a game in a dialog.
 * @param {string} rules
 */
export function showHowToPlay(rules) {
  const content = h('div', {}, 'Loading…');
  rulesInfo(rules).then((info) => setChildren(content, howToPlay(info), h('p.verdict', {}, perfectPlay(info))),
    (error) => setChildren(content, h('p', {}, error.message)));
  return openDialog(`How to play ${rulesName(rules)}`, () => content);
}
