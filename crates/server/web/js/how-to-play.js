// How to play every well-known game, and the keys.

import { explanation, presets } from './describe.js';
import { h, setChildren } from './dom.js';
import { t } from './i18n.js';
import { refusalText } from './refusals.js';
import { rulesName } from './rules.js';
import { goalText } from './rules-text.js';

/** @import { PresetView } from './api' */

/** @type {import('./page.js').Screen} */
export const screen = {
  title: 'nav.learn',
  show(root) {
    const games = h('div.games', {}, h('p.placeholder', {}, t('loading')));
    const keys = (/** @type {string[]} */ ...names) => h('dt', {}, names.map((name) => h('kbd', {}, name)));
    // Hidden until the games above are known, so that nothing moves.
    const keyboard = h('section.keys', { hidden: true }, h('h2', {}, t('learn.keyboard')),
      h('dl', {},
        keys('←', '↑', '→', '↓'), h('dd', {}, t('learn.arrows')),
        keys('PgUp', 'PgDn'), h('dd', {}, t('learn.levels')),
        keys('B', '2'), h('dd', {}, t('learn.cell')),
        keys('Enter'), h('dd', {}, t('learn.enter')),
        keys('X', 'O'), h('dd', {}, t('learn.marks')),
        keys('←', '→'), h('dd', {}, t('learn.steps')),
        keys('M'), h('dd', {}, t('learn.sound'))));
    setChildren(root, h('h1', {}, t('learn.title')),
      h('p', {}, h('a.button.primary', { href: '/' }, t('lost.play'))),
      h('section', {}, h('h2', {}, t('learn.games')), games), keyboard);
    presets().then((all) => setChildren(games, all.map(game)), (error) => setChildren(games, h('p.error', {}, refusalText(error)))).finally(() => { keyboard.hidden = false; });
  },
};

/**
 * A game, explained when it is opened.
 * @param {PresetView} preset
 */
function game({ rules }) {
  const content = h('div');
  const details = h('details.game-help', { ontoggle: () => details.open && setChildren(content, explanation(rules)) },
    h('summary', {}, h('strong', {}, rulesName(rules)), ' ', h('span', {}, goalText(rules))), content);
  return details;
}
