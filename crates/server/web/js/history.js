// The actions of a game with what each of them changed, to step through it.

import { parseMove } from './rules.js';

/** @import { CellChange, ExitReason, GameUpdate, TurnDetails } from './api' */

/**
 * Actions are moves or resignations, `resign:N`.
 * @param {string} action
 */
export const isResignation = (action) => action.startsWith('resign:');

export const resignation = (/** @type {number} */ seat) => `resign:${seat + 1}`;

/**
 * An action, who did it, and what it changed; why, if a player left the game by it. Within a given starting position the
 * details are not known.
 * @typedef {{ action: string, seat: number, cells: CellChange[], details: TurnDetails | null, reason?: ExitReason }} Ply
 */

/** The actions of a game, folded from all its updates. */
export class History {
  /** The details before the first action. @type {TurnDetails | null} */
  start = null;
  /** @type {Ply[]} */
  plies = [];
  /** @type {TurnDetails | null} */
  #details = null;

  /**
   * @param {GameUpdate[]} updates
   */
  constructor(updates) {
    for (const update of updates) this.add(update);
  }

  /**
   * @param {GameUpdate} update
   */
  add({ event, cells = [], details, opening = [] }) {
    this.#details = details ?? this.#details;
    for (const action of opening) this.plies.push(this.#openingPly(action, cells));
    const last = this.plies.at(-1);
    if (opening.length && last) last.details = this.#details;
    if (event.type === 'moved') this.plies.push({ action: event.move, seat: event.seat, cells, details: this.#details });
    else if (event.type === 'eliminated') this.plies.push({ action: resignation(event.seat), seat: event.seat, cells, details: this.#details, reason: event.reason });
    else if (event.type === 'undone') this.plies.splice(event.to);
    if (this.plies.length === 0) this.start = this.#details;
  }

  /**
   * A move of the position that the game starts with, of which only the last board is known.
   * @param {string} action
   * @param {CellChange[]} cells the cells of that board
   * @returns {Ply}
   */
  #openingPly(action, cells) {
    const { cell, mark: chosen } = parseMove(action);
    const mark = chosen ?? cells.find((change) => change.cell === cell)?.mark ?? null;
    const owners = this.#details?.owners ?? [];
    const seat = (mark === null ? null : owners[mark]) ?? this.plies.length % 2;
    return { action, seat, cells: cell !== null && mark !== null ? [{ cell, mark }] : [], details: null };
  }
}
