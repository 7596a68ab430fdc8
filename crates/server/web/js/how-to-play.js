// How to play every well-known game, as the server explains it, and the keys.

import { howToPlay, perfectPlay, presets, rulesInfo } from './describe.js';
import { h, setChildren } from './dom.js';

/** @import { PresetView } from './api' */

/** @type {import('./page.js').Screen} */
export const screen = {
  title: 'How to play',
  show(root) {
    const games = h('div.games', {}, h('p.placeholder', {}, 'Loading…'));
    const keys = (/** @type {string[]} */ ...names) => h('dt', {}, names.map((name) => h('kbd', {}, name)));
    setChildren(root, h('h1', {}, 'How to play'),
      h('section.keys', {}, h('h2', {}, 'Keyboard'),
        h('dl', {},
          keys('←', '↑', '→', '↓'), h('dd', {}, 'move over the board'),
          keys('PgUp', 'PgDn'), h('dd', {}, 'go to the level below or above'),
          keys('B', '2'), h('dd', {}, 'go to cell B2: row B, column 2'),
          keys('Enter'), h('dd', {}, 'play there'),
          keys('X', 'O'), h('dd', {}, 'choose the mark, in games that let you'),
          keys('←', '→'), h('dd', {}, 'outside the board: step through the moves'))),
      h('p', {}, h('a.button.primary', { href: '/' }, 'Play now')),
      h('section', {}, h('h2', {}, 'Games'), games));
    presets().then((all) => setChildren(games, all.map(game)), (error) => setChildren(games, h('p.error', {}, error.message)));
  },
};

/**
 * A game, explained when it is opened.
 * @param {PresetView} preset
 */
function game({ rules, title, summary }) {
  const content = h('div', {}, 'Loading…');
  const details = h('details.game-help', {
    ontoggle: () => {
      if (!details.open) return;
      rulesInfo(rules).then((info) => setChildren(content, howToPlay(info), h('p.verdict', {}, perfectPlay(info))),
        (error) => setChildren(content, h('p.error', {}, error.message)));
    },
  }, h('summary', {}, h('strong', {}, title), ' ', h('span', {}, summary)), content);
  return details;
}
