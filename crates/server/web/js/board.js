// The board: an SVG that is a grid to keyboards and screen readers.

import { closest, h, svg, uniqueId } from './dom.js';
import { cellName, parseCell } from './rules.js';
import { mark } from './symbols.js';

/** @import { Rules } from './rules.js' */
/** @import { CellValue } from './review.js' */

/**
 * A position and how it is shown.
 * @typedef {{
 *   at: (row: number, col: number) => number | null,
 *   symbols: string[],
 *   names?: (string | null | undefined)[],
 *   legal?: string[],
 *   turn?: number | null,
 *   last?: string,
 *   winning?: string[],
 *   pending?: { cell: string, seat: number } | null,
 *   values?: Map<string, CellValue> | null,
 *   hint?: string | null,
 * }} Position
 * `turn` is the seat whose symbol follows the pointer; a `pending` move is not confirmed by the server yet.
 */

/** The size of a cell in the SVG's own units. */
const CELL = 100;

/** The letter and the digits of a cell name typed within this time belong together. */
const TYPING_MS = 1200;

/** The width in CSS pixels below which a cell is hard to hit with a finger. */
const MIN_TOUCH_WIDTH = 30;

export class Board {
  #rules;
  #onplay;
  #onaim;
  /** The cell a first tap has chosen on a small board. @type {string | null} */
  #aimed = null;
  /** @type {Map<string, SVGElement>} */
  #cells = new Map();
  /** What is drawn in each cell. @type {Map<string, string>} */
  #drawn = new Map();
  /** @type {Position} */
  #position = { at: () => null, symbols: [] };
  #isFirstDrawing = true;
  /** @type {string | undefined} */
  #last;
  #winning = '';
  /** @type {string | null} */
  #ghost = null;
  /** The cell in the tab order. @type {[row: number, col: number]} */
  #focus;
  #typed = { text: '', at: 0 };
  #pointer = '';
  #underlay = svg('g.underlay', { 'aria-hidden': 'true' });
  #overlay = svg('g.overlay', { 'aria-hidden': 'true' });
  #wins;
  #svg;

  /**
   * `onplay(cell)` is called when a cell is chosen; without it the board is read-only. `onaim(cell)` is
   * called when a second tap is needed to choose it.
   * @param {Rules} rules
   * @param {{ label: string, onplay?: (cell: string) => void, onaim?: (cell: string) => void }} options
   */
  constructor(rules, { label, onplay, onaim }) {
    this.#rules = rules;
    this.#onplay = onplay;
    this.#onaim = onaim;
    this.#focus = [Math.floor(rules.rows / 2), Math.floor(rules.cols / 2)];
    const { rows, cols } = rules;
    const font = Math.max((Math.max(rows, cols) + 0.6) * CELL * 0.027, 13);
    const margin = font * 1.9;
    const [width, height] = [cols * CELL + margin * 1.5, rows * CELL + margin * 1.5];
    const clip = uniqueId('board');
    this.#wins = svg('g.wins', { 'aria-hidden': 'true', 'clip-path': `url(#${clip})` });
    this.#svg = svg(`svg.board${onplay ? '.playable' : ''}${rules.gravity ? '.gravity' : ''}`, {
      viewBox: `${-margin} ${-margin} ${width} ${height}`,
      role: 'grid',
      'aria-label': label,
      'aria-readonly': onplay ? undefined : 'true',
    },
    svg('defs', {}, svg('clipPath', { id: clip }, svg('rect', { x: 0, y: 0, width: cols * CELL, height: rows * CELL }))),
    this.#underlay, this.#wins,
    svg('g', { role: 'row' }, range(cols).map((col) =>
      svg('text.head', { role: 'columnheader', x: (col + 0.5) * CELL, y: -margin * 0.42 }, String(col + 1)))),
    range(rows).map((row) => svg('g', { role: 'row' },
      svg('text.head', { role: 'rowheader', x: -margin * 0.5, y: (row + 0.5) * CELL }, cellName(row, 0)[0]),
      range(cols).map((col) => this.#cell(row, col)))),
    this.#gridLines(), this.#overlay);
    this.#svg.style.setProperty('--head', `${font}px`);
    // The frame has its size before the board is drawn, so that nothing below it moves.
    this.#svg.style.aspectRatio = `${width} / ${height}`;
    this.element = h('div.board-frame', {}, this.#svg);
    this.#svg.addEventListener('keydown', (event) => this.#key(event));
    this.#svg.addEventListener('focusin', (event) => {
      const cell = closest(event, '[data-cell]')?.dataset.cell;
      if (cell) this.#setTabStop(cell);
    });
    if (onplay) this.#listenToPointer();
    this.update({ at: () => null, symbols: [] });
  }

  #listenToPointer() {
    this.#svg.addEventListener('pointerdown', (event) => { this.#pointer = event.pointerType; });
    this.#svg.addEventListener('click', (event) => {
      const cell = closest(event, '[data-cell]')?.dataset.cell;
      if (cell) this.#pick(this.#target(cell));
    });
    this.#svg.addEventListener('pointerover', (event) => {
      const cell = closest(event, '[data-cell]')?.dataset.cell;
      if (event.pointerType !== 'touch') this.#showGhost(cell ? this.#target(cell) : null);
    });
    this.#svg.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch') this.#showGhost(null);
    });
  }

  /**
   * @param {number} row
   * @param {number} col
   */
  #cell(row, col) {
    const name = cellName(row, col);
    const isFocus = row === this.#focus[0] && col === this.#focus[1];
    const cell = svg('g.cell', {
      role: 'gridcell', tabindex: isFocus ? '0' : '-1', transform: `translate(${col * CELL} ${row * CELL})`, 'data-cell': name,
    }, svg('rect', { x: 4, y: 4, width: 92, height: 92, rx: 12 }));
    this.#cells.set(name, cell);
    return cell;
  }

  /**
   * @param {string} name
   */
  #cellElement(name) {
    const cell = this.#cells.get(name);
    if (!cell) throw new RangeError(`no cell ${name}`);
    return cell;
  }

  #gridLines() {
    const { rows, cols, gravity, wrap } = this.#rules;
    const [width, height] = [cols * CELL, rows * CELL];
    const inner = [
      ...range(cols - 1).map((col) => `M${(col + 1) * CELL} ${gap(rows)}V${height - gap(rows)}`),
      ...range(rows - 1).map((row) => `M${gap(cols)} ${(row + 1) * CELL}H${width - gap(cols)}`),
    ];
    const lines = svg('g.lines', { 'aria-hidden': 'true' }, svg('path', { d: inner.join('') || 'M0 0' }));
    const frame = `M0 0H${width}V${height}H0Z`;
    if (wrap) lines.append(svg('path.joined', { d: frame }));
    else if (gravity) lines.append(svg('path.walls', { d: `M0 0V${height}H${width}V0` }));
    else if (Math.max(rows, cols) > 5) lines.append(svg('path.frame', { d: frame }));
    return lines;
  }

  /**
   * Shows a position.
   * @param {Position} position
   */
  update(position) {
    this.#position = position;
    const { pending } = position;
    for (const row of range(this.#rules.rows)) {
      for (const col of range(this.#rules.cols)) {
        const isPending = pending?.cell === cellName(row, col);
        this.#drawCell(row, col, position.at(row, col) ?? (isPending ? pending.seat : null), isPending);
      }
    }
    this.#isFirstDrawing = false;
    if (this.#aimed && (this.#drawn.get(this.#aimed) || typeof position.turn !== 'number')) {
      this.#aimed = null;
      this.#showGhost(null);
    }
    this.#drawLastMove(position.last);
    this.#drawWinningLines(position.winning ?? []);
    this.#drawValues();
  }

  /**
   * @param {number} row
   * @param {number} col
   * @param {number | null} seat
   * @param {boolean} isPending
   */
  #drawCell(row, col, seat, isPending) {
    const name = cellName(row, col);
    const cell = this.#cellElement(name);
    const { symbols, names, last, winning, values, hint } = this.#position;
    const key = seat === null ? '' : `${seat} ${symbols[seat]}`;
    if (this.#drawn.get(name) !== key) {
      cell.querySelector('.mark')?.remove();
      if (seat !== null) {
        const drawn = mark(symbols[seat], seat);
        if (!this.#isFirstDrawing) {
          drawn.classList.add('fresh');
          if (this.#rules.gravity) drawn.style.setProperty('--drop', `${-(row + 1) * CELL}px`);
        }
        cell.append(drawn);
      }
      this.#drawn.set(name, key);
    }
    cell.classList.toggle('pending', isPending);
    cell.classList.toggle('taken', seat !== null);
    const owner = seat === null ? ['empty'] : [symbols[seat], names?.[seat]];
    const label = [name, ...owner, last === name && 'last move', winning?.includes(name) && 'winning line', isPending && 'pending',
      hint === name && 'hint', values?.get(name)?.words].filter(Boolean).join(', ');
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
  }

  /**
   * @param {string | undefined} name
   */
  #drawLastMove(name) {
    if (this.#last === name) return;
    this.#last = name;
    this.#underlay.replaceChildren();
    if (!name) return;
    // Four corners around the cell, visible without colours.
    const corner = 'M8 26V16a8 8 0 0 1 8-8h10';
    this.#underlay.append(svg('g.last', { transform: translation(name) },
      svg('rect', { x: 4, y: 4, width: 92, height: 92, rx: 12 }),
      [0, 90, 180, 270].map((angle) => svg('path', { d: corner, transform: `rotate(${angle} 50 50)` }))));
  }

  /**
   * @param {string[]} cells
   */
  #drawWinningLines(cells) {
    const key = cells.join();
    if (this.#winning === key) return;
    this.#winning = key;
    const segments = winningLines(cells, this.#rules).flatMap((line) => lineSegments(line, this.#rules));
    const paths = segments.map((ends) => `M${ends.map(([row, col]) => `${(col + 0.5) * CELL} ${(row + 0.5) * CELL}`).join('L')}`);
    // All rims come first, so that lines that cross lie in one another.
    this.#wins.replaceChildren(...paths.map((d) => svg('path.rim', { d })), ...paths.map((d) => svg('path', { d })));
    for (const [name, cell] of this.#cells) cell.classList.toggle('winning', cells.includes(name));
  }

  #drawValues() {
    const { values, hint } = this.#position;
    this.#overlay.replaceChildren();
    const size = Math.max(this.#rules.rows, this.#rules.cols) > 5 ? 30 : 22;
    for (const [name, value] of values ?? []) {
      this.#overlay.append(svg(`g.value.${value.kind}${value.isBest ? '.best' : ''}`, { transform: translation(name) },
        value.kind === 'win' && svg('circle', { cx: 50, cy: 50, r: size * 1.15 }),
        value.kind === 'draw' && svg('rect', { x: 50 - size, y: 50 - size * 0.8, width: size * 2, height: size * 1.6, rx: 9 }),
        value.isBest && svg('path', { d: `M${50 - size * 0.5} ${54 + size * 1.25}h${size}` }),
        svg('text', { x: 50, y: 51, 'font-size': value.text.length > 3 ? size * 0.8 : size }, value.text)));
    }
    if (hint) this.#overlay.append(svg('g.hint', { transform: translation(hint) }, svg('circle', { cx: 50, cy: 50, r: 36 })));
  }

  /**
   * The cell a piece comes to rest in: with gravity, the legal one of the same column.
   * @param {string} cell
   */
  #target(cell) {
    if (!this.#rules.gravity) return cell;
    return this.#position.legal?.find((legal) => legal.slice(1) === cell.slice(1)) ?? cell;
  }

  /**
   * A finger is wider than a small cell: there the first tap aims and the second plays.
   * @param {string} cell
   */
  #pick(cell) {
    const { width } = this.#cellElement(cell).getBoundingClientRect();
    if (this.#pointer === 'touch' && width < MIN_TOUCH_WIDTH && this.#aimed !== cell) {
      this.#showGhost(cell);
      if (this.#ghost === cell) {
        this.#aimed = cell;
        this.#setTabStop(cell);
        this.#onaim?.(cell);
        return;
      }
    }
    this.#aimed = null;
    this.#showGhost(null);
    this.#onplay?.(cell);
  }

  /**
   * Shows the symbol of the player to move in a free cell.
   * @param {string | null} cell
   */
  #showGhost(cell) {
    const { turn, symbols } = this.#position;
    const seat = turn ?? null;
    const wanted = cell && seat !== null && !this.#drawn.get(cell) ? cell : null;
    if (this.#ghost === wanted) return;
    this.#ghost = wanted;
    this.#svg.querySelector('.ghost')?.remove();
    if (!wanted || seat === null) return;
    const ghost = mark(symbols[seat], seat);
    ghost.classList.replace('mark', 'ghost');
    this.#cellElement(wanted).append(ghost);
  }

  /**
   * Makes a cell the one in the tab order.
   * @param {string} name
   */
  #setTabStop(name) {
    this.#cellElement(cellName(...this.#focus)).setAttribute('tabindex', '-1');
    this.#focus = parseCell(name);
    this.#cellElement(name).setAttribute('tabindex', '0');
  }

  /**
   * @param {number} row
   * @param {number} col
   */
  #moveFocus(row, col) {
    const name = cellName(clamp(row, this.#rules.rows), clamp(col, this.#rules.cols));
    this.#setTabStop(name);
    this.#cellElement(name).focus();
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, col] = this.#focus;
    const { rows, cols } = this.#rules;
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
      Home: [row, 0], End: [row, cols - 1], PageUp: [0, col], PageDown: [rows - 1, col] };
    if (steps[event.key]) this.#moveFocus(...steps[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.#onplay?.(this.#target(cellName(row, col)));
    else if (!this.#type(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * A letter selects a row and digits a column: `b`, `2` is B2.
   * @param {string} key
   */
  #type(key) {
    const { rows, cols } = this.#rules;
    const [row, col] = this.#focus;
    if (/^[a-z]$/i.test(key)) {
      const [wanted] = parseCell(key.toUpperCase());
      if (wanted >= rows) return false;
      this.#typed = { text: '', at: performance.now() };
      this.#moveFocus(wanted, col);
      return true;
    }
    if (!/^\d$/.test(key)) return false;
    const now = performance.now();
    const digits = (now - this.#typed.at < TYPING_MS ? this.#typed.text : '') + key;
    const text = Number(digits) <= cols ? digits : key;
    this.#typed = { text, at: now };
    const wanted = Number(text) - 1;
    if (wanted >= 0 && wanted < cols) this.#moveFocus(row, wanted);
    return true;
  }
}

const range = (/** @type {number} */ length) => Array.from({ length }, (_, i) => i);
const clamp = (/** @type {number} */ n, /** @type {number} */ size) => Math.min(Math.max(n, 0), size - 1);

/**
 * @param {string} name
 */
function translation(name) {
  const [row, col] = parseCell(name);
  return `translate(${col * CELL} ${row * CELL})`;
}

/**
 * The grid lines of small boards stop short of the edge, as on paper.
 * @param {number} side
 */
const gap = (side) => (side <= 5 ? 6 : 0);

// Winning lines. The server says which cells win; here they are only connected.

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

/** @typedef {[row: number, col: number]} Place */

/**
 * The lines through winning cells. With wrap, the places of a line may lie off the board.
 * @param {string[]} cells
 * @param {Rules} rules
 * @returns {Place[][]}
 */
function winningLines(cells, { rows, cols, k, wrap }) {
  const key = (/** @type {number} */ row, /** @type {number} */ col) =>
    (wrap ? `${(row + rows) % rows},${(col + cols) % cols}` : `${row},${col}`);
  const places = cells.map(parseCell);
  const winning = new Set(places.map(([row, col]) => key(row, col)));
  return DIRECTIONS.flatMap(([down, right]) => {
    /** @type {Set<string>} */
    const seen = new Set();
    // A line that closes on itself has no first cell: any of its cells will do.
    const first = places.filter(([row, col]) => !winning.has(key(row - down, col - right)));
    const lines = [...first, ...places].map(([row, col]) => {
      /** @type {Place[]} */
      const line = [];
      while (winning.has(key(row, col)) && !seen.has(key(row, col))) {
        seen.add(key(row, col));
        line.push([row, col]);
        [row, col] = [row + down, col + right];
      }
      return line;
    });
    return lines.filter((line) => line.length >= k);
  });
}

/**
 * The straight segments of a line: one for each time it enters the board.
 * @param {Place[]} line
 * @param {Rules} rules
 * @returns {Place[][]}
 */
function lineSegments(line, { rows, cols }) {
  const shifts = new Map(line.map(([row, col]) => {
    const shift = [Math.floor(row / rows) * rows, Math.floor(col / cols) * cols];
    return [shift.join(), shift];
  }));
  return [...shifts.values()].map(([down, right]) => [line[0], line[line.length - 1]].map(([row, col]) => [row - down, col - right]));
}
