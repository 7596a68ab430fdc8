// A game as this page knows it: the server's view, and every update since.

import { applyUpdate } from './fold.js';
import { History } from './history.js';
import { t } from './i18n.js';
import { materialOf } from './pieces.js';
import { parseCell, parseMove, parseRules } from './rules.js';

/** @import { GameUpdate, GameView, TurnDetails } from './api' */

export class GameState {
  /** When the clocks were received, by this page's own clock. */
  #clockReceived = 0;
  #history = new History([]);

  /**
   * @param {GameView} view
   * @param {GameUpdate[]} updates all updates of the game
   */
  constructor(view, updates) {
    this.view = view;
    this.rules = parseRules(view.rules);
    this.material = materialOf(this.rules);
    this.replace(view);
    this.replaceHistory(updates);
  }

  /**
   * @param {GameView} view
   */
  replace(view) {
    this.view = view;
    this.#clockReceived = performance.now();
  }

  /**
   * @param {GameUpdate[]} updates all updates of the game
   */
  replaceHistory(updates) {
    this.#history = new History(updates);
  }

  /** Whether the history is that of the view. It is not after a view that skipped updates. */
  get hasHistory() {
    const { plies } = this.#history;
    return plies.length === this.view.moves.length && plies.every(({ action }, i) => action === this.view.moves[i]);
  }

  /**
   * @param {GameUpdate} update
   */
  apply(update) {
    applyUpdate(this.view, update);
    this.#history.add(update);
    if (update.clock) this.#clockReceived = performance.now();
  }

  /**
   * What stands on each cell after some number of actions.
   * @param {number} ply
   * @returns {(cell: string) => number | null}
   */
  boardAt(ply) {
    const { board, moves } = this.view;
    if (ply === moves.length) {
      return (cell) => {
        const [level, row, col] = parseCell(cell);
        return board[level][row][col];
      };
    }
    /** @type {Map<string, number | null>} */
    const marks = new Map();
    for (const { cells } of this.#history.plies.slice(0, ply)) for (const { cell, mark } of cells) marks.set(cell, mark ?? null);
    return (cell) => marks.get(cell) ?? null;
  }

  /**
   * What else was shown after some number of actions.
   * @param {number} ply
   * @returns {TurnDetails | null}
   */
  detailsAt(ply) {
    if (ply === this.view.moves.length) return this.view.details;
    return ply === 0 ? this.#history.start : this.#history.plies[ply - 1]?.details ?? null;
  }

  /**
   * The seat that did the action at an index; null while the history is not known.
   * @param {number} index
   */
  seatOf(index) {
    return this.#history.plies[index]?.seat ?? null;
  }

  /**
   * Why the player of the action at an index left the game by it.
   * @param {number} index
   */
  exitReason(index) {
    return this.#history.plies[index]?.reason ?? 'resigned';
  }

  /**
   * The mark that the action at an index placed; null if it placed none.
   * @param {number} index
   */
  markOf(index) {
    const ply = this.#history.plies[index];
    if (!ply) return null;
    const { cell, mark } = parseMove(ply.action);
    return mark ?? ply.cells.find((change) => change.cell === cell)?.mark ?? null;
  }

  /**
   * The mark of a seat; null if no mark is its own. An opening swap exchanges them.
   * @param {number} seat
   */
  ownMark(seat) {
    const mark = this.view.details.owners.indexOf(seat);
    return mark < 0 ? null : mark;
  }

  /**
   * The mark the next move places, where the mover has no choice.
   */
  get markToPlace() {
    const { turn, moves } = this.view;
    if (typeof turn !== 'number') return null;
    if (this.isOpening) return moves.filter((move) => parseMove(move).cell).length % 2;
    return this.rules.notakto ? 0 : this.ownMark(turn);
  }

  /** Whether stones of both colours are placed in turn, until somebody chooses a side. */
  get isOpening() {
    const { moves } = this.view;
    return this.rules.opening !== '' && !moves.includes('swap') && !moves.includes('keep');
  }

  /** The opening choices of the seat to move. */
  get choices() {
    return this.view.legal.filter((move) => parseMove(move).cell === null);
  }

  /**
   * The symbols of the marks.
   */
  get symbols() {
    return this.view.players.map((player) => player.symbol);
  }

  /**
   * The name of a seat in a sentence.
   * @param {number | null} seat
   */
  nameOf(seat) {
    if (seat === null) return t('play.somebody');
    const { name, invited, kind } = this.view.players[seat];
    if (kind === 'computer') return this.#computerName(seat) ?? t('play.theComputer');
    return name ?? invited ?? t('player.number', { number: seat + 1 });
  }

  /**
   * The name of a seat on its own.
   * @param {number} seat
   */
  cardName(seat) {
    const { name, invited, kind } = this.view.players[seat];
    if (this.isYou(seat)) return t('play.you');
    if (kind === 'computer') return this.#computerName(seat) ?? t('play.computer');
    return name ?? invited ?? t('play.freeSeat');
  }

  /**
   * A number tells several computers apart.
   * @param {number} seat
   */
  #computerName(seat) {
    const computers = this.view.players.filter(({ kind }) => kind === 'computer').map((player) => player.seat);
    return computers.length > 1 ? t('play.computerNumber', { number: computers.indexOf(seat) + 1 }) : null;
  }

  /**
   * Milliseconds left on a seat's clock.
   * @param {number} seat
   */
  remainingMs(seat) {
    const { clock, turn } = this.view;
    if (!clock) return 0;
    const elapsed = turn === seat && clock.deadline ? performance.now() - this.#clockReceived : 0;
    return Math.max(clock.remaining_ms[seat] - elapsed, 0);
  }

  /** Whether this page holds a seat. */
  get isPlayer() {
    return this.view.your_seats.length > 0;
  }

  /** Whether everyone plays on this screen. */
  get isLocal() {
    const { players, your_seats: yours } = this.view;
    return this.isPlayer && players.every((player) => player.kind === 'computer' || yours.includes(player.seat));
  }

  /**
   * Whether a seat is the only one held by this page, so that its player is "you".
   * @param {number | null} seat
   */
  isYou(seat) {
    return this.view.your_seats.length === 1 && this.view.your_seats[0] === seat;
  }

  get isYourTurn() {
    const { turn, your_seats: yours } = this.view;
    return typeof turn === 'number' && yours.includes(turn);
  }

  /** Whether others wait for this page, and not for the other player at this screen. */
  get isAwaited() {
    return this.isYourTurn && !(this.isLocal && this.view.your_seats.length > 1);
  }
}
