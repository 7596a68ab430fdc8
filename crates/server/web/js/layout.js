// Where cells are drawn, in the units of the SVG: a cell is 100 wide.

import { materialOf } from './pieces.js';
import { cellName, extent, parseCell } from './rules.js';

/** @import { Place, Rules } from './rules.js' */
/** @typedef {{ x: number, y: number, width: number, height: number }} Rect */

/**
 * How a board is drawn: `columns` levels side by side, or as tilted sheets above one another; `tight` without room
 * for labels; with `hover`, there is room above a frame for the disc that follows the pointer.
 * @typedef {{ columns?: number, tilted?: boolean, tight?: boolean, hover?: boolean }} View
 */

/** The size of a cell. */
export const CELL = 100;

/** Between the boards of ultimate. */
const BOARD_GAP = 30;

/** Around the sheet of a level, and between two sheets. */
export const SHEET_MARGIN = 14;
const LEVEL_GAP = 30;

/** More levels in a row are preferred unless that makes cells smaller than this part of what is possible. */
const ROW_PREFERENCE = 0.8;

/** Around the crossings of a wooden board, with labels and without. */
const WOOD_MARGIN = { labelled: 84, tight: 58 };

/** Around the holes of a frame, and where the next disc floats above it. */
export const FRAME_MARGIN = 28;
export const FLOAT_HEIGHT = 76;

/** One cell across and one down on a tilted sheet, and from sheet to sheet beyond the height of one. */
const TILT = { across: 1.16, aside: -0.46, down: 0.46, gap: 28 };

/** Tilted sheets are for a few small levels. */
const MAX_TILTED = { levels: 4, side: 5 };

export class Layout {
  /**
   * @param {Rules} rules
   * @param {View} [view]
   */
  constructor(rules, { columns = 1, tilted = false, tight = false, hover = false } = {}) {
    const { rows, cols, levels } = extent(rules);
    this.rules = rules;
    this.material = materialOf(rules);
    this.rows = rows;
    this.cols = cols;
    this.levels = levels;
    this.columns = columns;
    this.tilted = tilted;
    this.tight = tight;
    /** The size of a level. */
    this.width = this.x(cols - 1) + CELL;
    this.height = this.y(rows - 1) + CELL;
    const lines = Math.ceil(levels / columns);
    const largest = Math.max(columns * this.width, lines * this.height) + 0.6 * CELL;
    this.font = levels > 1 ? Math.max(largest * (tight ? 0.036 : 0.022), 16) : this.material === 'stones' ? 26 : this.material === 'discs' ? 19 : Math.max(largest * 0.024, 10);
    this.title = levels > 1 ? this.font * (tight ? 1.3 : 1.9) : 0;
    /** From one level to the next, on flat sheets. */
    this.stepX = this.width + 2 * SHEET_MARGIN + LEVEL_GAP;
    this.stepY = this.height + 2 * SHEET_MARGIN + this.title + LEVEL_GAP;
    /** @type {Rect} */
    this.viewBox = this.#viewBox(lines, hover);
  }

  /**
   * @param {number} lines
   * @param {boolean} hover
   * @returns {Rect}
   */
  #viewBox(lines, hover) {
    const { width, height, material, levels, columns } = this;
    const around = (/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ right, /** @type {number} */ bottom) =>
      ({ x: -left, y: -top, width: width + left + right, height: height + top + bottom });
    if (this.tilted) {
      const side = -TILT.aside * height;
      return { x: -side - 2 * SHEET_MARGIN, y: -2 * SHEET_MARGIN, width: side + TILT.across * width + 4 * SHEET_MARGIN,
        height: (levels - 1) * this.#tiltedStep + TILT.down * height + 4 * SHEET_MARGIN };
    }
    if (levels > 1) {
      const margin = SHEET_MARGIN + 2;
      return { x: -margin, y: -margin - this.title, width: (columns - 1) * this.stepX + width + 2 * margin,
        height: (lines - 1) * this.stepY + height + 2 * margin + this.title };
    }
    if (material === 'stones') {
      const margin = this.woodMargin - CELL / 2;
      // The front edge of the wood is below it.
      return around(margin, margin, margin, margin + 10);
    }
    if (material === 'discs') return around(FRAME_MARGIN + 20, hover ? FLOAT_HEIGHT + 46 : FRAME_MARGIN + 2, FRAME_MARGIN + 20, FRAME_MARGIN + 34);
    return this.rules.ultimate ? around(18, 18, 18, 18) : around(6, 6, 6, 6);
  }

  get woodMargin() {
    return this.tight ? WOOD_MARGIN.tight : WOOD_MARGIN.labelled;
  }

  get #tiltedStep() {
    return TILT.down * this.height + TILT.gap;
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
   * The affine map from a level to the board, as the six numbers of SVG's `matrix`.
   * @param {number} level
   */
  matrix(level) {
    if (this.tilted) {
      // Stones rest on the first level, as on a table.
      const place = this.rules.gravity ? this.levels - 1 - level : level;
      return [TILT.across, 0, TILT.aside, TILT.down, 0, place * this.#tiltedStep];
    }
    return [1, 0, 0, 1, (level % this.columns) * this.stepX, Math.floor(level / this.columns) * this.stepY];
  }

  /**
   * A point of a level on the board.
   * @param {number} level
   * @param {number} x
   * @param {number} y
   */
  point(level, x, y) {
    const [a, b, c, d, e, f] = this.matrix(level);
    return { x: a * x + c * y + e, y: b * x + d * y + f };
  }

  /**
   * The centre of a cell on the board.
   * @param {Place} place
   */
  centre([level, row, col]) {
    return this.point(level, this.x(col) + CELL / 2, this.y(row) + CELL / 2);
  }

  /**
   * The transformation that puts something into a cell.
   * @param {string} name
   */
  transform(name) {
    const [level, row, col] = parseCell(name);
    return `matrix(${this.matrix(level).join(' ')}) translate(${this.x(col)} ${this.y(row)})`;
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
    if (!ultimate) return { ...this.point(board, 0, 0), width: this.width, height: this.height };
    const [row, col] = [Math.floor(board / cols), board % cols];
    return { x: this.x(col * cols), y: this.y(row * rows), width: cols * CELL, height: rows * CELL };
  }

  /** The middle of the gap between two boards. */
  get boardGap() {
    return BOARD_GAP;
  }
}

/**
 * The view of a board that suits a window best.
 * @param {Rules} rules
 * @param {{ width: number, height: number }} space about how much of the window the board can fill
 * @param {{ narrow: boolean, hover: boolean }} device
 * @returns {Required<View>}
 */
export function bestView(rules, { width, height }, { narrow, hover }) {
  const { rows, cols, levels } = extent(rules);
  const tilted = !narrow && !rules.notakto && levels > 1 && levels <= MAX_TILTED.levels && Math.max(rows, cols) <= MAX_TILTED.side;
  const scales = range(levels).map((i) => {
    const { viewBox } = new Layout(rules, { columns: i + 1 });
    // A page that is printed or just opened can have no room at all.
    return Math.min(Math.max(width, 1) / viewBox.width, Math.max(height, 1) / viewBox.height);
  });
  const best = Math.max(...scales);
  return { columns: tilted ? 1 : scales.findLastIndex((scale) => scale >= best * ROW_PREFERENCE) + 1, tilted, tight: narrow, hover };
}

/**
 * The numbers below a number.
 * @param {number} length
 */
export const range = (length) => Array.from({ length }, (_, i) => i);
