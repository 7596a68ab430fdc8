// Loading a game from the server.

import { get, includingSeen, path } from './client.js';

/** @import { GameUpdate, GameView } from './api' */

/**
 * A game and everything that has happened in it.
 * @param {string} id
 * @returns {Promise<[GameView, GameUpdate[]]>}
 */
export const loadGame = (id) => Promise.all([loadView(id), loadUpdates(id)]);

/**
 * @param {string} id
 * @returns {Promise<GameView>}
 */
export const loadView = (id) => get(path('games', id, includingSeen(id)));

const EVENTS_PER_PAGE = 1000;

/**
 * All events of a game, page by page.
 * @param {string} id
 * @returns {Promise<GameUpdate[]>}
 */
export async function loadUpdates(id) {
  /** @type {GameUpdate[]} */
  const updates = [];
  for (;;) {
    const since = updates.at(-1)?.seq ?? 0;
    /** @type {GameUpdate[]} */
    const page = await get(path('games', id, 'events', { since, ...includingSeen(id) }));
    updates.push(...page);
    if (page.length < EVENTS_PER_PAGE) return updates;
  }
}
