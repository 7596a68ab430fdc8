// Drawing winning cells as lines. Which cells win is known; here they are only strung together.

import { boxAt } from './rules.js';

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

/** The lines through winning cells: lists of `[row, col]` that may leave the board where edges join. */
export function strings(cells, { rows, cols, k, wrap }) {
  const key = (row, col) => row * 64 + col;
  const fold = (row, col) => (wrap ? [(row + rows) % rows, (col + cols) % cols] : [row, col]);
  const winning = new Set(cells.map((name) => key(...boxAt(name))));
  const has = (row, col) => winning.has(key(...fold(row, col)));
  const found = [];
  for (const [down, right] of DIRECTIONS) {
    const seen = new Set();
    const places = cells.map(boxAt);
    // Where a line closes on itself it has no beginning: any cell of it will do.
    const starts = places.filter(([row, col]) => !has(row - down, col - right));
    for (const [row, col] of [...starts, ...places]) {
      const string = [];
      let [r, c] = [row, col];
      while (has(r, c) && !seen.has(key(...fold(r, c)))) {
        seen.add(key(...fold(r, c)));
        string.push([r, c]);
        [r, c] = [r + down, c + right];
      }
      if (string.length >= k) found.push(string);
    }
  }
  return found;
}

/** Straight pieces `[[row, col], [row, col]]` of a line, in as many copies as it crosses edges. */
export function pieces(string, { rows, cols }) {
  const [first, last] = [string[0], string[string.length - 1]];
  const shifts = new Map();
  for (const [row, col] of string) {
    const shift = [Math.floor(row / rows) * rows, Math.floor(col / cols) * cols];
    shifts.set(shift.join(), shift);
  }
  return [...shifts.values()].map(([down, right]) =>
    [first, last].map(([row, col]) => [row - down, col - right]));
}
