// A puzzle as it is shown: its task in words, and its positions on a board.

import { Board } from './board.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { DEFAULT_SYMBOLS, materialOf } from './pieces.js';
import { parseCell, parseMove, parseRules } from './rules.js';
import { markName } from './text.js';

/** @import { PositionView, PuzzleView } from './api' */

/** A position of the line that is shown, and the move that led to it. @typedef {{ view: PositionView, move: string | null }} Frame */

/**
 * What a puzzle asks for, in a sentence.
 * @param {PuzzleView} puzzle
 */
export function taskText(puzzle) {
  const player = sideName(puzzle);
  if (puzzle.kind === 'draw') return player ? t('puzzle.taskDraw', { player }) : t('puzzle.taskDrawYou');
  return player ? t('puzzle.taskWin', { player, count: puzzle.moves }) : t('puzzle.taskWinYou', { count: puzzle.moves });
}

/**
 * The mark of the side to move: a symbol, or the colour of the stones. Null where marks belong to nobody.
 * @param {PuzzleView} puzzle
 */
function sideName({ rules, seat, view }) {
  const mark = view.details.owners.indexOf(seat);
  if (mark < 0) return null;
  return markName(materialOf(parseRules(rules)), mark, DEFAULT_SYMBOLS[mark]);
}

/**
 * A position as the board draws it.
 * @param {PuzzleView} puzzle
 * @param {Frame} frame
 * @param {{ isPlayable: boolean, mark: number | null }} options
 */
export function boardPosition({ view: { details: { owners } } }, { view, move }, { isPlayable, mark }) {
  const own = typeof view.turn === 'number' ? owners.indexOf(view.turn) : -1;
  return {
    at: (/** @type {string} */ cell) => {
      const [level, row, col] = parseCell(cell);
      return view.board[level][row][col];
    },
    symbols: DEFAULT_SYMBOLS.slice(0, 2),
    details: view.details,
    legal: isPlayable ? view.legal.map((other) => parseMove(other).cell ?? '') : [],
    mark: mark ?? (own < 0 ? 0 : own),
    last: move && parseMove(move).cell,
    winning: view.winning,
  };
}

/**
 * A small picture of a puzzle.
 * @param {PuzzleView} puzzle
 */
export function puzzlePicture(puzzle) {
  const board = new Board(parseRules(puzzle.rules), { label: taskText(puzzle) });
  board.update(boardPosition(puzzle, { view: puzzle.view, move: null }, { isPlayable: false, mark: null }));
  const picture = h('div.puzzle-picture', { 'aria-hidden': 'true', inert: true }, board.element);
  return picture;
}
