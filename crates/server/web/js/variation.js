// Trying moves in a review: a line of moves that were not played, with what each of them is worth.

import { post } from './client.js';
import { parseMove } from './rules.js';

/** @import { AnalysisRequest, AnalysisView } from './api' */
/** @import { GameState } from './state.js' */

export class Variation {
  #state;
  /** How many actions of the game come before it. */
  ply;
  /** @type {string[]} */
  moves = [];
  /** What the moves placed. @type {Map<string, number>} */
  #placed = new Map();

  /**
   * @param {GameState} state
   * @param {number} ply
   */
  constructor(state, ply) {
    this.#state = state;
    this.ply = ply;
  }

  /**
   * Whether moves can be tried after this many actions. Nobody can play on from a resignation, and fading marks and
   * openings depend on more than the board.
   * @param {GameState} state
   * @param {number} ply
   */
  static isPossible({ view, rules }, ply) {
    return !view.moves.slice(0, ply).some((move) => move.startsWith('resign:')) && rules.fade === 0 && rules.opening === '' && !rules.ultimate;
  }

  /**
   * What stands on a cell.
   * @param {string} cell
   */
  at(cell) {
    return this.#placed.get(cell) ?? this.#state.boardAt(this.ply)(cell);
  }

  get last() {
    return parseMove(this.moves.at(-1) ?? '').cell;
  }

  /**
   * Plays a move in an analysed position.
   * @param {AnalysisView} analysis
   * @param {string} move
   */
  play({ turn }, move) {
    const { cell, mark } = parseMove(move);
    const { rules, view } = this.#state;
    const own = rules.notakto ? 0 : view.details.owners.indexOf(turn ?? 0);
    if (cell) this.#placed.set(cell, mark ?? own);
    this.moves.push(move);
  }

  /** Takes back the last move. */
  back() {
    const { cell } = parseMove(this.moves.pop() ?? '');
    if (cell) this.#placed.delete(cell);
  }

  /** @returns {Promise<AnalysisView>} */
  analyse() {
    const { view } = this.#state;
    /** @type {AnalysisRequest} */
    const request = { rules: view.rules, moves: [...view.moves.slice(0, this.ply), ...this.moves] };
    return post('/analysis', request);
  }
}
