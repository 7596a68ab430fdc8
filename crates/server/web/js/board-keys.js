// Moving over a board with the keyboard: one cell is in the tab order, arrows and typed names lead to the others.

import { cellName, MARK_LETTERS, parseCell } from './rules.js';

/** @import { Layout } from './layout.js' */
/** @import { Place } from './rules.js' */

/** The letter and the digits of a cell name typed within this time belong together. */
const TYPING_MS = 1200;

export class BoardKeys {
  #handlers;
  #typed = { text: '', at: 0 };
  /** The cell in the tab order. @type {Place} */
  place;

  /**
   * @param {Place} place
   * @param {{
   *   layout: () => Layout,
   *   element: (cell: string) => SVGElement,
   *   onplay: (cell: string) => void,
   *   onmark?: (mark: number) => void,
   * }} handlers
   */
  constructor(place, handlers) {
    this.place = place;
    this.#handlers = handlers;
  }

  get cell() {
    return cellName(...this.place);
  }

  /**
   * Makes a cell the one in the tab order.
   * @param {string} name
   */
  setTabStop(name) {
    this.#handlers.element(this.cell).setAttribute('tabindex', '-1');
    this.place = parseCell(name);
    this.#handlers.element(name).setAttribute('tabindex', '0');
  }

  /**
   * Moves the focus; past the edge of a level, to the level beside it.
   * @param {Place} place
   */
  #moveFocus([level, row, col]) {
    const { rows, cols, levels, columns } = this.#handlers.layout();
    const beside = level + Math.sign(Math.floor(col / cols)) + columns * Math.sign(Math.floor(row / rows));
    const isInside = row >= 0 && row < rows && col >= 0 && col < cols;
    const name = isInside || beside < 0 || beside >= levels
      ? cellName(clamp(level, levels), clamp(row, rows), clamp(col, cols))
      : cellName(beside, (row + rows) % rows, (col + cols) % cols);
    this.setTabStop(name);
    this.#handlers.element(name).focus();
  }

  /**
   * @param {KeyboardEvent} event
   */
  handle(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [level, row, col] = this.place;
    const { rows, cols, levels } = this.#handlers.layout();
    /** @type {Record<string, Place>} */
    const steps = { ArrowUp: [level, row - 1, col], ArrowDown: [level, row + 1, col], ArrowLeft: [level, row, col - 1],
      ArrowRight: [level, row, col + 1], Home: [level, row, 0], End: [level, row, cols - 1],
      PageUp: levels > 1 ? [level - 1, row, col] : [level, 0, col], PageDown: levels > 1 ? [level + 1, row, col] : [level, rows - 1, col] };
    if (steps[event.key]) this.#moveFocus(steps[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.#handlers.onplay(this.cell);
    else if (!this.#chooseMark(event.key) && !this.#type(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * The keys `x` and `o`, where the mover chooses the mark.
   * @param {string} key
   */
  #chooseMark(key) {
    const index = key.length === 1 ? MARK_LETTERS.slice(0, 2).indexOf(key.toLowerCase()) : -1;
    if (index < 0 || !this.#handlers.onmark) return false;
    this.#handlers.onmark(index);
    return true;
  }

  /**
   * A letter selects a row and digits a column: `b`, `2` is B2.
   * @param {string} key
   */
  #type(key) {
    const { rows, cols } = this.#handlers.layout();
    const [level, row, col] = this.place;
    if (/^[a-z]$/i.test(key)) {
      const wanted = key.toUpperCase().charCodeAt(0) - 65;
      if (wanted >= rows) return false;
      this.#typed = { text: '', at: performance.now() };
      this.#moveFocus([level, wanted, col]);
      return true;
    }
    if (!/^\d$/.test(key)) return false;
    const now = performance.now();
    const digits = (now - this.#typed.at < TYPING_MS ? this.#typed.text : '') + key;
    const text = Number(digits) <= cols ? digits : key;
    this.#typed = { text, at: now };
    const wanted = Number(text) - 1;
    if (wanted >= 0 && wanted < cols) this.#moveFocus([level, row, wanted]);
    return true;
  }
}

const clamp = (/** @type {number} */ n, /** @type {number} */ size) => Math.min(Math.max(n, 0), size - 1);
