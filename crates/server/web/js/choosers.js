// Choosing a game beyond the boards of the first screen: other well-known ones, and rules of one's own.

import { presets } from './describe.js';
import { field, h, setChildren, svg, uniqueId } from './dom.js';
import { BOARDS, parseRules } from './rules.js';

/** @import { PresetView } from './api' */
/** @import { Rules } from './rules.js' */

/**
 * The well-known games that have no board on the first screen.
 * @param {string} chosen the rules of the chosen one
 * @param {(rules: string) => void} onchange
 */
export function moreGames(chosen, onchange) {
  const list = h('div', {}, h('p.placeholder', {}, 'Loading…'));
  const name = uniqueId('choice');
  const option = (/** @type {PresetView} */ { rules, title, summary }) => h('label', {},
    h('input', { type: 'radio', name, value: rules, checked: rules === chosen, onchange: () => onchange(rules) }),
    h('span', {}, h('strong', {}, title), h('small', {}, summary)));
  presets().then((all) => {
    const others = all.filter(({ rules }) => !BOARDS.some((board) => board.rules === rules));
    setChildren(list, others.map(option));
  }, (error) => setChildren(list, h('p.error', {}, error.message)));
  return h('fieldset.choice.more-games', {}, h('legend', {}, 'Games'), list);
}

/** What a player can choose of the numbers of rules: label, name, smallest and largest value. */
const NUMBERS = /** @type {const} */ ([
  ['Rows', 'rows', 1, 26], ['Columns', 'cols', 1, 26], ['Levels', 'levels', 1, 16], ['In a row', 'k', 1, 26],
  ['Players', 'players', 2, 8], ['Stones a turn', 'stones', 1, 4], ['Marks kept (0: all)', 'fade', 0, 127], ['Boards of notakto', 'boards', 1, 16],
]);

const GAMES = /** @type {const} */ ([['', 'Own marks'], ['ultimate', 'Ultimate: boards in a board'], ['wild', 'Wild: choose either mark'],
  ['order', 'Order and chaos'], ['notakto', 'Notakto: the same mark for all']]);

const OPENINGS = /** @type {const} */ ([['', 'Free'], ['swap', 'Swap after the first stone'], ['swap2', 'Swap2']]);

const FLAGS = /** @type {const} */ ([['misere', 'Misère: a line loses'], ['gravity', 'Gravity: pieces fall'], ['wrap', 'Wrap: edges are joined'],
  ['exact', 'Exact: longer lines don’t count'], ['renju', 'Renju: forbidden moves for the first']]);

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
    return field(label, input);
  };
  const select = (/** @type {string} */ label, /** @type {readonly (readonly [string, string])[]} */ options,
    /** @type {string} */ chosen, /** @type {(value: string) => void} */ onselect) => {
    const control = h('select', { onchange: () => onselect(control.value) },
      options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)));
    return field(label, control);
  };
  const flag = (/** @type {typeof FLAGS[number]} */ [name, text]) => {
    const box = h('input', { type: 'checkbox', checked: current[name], onchange: () => change({ [name]: box.checked }) });
    return h('label.check', {}, box, h('span', {}, text));
  };
  const game = GAMES.find(([name]) => name !== '' && current[name])?.[0] ?? '';
  return h('div.custom-rules', {}, NUMBERS.map(number),
    select('Game', GAMES, game, (name) => change(Object.fromEntries(GAMES.slice(1).map(([other]) => [other, other === name])))),
    select('Opening', OPENINGS, current.opening, (opening) => change({ opening: /** @type {Rules['opening']} */ (opening) })),
    h('div.flags', {}, FLAGS.map(flag)));
}

// Small pictures of boards. All cells are in two paths, because hundreds of elements are slow to lay out.

const MAX_THUMBNAIL_SIDE = 7;

/** The side of a picture. */
const PICTURE = 28;

/**
 * @param {{ id: string, rules: string | null }} board
 */
export function thumbnail({ id, rules: text }) {
  const rules = parseRules(text ?? '5x5');
  const { empty, filled } = id === 'more' ? listPicture()
    : rules.ultimate ? ultimatePicture() : rules.levels > 1 ? levelsPicture() : gridPicture(rules, id === 'custom');
  return svg('svg.thumb', { viewBox: `0 0 ${PICTURE} ${PICTURE}`, 'aria-hidden': 'true' }, svg('path', { d: empty }), svg('path.on', { d: filled }));
}

/**
 * @param {Rules} rules
 * @param {boolean} isCustom
 */
function gridPicture({ rows, cols, gravity }, isCustom) {
  const [r, c] = [Math.min(rows, MAX_THUMBNAIL_SIDE), Math.min(cols, MAX_THUMBNAIL_SIDE)];
  const side = 24 / Math.max(r, c);
  const [x, y] = [(PICTURE - c * side) / 2, (PICTURE - r * side) / 2];
  let [empty, filled] = ['', ''];
  for (let row = 0; row < r; row += 1) {
    for (let col = 0; col < c; col += 1) {
      const isFilled = isCustom ? (row * 3 + col) % 4 === 0 : gravity && row + (col % 3) >= r;
      const cell = roundedSquare(x + col * side + 0.6, y + row * side + 0.6, side - 1.2, gravity ? side / 2 : side / 5);
      if (isFilled) filled += cell;
      else empty += cell;
    }
  }
  return { empty, filled };
}

/** A list of games. */
function listPicture() {
  const lines = [0, 1, 2].map((line) => 3.5 + line * 8);
  return {
    empty: lines.map((y) => `M11 ${y + 1.8}h14v2h-14z`).join(''),
    filled: lines.map((y) => roundedSquare(3, y, 5.6, 1.4)).join(''),
  };
}

/** Nine boards, one of them won. */
function ultimatePicture() {
  let [empty, filled] = ['', ''];
  for (let board = 0; board < 9; board += 1) {
    const [x, y] = [1.2 + (board % 3) * 8.8, 1.2 + Math.floor(board / 3) * 8.8];
    if (board === 4) filled += roundedSquare(x, y, 8, 1.6);
    else for (let cell = 0; cell < 9; cell += 1) empty += roundedSquare(x + (cell % 3) * 2.75, y + Math.floor(cell / 3) * 2.75, 2.4, 0.5);
  }
  return { empty, filled };
}

/** Four sheets above one another, with a line through them. */
function levelsPicture() {
  const sheet = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) =>
    `M${x + height * 0.8} ${y}h${width}l${-height * 0.8} ${height}h${-width}z`;
  const levels = [0, 1, 2, 3];
  return {
    empty: levels.map((level) => sheet(1.5, 2 + level * 6.4, 20.5, 5)).join(''),
    filled: levels.map((level) => sheet(5.2 + level * 3.4, 3.5 + level * 6.4, 3.8, 2)).join(''),
  };
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} radius
 */
function roundedSquare(x, y, size, radius) {
  const round = Math.min(radius, size / 2);
  const straight = size - 2 * round;
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${round} ${round} 0 0 1 ${dx} ${dy}`;
  return `M${x + round} ${y}h${straight}${corner(round, round)}v${straight}${corner(-round, round)}`
    + `h${-straight}${corner(-round, -round)}v${-straight}${corner(round, -round)}z`;
}
