// Little pictures of the games on the first screen: each shows what its board is made of.

import { svg } from './dom.js';
import { piece } from './pieces.js';

/** @import { GameKey } from './rules.js' */
/** @import { Material } from './pieces.js' */

/** Pieces of a picture: column, row, symbol. @typedef {[x: number, y: number, symbol: string]} Placed */

/**
 * @param {string} viewBox
 * @param {...import('./dom.js').Child} content
 */
const picture = (viewBox, ...content) => svg('svg.picture', { viewBox, 'aria-hidden': 'true' }, content);

const COLOURS = { X: 0, O: 1, '△': 2 };

/**
 * @param {Material} material
 * @param {Placed[]} placed
 */
const pieces = (material, placed) => placed.map(([x, y, symbol]) =>
  svg('g', { transform: `translate(${x * 100} ${y * 100})` }, piece(material, symbol, COLOURS[/** @type {'X'} */ (symbol)], x + y * 3)));

/**
 * A grid of pencil lines.
 * @param {number} n
 */
function grid(n) {
  const lines = Array.from({ length: n - 1 }, (_, i) => `M${(i + 1) * 100} 4V${n * 100 - 4}M4 ${(i + 1) * 100}H${n * 100 - 4}`);
  return svg('path.pencil', { d: lines.join('') });
}

/** @type {Record<GameKey | 'more', () => SVGElement>} */
const PICTURES = {
  classic: () => picture('-6 -6 312 312', svg('path.pen', { d: 'M31 269L269 31' }), grid(3),
    pieces('paper', [[0, 0, 'O'], [2, 0, 'X'], [1, 1, 'X'], [2, 1, 'O'], [0, 2, 'X']])),
  misere: () => picture('-6 -6 312 312', grid(3), pieces('paper', [[0, 1, 'O'], [1, 1, 'O'], [2, 1, 'O']]),
    svg('path.wave', { d: 'M14 238q17 -34 34 0t34 0t34 0t34 0t34 0t34 0t34 0t34 0' })),
  gomoku: () => picture('-8 -8 516 526', svg('rect.wood-side', { y: 10, x: -8, width: 516, height: 516, rx: 34 }), svg('rect', { x: -8, y: -8, width: 516, height: 516, rx: 34, fill: 'url(#wood)' }),
    svg('path.wood-lines', { d: [0, 1, 2, 3, 4].map((i) => `M50 ${i * 100 + 50}H450M${i * 100 + 50} 50V450`).join('') }),
    pieces('stones', [[0, 4, 'O'], [1, 3, 'X'], [2, 2, 'X'], [3, 1, 'X'], [2, 1, 'O'], [3, 2, 'O'], [1, 2, 'O']])),
  connect4: () => {
    const holes = [0, 1, 2, 3].flatMap((row) => [0, 1, 2, 3].map((col) => `M${col * 100 + 9} ${row * 100 + 50}a41 41 0 1 0 82 0a41 41 0 1 0 -82 0`)).join('');
    return picture('-30 -30 460 460', svg('rect.hole', { x: -10, y: -10, width: 420, height: 420 }),
      pieces('discs', [[2, 1, 'X'], [1, 2, 'X'], [2, 2, 'O'], [0, 3, 'X'], [1, 3, 'O'], [2, 3, 'O'], [3, 3, 'X']]),
      svg('path.frame', { 'fill-rule': 'evenodd', d: `M-4 -28H404q24 0 24 24V404q0 24 -24 24H-4q-24 0 -24 -24V-4q0 -24 24 -24Z${holes}` }));
  },
  three: () => picture('-6 -6 412 412', grid(4),
    pieces('paper', [[0, 0, 'X'], [3, 0, '△'], [1, 1, 'O'], [2, 1, '△'], [1, 2, 'O'], [3, 2, '△'], [0, 3, 'X'], [2, 3, 'O']])),
  ultimate: () => {
    const small = [1, 2, 3, 5, 6, 7].map((board) => {
      const [x, y] = [(board % 3) * 106 + 4, Math.floor(board / 3) * 106 + 4];
      return `M${x + 31} ${y + 8}v72M${x + 57} ${y + 8}v72M${x + 8} ${y + 31}h72M${x + 8} ${y + 57}h72`;
    });
    const won = /** @type {const} */ ([[0, 'X'], [4, 'O'], [8, 'X']]);
    return picture('-4 -4 316 316', svg('path.pencil.thin', { d: small.join('') }), svg('path.ink', { d: 'M101 2v304M207 2v304M2 101h304M2 207h304' }),
      won.map(([board, symbol]) => svg('g', { transform: `translate(${(board % 3) * 106 - 2} ${Math.floor(board / 3) * 106 - 2})` }, piece('paper', symbol, COLOURS[symbol], board))));
  },
  qubic: () => picture('0 0 320 320', [0, 1, 2, 3].map((level) => svg('g', { transform: `matrix(.72 0 -.28 .22 94 ${8 + level * 78})` },
    svg('rect.sheet-edge', { y: 26, width: 300, height: 300, rx: 30 }), svg('rect.sheet-top', { width: 300, height: 300, rx: 30 }),
    svg('g', { transform: `translate(${level * 52 - 6} ${level * 52 - 6}) scale(1.55)` }, piece('paper', 'O', 1))))),
  more: () => picture('-6 -6 312 312', svg('rect.dashed', { x: 14, y: 14, width: 272, height: 272, rx: 40 }), svg('path.pencil', { d: 'M70 96H230M70 150H230M70 204H230' }),
    /** @type {const} */ ([[190, 96, 2], [112, 150, 1], [164, 204, 0]]).map(([cx, cy, colour]) => svg(`circle.knob.seat-${colour}`, { cx, cy, r: 22 }))),
};

/**
 * @param {GameKey | 'more'} game
 */
export const gamePicture = (game) => PICTURES[game]();
