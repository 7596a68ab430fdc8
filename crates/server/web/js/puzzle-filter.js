// Which puzzles to show: of a game, of a difficulty.

import { field, h } from './dom.js';
import { t } from './i18n.js';
import { load, save } from './page.js';
import { rulesName } from './rules.js';

/** @import { PuzzleGame } from './api' */

/** @typedef {{ rules: string, difficulty: string }} Filter */

const DIFFICULTIES = /** @type {const} */ ([1, 2, 3, 4, 5]);

/** @returns {Filter} */
export function loadFilter() {
  const { rules = '', difficulty = '' } = /** @type {Partial<Filter>} */ (load('puzzles', {}) ?? {});
  return { rules, difficulty };
}

/**
 * The choice of game and difficulty, and a button for another puzzle.
 * @param {PuzzleGame[]} games
 * @param {() => void} onother
 */
export function filterCard(games, onother) {
  const filter = loadFilter();
  const change = (/** @type {Partial<Filter>} */ changes) => save('puzzles', Object.assign(filter, changes));
  const game = h('select', { onchange: () => change({ rules: game.value }) },
    h('option', { value: '' }, t('puzzle.anyGame')),
    games.map(({ rules }) => h('option', { value: rules, selected: rules === filter.rules }, rulesName(rules))));
  const difficulty = h('select', { onchange: () => change({ difficulty: difficulty.value }) },
    h('option', { value: '' }, t('puzzle.anyDifficulty')),
    DIFFICULTIES.map((value) => h('option', { value, selected: String(value) === filter.difficulty }, t(`puzzle.difficulty.${value}`))));
  return h('section.card.puzzle-filter', {}, h('h2', {}, t('puzzle.more')), field(t('puzzle.game'), game), field(t('puzzle.difficulty'), difficulty),
    h('button', { type: 'button', 'data-action': 'other', onclick: onother }, t('puzzle.another')));
}
