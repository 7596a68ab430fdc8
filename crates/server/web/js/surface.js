// What a board is made of: pencil lines on paper, a wooden grid, a frame with holes, or sheets above one another.

import { svg } from './dom.js';
import { CELL, FRAME_MARGIN, range, SHEET_MARGIN } from './layout.js';
import { definePaints } from './pieces.js';

/** @import { Layout } from './layout.js' */

/** The grain of a wooden board. */
const GRAIN_LINES = 11;

/** Star points by the size of the board, from 0. */
const STARS = new Map([[9, [2, 4, 6]], [11, [2, 5, 8]], [13, [3, 6, 9]], [15, [3, 7, 11]], [19, [3, 9, 15]]]);

/**
 * What lies below all cells of a board.
 * @param {Layout} layout
 */
export function ground(layout) {
  if (layout.material === 'stones') return wood(layout);
  if (layout.material === 'discs') return svg('g.ground-frame', {}, feet(layout), svg('rect.hole', { x: -10, y: -10, width: layout.width + 20, height: layout.height + 20 }));
  return svg('g');
}

/**
 * What lies below the cells of one level.
 * @param {Layout} layout
 */
export function sheet(layout) {
  const { width, height } = layout;
  const size = { width: width + 2 * SHEET_MARGIN, height: height + 2 * SHEET_MARGIN, rx: 26 };
  return [layout.tilted && svg('rect.sheet-shade', { x: -SHEET_MARGIN, y: -4, ...size }),
    svg('rect.sheet-paper', { x: -SHEET_MARGIN, y: -SHEET_MARGIN, ...size })];
}

/**
 * The lines between cells.
 * @param {Layout} layout
 */
export function gridLines(layout) {
  const { material, rules, rows, cols, width, height } = layout;
  if (material !== 'paper') return null;
  if (rules.ultimate) return ultimateLines(layout);
  const frame = `M0 0H${width}V${height}H0Z`;
  return svg('g.lines', { 'aria-hidden': 'true' }, pencil(0, 0, cols, rows),
    rules.wrap && svg('path.joined', { d: frame }),
    rules.gravity && layout.levels === 1 && svg('path.walls', { d: `M0 0V${height}H${width}V0` }));
}

/**
 * The inner lines of a grid, bowed as by a hand.
 * @param {number} x
 * @param {number} y
 * @param {number} cols
 * @param {number} rows
 */
function pencil(x, y, cols, rows) {
  const [w, h] = [cols * CELL, rows * CELL];
  const down = range(cols - 1).map((i) => {
    const at = x + (i + 1) * CELL;
    return `M${at + 1} ${y + 4}C${at - 2} ${y + h / 3} ${at + 3} ${y + (h * 2) / 3} ${at - 1} ${y + h - 4}`;
  });
  const across = range(rows - 1).map((i) => {
    const at = y + (i + 1) * CELL;
    return `M${x + 4} ${at - 1}C${x + w / 3} ${at + 3} ${x + (w * 2) / 3} ${at - 2} ${x + w - 4} ${at + 1}`;
  });
  return svg('path', { d: [...down, ...across].join('') || 'M0 0' });
}

/**
 * @param {Layout} layout
 */
function ultimateLines(layout) {
  const { rules: { rows, cols }, width, height } = layout;
  const middle = layout.boardGap / 2;
  const boards = range(layout.boardCount).map((board) => {
    const { x, y } = layout.boardRect(board);
    return pencil(x, y, cols, rows);
  });
  const big = [
    ...range(cols - 1).map((col) => layout.x((col + 1) * cols) - middle).map((at) => `M${at + 2} 0C${at - 5} ${height / 3} ${at + 5} ${(height * 2) / 3} ${at - 2} ${height}`),
    ...range(rows - 1).map((row) => layout.y((row + 1) * rows) - middle).map((at) => `M0 ${at - 2}C${width / 3} ${at + 5} ${(width * 2) / 3} ${at - 5} ${width} ${at + 2}`),
  ];
  return svg('g.lines', { 'aria-hidden': 'true' }, boards, svg('path.thick', { d: big.join('') || 'M0 0' }));
}

/**
 * @param {Layout} layout
 */
function wood(layout) {
  definePaints();
  const { rows, cols, rules } = layout;
  const half = CELL / 2;
  const { x, y, width, height } = layout.viewBox;
  const size = { width, height: height - 10, rx: 26 };
  const [right, bottom] = [(cols - 1) * CELL + half, (rows - 1) * CELL + half];
  const grain = range(GRAIN_LINES).map((i) => {
    const at = y + (size.height * (i + 0.5)) / GRAIN_LINES;
    return `M${x} ${at}C${x + width * 0.3} ${at - 26 + ((i * 5) % 31)} ${x + width * 0.6} ${at + 30 - ((i * 7) % 23)} ${x + width} ${at - 8 + ((i * 3) % 17)}`;
  });
  const lines = [...range(rows).map((row) => `M${half} ${row * CELL + half}H${right}`), ...range(cols).map((col) => `M${col * CELL + half} ${half}V${bottom}`)];
  const stars = rows === cols ? STARS.get(rows) ?? [] : [];
  return svg('g.wood-board', { 'aria-hidden': 'true' },
    svg('rect.wood-side', { x, y: y + 10, ...size }), svg('rect', { x, y, ...size, fill: 'url(#wood)' }), svg('path.grain', { d: grain.join('') }),
    svg('path.wood-lines', { d: lines.join('') }),
    svg(`rect.wood-rim${rules.wrap ? '.joined' : ''}`, { x: half, y: half, width: right - half, height: bottom - half }),
    stars.flatMap((row) => stars.map((col) => svg('circle.star', { cx: col * CELL + half, cy: row * CELL + half, r: 10 }))));
}

/**
 * @param {Layout} layout
 */
function feet({ width, height }) {
  const edge = FRAME_MARGIN;
  return svg('path.feet', { d: `M${14 - edge} ${height + 10}h70l26 40h-122zM${width + edge - 14} ${height + 10}h-70l-26 40h122z` });
}

/**
 * The frame in front of the discs.
 * @param {Layout} layout
 */
export function frontFrame({ rows, cols, width, height }) {
  const edge = FRAME_MARGIN;
  const centres = range(rows).flatMap((row) => range(cols).map((col) => [col * CELL + CELL / 2, row * CELL + CELL / 2]));
  const holes = centres.map(([x, y]) => `M${x - 41} ${y}a41 41 0 1 0 82 0a41 41 0 1 0 -82 0`).join('');
  const [right, bottom] = [width + edge, height + edge];
  const outline = `M${24 - edge} ${-edge}H${right - 24}q24 0 24 24V${bottom - 24}q0 24 -24 24H${24 - edge}q-24 0 -24 -24V${24 - edge}q0 -24 24 -24Z`;
  return svg('g.front-frame', { 'aria-hidden': 'true' }, svg('path.frame', { 'fill-rule': 'evenodd', d: outline + holes }),
    svg('path.bevel', { d: `M${22 - edge} ${8 - edge}H${right - 22}` }), svg('path.rims', { d: holes }));
}
