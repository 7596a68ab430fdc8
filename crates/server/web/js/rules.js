// The text form of rules, boxes and moves, for drawing and describing. What rules mean is decided by the server.

import { t } from './i18n.js';

/** @import { MessageKey } from './i18n.js' */

/** The variants without a number, in the order of the canonical text. */
export const FLAGS = /** @type {const} */ (['ultimate', 'notakto', 'wild', 'order', 'misere', 'gravity', 'wrap', 'exact', 'renju']);

/**
 * `boards` is the number of boards of notakto, `fade` how many marks stay (0: all), `stones` how many are placed in
 * a turn, and `lines` the lines given one by one.
 * @typedef {{
 *   rows: number, cols: number, levels: number, boards: number, k: number, players: number,
 *   fade: number, stones: number, opening: '' | 'swap' | 'swap2', lines: string,
 * } & Record<typeof FLAGS[number], boolean>} Rules
 */

/**
 * The games on the first screen. All other well-known ones are in the server's list.
 * @type {readonly { id: GameKey, rules: string }[]}
 */
export const BOARDS = [
  { id: 'classic', rules: '3x3' },
  { id: 'misere', rules: '3x3+misere' },
  { id: 'gomoku', rules: '15x15:5' },
  { id: 'connect4', rules: '6x7:4+gravity' },
  { id: 'three', rules: '7x7:4+3p' },
  { id: 'ultimate', rules: '3x3+ultimate' },
  { id: 'qubic', rules: '4x4x4' },
];

/** @typedef {'classic' | 'misere' | 'gomoku' | 'connect4' | 'three' | 'ultimate' | 'qubic'} GameKey */

/**
 * Other well-known games.
 * @type {Record<string, { name: MessageKey, about: MessageKey }>}
 */
export const OTHER_GAMES = {
  '4x4': { name: 'name.four', about: 'name.four.about' },
  '15x15:5+exact': { name: 'name.standard', about: 'about.standard' },
  '3x3x3': { name: 'name.cube', about: 'about.cube' },
  '4x4x4+gravity': { name: 'name.scoreFour', about: 'about.scoreFour' },
  '3x3+wild': { name: 'name.wild', about: 'about.wild' },
  '3x3+notakto+3b': { name: 'name.notakto', about: 'about.notakto' },
  '6x6:5+order': { name: 'name.order', about: 'about.order' },
  '3x3+fade3': { name: 'name.fade', about: 'about.fade' },
  '19x19:6+2s': { name: 'name.connect6', about: 'about.connect6' },
  '15x15:5+renju': { name: 'name.renju', about: 'about.renju' },
  '15x15:5+swap2': { name: 'name.swap2', about: 'about.swap2' },
};

/** The games of leagues that the server calls otherwise than the page. @type {Record<string, string>} */
const LEAGUE_RULES = {
  qubic: '4x4x4', fade: '3x3+fade3', notakto: '3x3+notakto+3b', wild: '3x3+wild', 'order-and-chaos': '6x6:5+order', '3d': '3x3x3',
  'score-four': '4x4x4+gravity', renju: '15x15:5+renju', connect6: '19x19:6+2s',
};

/**
 * The name of a league, which is that of its game.
 * @param {{ name: string, title: string }} league
 */
export function leagueName({ name, title }) {
  const rules = BOARDS.find(({ id }) => id === name)?.rules ?? LEAGUE_RULES[name];
  if (rules) return rulesName(rules);
  return name === 'other' ? t('name.other') : title;
}

/**
 * @param {string} text
 * @returns {Rules}
 */
export function parseRules(text) {
  const [, height, width, depth, win, options] =
    /^(\d+)x(\d+)(?:x(\d+))?(?::(\d+|\[.*\]))?((?:\+\w+)*)$/.exec(text) ?? ['', '3', '3', undefined, undefined, ''];
  const words = options.split('+');
  const number = (/** @type {RegExp} */ pattern, /** @type {number} */ missing) => {
    const word = words.find((other) => pattern.test(other));
    return word ? Number(word.replace(/\D/g, '')) : missing;
  };
  const [rows, cols, levels] = [Number(height), Number(width), Number(depth ?? 1)];
  const lines = win?.startsWith('[') ? win : '';
  const opening = words.find((word) => word === 'swap' || word === 'swap2');
  const flags = /** @type {Record<typeof FLAGS[number], boolean>} */ (Object.fromEntries(FLAGS.map((flag) => [flag, words.includes(flag)])));
  return {
    rows,
    cols,
    levels,
    boards: number(/^\d+b$/, 1),
    k: lines ? Math.max(...lines.split(',').map((line) => line.split('-').length)) : Number(win ?? defaultLength(rows, cols, levels)),
    players: number(/^\d+p$/, 2),
    fade: number(/^fade\d+$/, 0),
    stones: number(/^\d+s$/, 1),
    opening: opening === 'swap' || opening === 'swap2' ? opening : '',
    lines,
    ...flags,
  };
}

/**
 * The length of a line if the rules do not say.
 * @param {number} rows
 * @param {number} cols
 * @param {number} levels
 */
const defaultLength = (rows, cols, levels) => Math.min(rows, cols, levels > 1 ? levels : Infinity);

/**
 * @param {Rules} rules
 */
export function formatRules(rules) {
  const { rows, cols, levels, boards, k, players, fade, stones, opening, lines } = rules;
  const words = [...FLAGS.filter((flag) => rules[flag]), rules.notakto && boards > 1 && `${boards}b`, fade > 0 && `fade${fade}`,
    stones > 1 && `${stones}s`, opening, players > 2 && `${players}p`].filter(Boolean);
  return `${[rows, cols, ...(levels > 1 ? [levels] : [])].join('x')}:${lines || k}${words.map((word) => `+${word}`).join('')}`;
}

/**
 * The rows, columns and levels of the whole board. Boards side by side count as levels.
 * @param {Rules} rules
 */
export function extent({ rows, cols, levels, boards, ultimate, notakto }) {
  if (ultimate) return { rows: rows * rows, cols: cols * cols, levels: 1 };
  return { rows, cols, levels: notakto && levels === 1 ? boards : levels };
}

/**
 * Whether the mover chooses which mark to place.
 * @param {Rules} rules
 */
export const hasChoiceOfMark = ({ wild, order }) => wild || order;

/**
 * Whether each player has a mark of their own.
 * @param {Rules} rules
 */
export const hasOwnMarks = ({ wild, order, notakto }) => !(wild || order || notakto);

/**
 * A short name, such as `Gomoku` or `5 × 5, 4 in a row, joined edges`.
 * @param {string} text
 */
export function rulesName(text) {
  const board = BOARDS.find(({ rules }) => rules === text);
  if (board) return t(`game.${board.id}`);
  const other = OTHER_GAMES[text];
  if (other) return t(other.name);
  const rules = parseRules(text);
  const { rows, cols, levels, boards, k, players, fade, stones, opening, lines } = rules;
  const parts = [[rows, cols, ...(levels > 1 ? [levels] : [])].join(' × '),
    lines ? t('rules.ownLines') : k !== defaultLength(rows, cols, levels) && t('rules.inARow', { k }),
    rules.ultimate && t('rules.ultimate'), rules.notakto && t('rules.notakto'), boards > 1 && t('rules.boards', { count: boards }),
    rules.order ? t('rules.order') : rules.wild && t('rules.wild'), rules.misere && t('rules.misere'), rules.gravity && t('rules.gravity'),
    rules.wrap && t('rules.wrap'), rules.exact && t('rules.exact'), rules.renju && t('rules.renju'), fade > 0 && t('rules.fade', { count: fade }),
    stones > 1 && t('rules.stones', { count: stones }), opening && t(`rules.${opening}`), players > 2 && t('rules.players', { count: players })];
  return parts.filter(Boolean).join(', ');
}

// Boxes and moves.

/** @typedef {[level: number, row: number, col: number]} Place */

/**
 * `0, 0, 1` is `A2`, and `1, 0, 1` is `2A2`.
 * @param {number} level
 * @param {number} row
 * @param {number} col
 */
export const cellName = (level, row, col) => (level > 0 ? level + 1 : '') + String.fromCharCode(65 + row) + (col + 1);

/**
 * `2A2` is `[1, 0, 1]`.
 * @param {string} name
 * @returns {Place}
 */
export function parseCell(name) {
  const [, level, row, col] = /^(\d*)([A-Z])(\d+)$/.exec(name) ?? ['', '', 'A', '1'];
  return [Number(level || 1) - 1, row.charCodeAt(0) - 65, Number(col) - 1];
}

/** The letters of marks in moves such as `B3=o`. */
export const MARK_LETTERS = 'xoabcdef';

/**
 * The box of a move and the mark it names. An opening choice has no box.
 * @param {string} move
 * @returns {{ cell: string | null, mark: number | null }}
 */
export function parseMove(move) {
  const [, cell = null, letter] = /^(\d*[A-Z]\d+)(?:=([a-z]))?$/.exec(move) ?? [];
  return { cell, mark: letter ? MARK_LETTERS.indexOf(letter) : null };
}

/** Opening choices. @type {Record<string, MessageKey>} */
const CHOICES = { swap: 'move.swap', keep: 'move.keep', more: 'move.more' };

/**
 * A move as people write it: `B3`, `O on B3` or `Swap`.
 * @param {string} move
 * @param {string[]} symbols the symbols of the marks
 */
export function moveText(move, symbols) {
  const { cell, mark } = parseMove(move);
  if (cell === null) return move in CHOICES ? t(CHOICES[move]) : move;
  return mark === null ? cell : t('move.markOn', { symbol: symbols[mark] ?? MARK_LETTERS[mark], cell });
}

/**
 * The name of a sub-board: of ultimate, or one of several side by side.
 * @param {number} board
 * @param {Rules} rules
 */
export function boardName(board, { ultimate, rows, cols }) {
  if (!ultimate) return t('place.board', { name: String(board + 1) });
  if (rows === 3 && cols === 3) return t(`place.${/** @type {0} */ (board)}`);
  return t('place.board', { name: cellName(0, Math.floor(board / cols), board % cols) });
}
