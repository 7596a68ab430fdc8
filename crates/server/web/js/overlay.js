// What is drawn below and above the cells of a board: the last move, sub-boards, winning lines, values and hints.

import { svg } from './dom.js';
import { CELL } from './layout.js';
import { lineSegments, winningLines } from './lines.js';
import { mark } from './symbols.js';

/** @import { SubBoard } from './api' */
/** @import { Layout } from './layout.js' */
/** @import { MoveLabel } from './review.js' */
/** @import { Place } from './rules.js' */

/** The size of the mark of a sub-board's winner. A mark fills about half of its cell. */
const WINNER_SCALE = 1.3;

/**
 * The cell of the last move: four corners, visible without colours.
 * @param {Layout} layout
 * @param {string} cell
 */
export function lastMove(layout, cell) {
  const corner = 'M8 26V16a8 8 0 0 1 8-8h10';
  return svg('g.last', { transform: layout.translation(cell) },
    svg('rect', { x: 4, y: 4, width: 92, height: 92, rx: 12 }),
    [0, 90, 180, 270].map((angle) => svg('path', { d: corner, transform: `rotate(${angle} 50 50)` })));
}

/**
 * The grounds of sub-boards: where to play, and which are closed.
 * @param {Layout} layout
 * @param {SubBoard[]} boards
 * @param {number | null} toPlay
 */
export function boardGrounds(layout, boards, toPlay) {
  return boards.map(({ closed, winner }, board) => {
    const { x, y, width, height } = layout.boardRect(board);
    const state = board === toPlay ? '.to-play' : closed ? (typeof winner === 'number' ? `.won.seat-${winner}` : '.closed') : '';
    return state && svg(`rect.ground${state}`, { x: x - 8, y: y - 8, width: width + 16, height: height + 16, rx: 22 });
  });
}

/**
 * The marks of their winners over sub-boards.
 * @param {Layout} layout
 * @param {SubBoard[]} boards
 * @param {string[]} symbols
 */
export function boardWinners(layout, boards, symbols) {
  return boards.map(({ winner }, board) => {
    if (typeof winner !== 'number') return null;
    const { x, y, width, height } = layout.boardRect(board);
    const scale = (Math.min(width, height) / CELL) * WINNER_SCALE;
    const [left, top] = [x + (width - scale * CELL) / 2, y + (height - scale * CELL) / 2];
    return svg('g.board-winner', { transform: `translate(${left} ${top}) scale(${scale})` }, mark(symbols[winner], winner));
  });
}

/**
 * Winning lines. Those across levels have a disc on each level, and a dotted line through them.
 * @param {Layout} layout
 * @param {string[]} cells
 */
export function winPaths(layout, cells) {
  const { rules } = layout;
  const lines = winningLines(cells, rules);
  const centre = (/** @type {Place} */ [level, row, col]) => {
    if (rules.ultimate) {
      const { x, y, width, height } = layout.boardRect(row * rules.cols + col);
      return `${x + width / 2} ${y + height / 2}`;
    }
    const { x, y } = layout.origin(level);
    return `${x + layout.x(col) + CELL / 2} ${y + layout.y(row) + CELL / 2}`;
  };
  const segments = lines.map((line) => lineSegments(line, rules));
  const paths = segments.flat().map(([start, end]) => `M${centre(start)}L${centre(end)}`);
  const links = segments.filter((parts) => !rules.wrap && parts.length > 1)
    .map((parts) => `M${parts.map(([start]) => centre(start)).join('L')}`);
  // All rims come first, so that lines that cross lie in one another.
  return {
    bands: [...paths.map((d) => svg('path.rim', { d })), ...paths.map((d) => svg('path', { d }))],
    links: links.map((d) => svg('path.link', { d })),
  };
}

/**
 * What the moves to a cell are worth: one value, or one for each mark that can be placed there.
 * @param {Layout} layout
 * @param {string} cell
 * @param {MoveLabel[]} labels
 */
export function cellValues(layout, cell, labels) {
  const size = (Math.max(layout.rows, layout.cols) > 5 ? 30 : 22) * (labels.length > 1 ? 0.8 : 1);
  return svg('g', { transform: layout.translation(cell) }, labels.map((label, i) =>
    value(label, size, labels.length > 1 ? 27 + 46 * i : 50, labels.length > 1)));
}

/**
 * @param {MoveLabel} label
 * @param {number} size
 * @param {number} y
 * @param {boolean} isShared whether other values are in the same cell
 */
function value({ kind, isBest, text, symbol }, size, y, isShared) {
  const shown = isShared ? `${symbol} ${text}` : text;
  const [width, height] = isShared ? [44, size * 0.72] : [size, size * 0.8];
  return svg(`g.value.${kind}${isBest ? '.best' : ''}`, {},
    kind === 'win' && (isShared ? svg('rect', { x: 50 - width, y: y - height, width: width * 2, height: height * 2, rx: 9 })
      : svg('circle', { cx: 50, cy: y, r: size * 1.15 })),
    kind === 'draw' && svg('rect', { x: 50 - width, y: y - height, width: width * 2, height: height * 2, rx: 9 }),
    isBest && svg('path', { d: `M${50 - size * 0.5} ${y + 4 + size * (isShared ? 0.62 : 1.25)}h${size}` }),
    svg('text', { x: 50, y: y + 1, 'font-size': shown.length > 3 ? size * 0.8 : size }, shown));
}

/**
 * A suggested move: a ring, with the mark to place if there is a choice.
 * @param {Layout} layout
 * @param {string} cell
 * @param {{ symbol: string, index: number } | null} choice
 */
export function hintRing(layout, cell, choice) {
  const ghost = choice && mark(choice.symbol, choice.index);
  ghost?.classList.replace('mark', 'ghost');
  return svg('g.hint', { transform: layout.translation(cell) }, ghost, svg('circle', { cx: 50, cy: 50, r: 36 }));
}
