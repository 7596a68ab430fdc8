// How far a player has come with puzzles: the days of this week, the streak and the rating.

import { get } from './client.js';
import { h, setChildren } from './dom.js';
import { locale, t } from './i18n.js';
import { range } from './layout.js';
import { badge } from './pieces.js';
import { currentPlayer } from './session.js';

/** @import { PuzzleProgressView } from './api' */

export const DAY_MS = 86_400_000;

export class PuzzleProgress {
  element = h('section.card.week');
  #signal;
  #today = Math.floor(Date.now() / DAY_MS);
  /** @type {PuzzleProgressView | null} */
  #progress = null;

  /**
   * @param {AbortSignal} signal aborts when the screen is left
   */
  constructor(signal) {
    this.#signal = signal;
    this.#draw();
  }

  async load() {
    if (!currentPlayer()) return;
    const progress = await get('/me/puzzles').catch(() => null);
    if (!this.#signal.aborted) this.update(progress);
  }

  /**
   * @param {PuzzleProgressView | null} progress
   */
  update(progress) {
    if (!progress) return;
    this.#progress = progress;
    this.#today = progress.today;
    this.#draw();
  }

  /** What the last result did to the rating. */
  get ratingText() {
    const { rating, change } = this.#progress ?? {};
    if (!change || rating === undefined) return '';
    return t('puzzle.rating', { rating: String(rating), change: change > 0 ? `+${change}` : `−${-change}` });
  }

  #draw() {
    const today = this.#today;
    // Day 0 was a Thursday; the week begins on Monday.
    const monday = today - ((today + 3) % 7);
    const format = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' });
    const name = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    const days = range(7).map((i) => {
      const day = monday + i;
      const isSolved = this.#progress?.days.includes(day) ?? false;
      const state = isSolved ? 'done' : day === today ? 'today' : 'open';
      const label = [name.format(day * DAY_MS), isSolved && t('puzzle.daySolved')].filter(Boolean).join(', ');
      return h(`li.${state}`, { 'aria-label': label }, isSolved ? badge('paper', 'O', 1) : h('span.day-mark'), h('span', {}, format.format(day * DAY_MS)));
    });
    const { streak = 0, rating, tried = 0, solved = 0 } = this.#progress ?? {};
    setChildren(this.element, h('div.card-head', {}, h('h2', {}, t('puzzle.week')), h('span.facts-line', {}, streak > 0 ? t('puzzle.streak', { count: streak }) : '')),
      h('ul', {}, days),
      h('p.facts-line', {}, rating !== undefined && tried > 0 ? t('puzzle.record', { rating: String(rating), solved, tried }) : '\u00a0'));
  }
}
