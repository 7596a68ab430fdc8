// Choosing a game: the tiles of the first screen, other well-known games, and rules of one's own.

import { presets } from './describe.js';
import { field, h, setChildren, uniqueId } from './dom.js';
import { t } from './i18n.js';
import { gamePicture } from './pictures.js';
import { refusalText } from './refusals.js';
import { BOARDS, parseRules, rulesName } from './rules.js';
import { goalText } from './rules-text.js';

/** @import { PresetView } from './api' */
/** @import { MessageKey } from './i18n.js' */
/** @import { Rules } from './rules.js' */

/**
 * The games as tiles; the last one leads to all others.
 * @param {string} chosen
 * @param {(board: string) => void} onchange
 */
export function gameTiles(chosen, onchange) {
  const name = uniqueId('choice');
  const isOther = !BOARDS.some(({ id }) => id === chosen);
  const tile = (/** @type {typeof BOARDS[number]['id'] | 'more'} */ id, /** @type {boolean} */ checked) => h('label.tile', {},
    h('input', { type: 'radio', name, value: id, checked, onchange: () => onchange(id) }),
    h('span', {}, gamePicture(id), h('strong', {}, t(`game.${id}`)), h('small', {}, t(`game.${id}.about`))));
  return h('fieldset.choice.tiles', {}, h('legend', {}, t('home.chooseGame')),
    h('div', {}, BOARDS.map(({ id }) => tile(id, id === chosen)), tile('more', isOther)));
}

/** Games without a tile that the server does not list. */
const UNLISTED = ['4x4'];

/**
 * The well-known games that have no tile, and rules of one's own.
 * @param {string} chosen the rules of the chosen one, or `custom`
 * @param {(rules: string) => void} onchange
 */
export function moreGames(chosen, onchange) {
  const list = h('div', {}, h('p.placeholder', {}, t('loading')));
  const name = uniqueId('choice');
  const option = (/** @type {string} */ value, /** @type {string} */ title, /** @type {import('./dom.js').Child} */ summary) => h('label', {},
    h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => onchange(value) }),
    h('span', {}, h('strong', {}, title), summary));
  presets().then((all) => {
    const others = all.filter(({ rules }) => !BOARDS.some((board) => board.rules === rules));
    setChildren(list,
      option('custom', t('game.custom'), h('small', {}, t('game.custom.about'))),
      [...UNLISTED, ...others.map(({ rules }) => rules)].map((rules) => option(rules, rulesName(rules), h('small', {}, goalText(rules)))));
  }, (error) => setChildren(list, h('p.error', {}, refusalText(error))));
  return h('fieldset.choice.more-games', {}, h('legend', {}, t('home.moreGames')), list);
}

/** What a player can choose of the numbers of rules: label, name, smallest and largest value. */
const NUMBERS = /** @type {const} */ ([
  ['custom.rows', 'rows', 1, 26], ['custom.columns', 'cols', 1, 26], ['custom.levels', 'levels', 1, 16], ['custom.inARow', 'k', 1, 26],
  ['custom.players', 'players', 2, 8], ['custom.stones', 'stones', 1, 4], ['custom.fade', 'fade', 0, 127], ['custom.boards', 'boards', 1, 16],
]);

const GAMES = /** @type {const} */ ([['', 'custom.own'], ['ultimate', 'custom.ultimate'], ['wild', 'custom.wild'], ['order', 'custom.order'], ['notakto', 'custom.notakto']]);

const OPENINGS = /** @type {const} */ ([['', 'custom.free'], ['swap', 'custom.swap'], ['swap2', 'custom.swap2']]);

const FLAGS = /** @type {const} */ ([['misere', 'custom.misere'], ['gravity', 'custom.gravity'], ['wrap', 'custom.wrap'],
  ['exact', 'custom.exact'], ['renju', 'custom.renju']]);

/**
 * The fields of own rules. What does not go together is explained by the server.
 * @param {Rules} rules
 * @param {(rules: Rules) => void} onchange
 */
export function customRules(rules, onchange) {
  const current = { ...rules };
  const change = (/** @type {Partial<Rules>} */ changes) => {
    Object.assign(current, changes);
    onchange({ ...current });
  };
  const number = (/** @type {typeof NUMBERS[number]} */ [label, name, min, max]) => {
    const input = h('input', { type: 'number', min, max, value: current[name], inputmode: 'numeric',
      onchange: () => {
        const wanted = input.value === '' ? current[name] : Math.round(Number(input.value));
        change({ [name]: Math.min(Math.max(wanted, min), max) });
      } });
    return field(t(label), input);
  };
  const select = (/** @type {MessageKey} */ label, /** @type {readonly (readonly [string, MessageKey])[]} */ options,
    /** @type {string} */ chosen, /** @type {(value: string) => void} */ onselect) => {
    const control = h('select', { onchange: () => onselect(control.value) },
      options.map(([value, text]) => h('option', { value, selected: value === chosen }, t(text))));
    return field(t(label), control);
  };
  const flag = (/** @type {typeof FLAGS[number]} */ [name, text]) => {
    const box = h('input', { type: 'checkbox', checked: current[name], onchange: () => change({ [name]: box.checked }) });
    return h('label.check', {}, box, h('span', {}, t(text)));
  };
  const game = GAMES.find(([name]) => name !== '' && current[name])?.[0] ?? '';
  return h('div.custom-rules', {}, NUMBERS.map(number),
    select('custom.game', GAMES, game, (name) => change(Object.fromEntries(GAMES.slice(1).map(([other]) => [other, other === name])))),
    select('custom.opening', OPENINGS, current.opening, (opening) => change({ opening: parseRules(`3x3+${opening}`).opening })),
    h('div.flags', {}, FLAGS.map(flag)));
}
