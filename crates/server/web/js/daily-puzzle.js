// The puzzle of the day on the first screen.

import { get } from './client.js';
import { h, setChildren } from './dom.js';
import { t } from './i18n.js';

/** @import { DailyPuzzle } from './api' */

/** A card that leads to the puzzle of the day, filled once the server has answered. Its place is kept. */
export function dailyPuzzleCard() {
  const card = h('a.puzzle-card', { href: '/puzzles' }, h('div.puzzle-picture'), h('div.text', {}, h('h2', {}, t('puzzle.daily')), h('p', {}, '\u00a0')));
  (window.requestIdleCallback ?? setTimeout)(() =>
    fill(card).catch(() => {
      card.hidden = true;
    }));
  return card;
}

/**
 * Asks for the puzzle, unless the first screen was left before there was time for it.
 * @param {HTMLElement} card
 */
async function fill(card) {
  if (!card.isConnected) return;
  const [daily, { puzzlePicture, taskText }] = await Promise.all([/** @type {Promise<DailyPuzzle>} */ (get('/puzzles/daily')), import('./puzzle-board.js')]);
  const { puzzle, solvers } = daily;
  const facts = puzzle.solved ? t('puzzle.solvedBefore') : solvers > 0 ? t('puzzle.solvers', { count: solvers }) : t('puzzle.cardAbout');
  setChildren(card, puzzlePicture(puzzle), h('div.text', {}, h('h2', {}, t('puzzle.daily')), h('p', {}, taskText(puzzle)), h('p.facts-line', {}, facts)));
}
