// The board: an SVG with a grid for keyboards and screen readers on each level.

import { closest, h, svg, uniqueId } from './dom.js';
import { bestColumns, CELL, Layout, range } from './layout.js';
import { boardGrounds, boardWinners, cellValues, hintRing, lastMove, winPaths } from './overlay.js';
import { boardName, cellName, extent, MARK_LETTERS, parseCell, parseMove } from './rules.js';
import { mark } from './symbols.js';

/** @import { TurnDetails } from './api' */
/** @import { Place, Rules } from './rules.js' */
/** @import { MoveLabel } from './review.js' */

/**
 * A position and how it is shown.
 * @typedef {{
 *   at: (cell: string) => number | null,
 *   symbols: string[],
 *   names?: (string | null | undefined)[],
 *   details?: TurnDetails | null,
 *   legal?: string[],
 *   mark?: number | null,
 *   last?: string | null,
 *   winning?: string[],
 *   pending?: { cell: string, mark: number } | null,
 *   values?: Map<string, MoveLabel[]> | null,
 *   hint?: string | null,
 * }} Position
 * `symbols` and `names` are by mark. `mark` follows the pointer; a `pending` move is not confirmed by the server yet.
 */

/** The letter and the digits of a cell name typed within this time belong together. */
const TYPING_MS = 1200;

/** The width in CSS pixels below which a cell is hard to hit with a finger. */
const MIN_TOUCH_WIDTH = 30;

export class Board {
  #rules;
  #options;
  /** The cell a first tap has chosen on a small board. @type {string | null} */
  #aimed = null;
  /** @type {Map<string, SVGElement>} */
  #cells = new Map();
  /** What is drawn in each cell. @type {Map<string, string>} */
  #drawn = new Map();
  /** @type {Position} */
  #position = { at: () => null, symbols: [] };
  #isFirstDrawing = true;
  /** What is drawn below and above the cells, to draw it only when it changes. @type {Record<string, string>} */
  #keys = {};
  /** @type {string | null} */
  #ghost = null;
  /** The cell in the tab order. @type {Place} */
  #focus;
  #typed = { text: '', at: 0 };
  #pointer = '';
  #grounds = svg('g.underlay', { 'aria-hidden': 'true' });
  #last = svg('g.underlay', { 'aria-hidden': 'true' });
  #winners = svg('g.overlay', { 'aria-hidden': 'true' });
  #links = svg('g.underlay.links', { 'aria-hidden': 'true' });
  #overlay = svg('g.overlay', { 'aria-hidden': 'true' });
  #wins = svg('g.wins', { 'aria-hidden': 'true' });
  #svg;
  #layout;

  /**
   * `onplay(cell)` is called when a cell is chosen; without it the board is read-only. `onaim(cell)` is called when a
   * second tap is needed to choose it, and `onmark(mark)` when the key of a mark is pressed.
   * @param {Rules} rules
   * @param {{
   *   label: string, onplay?: (cell: string) => void, onaim?: (cell: string) => void, onmark?: (mark: number) => void,
   * }} options
   */
  constructor(rules, options) {
    this.#rules = rules;
    this.#options = options;
    const { rows, cols } = extent(rules);
    this.#focus = [0, Math.floor(rows / 2), Math.floor(cols / 2)];
    const variant = ['gravity', 'ultimate'].filter((flag) => rules[/** @type {'gravity' | 'ultimate'} */ (flag)]).map((flag) => `.${flag}`).join('');
    this.#svg = svg(`svg.board${options.onplay ? '.playable' : ''}${variant}`, { 'aria-label': options.label });
    this.element = h('div.board-frame', {}, this.#svg);
    this.#layout = new Layout(rules);
    this.#arrange();
    this.#svg.addEventListener('keydown', (event) => this.#key(event));
    this.#svg.addEventListener('focusin', (event) => {
      const cell = closest(event, '[data-cell]')?.dataset.cell;
      if (cell) this.#setTabStop(cell);
    });
    if (options.onplay) this.#listenToPointer();
  }

  /** Draws the board anew if another number of levels fits side by side. */
  fit() {
    if (this.#layout.levels > 1 && bestColumns(this.#rules, boardSpace()) !== this.#layout.columns) this.#arrange();
  }

  #arrange() {
    const { levels } = extent(this.#rules);
    const hadFocus = this.#svg.contains(document.activeElement);
    const layout = new Layout(this.#rules, levels > 1 ? bestColumns(this.#rules, boardSpace()) : 1);
    this.#layout = layout;
    this.#cells.clear();
    this.#drawn.clear();
    this.#keys = {};
    const { x, y, width, height } = layout.viewBox;
    this.#svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    // A board of several levels is a group of grids.
    this.#svg.setAttribute('role', levels > 1 ? 'group' : 'grid');
    if (levels === 1 && !this.#options.onplay) this.#svg.setAttribute('aria-readonly', 'true');
    this.#svg.style.setProperty('--head', `${layout.font}px`);
    // The frame has its size before the board is drawn, so that nothing below it moves.
    this.#svg.style.aspectRatio = `${width} / ${height}`;
    const clip = uniqueId('board');
    if (levels === 1) this.#wins.setAttribute('clip-path', `url(#${clip})`);
    this.#svg.replaceChildren(
      svg('defs', {}, svg('clipPath', { id: clip }, svg('rect', { x: 0, y: 0, width: layout.width, height: layout.height }))),
      this.#grounds, this.#last, this.#wins, this.#links,
      ...range(levels).flatMap((level) => this.#level(level)),
      this.#winners, this.#overlay);
    this.#isFirstDrawing = true;
    this.update(this.#position);
    if (hadFocus) this.#cellElement(cellName(...this.#focus)).focus();
  }

  /**
   * The heads, cells and lines of a level.
   * @param {number} level
   */
  #level(level) {
    const layout = this.#layout;
    const { rows, cols, margin, title } = layout;
    const { x, y } = layout.origin(level);
    const parts = [
      svg('g', { role: 'row' }, range(cols).map((col) =>
        svg('text.head', { role: 'columnheader', x: layout.x(col) + CELL / 2, y: -margin * 0.42 }, String(col + 1)))),
      ...range(rows).map((row) => svg('g', { role: 'row' },
        svg('text.head', { role: 'rowheader', x: -margin * 0.5, y: layout.y(row) + CELL / 2 }, cellName(0, row, 0)[0]),
        range(cols).map((col) => this.#cell(level, row, col)))),
      this.#gridLines(),
    ];
    if (layout.levels === 1) return parts;
    const name = this.#levelName(level);
    const grid = svg('g.level', { role: 'grid', 'aria-label': name, 'aria-readonly': this.#options.onplay ? undefined : 'true', transform: `translate(${x} ${y})` }, parts);
    return [svg('text.head.level-name', { 'aria-hidden': 'true', x: x + layout.width / 2, y: y - margin - title * 0.35 }, name), grid];
  }

  /**
   * @param {number} level
   */
  #levelName(level) {
    if (this.#rules.notakto) return `Board ${level + 1}`;
    // Stones rest on the first level, as on a table.
    const end = { 0: 'bottom', [this.#layout.levels - 1]: 'top' }[level];
    return `Level ${level + 1}${this.#rules.gravity && end ? `, ${end}` : ''}`;
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
   * @param {number} level
   * @param {number} row
   * @param {number} col
   */
  #cell(level, row, col) {
    const name = cellName(level, row, col);
    const isFocus = name === cellName(...this.#focus);
    const cell = svg('g.cell', {
      role: 'gridcell', tabindex: isFocus ? '0' : '-1', transform: `translate(${this.#layout.x(col)} ${this.#layout.y(row)})`, 'data-cell': name,
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
    const { gravity, wrap } = this.#rules;
    const { rows, cols, levels, width, height, lines: { thin, thick } } = this.#layout;
    const lines = svg('g.lines', { 'aria-hidden': 'true' }, svg('path', { d: thin || 'M0 0' }), thick && svg('path.thick', { d: thick }));
    const frame = `M0 0H${width}V${height}H0Z`;
    if (wrap) lines.append(svg('path.joined', { d: frame }));
    else if (gravity && levels === 1) lines.append(svg('path.walls', { d: `M0 0V${height}H${width}V0` }));
    else if (levels > 1 || (Math.max(rows, cols) > 5 && !thick)) lines.append(svg('path.frame', { d: frame }));
    return lines;
  }

  /**
   * Shows a position.
   * @param {Position} position
   */
  update(position) {
    this.#position = position;
    const { pending, last, details, symbols, winning = [], values, hint } = position;
    for (const name of this.#cells.keys()) {
      const isPending = pending?.cell === name;
      this.#drawCell(name, position.at(name) ?? (isPending ? pending.mark : null), isPending);
    }
    this.#isFirstDrawing = false;
    if (this.#aimed && (this.#drawn.get(this.#aimed) || typeof position.mark !== 'number')) {
      this.#aimed = null;
      this.#showGhost(null);
    }
    const layout = this.#layout;
    this.#redraw('last', last ?? '', () => this.#last.replaceChildren(...(last ? [lastMove(layout, last)] : [])));
    this.#redraw('boards', JSON.stringify([details?.boards, details?.board_to_play, symbols]), () => {
      const boards = details?.boards ?? [];
      this.#grounds.replaceChildren(...boardGrounds(layout, boards, details?.board_to_play ?? null).filter((ground) => ground !== ''));
      this.#winners.replaceChildren(...boardWinners(layout, boards, symbols).filter((winner) => winner !== null));
    });
    this.#redraw('wins', winning.join(), () => {
      const { bands, links } = winPaths(layout, winning);
      this.#wins.replaceChildren(...bands);
      this.#links.replaceChildren(...links);
      for (const [name, cell] of this.#cells) cell.classList.toggle('winning', winning.includes(name));
    });
    this.#svg.classList.toggle('over', winning.length > 0);
    this.#overlay.replaceChildren(...[...values ?? []].map(([cell, labels]) => cellValues(layout, cell, labels)));
    this.#drawHint(hint ?? null);
    this.#redraw('ghost', String(position.mark), () => {
      const cell = this.#ghost;
      this.#showGhost(null);
      this.#showGhost(cell);
    });
  }

  /**
   * @param {string} part
   * @param {string} key
   * @param {() => void} draw
   */
  #redraw(part, key, draw) {
    if (this.#keys[part] === key) return;
    this.#keys[part] = key;
    draw();
  }

  /**
   * @param {string} name
   * @param {number | null} shown the mark
   * @param {boolean} isPending
   */
  #drawCell(name, shown, isPending) {
    const cell = this.#cellElement(name);
    const { symbols, details } = this.#position;
    const key = shown === null ? '' : `${shown} ${symbols[shown]}`;
    if (this.#drawn.get(name) !== key) {
      cell.querySelector('.mark')?.remove();
      if (shown !== null) {
        const drawn = mark(symbols[shown], shown);
        if (!this.#isFirstDrawing) {
          drawn.classList.add('fresh');
          const fall = this.#layout.levels > 1 ? 1 : parseCell(name)[1] + 1;
          if (this.#rules.gravity) drawn.style.setProperty('--drop', `${-fall * CELL}px`);
        }
        cell.append(drawn);
      }
      this.#drawn.set(name, key);
    }
    const board = this.#layout.boardOf(parseCell(name));
    const isClosed = board !== null && details?.boards[board]?.closed === true;
    const toPlay = details?.board_to_play ?? null;
    cell.classList.toggle('pending', isPending);
    cell.classList.toggle('taken', shown !== null);
    cell.classList.toggle('fading', details?.fading === name);
    cell.classList.toggle('closed', isClosed);
    cell.classList.toggle('elsewhere', toPlay !== null && board !== toPlay && !isClosed);
    const label = this.#label(name, shown, board, isClosed, isPending);
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
  }

  /**
   * What a screen reader says of a cell.
   * @param {string} name
   * @param {number | null} shown the mark
   * @param {number | null} board
   * @param {boolean} isClosed
   * @param {boolean} isPending
   */
  #label(name, shown, board, isClosed, isPending) {
    const { symbols, names, details, last, winning, values, hint } = this.#position;
    const [level, row, col] = parseCell(name);
    const state = board === null ? [] : [
      this.#rules.ultimate && boardName(board, this.#rules),
      details?.board_to_play === board && 'board to play',
      isClosed && closedText(details?.boards[board]?.winner ?? null, symbols),
    ];
    return [
      this.#layout.levels > 1 && this.#levelName(level), cellName(0, row, col),
      ...shown === null ? ['empty'] : [symbols[shown], names?.[shown]],
      ...state,
      details?.fading === name && 'fades next', last === name && 'last move', winning?.includes(name) && 'winning line', isPending && 'pending',
      hint && parseMove(hint).cell === name && 'hint',
      ...(values?.get(name) ?? []).map(({ symbol, words }) => (symbol ? `${symbol}: ${words}` : words)),
    ].filter(Boolean).join(', ');
  }

  /**
   * @param {string | null} move
   */
  #drawHint(move) {
    const { cell, mark: index } = parseMove(move ?? '');
    if (cell) this.#overlay.append(hintRing(this.#layout, cell, index === null ? null : { symbol: this.#position.symbols[index], index }));
  }

  /**
   * The cell a piece comes to rest in: with gravity, the legal one of the same column, or of the same place on another level.
   * @param {string} cell
   */
  #target(cell) {
    if (!this.#rules.gravity) return cell;
    const [, row, col] = parseCell(cell);
    const rests = (this.#position.legal ?? []).find((move) => {
      const place = parseCell(parseMove(move).cell ?? cell);
      return place[2] === col && (this.#layout.levels === 1 || place[1] === row);
    });
    return parseMove(rests ?? cell).cell ?? cell;
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
        this.#options.onaim?.(cell);
        return;
      }
    }
    this.#aimed = null;
    this.#showGhost(null);
    this.#options.onplay?.(cell);
  }

  /**
   * Shows the mark to place in a free cell.
   * @param {string | null} cell
   */
  #showGhost(cell) {
    const { mark: index = null, symbols } = this.#position;
    const isFree = cell && !this.#drawn.get(cell) && !this.#cellElement(cell).matches('.closed, .elsewhere');
    const wanted = isFree && index !== null ? cell : null;
    if (this.#ghost === wanted) return;
    this.#ghost = wanted;
    this.#svg.querySelector('.cell .ghost')?.remove();
    if (!wanted || index === null) return;
    const ghost = mark(symbols[index], index);
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
   * Moves the focus; past the edge of a level, to the level beside it.
   * @param {Place} place
   */
  #moveFocus([level, row, col]) {
    const { rows, cols, levels, columns } = this.#layout;
    const beside = level + Math.sign(Math.floor(col / cols)) + columns * Math.sign(Math.floor(row / rows));
    const isInside = row >= 0 && row < rows && col >= 0 && col < cols;
    const name = isInside || beside < 0 || beside >= levels
      ? cellName(clamp(level, levels), clamp(row, rows), clamp(col, cols))
      : cellName(beside, (row + rows) % rows, (col + cols) % cols);
    this.#setTabStop(name);
    this.#cellElement(name).focus();
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [level, row, col] = this.#focus;
    const { rows, cols, levels } = this.#layout;
    /** @type {Record<string, Place>} */
    const steps = { ArrowUp: [level, row - 1, col], ArrowDown: [level, row + 1, col], ArrowLeft: [level, row, col - 1],
      ArrowRight: [level, row, col + 1], Home: [level, row, 0], End: [level, row, cols - 1],
      PageUp: levels > 1 ? [level - 1, row, col] : [level, 0, col], PageDown: levels > 1 ? [level + 1, row, col] : [level, rows - 1, col] };
    if (steps[event.key]) this.#moveFocus(steps[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.#options.onplay?.(this.#target(cellName(level, row, col)));
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
    if (index < 0 || !this.#options.onmark) return false;
    this.#options.onmark(index);
    return true;
  }

  /**
   * A letter selects a row and digits a column: `b`, `2` is B2.
   * @param {string} key
   */
  #type(key) {
    const { rows, cols } = this.#layout;
    const [level, row, col] = this.#focus;
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

/**
 * @param {number | null} winner
 * @param {string[]} symbols
 */
const closedText = (winner, symbols) => (winner === null ? 'closed' : `won by ${symbols[winner]}`);

/** About how much of the window a board can fill, in CSS pixels. */
function boardSpace() {
  const isNarrow = innerWidth <= 960;
  return { width: isNarrow ? innerWidth - 32 : Math.min(innerWidth * 0.58, 780), height: Math.min(innerHeight * 0.78, 736) };
}

const clamp = (/** @type {number} */ n, /** @type {number} */ size) => Math.min(Math.max(n, 0), size - 1);
