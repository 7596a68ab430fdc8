// What is drawn below and above the cells of a board: the last move, sub-boards, winning lines, advice and mistakes.

import { svg } from './dom.js';
import { CELL } from './layout.js';
import { lineSegments, winningLines } from './lines.js';
import { piece } from './pieces.js';
import { parseCell } from './rules.js';

/** @import { SubBoard } from './api' */
/** @import { Layout } from './layout.js' */
/** @import { Place } from './rules.js' */
/** @typedef {'best' | 'promising' | 'mistake'} Verdict */

/** The size of the mark of a sub-board's winner. A mark fills about half of its cell. */
const WINNER_SCALE = 0.91;

/** How far the highlighter goes beyond the outer centres. */
const PEN_OVERSHOOT = 27;

/**
 * The cell of the last move: a ground below a mark, or a ring on a stone or a disc.
 * @param {Layout} layout
 * @param {string} cell
 * @param {number} colour
 */
export function lastMove(layout, cell, colour) {
  const { material } = layout;
  return svg(`g.last.${material}.on-${colour}`, { transform: layout.transform(cell) }, material === 'paper'
    ? svg('rect', { x: 9, y: 9, width: 82, height: 82, rx: 20 })
    : svg('circle', { cx: 50, cy: 50, r: material === 'stones' ? 15 : 41 }));
}

/**
 * The grounds of sub-boards: where to play, and which are closed.
 * @param {Layout} layout
 * @param {SubBoard[]} boards
 * @param {number | null} toPlay
 * @param {number[]} colours
 */
export function boardGrounds(layout, boards, toPlay, colours) {
  return boards.map(({ closed, winner }, board) => {
    const { x, y, width, height } = layout.boardRect(board);
    const state = board === toPlay ? '.to-play' : closed ? (typeof winner === 'number' ? `.won.seat-${colours[winner]}` : '.closed') : '';
    const edge = board === toPlay ? 14 : 5;
    return state && svg(`rect.ground${state}`, { x: x - edge, y: y - edge, width: width + 2 * edge, height: height + 2 * edge, rx: 26 });
  });
}

/**
 * The marks of their winners over sub-boards, and a sign over those that nobody has won.
 * @param {Layout} layout
 * @param {SubBoard[]} boards
 * @param {string[]} symbols
 * @param {number[]} colours
 */
export function boardWinners(layout, boards, symbols, colours) {
  return boards.map(({ closed, winner }, board) => {
    const { x, y, width, height } = layout.boardRect(board);
    if (typeof winner !== 'number') {
      return closed && layout.rules.ultimate && svg('text.board-draw', { x: x + width / 2, y: y + height / 2 }, '=');
    }
    const scale = (Math.min(width, height) / CELL) * WINNER_SCALE;
    const [left, top] = [x + (width - scale * CELL) / 2, y + (height - scale * CELL) / 2];
    return svg('g.board-winner', { transform: `translate(${left} ${top}) scale(${scale})` }, piece('paper', symbols[winner], colours[winner], board));
  });
}

/**
 * Winning lines: a highlighter on paper, a bar under stones or across a frame, and lit cells joined by a dotted line
 * where levels lie above one another.
 * @param {Layout} layout
 * @param {string[]} cells
 */
export function winPaths(layout, cells) {
  const { rules, material } = layout;
  const lines = winningLines(cells, rules);
  const centre = (/** @type {Place} */ place) => {
    if (!rules.ultimate) return layout.centre(place);
    const { x, y, width, height } = layout.boardRect(place[1] * rules.cols + place[2]);
    return { x: x + width / 2, y: y + height / 2 };
  };
  if (layout.levels > 1 && !rules.notakto) {
    return {
      under: cells.map((cell) => svg('rect.lit', { transform: layout.transform(cell), x: 5, y: 5, width: 90, height: 90, rx: 20 })),
      over: rules.wrap || !layout.tilted ? [] : lines.map((line) => svg('path.link', { d: `M${line.map((place) => join(centre(place))).join('L')}` })),
    };
  }
  const segments = lines.flatMap((line) => lineSegments(line, rules)).map(([start, end]) => ({ start: centre(start), end: centre(end) }));
  const straight = segments.map(({ start, end }) => `M${join(start)}L${join(end)}`);
  if (material === 'stones') return { under: straight.map((d) => svg('path.pen.bar', { d, pathLength: 1 })), over: [] };
  if (material === 'discs') return { under: [], over: straight.map((d) => svg('path.pen.bar', { d, pathLength: 1 })) };
  return { under: segments.flatMap(highlighter), over: [] };
}

const join = (/** @type {{ x: number, y: number }} */ { x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/**
 * A broad stroke and a thinner second one, as by a felt pen.
 * @param {{ start: { x: number, y: number }, end: { x: number, y: number } }} segment
 */
function highlighter({ start, end }) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [ux, uy] = length > 1 ? [(end.x - start.x) / length, (end.y - start.y) / length] : [1, 0];
  /** A point beside the line from `from`: so far along, and so far to its left. */
  const at = (/** @type {{ x: number, y: number }} */ from, /** @type {number} */ along, /** @type {number} */ aside) =>
    join({ x: from.x + ux * along - uy * aside, y: from.y + uy * along + ux * aside });
  return [
    svg('path.pen', { d: `M${at(start, -PEN_OVERSHOOT, 2)}C${at(start, length / 3, -5)} ${at(start, length / 1.5, 5)} ${at(end, PEN_OVERSHOOT, -2)}`, pathLength: 1 }),
    svg('path.pen-again', { d: `M${at(start, -PEN_OVERSHOOT - 3, -9)}L${at(end, PEN_OVERSHOOT + 3, 9)}`, pathLength: 1 }),
  ];
}

/**
 * A ring for a cell: the best move has a tick, one that only looks best none, and a mistake a question mark. Where the
 * cell shows which mark to place, the tick is at the corner.
 * @param {Verdict} verdict
 * @param {boolean} [hasMark]
 */
export const verdictRing = (verdict, hasMark = false) => svg(`g.verdict-ring.${verdict}`, {}, svg('circle.ring', { cx: 50, cy: 50, r: verdict === 'best' && !hasMark ? 34 : 42 }),
  verdict === 'best' && !hasMark && svg('path.tick', { d: 'M35 51l11 11 21-24' }),
  (verdict === 'mistake' || (verdict === 'best' && hasMark)) && svg('circle.seal', { cx: 82, cy: 18, r: 17 }),
  verdict === 'best' && hasMark && svg('path', { d: 'M74 18l6 6 10-12' }),
  verdict === 'mistake' && svg('text', { x: 82, y: 19 }, '?'));

/**
 * @param {Layout} layout
 * @param {string} cell
 * @param {Verdict} verdict
 * @param {{ symbol: string, colour: number } | null} [choice] the mark to place, where the mover chooses
 */
export function cellVerdict(layout, cell, verdict, choice = null) {
  const [, row, col] = parseCell(cell);
  const ghost = choice && piece(layout.material, choice.symbol, choice.colour, row * 5 + col);
  ghost?.classList.replace('mark', 'ghost');
  return svg('g', { transform: layout.transform(cell) }, ghost, verdictRing(verdict, ghost !== null));
}
