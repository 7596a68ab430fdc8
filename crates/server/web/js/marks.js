// How symbols look in a cell of 100 by 100. The default ones are drawn, all others are written.

import { s } from './dom.js';

const SHAPES = {
  X: ['M24 24 76 76', 'M76 24 24 76'],
  O: ['M50 21a29 29 0 1 1-.01 0Z'],
  '△': ['M50 20 81 74H19Z'],
  '□': ['M25 25H75V75H25Z'],
  '◇': ['M50 17 80 50 50 83 20 50Z'],
  '☆': ['M50 18 59.4 39.6 82 41.7 65 57 69.8 79.6 50 68 30.2 79.6 35 57 18 41.7 40.6 39.6Z'],
  '✚': ['M50 20V80', 'M20 50H80'],
  '●': ['M50 28a22 22 0 1 1-.01 0Z'],
};

export const DEFAULT_SYMBOLS = Object.keys(SHAPES);

/** The mark of a seat, to be put into a cell's group. */
export function mark(symbol, seat) {
  const shape = SHAPES[symbol];
  if (!shape) return s(`text.mark.written.seat-${seat}`, { x: 50, y: 54 }, symbol);
  const filled = symbol === '●' ? '.filled' : '';
  // Every path counts as one long, so that one animation draws them all.
  return s(`g.mark.drawn${filled}.seat-${seat}`, {}, shape.map((d) => s('path', { d, pathLength: 1 })));
}

/** A small picture of a symbol among text. */
export function badge(symbol, seat) {
  return s('svg.badge', { viewBox: '8 8 84 84', 'aria-hidden': 'true' }, mark(symbol, seat));
}
