// Looking back at a game on its screen: the position that is shown, what it is worth, and moves that are tried.

import { Curve, curveSection } from './curve.js';
import { Exploration } from './exploration.js';
import { t } from './i18n.js';
import { announce, replaceAddress } from './page.js';
import { continueFrom, losingMove, PositionAnalysis, reviewSection } from './review.js';
import { parseMove } from './rules.js';
import { actionText } from './text.js';

/** @import { LosingMove } from './api' */
/** @import { Verdict } from './overlay.js' */
/** @import { GameState } from './state.js' */

export class GameReview {
  #state;
  #signal;
  #handlers;
  /** The number of actions shown while looking back; null shows the latest position. @type {number | null} */
  #ply = null;
  /** Who was ahead, once it was asked for. @type {Curve | null} */
  #curve = null;
  /** The move that lost the game. Undefined until the server was asked. @type {LosingMove | null | undefined} */
  losing;
  analysis;
  exploration;

  /**
   * @param {GameState} state
   * @param {AbortSignal} signal aborts when the screen is left
   * @param {{ onchange: () => void, onprogress: () => void, say: (text: string) => void, mark: () => number }} handlers
   *   `onprogress` tells that more of the curve is known
   */
  constructor(state, signal, handlers) {
    this.#state = state;
    this.#signal = signal;
    this.#handlers = handlers;
    const onchange = () => !signal.aborted && handlers.onchange();
    this.analysis = new PositionAnalysis({ shown: () => ({ state, ply: this.ply }), onchange });
    this.exploration = new Exploration({ say: handlers.say, onchange, mark: handlers.mark });
    const ply = new URLSearchParams(location.search).get('ply');
    if (ply !== null && /^\d+$/.test(ply) && Number(ply) < state.view.moves.length) this.#ply = Number(ply);
  }

  /** The number of actions shown. */
  get ply() {
    return this.#ply ?? this.#state.view.moves.length;
  }

  /** Whether an earlier position is shown than the latest. */
  get isLookingBack() {
    return this.#ply !== null;
  }

  /** Whether the screen is about what has been, rather than what comes. */
  get isOpen() {
    return this.#state.view.phase === 'finished' || this.isLookingBack;
  }

  /** What `section` depends on. */
  get key() {
    return [this.isOpen && this.ply, this.analysis.isOn, this.analysis.text, this.losing, this.#curve?.known];
  }

  /**
   * The best moves, and the move of the game if it was the losing one.
   * @returns {Map<string, Verdict> | null}
   */
  get verdicts() {
    if (this.exploration.variation) return this.exploration.analysis?.verdicts ?? null;
    const verdicts = new Map(this.analysis.result?.verdicts);
    const { cell } = parseMove(this.losing?.move ?? '');
    if (this.analysis.isOn && this.losing?.ply === this.ply && cell) verdicts.set(cell, 'mistake');
    return verdicts;
  }

  /** What the moves to cells are worth, in words. */
  get words() {
    return (this.exploration.variation ? this.exploration.analysis : this.analysis.result)?.words;
  }

  /** What is beside the board. */
  section() {
    const state = this.#state;
    if (this.analysis.isOn && Curve.isPossible(state)) {
      this.#curve ??= new Curve(state, this.#handlers.onprogress, this.#signal);
      this.#curve.start();
    }
    return reviewSection(state, {
      ply: this.ply,
      losing: this.losing ?? null,
      analysis: this.analysis,
      goTo: (ply) => this.goTo(ply),
      toggleAnalysis: () => this.analysis.toggle(),
      continueHere: () => continueFrom(state, this.ply),
      curve: this.#curve && curveSection(state, this.#curve, this.ply, (ply) => this.goTo(ply)),
    });
  }

  async findLosingMove() {
    const { id, phase, players, result } = this.#state.view;
    if (phase !== 'finished' || this.losing !== undefined || players.length !== 2) return;
    if (result?.reason !== 'line' && result?.reason !== 'no_line') return;
    this.losing = null;
    this.losing = await losingMove(id);
    if (this.losing && !this.#signal.aborted) this.#handlers.onchange();
  }

  /** Goes to the move that decided the game, or to the last one, and shows what was better. */
  start() {
    this.analysis.isOn = true;
    this.goTo(this.losing?.ply ?? this.#state.view.moves.length - 1);
  }

  /**
   * Shows the position after this many actions.
   * @param {number} ply
   */
  goTo(ply) {
    const state = this.#state;
    const { id, moves } = state.view;
    const wanted = Math.min(Math.max(ply, 0), moves.length);
    this.#ply = wanted === moves.length ? null : wanted;
    this.exploration.drop();
    this.#handlers.say('');
    replaceAddress(this.#ply === null ? `/game/${id}` : `/game/${id}?ply=${wanted}`);
    const move = moves[wanted - 1];
    announce(move ? t('moves.at', { number: wanted, name: state.nameOf(state.seatOf(wanted - 1)), move: actionText(state, wanted - 1) }) : t('moves.start'));
    this.analysis.update();
  }

  goToLatest() {
    this.goTo(this.#state.view.moves.length);
  }

  /** Goes back from a variation to the game, or from an earlier position to the latest. Returns whether there was a way back. */
  goBack() {
    if (this.exploration.variation) this.exploration.leave();
    else if (this.isLookingBack) this.goToLatest();
    else return false;
    return true;
  }

  /**
   * Tries a move that was not played. Where none can be tried, the click leads back to the game.
   * @param {string} cell
   */
  tryMove(cell) {
    if (Exploration.isPossible(this.#state, this.ply)) this.exploration.play(this.#state, this.ply, cell);
    else this.goToLatest();
  }

  /** A move was taken back: what was known about the game is no longer so. */
  reset() {
    this.#ply = null;
    this.losing = undefined;
    this.#curve = null;
    this.analysis.switchOff();
  }
}
