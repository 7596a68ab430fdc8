// Winning lines. The server says which cells win; here they are only connected.

import { extent, parseCell } from './rules.js';

/** @import { Place, Rules } from './rules.js' */

/** The directions of lines: one of each two opposite ones. @type {Place[]} */
const DIRECTIONS = [[0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, -1],
  ...[-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => /** @type {Place} */ ([1, down, right])))];

/**
 * The lines through winning cells. With wrap, the places of a line may lie off the board. Lines that were given
 * one by one can't be told from their cells.
 * @param {string[]} cells
 * @param {Rules} rules
 * @returns {Place[][]}
 */
export function winningLines(cells, rules) {
  if (rules.lines) return [];
  const places = cells.map(parseCell);
  return rules.ultimate ? outerLines(places, rules) : linesThrough(places, rules);
}

/**
 * Lines of won boards, each with its row and column in the grid of boards.
 * @param {Place[]} places
 * @param {Rules} rules
 */
function outerLines(places, rules) {
  const boards = new Map(places.map(([, row, col]) => {
    const board = /** @type {Place} */ ([0, Math.floor(row / rules.rows), Math.floor(col / rules.cols)]);
    return [board.join(), board];
  }));
  return linesThrough([...boards.values()], { ...rules, ultimate: false, wrap: false });
}

/**
 * @param {Place[]} places
 * @param {Rules} rules
 * @returns {Place[][]}
 */
function linesThrough(places, rules) {
  const { k, wrap } = rules;
  const size = extent(rules);
  const onBoard = (/** @type {number} */ n, /** @type {number} */ side) => (wrap ? (n + side) % side : n);
  const key = (/** @type {Place} */ [level, row, col]) => [onBoard(level, size.levels), onBoard(row, size.rows), onBoard(col, size.cols)].join();
  const winning = new Set(places.map(key));
  // Boards side by side have no lines across them: only levels do.
  const directions = rules.levels === 1 ? DIRECTIONS.slice(0, 4) : DIRECTIONS;
  return directions.flatMap(([up, down, right]) => {
    /** @type {Set<string>} */
    const seen = new Set();
    // A line that closes on itself has no first cell: any of its cells will do.
    const first = places.filter(([level, row, col]) => !winning.has(key([level - up, row - down, col - right])));
    const lines = [...first, ...places].map((start) => {
      /** @type {Place[]} */
      const line = [];
      let place = start;
      while (winning.has(key(place)) && !seen.has(key(place))) {
        seen.add(key(place));
        line.push(place);
        place = [place[0] + up, place[1] + down, place[2] + right];
      }
      return line;
    });
    return lines.filter((line) => line.length >= k);
  });
}

/**
 * The straight segments of a line: one on each level, and one for each time it enters a level.
 * @param {Place[]} line
 * @param {Rules} rules
 * @returns {[start: Place, end: Place][]}
 */
export function lineSegments(line, rules) {
  const { rows, cols, levels } = extent(rules);
  /** @type {Map<string, Place[]>} */
  const segments = new Map();
  for (const [level, row, col] of line) {
    const [down, right] = [Math.floor(row / rows) * rows, Math.floor(col / cols) * cols];
    const onLevel = ((level % levels) + levels) % levels;
    const key = [onLevel, down, right].join();
    segments.set(key, [...segments.get(key) ?? [], [onLevel, row - down, col - right]]);
  }
  return [...segments.values()].map((places) => [places[0], places[places.length - 1]]);
}
