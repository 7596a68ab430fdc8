// What screen readers say of the cells of a board.

import { t } from './i18n.js';
import { boardName, cellName, parseCell, parseMove } from './rules.js';

/** @import { Position } from './board.js' */
/** @import { Layout } from './layout.js' */

/**
 * The name of one of several boards or levels.
 * @param {Layout} layout
 * @param {number} level
 */
export function levelName({ rules, levels }, level) {
  const number = level + 1;
  if (rules.notakto) return t('board.number', { number });
  // Stones rest on the first level, as on a table.
  if (!rules.gravity) return t('board.level', { number });
  if (level === 0) return t('board.levelBottom', { number });
  return t(level === levels - 1 ? 'board.levelTop' : 'board.level', { number });
}

/**
 * What stands in a cell, where it is, and what is special about it.
 * @param {Layout} layout
 * @param {Position} position
 * @param {string} name
 * @param {{ shown: number | null, isPending: boolean }} cell `shown` is the mark in it
 */
export function cellLabel(layout, position, name, { shown, isPending }) {
  const { symbols, names, details, last, winning, values, hint, verdicts } = position;
  const place = parseCell(name);
  const [level, row, col] = place;
  const board = layout.boardOf(place);
  const { closed: isClosed = false, winner = null } = (board === null ? null : details?.boards[board]) ?? {};
  return [
    layout.levels > 1 && levelName(layout, level), cellName(0, row, col),
    ...shown === null ? [t('cell.empty')] : [symbols[shown], names?.[shown]],
    board !== null && layout.rules.ultimate && boardName(board, layout.rules),
    board !== null && details?.board_to_play === board && t('cell.boardToPlay'),
    isClosed && (winner === null ? t('cell.closed') : t('cell.wonBy', { symbol: symbols[winner] })),
    details?.fading === name && t('cell.fades'), last === name && t('cell.last'), winning?.includes(name) && t('cell.winning'), isPending && t('cell.pending'),
    hint && parseMove(hint).cell === name && t('cell.hint'),
    verdicts?.get(name) === 'mistake' && t('cell.mistake'),
    values?.get(name),
  ].filter(Boolean).join(', ');
}
