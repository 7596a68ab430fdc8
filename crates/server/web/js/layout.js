// Where cells are drawn, in the units of the SVG: a cell is 100 wide.

import { cellName, extent, parseCell } from './rules.js';

/** @import { Place, Rules } from './rules.js' */
/** @typedef {{ x: number, y: number, width: number, height: number }} Rect */

/** The size of a cell. */
export const CELL = 100;

/** Between the boards of ultimate. */
const BOARD_GAP = 34;

/** Between levels. */
const LEVEL_GAP = 26;

/** More levels in a row are preferred unless that makes cells smaller than this part of what is possible. */
const ROW_PREFERENCE = 0.8;

/** The margin for row letters and column numbers, by the size of the letters. */
const MARGIN = 1.9;

export class Layout {
  /**
   * @param {Rules} rules
   * @param {number} [columns] how many levels are side by side
   */
  constructor(rules, columns = 1) {
    const { rows, cols, levels } = extent(rules);
    this.rules = rules;
    this.rows = rows;
    this.cols = cols;
    this.levels = levels;
    this.columns = columns;
    /** The size of a level. */
    this.width = this.x(cols - 1) + CELL;
    this.height = this.y(rows - 1) + CELL;
    const lines = Math.ceil(levels / columns);
    const largest = Math.max(columns * this.width, lines * this.height) + 0.6 * CELL;
    this.font = Math.max(largest * 0.027, 13);
    this.margin = this.font * MARGIN;
    this.title = levels > 1 ? this.font * 2 : 0;
    /** From one level to the next. */
    this.stepX = this.width + this.margin + LEVEL_GAP;
    this.stepY = this.height + this.margin + this.title + LEVEL_GAP;
    /** @type {Rect} */
    this.viewBox = {
      x: -this.margin,
      y: -this.margin - this.title,
      width: (columns - 1) * this.stepX + this.width + this.margin * 1.5,
      height: (lines - 1) * this.stepY + this.height + this.margin * 1.5 + this.title,
    };
  }

  /**
   * The left edge of a column within its level.
   * @param {number} col
   */
  x(col) {
    return col * CELL + (this.rules.ultimate ? Math.floor(col / this.rules.cols) * BOARD_GAP : 0);
  }

  /**
   * The upper edge of a row within its level.
   * @param {number} row
   */
  y(row) {
    return row * CELL + (this.rules.ultimate ? Math.floor(row / this.rules.rows) * BOARD_GAP : 0);
  }

  /**
   * Where a level starts.
   * @param {number} level
   */
  origin(level) {
    return { x: (level % this.columns) * this.stepX, y: Math.floor(level / this.columns) * this.stepY };
  }

  /**
   * The upper left corner of a cell.
   * @param {string} name
   */
  corner(name) {
    const [level, row, col] = parseCell(name);
    const { x, y } = this.origin(level);
    return { x: x + this.x(col), y: y + this.y(row) };
  }

  /**
   * @param {string} name
   */
  translation(name) {
    const { x, y } = this.corner(name);
    return `translate(${x} ${y})`;
  }

  /** The names of all cells, level by level and row by row. */
  get cells() {
    return range(this.levels).flatMap((level) => range(this.rows).flatMap((row) => range(this.cols).map((col) => cellName(level, row, col))));
  }

  // Sub-boards: those of ultimate, or the boards of notakto.

  /** How many there are. */
  get boardCount() {
    const { ultimate, notakto, rows, cols } = this.rules;
    return ultimate ? rows * cols : notakto ? this.levels : 0;
  }

  /**
   * The sub-board of a cell.
   * @param {Place} place
   */
  boardOf([level, row, col]) {
    const { ultimate, notakto, rows, cols } = this.rules;
    if (ultimate) return Math.floor(row / rows) * cols + Math.floor(col / cols);
    return notakto ? level : null;
  }

  /**
   * @param {number} board
   * @returns {Rect}
   */
  boardRect(board) {
    const { ultimate, rows, cols } = this.rules;
    if (!ultimate) return { ...this.origin(board), width: this.width, height: this.height };
    const [row, col] = [Math.floor(board / cols), board % cols];
    return { x: this.x(col * cols), y: this.y(row * rows), width: cols * CELL, height: rows * CELL };
  }

  /** The lines between cells, and in ultimate between boards, as paths within a level. */
  get lines() {
    const { rows, cols } = this.rules;
    if (!this.rules.ultimate) return { thin: gridPath(0, 0, this.rows, this.cols), thick: '' };
    const boards = range(this.boardCount).map((board) => this.boardRect(board));
    const middle = BOARD_GAP / 2;
    return {
      thin: boards.map(({ x, y }) => gridPath(x, y, rows, cols)).join(''),
      thick: [
        ...range(cols - 1).map((col) => `M${this.x((col + 1) * cols) - middle} 0V${this.height}`),
        ...range(rows - 1).map((row) => `M0 ${this.y((row + 1) * rows) - middle}H${this.width}`),
      ].join(''),
    };
  }
}

/**
 * The inner lines of a grid. On small boards they stop short of the edge, as on paper.
 * @param {number} x
 * @param {number} y
 * @param {number} rows
 * @param {number} cols
 */
function gridPath(x, y, rows, cols) {
  const gap = (/** @type {number} */ side) => (side <= 5 ? 6 : 0);
  const [right, bottom] = [x + cols * CELL, y + rows * CELL];
  return [
    ...range(cols - 1).map((col) => `M${x + (col + 1) * CELL} ${y + gap(rows)}V${bottom - gap(rows)}`),
    ...range(rows - 1).map((row) => `M${x + gap(cols)} ${y + (row + 1) * CELL}H${right - gap(cols)}`),
  ].join('');
}

/**
 * How many levels to draw side by side in a window.
 * @param {Rules} rules
 * @param {{ width: number, height: number }} space
 */
export function bestColumns(rules, { width, height }) {
  const { levels } = extent(rules);
  const scales = range(levels).map((i) => {
    const { viewBox } = new Layout(rules, i + 1);
    return Math.min(width / viewBox.width, height / viewBox.height);
  });
  const best = Math.max(...scales);
  return scales.findLastIndex((scale) => scale >= best * ROW_PREFERENCE) + 1;
}

/**
 * The numbers below a number.
 * @param {number} length
 */
export const range = (length) => Array.from({ length }, (_, i) => i);
