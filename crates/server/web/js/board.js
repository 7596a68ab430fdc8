// The board: an SVG that is a grid to the keyboard and to screen readers.

import { freshId, h, s } from './dom.js';
import { pieces, strings } from './lines.js';
import { mark } from './marks.js';
import { boxAt, boxName } from './rules.js';

const CELL = 100;

/** How long the letters and digits of a box name may be apart. */
const TYPING_MS = 1200;

/** Cells that are narrower, in pixels of the page, are hard to hit with a finger. */
const FINGER = 30;

export class Board {
  /**
   * `rules` as in rules.js. `onplay(box)` is called when someone picks a box, `onaim(box)` when
   * they have to tap again for that; without it the board is
   * only looked at.
   */
  constructor(rules, { label, onplay = null, onaim = null }) {
    this.rules = rules;
    this.onplay = onplay;
    this.onaim = onaim;
    this.aimed = null;
    this.cells = new Map();
    this.shown = new Map();
    this.names = [];
    this.focus = [Math.floor(rules.rows / 2), Math.floor(rules.cols / 2)];
    this.typed = { text: '', at: 0 };
    const { rows, cols } = rules;
    const size = (Math.max(rows, cols) + 0.6) * CELL;
    const font = Math.max(size * 0.027, 13);
    const edge = font * 1.9;
    const clip = freshId('board');
    this.over = s('g.over', { 'aria-hidden': 'true' });
    this.under = s('g.under', { 'aria-hidden': 'true' });
    this.win = s('g.wins', { 'aria-hidden': 'true', 'clip-path': `url(#${clip})` });
    const heads = s('g', { role: 'row' }, range(cols).map((col) =>
      s('text.head', { role: 'columnheader', x: (col + 0.5) * CELL, y: -edge * 0.42 }, String(col + 1))));
    this.svg = s(`svg.board${onplay ? '.playable' : ''}${rules.gravity ? '.gravity' : ''}`, {
      viewBox: `${-edge} ${-edge} ${cols * CELL + edge * 1.5} ${rows * CELL + edge * 1.5}`,
      role: 'grid',
      'aria-label': label,
      'aria-readonly': onplay ? undefined : 'true',
    },
    s('defs', {}, s('clipPath', { id: clip }, s('rect', { x: 0, y: 0, width: cols * CELL, height: rows * CELL }))),
    this.under, this.win, heads,
    range(rows).map((row) => s('g', { role: 'row' },
      s('text.head', { role: 'rowheader', x: -edge * 0.5, y: (row + 0.5) * CELL }, boxName(row, 0)[0]),
      range(cols).map((col) => this.#cell(row, col)))),
    this.#lines(), this.over);
    // Boards differ in height; what stands below must not move while a picture is drawn.
    this.element = h('div.board-frame', {}, this.svg);
    this.svg.style.setProperty('--head', `${font}px`);
    this.svg.style.aspectRatio = `${cols * CELL + edge * 1.5} / ${rows * CELL + edge * 1.5}`;
    this.svg.addEventListener('keydown', (event) => this.#key(event));
    this.svg.addEventListener('focusin', (event) => {
      const box = event.target.dataset?.box;
      if (box) this.#moveFocus(...boxAt(box), false);
    });
    if (onplay) {
      this.svg.addEventListener('pointerdown', (event) => { this.pointer = event.pointerType; });
      this.svg.addEventListener('click', (event) => {
        const box = event.target.closest('[data-box]')?.dataset.box;
        if (box) this.#pick(this.target(box));
      });
      this.svg.addEventListener('pointerover', (event) => this.#hover(event));
      this.svg.addEventListener('pointerleave', (event) => {
        if (event.pointerType !== 'touch') this.#ghost(null);
      });
    }
    this.update({ at: () => null, symbols: [], names: [] });
  }

  #cell(row, col) {
    const box = boxName(row, col);
    const inFocus = row === this.focus[0] && col === this.focus[1];
    const cell = s('g.cell', {
      role: 'gridcell',
      tabindex: inFocus ? '0' : '-1',
      transform: `translate(${col * CELL} ${row * CELL})`,
      'data-box': box,
    }, s('rect', { x: 4, y: 4, width: 92, height: 92, rx: 12 }));
    this.cells.set(box, cell);
    return cell;
  }

  #lines() {
    const { rows, cols, gravity, wrap } = this.rules;
    const [width, height] = [cols * CELL, rows * CELL];
    const inner = [
      ...range(cols - 1).map((col) => `M${(col + 1) * CELL} ${gap(rows)}V${height - gap(rows)}`),
      ...range(rows - 1).map((row) => `M${gap(cols)} ${(row + 1) * CELL}H${width - gap(cols)}`),
    ];
    const lines = s('g.lines', { 'aria-hidden': 'true' }, s('path', { d: inner.join('') || 'M0 0' }));
    const frame = `M0 0H${width}V${height}H0Z`;
    if (wrap) lines.append(s('path.joined', { d: frame }));
    else if (gravity) lines.append(s('path.walls', { d: `M0 0V${height}H${width}V0` }));
    else if (Math.max(rows, cols) > 5) lines.append(s('path.frame', { d: frame }));
    return lines;
  }

  /**
   * Shows a position: `at(row, col)` is a seat or null; `symbols` and `names` by seat; `last` a box;
   * `wins` boxes; `pending` a move that the server has not confirmed; `legal` where stones come to
   * rest; `turn` whose symbol hovers; `values` and `hint` from an analysis.
   */
  update(view) {
    const { rows, cols } = this.rules;
    this.view = view;
    const still = !this.drawn;
    for (let row = 0; row < rows; row += 1) {
      for (let col = 0; col < cols; col += 1) {
        const box = boxName(row, col);
        const pending = view.pending?.box === box;
        const seat = view.at(row, col) ?? (pending ? view.pending.seat : null);
        this.#show(box, row, seat, pending, still);
      }
    }
    this.drawn = true;
    if (this.aimed && (this.shown.get(this.aimed) || view.turn === null || view.turn === undefined)) {
      this.aimed = null;
      this.#ghost(null);
    }
    this.#drawLast(view.last);
    this.#drawWins(view.wins ?? []);
    this.#drawValues(view.values, view.hint);
  }

  #show(box, row, seat, pending, still) {
    const cell = this.cells.get(box);
    const { symbols, names, last, wins, values, hint } = this.view;
    const looks = seat === null ? '' : `${seat} ${symbols[seat]}`;
    if (this.shown.get(box) !== looks) {
      cell.querySelector('.mark')?.remove();
      if (looks) {
        const drawn = mark(symbols[seat], seat);
        if (!still) {
          drawn.classList.add('fresh');
          if (this.rules.gravity) drawn.style.setProperty('--drop', `${-(row + 1) * CELL}px`);
        }
        cell.append(drawn);
      }
      this.shown.set(box, looks);
    }
    cell.classList.toggle('pending', pending);
    cell.classList.toggle('taken', seat !== null);
    const owner = seat === null ? 'empty' : `${symbols[seat]}${names[seat] ? `, ${names[seat]}` : ''}`;
    const value = values?.get(box);
    const extras = [last === box && 'last move', wins?.includes(box) && 'winning line', pending && 'being sent',
      hint === box && 'hint', value?.words].filter(Boolean);
    const label = [box, owner, ...extras].join(', ');
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
  }

  #drawLast(box) {
    if (this.lastShown === box) return;
    this.lastShown = box;
    this.under.replaceChildren();
    if (!box) return;
    const [row, col] = boxAt(box);
    // Four corners around the cell: seen without any colour.
    const corner = 'M8 26V16a8 8 0 0 1 8-8h10';
    this.under.append(s('g.last', { transform: `translate(${col * CELL} ${row * CELL})` },
      s('rect', { x: 4, y: 4, width: 92, height: 92, rx: 12 }),
      [0, 90, 180, 270].map((turn) => s('path', { d: corner, transform: `rotate(${turn} 50 50)` }))));
  }

  #drawWins(boxes) {
    const key = boxes.join();
    if (this.winsShown === key) return;
    this.winsShown = key;
    this.win.replaceChildren();
    const wins = strings(boxes, this.rules).flatMap((string) => pieces(string, this.rules));
    const paths = wins.map((ends) => ends.map(([row, col]) => `${(col + 0.5) * CELL} ${(row + 0.5) * CELL}`)).map(([from, to]) => `M${from}L${to}`);
    // A ring around each line: all rims first, so that lines that cross lie in one another.
    this.win.append(...paths.map((d) => s('path.rim', { d })), ...paths.map((d) => s('path', { d })));
    for (const [box, cell] of this.cells) cell.classList.toggle('winning', boxes.includes(box));
  }

  #drawValues(values, hint) {
    this.over.replaceChildren();
    const size = Math.max(this.rules.rows, this.rules.cols) > 5 ? 30 : 22;
    for (const [box, value] of values ?? []) {
      const [row, col] = boxAt(box);
      this.over.append(s(`g.value.${value.kind}${value.best ? '.best' : ''}`, { transform: `translate(${col * CELL} ${row * CELL})` },
        value.kind === 'win' && s('circle', { cx: 50, cy: 50, r: size * 1.15 }),
        value.kind === 'draw' && s('rect', { x: 50 - size, y: 50 - size * 0.8, width: size * 2, height: size * 1.6, rx: 9 }),
        value.best && s('path', { d: `M${50 - size * 0.5} ${54 + size * 1.25}h${size}` }),
        s('text', { x: 50, y: 51, 'font-size': value.text.length > 3 ? size * 0.8 : size }, value.text)));
    }
    if (hint) {
      const [row, col] = boxAt(hint);
      this.over.append(s('g.hint', { transform: `translate(${col * CELL} ${row * CELL})` }, s('circle', { cx: 50, cy: 50, r: 36 })));
    }
  }

  /** The box that is meant by a box: where stones fall, the one in its column where they rest. */
  target(box) {
    if (!this.rules.gravity) return box;
    const column = box.slice(1);
    return this.view.legal?.find((legal) => legal.slice(1) === column) ?? box;
  }

  /** A finger is wider than a small cell: there the first tap aims, and the second plays. */
  #pick(box) {
    const width = this.cells.get(box).getBoundingClientRect().width;
    if (this.pointer === 'touch' && width < FINGER && this.aimed !== box) {
      this.#ghost(box);
      if (this.ghostShown === box) {
        this.aimed = box;
        this.#moveFocus(...boxAt(box), false);
        this.onaim?.(box);
        return;
      }
    }
    this.aimed = null;
    this.#ghost(null);
    this.onplay(box);
  }

  #hover(event) {
    if (event.pointerType === 'touch') return;
    const box = event.target.closest('[data-box]')?.dataset.box;
    this.#ghost(box ? this.target(box) : null);
  }

  #ghost(box) {
    const { turn, symbols } = this.view;
    const wanted = box && turn !== null && turn !== undefined && !this.shown.get(box) ? box : null;
    if (this.ghostShown === wanted) return;
    this.ghostShown = wanted;
    this.svg.querySelector('.ghost')?.remove();
    if (!wanted) return;
    const ghost = mark(symbols[turn], turn);
    ghost.classList.add('ghost');
    ghost.classList.remove('mark');
    this.cells.get(wanted).append(ghost);
  }

  #moveFocus(row, col, really = true) {
    const { rows, cols } = this.rules;
    const [r, c] = [clamp(row, rows), clamp(col, cols)];
    this.cells.get(boxName(...this.focus)).setAttribute('tabindex', '-1');
    this.focus = [r, c];
    const cell = this.cells.get(boxName(r, c));
    cell.setAttribute('tabindex', '0');
    if (really) cell.focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, col] = this.focus;
    const { rows, cols } = this.rules;
    const steps = { ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
      Home: [row, 0], End: [row, cols - 1], PageUp: [0, col], PageDown: [rows - 1, col] };
    if (steps[event.key]) this.#moveFocus(...steps[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.onplay?.(this.target(boxName(row, col)));
    else if (!this.#type(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A letter goes to a row, digits to a column: `b`, `2` is B2, and Enter plays it. */
  #type(key) {
    const { rows, cols } = this.rules;
    const [row, col] = this.focus;
    if (/^[a-z]$/i.test(key)) {
      const wanted = key.toUpperCase().charCodeAt(0) - 65;
      if (wanted >= rows) return false;
      this.typed = { text: '', at: performance.now() };
      this.#moveFocus(wanted, col);
      return true;
    }
    if (!/^\d$/.test(key)) return false;
    const now = performance.now();
    const together = (now - this.typed.at < TYPING_MS ? this.typed.text : '') + key;
    const text = Number(together) <= cols ? together : key;
    this.typed = { text, at: now };
    const wanted = Number(text) - 1;
    if (wanted >= 0 && wanted < cols) this.#moveFocus(row, wanted);
    return true;
  }
}

const range = (n) => Array.from({ length: n }, (_, i) => i);
const clamp = (n, size) => Math.min(Math.max(n, 0), size - 1);

/** The lines of small boards stop short of the edge, like those on paper. */
const gap = (side) => (side <= 5 ? 6 : 0);
