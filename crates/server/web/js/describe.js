// What the server knows about games, and the dialog that explains one.

import { get, path } from './client.js';
import { h, setChildren } from './dom.js';
import { t } from './i18n.js';
import { openDialog } from './page.js';
import { refusalText } from './refusals.js';
import { rulesName } from './rules.js';
import { howToPlay } from './rules-text.js';

/** @import { Child } from './dom.js' */
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
  if (players > 2) return t('perfect.many');
  if (!value) return t('perfect.unknown');
  if (value.result === 'draw') return t('perfect.draw');
  const winner = t(value.result === 'win' ? 'perfect.first' : 'perfect.second');
  if (value.source) return t('perfect.source', { winner, source: /^enumeration/.test(value.source) ? t('perfect.enumeration') : value.source });
  return value.plies ? t('perfect.moves', { winner, count: value.plies }) : t('perfect.win', { winner });
}

/**
 * How to play a game, as a list of sentences, and what perfect play leads to once the server has said it.
 * @param {string} rules
 * @returns {Child}
 */
export function explanation(rules) {
  const verdict = h('p.verdict');
  rulesInfo(rules).then((info) => setChildren(verdict, perfectPlay(info)), (error) => setChildren(verdict, refusalText(error)));
  return [h('ul.how-to', {}, howToPlay(rules).map((sentence) => h('li', {}, sentence))), verdict];
}

/**
 * Explains a game in a dialog.
 * @param {string} rules
 */
export function showHowToPlay(rules) {
  return openDialog(t('howTo.title', { game: rulesName(rules) }), () => h('div', {}, explanation(rules)));
}
