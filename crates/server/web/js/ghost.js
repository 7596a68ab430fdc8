// The piece that follows the pointer or the keyboard: faint in the cell where it would come to rest, above a frame, and
// with its column marked on all levels.

import { svg } from './dom.js';
import { CELL, FLOAT_HEIGHT, range } from './layout.js';
import { piece } from './pieces.js';
import { cellName, parseCell } from './rules.js';

/** @import { Layout } from './layout.js' */

export class Ghost {
  /** Where it is. @type {string | null} */
  cell = null;
  /** The piece above the frame. */
  float = svg('g.overlay.float', { 'aria-hidden': 'true' });
  /** @type {SVGElement | null} */
  #piece = null;

  /**
   * Draws it in a cell.
   * @param {string} cell
   * @param {SVGElement} element the element of the cell
   * @param {Layout} layout
   * @param {{ symbol: string, colour: number }} mark
   */
  show(cell, element, layout, { symbol, colour }) {
    this.hide();
    const { material, viewBox, levels, rules } = layout;
    const [level, row, col] = parseCell(cell);
    this.cell = cell;
    this.#piece = piece(material, symbol, colour, level * 2 + row * 5 + col);
    this.#piece.classList.replace('mark', 'ghost');
    element.append(this.#piece);
    if (levels > 1 && !rules.notakto) {
      const others = range(levels).filter((other) => other !== level);
      this.float.append(...others.map((other) => svg('rect.column', { transform: layout.transform(cellName(other, row, col)), x: 8, y: 8, width: 84, height: 84, rx: 18 })));
    }
    if (material === 'discs' && viewBox.y < -FLOAT_HEIGHT) {
      this.float.append(svg('g', { transform: `translate(${col * CELL + 6} ${-FLOAT_HEIGHT - 44}) scale(.88)` }, piece(material, symbol, colour)));
    }
  }

  hide() {
    this.cell = null;
    this.#piece?.remove();
    this.#piece = null;
    this.float.replaceChildren();
  }
}
