// Games in words, as the server describes them.

import { get, path } from './client.js';
import { h, setChildren } from './dom.js';
import { t } from './i18n.js';
import { openDialog } from './page.js';
import { refusalText } from './refusals.js';
import { BOARDS, rulesName } from './rules.js';

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
  if (value.source) return t('perfect.source', { winner, source: value.source });
  return value.plies ? t('perfect.moves', { winner, count: value.plies }) : t('perfect.win', { winner });
}

/**
 * What wins, in an element that is filled once the server has answered, unless the page knows the game itself.
 * @param {string} rules
 */
export function goalText(rules) {
  const board = BOARDS.find((other) => other.rules === rules);
  if (board) return h('span', {}, t(`game.${board.id}.goal`));
  const text = h('span', { lang: 'en' });
  rulesInfo(rules).then((info) => setChildren(text, info.summary), () => {});
  return text;
}

/**
 * How to play a game, as a list of sentences. The server speaks English.
 * @param {RulesView} info
 */
export const howToPlay = (info) => h('ul.how-to', { lang: 'en' }, info.how_to_play.map((sentence) => h('li', {}, sentence)));

/**
 * Explains a game in a dialog.
 * @param {string} rules
 */
export function showHowToPlay(rules) {
  const content = h('div', {}, t('loading'));
  rulesInfo(rules).then((info) => setChildren(content, howToPlay(info), h('p.verdict', {}, perfectPlay(info))),
    (error) => setChildren(content, h('p', {}, refusalText(error))));
  return openDialog(t('howTo.title', { game: rulesName(rules) }), () => content);
}
