// Trying moves at the board of a review: the variation that is shown, and what its next moves are worth.

import { ApiError } from './client.js';
import { t } from './i18n.js';
import { refusalText } from './refusals.js';
import { bestMoveText, explain } from './review.js';
import { parseCell, parseMove } from './rules.js';
import { play as playSound } from './sound.js';
import { Variation } from './variation.js';

/** @import { Analysis } from './review.js' */
/** @import { GameState } from './state.js' */

export class Exploration {
  /** The moves that are tried. @type {Variation | null} */
  variation = null;
  /** What the next moves are worth. @type {Analysis | null} */
  analysis = null;
  #handlers;

  /**
   * @param {{ say: (text: string) => void, onchange: () => void, mark: () => number }} handlers `onchange` comes with a
   *   message to show; `mark` is the mark that the player has chosen
   */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  /**
   * Whether moves can be tried in a position.
   * @param {GameState} state
   * @param {number} ply
   */
  static isPossible(state, ply) {
    const isAllowed = state.view.phase === 'finished' || (state.isLocal && !state.view.rated);
    return isAllowed && Variation.isPossible(state, ply);
  }

  /**
   * Tries a move that was not played.
   * @param {GameState} state
   * @param {number} ply
   * @param {string} cell
   */
  async play(state, ply, cell) {
    this.variation ??= new Variation(state, ply);
    const { variation } = this;
    const { say, onchange } = this.#handlers;
    try {
      const analysis = this.analysis ?? explain(await variation.analyse(), state.symbols);
      if (variation !== this.variation) return;
      const found = this.#moveAt(analysis, state, cell);
      if (!found) {
        if (variation.moves.length === 0) this.leave();
        return;
      }
      variation.play(analysis, found.move);
      this.analysis = null;
      playSound('place', { material: state.material });
      say(t('play.thinking'));
      onchange();
      const next = explain(await variation.analyse(), state.symbols);
      if (variation !== this.variation) return;
      this.analysis = next;
      say(bestMoveText(next, state.symbols));
      onchange();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (variation === this.variation) say(error.code === 'invalid' ? t('review.endsHere') : refusalText(error));
    }
  }

  /**
   * The move that a click on a cell means. A piece falls from anywhere in its column.
   * @param {Analysis} analysis
   * @param {GameState} state
   * @param {string} cell
   */
  #moveAt({ moves }, { rules }, cell) {
    const column = (/** @type {string} */ name) => parseCell(name)[2];
    return moves.find(({ move }) => {
      const { cell: place, mark } = parseMove(move);
      const isThere = place === cell || (place !== null && rules.gravity && rules.levels === 1 && column(place) === column(cell));
      return isThere && (mark === null || mark === this.#handlers.mark());
    });
  }

  /** Goes back to the game. */
  leave() {
    if (!this.variation) return;
    this.drop();
    this.#handlers.say('');
    this.#handlers.onchange();
  }

  /** Forgets the moves, before something else is shown. */
  drop() {
    this.variation = null;
    this.analysis = null;
  }
}
