// The board: an SVG with a grid for keyboards and screen readers on each level.

import { BoardKeys } from './board-keys.js';
import { cellLabel, levelName } from './cell-label.js';
import { closest, h, svg, uniqueId } from './dom.js';
import { Ghost } from './ghost.js';
import { bestView, CELL, FRAME_MARGIN, Layout, range } from './layout.js';
import { boardGrounds, boardWinners, lastMove, cellVerdict, winPaths } from './overlay.js';
import { coloursOf, piece } from './pieces.js';
import { cellName, extent, parseCell, parseMove } from './rules.js';
import { frontFrame, gridLines, ground, sheet } from './surface.js';

/** @import { TurnDetails } from './api' */
/** @import { Rules } from './rules.js' */
/** @import { Verdict } from './overlay.js' */

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
 *   values?: Map<string, string> | null,
 *   verdicts?: Map<string, Verdict> | null,
 *   hint?: string | null,
 * }} Position
 * `symbols` and `names` are by mark. `mark` follows the pointer; a `pending` move is not confirmed by the server yet.
 * `values` says in words what the moves to cells are worth.
 */

/** The width in CSS pixels below which a cell is hard to hit with a finger. */
const MIN_TOUCH_WIDTH = 38;

/** The width of the window below which there is no room for labels and tilted sheets. */
const NARROW = '(max-width: 40rem)';

/** How long a refused cell shakes. */
const SHAKE_MS = 320;

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
  /** The colours of the marks. @type {number[]} */
  #colours = [];
  #isFirstDrawing = true;
  /** What is drawn below and above the cells, to draw it only when it changes. @type {Record<string, string>} */
  #keys = {};
  #ghost = new Ghost();
  #keyboard;
  #pointer = '';
  #grounds = svg('g.underlay', { 'aria-hidden': 'true' });
  #lastBelow = svg('g.underlay', { 'aria-hidden': 'true' });
  #winsBelow = svg('g.wins', { 'aria-hidden': 'true' });
  #front = svg('g.overlay', { 'aria-hidden': 'true' });
  #lastAbove = svg('g.overlay', { 'aria-hidden': 'true' });
  #winsAbove = svg('g.wins', { 'aria-hidden': 'true' });
  #winners = svg('g.overlay', { 'aria-hidden': 'true' });
  #overlay = svg('g.overlay', { 'aria-hidden': 'true' });
  #svg;
  #layout;

  /**
   * `onplay(cell)` is called when a cell is chosen; without it the board is read-only. `onaim(cell)` is called when a
   * second tap is needed to choose it, and with null when nothing is aimed at any more; `onmark(mark)` when the key of a
   * mark is pressed.
   * @param {Rules} rules
   * @param {{
   *   label: string, onplay?: (cell: string) => void, onaim?: (cell: string | null) => void, onmark?: (mark: number) => void,
   * }} options
   */
  constructor(rules, options) {
    this.#rules = rules;
    this.#options = options;
    this.#layout = new Layout(rules, this.#view());
    const { rows, cols } = extent(rules);
    this.#keyboard = new BoardKeys([0, Math.floor(rows / 2), Math.floor(cols / 2)], {
      layout: () => this.#layout,
      element: (cell) => this.#cellElement(cell),
      onplay: (cell) => options.onplay?.(this.#target(cell)),
      onmark: options.onmark,
    });
    const kind = rules.ultimate ? 'ultimate' : this.#layout.levels > 1 ? 'levels' : this.#layout.material;
    this.#svg = svg(`svg.board.${kind}${options.onplay ? '.playable' : ''}${rules.gravity ? '.gravity' : ''}`, { 'aria-label': options.label });
    this.element = h(`div.board-frame.surface${kind === 'paper' ? '.sheet' : ''}`, {}, this.#svg);
    this.#build();
    this.#listenToPointer();
    // Chromium puts an SVG that listens to the focus into the tab order itself.
    this.element.addEventListener('keydown', (event) => this.#keyboard.handle(event));
    this.element.addEventListener('focusin', (event) => {
      const cell = closest(event, '[data-cell]')?.dataset.cell;
      if (!cell) return;
      this.#keyboard.setTabStop(cell);
      this.#showGhost(this.#target(cell));
    });
    this.element.addEventListener('focusout', () => this.#aimed ?? this.#showGhost(null));
  }

  /** Arranges the levels anew if the window has changed. */
  fit() {
    const view = this.#view();
    const { columns, tilted, tight } = this.#layout;
    if (view.columns === columns && view.tilted === tilted && view.tight === tight) return;
    const hadFocus = this.#svg.contains(document.activeElement);
    this.#layout = new Layout(this.#rules, view);
    this.#build();
    this.update(this.#position);
    if (hadFocus) this.#cellElement(this.#keyboard.cell).focus();
  }

  /** Moves the keyboard focus to the board. */
  focus() {
    this.#cellElement(this.#keyboard.cell).focus({ preventScroll: true });
  }

  /**
   * Shakes a cell whose move was refused.
   * @param {string} cell
   */
  shake(cell) {
    const element = this.#cells.get(cell);
    element?.classList.add('refused');
    setTimeout(() => element?.classList.remove('refused'), SHAKE_MS);
  }

  /** Forgets the cell that the first tap has aimed at. */
  cancelAim() {
    this.#aimed = null;
    this.#showGhost(null);
    this.#options.onaim?.(null);
  }

  #view() {
    return bestView(this.#rules, boardSpace(), { narrow: matchMedia(NARROW).matches, hover: this.#options.onplay !== undefined && matchMedia('(hover: hover)').matches });
  }

  #build() {
    const layout = this.#layout;
    const { levels, material } = layout;
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
    this.element.style.setProperty('--ratio', String(width / height));
    this.#svg.style.aspectRatio = `${width} / ${height}`;
    const clip = uniqueId('board');
    // With joined edges, a line ends at one edge and goes on at the other.
    if (this.#rules.wrap && levels === 1) this.#winsBelow.setAttribute('clip-path', `url(#${clip})`);
    this.#front.replaceChildren(...(material === 'discs' ? [frontFrame(layout)] : []));
    this.#svg.replaceChildren(
      svg('defs', {}, svg('clipPath', { id: clip }, svg('rect', { x: 0, y: 0, width: layout.width, height: layout.height }))),
      ground(layout), ...(levels > 1 ? range(levels).map((level) => svg('g', { 'aria-hidden': 'true', transform: `matrix(${layout.matrix(level).join(' ')})` }, sheet(layout))) : []),
      this.#grounds, this.#lastBelow, this.#winsBelow,
      ...range(levels).flatMap((level) => this.#level(level)),
      this.#front, this.#ghost.float, this.#winsAbove, this.#lastAbove, this.#winners, this.#overlay);
    this.#isFirstDrawing = true;
    this.update(this.#position);
  }

  /**
   * The heads, cells and lines of a level.
   * @param {number} level
   */
  #level(level) {
    const layout = this.#layout;
    const { rows, cols, levels, title } = layout;
    const head = this.#headDistance();
    const parts = [
      gridLines(layout),
      svg('g', { role: 'row' }, range(cols).map((col) =>
        svg('text.head', { role: 'columnheader', x: layout.x(col) + CELL / 2, y: -head }, String(col + 1)))),
      ...range(rows).map((row) => svg('g', { role: 'row' },
        svg('text.head', { role: 'rowheader', x: -head, y: layout.y(row) + CELL / 2 }, cellName(0, row, 0)[0]),
        range(cols).map((col) => this.#cell(level, row, col)))),
    ];
    if (levels === 1) return parts.filter((part) => part !== null);
    const name = levelName(layout, level);
    const grid = svg('g.level', { role: 'grid', 'aria-label': name, 'aria-readonly': this.#options.onplay ? undefined : 'true', transform: `matrix(${layout.matrix(level).join(' ')})` }, parts);
    const corner = layout.tilted ? layout.point(level, 0, layout.height) : layout.point(level, 0, 0);
    const place = layout.tilted ? { x: corner.x - 22, y: corner.y - 14, 'text-anchor': 'end' } : { x: corner.x, y: corner.y - title * 0.75 };
    return [svg('text.level-name', { 'aria-hidden': 'true', ...place }, name), grid];
  }

  /** How far the labels are from the cells. */
  #headDistance() {
    const { material, font, woodMargin, levels } = this.#layout;
    if (material === 'stones') return woodMargin - CELL / 2 - 36;
    return material === 'discs' ? FRAME_MARGIN / 2 - 1 : levels > 1 ? -font * 0.75 : font * 0.95;
  }

  #listenToPointer() {
    const cellAt = (/** @type {Event} */ event) => closest(event, '[data-cell]')?.dataset.cell;
    this.#svg.addEventListener('pointerdown', (event) => { this.#pointer = event.pointerType; });
    this.#svg.addEventListener('click', (event) => {
      const cell = cellAt(event);
      if (cell) this.#pick(this.#target(cell));
    });
    this.#svg.addEventListener('pointerover', (event) => {
      const cell = cellAt(event);
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
    const round = this.#layout.material !== 'paper';
    const cell = svg('g.cell', {
      role: 'gridcell', tabindex: name === this.#keyboard.cell ? '0' : '-1', transform: `translate(${this.#layout.x(col)} ${this.#layout.y(row)})`, 'data-cell': name,
    }, svg('rect', round ? { width: CELL, height: CELL, rx: 50 } : { x: 6, y: 6, width: 88, height: 88, rx: 20 }));
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

  /**
   * Shows a position.
   * @param {Position} position
   */
  update(position) {
    this.#position = position;
    const { pending, last, details, symbols, winning = [], verdicts, hint } = position;
    this.#colours = coloursOf(symbols);
    for (const name of this.#cells.keys()) {
      const isPending = pending?.cell === name;
      this.#drawCell(name, position.at(name) ?? (isPending ? pending.mark : null), isPending);
    }
    this.#isFirstDrawing = false;
    if (this.#aimed && (this.#drawn.get(this.#aimed) || typeof position.mark !== 'number')) this.cancelAim();
    const layout = this.#layout;
    const lastMark = last ? position.at(last) : null;
    // A won line says more than the last move.
    const shownLast = winning.length === 0 && lastMark !== null ? last : null;
    this.#redraw('last', `${shownLast} ${lastMark}`, () => {
      const place = layout.material === 'paper' ? this.#lastBelow : this.#lastAbove;
      place.replaceChildren(...(shownLast && lastMark !== null ? [lastMove(layout, shownLast, this.#colours[lastMark])] : []));
    });
    this.#redraw('boards', JSON.stringify([details?.boards, details?.board_to_play, symbols]), () => {
      const boards = details?.boards ?? [];
      this.#grounds.replaceChildren(...boardGrounds(layout, boards, details?.board_to_play ?? null, this.#colours).filter((ground) => ground !== ''));
      this.#winners.replaceChildren(...boardWinners(layout, boards, symbols, this.#colours).filter((winner) => winner !== false));
    });
    this.#redraw('wins', winning.join(), () => this.#drawWins(winning));
    this.#svg.classList.toggle('over', winning.length > 0);
    this.#svg.classList.toggle('forced', typeof details?.board_to_play === 'number');
    this.#overlay.replaceChildren(...[...verdicts ?? []].map(([cell, verdict]) => cellVerdict(layout, cell, verdict)));
    this.#drawHint(hint ?? null);
    this.#redraw('ghost', String(position.mark), () => {
      const { cell } = this.#ghost;
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
   * @param {string[]} winning
   */
  #drawWins(winning) {
    const layout = this.#layout;
    const { symbols } = this.#position;
    const { under, over } = winPaths(layout, winning);
    this.#winsBelow.replaceChildren(...under);
    this.#winsAbove.replaceChildren(...over);
    if (layout.material === 'discs') {
      // In front of the bar and of the frame.
      for (const cell of winning) {
        const mark = this.#position.at(cell);
        if (mark === null) continue;
        this.#winsAbove.append(svg('g.won-disc', { transform: layout.transform(cell) }, piece('discs', symbols[mark], this.#colours[mark]), svg('circle.halo', { cx: 50, cy: 50, r: 45 })));
      }
    }
    for (const [name, cell] of this.#cells) cell.classList.toggle('winning', winning.includes(name));
  }

  /**
   * @param {string} name
   * @param {number | null} shown the mark
   * @param {boolean} isPending
   */
  #drawCell(name, shown, isPending) {
    const cell = this.#cellElement(name);
    const { symbols, details } = this.#position;
    const [level, row, col] = parseCell(name);
    const key = shown === null ? '' : `${shown} ${symbols[shown]}`;
    if (this.#drawn.get(name) !== key) {
      cell.querySelector('.mark')?.remove();
      if (shown !== null) {
        const drawn = piece(this.#layout.material, symbols[shown], this.#colours[shown], level * 2 + row * 5 + col);
        if (!this.#isFirstDrawing) {
          drawn.classList.add('fresh');
          const fall = this.#layout.levels > 1 ? 1 : row + 1;
          if (this.#rules.gravity) {
            drawn.style.setProperty('--drop', `${-fall * CELL}px`);
            drawn.style.setProperty('--drop-time', `${60 + 70 * fall}ms`);
          }
        }
        cell.append(drawn);
      }
      this.#drawn.set(name, key);
    }
    const board = this.#layout.boardOf([level, row, col]);
    const isClosed = board !== null && details?.boards[board]?.closed === true;
    const toPlay = details?.board_to_play ?? null;
    cell.classList.toggle('pending', isPending);
    cell.classList.toggle('taken', shown !== null);
    cell.classList.toggle('fading', details?.fading === name);
    cell.classList.toggle('closed', isClosed);
    cell.classList.toggle('elsewhere', toPlay !== null && board !== toPlay && !isClosed);
    const label = cellLabel(this.#layout, this.#position, name, { shown, isPending });
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
  }

  /**
   * @param {string | null} move
   */
  #drawHint(move) {
    const { cell, mark } = parseMove(move ?? '');
    const choice = mark === null ? null : { symbol: this.#position.symbols[mark], colour: this.#colours[mark] };
    if (!cell) return;
    const ring = cellVerdict(this.#layout, cell, 'best', choice);
    ring.classList.add('hint');
    this.#overlay.append(ring);
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
    const needsAim = this.#pointer === 'touch' && width < MIN_TOUCH_WIDTH && this.#layout.material !== 'discs';
    if (needsAim && this.#aimed !== cell) {
      this.#showGhost(cell);
      if (this.#ghost.cell === cell) {
        this.#aimed = cell;
        this.#keyboard.setTabStop(cell);
        this.#options.onaim?.(cell);
        return;
      }
    }
    this.#aimed = null;
    this.#showGhost(null);
    this.#options.onplay?.(cell);
  }

  /**
   * Shows the piece to place in a free cell.
   * @param {string | null} cell
   */
  #showGhost(cell) {
    const { mark = null, symbols } = this.#position;
    const isFree = cell && mark !== null && !this.#drawn.get(cell) && !this.#cellElement(cell).matches('.closed, .elsewhere');
    if (!isFree) this.#ghost.hide();
    else if (this.#ghost.cell !== cell) this.#ghost.show(cell, this.#cellElement(cell), this.#layout, { symbol: symbols[mark], colour: this.#colours[mark] });
  }
}

/** About how much of the window a board can fill, in CSS pixels. */
function boardSpace() {
  const isNarrow = innerWidth <= 1100;
  return { width: isNarrow ? innerWidth - 32 : Math.min(innerWidth * 0.55, 720), height: Math.min(innerHeight - 244, 720) };
}
