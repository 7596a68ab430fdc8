// Pieces: marks drawn by hand, stones and discs, in a cell of 100 by 100.

import { svg } from './dom.js';

/** @import { Rules } from './rules.js' */
/** @typedef {'paper' | 'stones' | 'discs'} Material */

/**
 * The paths of the default symbols, a little bowed as by a hand. All other symbols are written as text.
 * @type {Record<string, string[]>}
 */
const SHAPES = {
  X: ['M25 24C40 38 60 59 76 77', 'M76 23C61 39 40 58 24 76'],
  O: ['M56 21C36 19 20 32 20 51C20 68 34 80 51 80C68 80 80 67 80 50C80 34 69 23 52 21C49 20.7 46 21 43 22'],
  '△': ['M52 19C60 37 71 58 80 77C60 79 40 79 20 77C30 58 41 38 51 21'],
  '□': ['M25 24C42 22 60 24 77 23C79 42 77 60 78 77C60 79 42 77 24 78C22 60 24 42 24 22'],
  '◇': ['M50 15C59 27 69 38 80 50C69 62 59 73 50 85C41 73 31 62 20 50C31 38 41 27 50 15Z'],
  '☆': ['M50 14L60.5 37.5L86 40L66.5 57L72.5 82.5L50 69L27.5 82.5L33.5 57L14 40L39.5 37.5Z'],
  '✚': ['M51 18C49 40 51 60 49 82', 'M18 49C40 51 60 49 82 51'],
  '●': ['M52 30A20 20 0 1 1 49 30Z'],
};

export const DEFAULT_SYMBOLS = Object.keys(SHAPES);

/** Shapes that are filled, so that no two shapes look alike from afar. */
const FILLED = ['◇', '☆', '●'];

/** Small tilts by cell, so that no two marks look stamped. */
const TILTS = [-3, 2, 4, -2, 3, -4, 1, -1, 5];

/** The width and height from which boards have stones on crossings. */
const STONES_FROM = 9;

/**
 * What a game is played with. Boards in a board, levels and boards side by side are of paper.
 * @param {Rules} rules
 * @returns {Material}
 */
export function materialOf({ rows, cols, levels, gravity, ultimate, notakto }) {
  if (levels > 1 || ultimate || notakto) return 'paper';
  if (gravity) return 'discs';
  return Math.max(rows, cols) >= STONES_FROM ? 'stones' : 'paper';
}

/**
 * The colours of marks by their symbols: a default symbol has its own colour, and the others share the remaining
 * ones. So a player keeps the colour in every game of a series, whoever goes first.
 * @param {string[]} symbols
 * @returns {number[]}
 */
export function coloursOf(symbols) {
  const own = symbols.map((symbol) => DEFAULT_SYMBOLS.indexOf(symbol));
  const free = DEFAULT_SYMBOLS.map((_, colour) => colour).filter((colour) => !own.includes(colour));
  const others = symbols.filter((_, i) => own[i] < 0).sort();
  return own.map((colour, i) => (colour >= 0 ? colour : free[others.indexOf(symbols[i])]));
}

/**
 * The strokes of a symbol.
 * @param {string} symbol
 * @param {number} [tilt]
 */
function strokes(symbol, tilt = 0) {
  const shape = SHAPES[symbol];
  if (!shape) return svg('text.text-mark', { x: 50, y: 54 }, symbol);
  // Every path counts as one unit long, so that one animation draws them all.
  return svg(`g.drawn${FILLED.includes(symbol) ? '.filled' : ''}`, { transform: tilt ? `rotate(${tilt} 50 50)` : undefined },
    shape.map((d) => svg('path', { d, pathLength: 1 })));
}

/** The symbols of the two seats that have plain stones and discs. */
const PLAIN = ['X', 'O'];

/**
 * A piece, to be put into the group of a cell.
 * @param {Material} material
 * @param {string} symbol
 * @param {number} colour
 * @param {number} [place] a number that varies from cell to cell
 */
export function piece(material, symbol, colour, place = 0) {
  const kind = `g.mark.${material}.seat-${colour}`;
  if (material === 'paper') return svg(kind, {}, strokes(symbol, TILTS[place % TILTS.length]));
  const inner = svg('g.inner', { transform: 'translate(50 50) scale(.56) translate(-50 -50)' }, strokes(symbol));
  if (material === 'stones') {
    const plain = PLAIN.indexOf(symbol);
    if (plain >= 0) definePaints();
    return svg(kind, {}, svg('circle.wood', { cx: 50, cy: 50, r: 46 }), svg('ellipse.shade', { cx: 53, cy: 56, rx: 46, ry: 46 }),
      svg(`circle.stone${plain < 0 ? '' : `.plain-${plain}`}`, { cx: 50, cy: 50, r: 46, fill: plain < 0 ? undefined : `url(#stone-${plain})` }),
      plain < 0 && inner);
  }
  const isPlain = PLAIN.includes(symbol);
  return svg(`${kind}${isPlain ? `.disc-${colour}` : ''}`, {}, svg('circle.disc', { cx: 50, cy: 50, r: 45 }), svg('circle.groove', { cx: 50, cy: 50, r: 34 }), inner);
}

/**
 * A piece as an icon in text.
 * @param {Material} material
 * @param {string} symbol
 * @param {number} colour
 */
export function badge(material, symbol, colour) {
  return svg(`svg.badge.${material}`, { viewBox: material === 'paper' ? '8 8 84 84' : '0 0 100 100', 'aria-hidden': 'true' }, piece(material, symbol, colour));
}

/** Gradients belong to the document: every board refers to the same. */
export function definePaints() {
  if (document.getElementById('paints')) return;
  const stop = (/** @type {number} */ offset, /** @type {string} */ name) => svg(`stop.${name}`, { offset });
  document.body.append(svg('svg', { id: 'paints', width: 0, height: 0, 'aria-hidden': 'true' }, svg('defs', {},
    PLAIN.map((_, i) => svg('radialGradient', { id: `stone-${i}`, cx: 0.36, cy: 0.3, r: 0.8 }, stop(0, `stone-${i}a`), stop(i ? 0.9 : 0.75, `stone-${i}b`))),
    svg('linearGradient', { id: 'wood', x1: 0, y1: 0, x2: 1, y2: 1 }, stop(0, 'wood-a'), stop(1, 'wood-b')))));
}
