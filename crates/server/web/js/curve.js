// Who was ahead: the value of every position of a finished game, and the moves that gave something away.

import { ApiError } from './client.js';
import { h, svg } from './dom.js';
import { isRightToLeft, t } from './i18n.js';
import { badge, coloursOf } from './pieces.js';
import { analyse } from './review.js';
import { moveText } from './rules.js';
import { markName } from './text.js';

/** @import { AnalysisView, MoveValue } from './api' */
/** @import { GameState } from './state.js' */

/**
 * A move that gave something away: a win, a draw, or an advantage that is only estimated.
 * @typedef {{ ply: number, move: string, better: string, lost: 'win' | 'draw' | 'estimate' }} Moment
 */

const MAX_MOMENTS = 5;

/** How much worse an estimated move is than the best one to be worth a word, of 2. */
const NOTABLE_DROP = 0.5;

/** The score of an estimate that counts as half a win. */
const HALF_A_WIN = 1500;

/** Estimates stay clear of what is proven. */
const MAX_ESTIMATE = 0.9;

/** How long to wait if the server has too much to do. */
const RETRY_MS = 1500;

/**
 * What a move is worth to the player who makes it, from −1, a loss, to 1, a win.
 * @param {MoveValue} value
 */
export function worth({ kind, score }) {
  if (kind === 'win') return 1;
  if (kind === 'loss') return -1;
  if (kind === 'draw') return 0;
  const points = score ?? 0;
  return MAX_ESTIMATE * (points / (Math.abs(points) + HALF_A_WIN));
}

/**
 * The value of a position before a move and after it, to the player who made it; null if they are not known.
 * @param {AnalysisView | undefined} analysis
 * @param {string} move
 */
function beforeAndAfter(analysis, move) {
  const best = analysis?.moves.find((value) => value.move === analysis.best);
  const played = analysis?.moves.find((value) => value.move === move);
  return best && played ? { best, played } : null;
}

/**
 * The moves that gave most away, in their order.
 * @param {string[]} moves
 * @param {(AnalysisView | undefined)[]} analyses of the position before each move
 * @returns {Moment[]}
 */
export function momentsOf(moves, analyses) {
  const found = moves.flatMap((move, ply) => {
    const values = beforeAndAfter(analyses[ply], move);
    if (!values) return [];
    const { best, played } = values;
    const drop = worth(best) - worth(played);
    const isProven = best.kind !== 'estimate' && played.kind !== 'estimate';
    if (isProven ? best.kind === played.kind : drop < NOTABLE_DROP) return [];
    const lost = /** @type {Moment['lost']} */ (best.kind === 'win' || best.kind === 'draw' ? best.kind : 'estimate');
    return [{ ply, move, better: best.move, lost, drop }];
  });
  const largest = found.toSorted((a, b) => b.drop - a.drop).slice(0, MAX_MOMENTS);
  return largest.toSorted((a, b) => a.ply - b.ply).map(({ ply, move, better, lost }) => ({ ply, move, better, lost }));
}

/** The values of all positions of a game, asked for one after another. */
export class Curve {
  #state;
  #onchange;
  #signal;
  /** Of the position after each number of moves. @type {(AnalysisView | undefined)[]} */
  #analyses = [];
  #isRunning = false;
  /** How many positions are known. */
  known = 0;

  /**
   * @param {GameState} state
   * @param {() => void} onchange
   * @param {AbortSignal} signal
   */
  constructor(state, onchange, signal) {
    this.#state = state;
    this.#onchange = onchange;
    this.#signal = signal;
  }

  /**
   * Whether a game has a curve: it is over, and what one player gains the other loses.
   * @param {GameState} state
   */
  static isPossible({ view }) {
    return view.phase === 'finished' && view.players.length === 2 && view.moves.length > 0;
  }

  get isComplete() {
    return this.known >= this.#state.view.moves.length;
  }

  get moments() {
    return momentsOf(this.#state.view.moves, this.#analyses);
  }

  /** Asks for the positions from the last one on: the end of a game is solved soon, and it matters most. */
  async start() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { view, symbols } = this.#state;
    for (let ply = view.moves.length - 1; ply >= 0 && !this.#signal.aborted;) {
      try {
        this.#analyses[ply] = await analyse(view.id, ply, symbols);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 429 || error.status === 503) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          continue;
        }
      }
      ply -= 1;
      this.known += 1;
      if (!this.#signal.aborted) this.#onchange();
    }
  }

  /**
   * How far the first player is ahead after some number of moves, from −1 to 1; null if it is not known.
   * @param {number} ply
   */
  valueAt(ply) {
    const { view } = this.#state;
    if (ply >= view.moves.length) {
      const winner = view.result?.winner;
      return typeof winner === 'number' ? (winner === 0 ? 1 : -1) : 0;
    }
    const analysis = this.#analyses[ply];
    const best = analysis?.moves.find(({ move }) => move === analysis.best);
    if (!analysis || !best) return null;
    return analysis.turn === 0 ? worth(best) : -worth(best);
  }

  /**
   * Who is ahead, in words.
   * @param {number} ply
   */
  textAt(ply) {
    const value = this.valueAt(ply);
    if (value === null) return t('curve.unknown');
    const mark = value > 0 ? 0 : 1;
    const symbol = markName(this.#state.material, mark, this.#state.symbols[mark]);
    const size = Math.abs(value);
    if (size > MAX_ESTIMATE * 0.95) return t('curve.winning', { symbol });
    if (size > 0.5) return t('curve.better', { symbol });
    return size > 0.2 ? t('curve.slightly', { symbol }) : t('curve.even');
  }
}

const WIDTH = 320;
const HEIGHT = 84;
/** What is even still has a bar. */
const MIN_BAR = 2;

/**
 * The curve with the moves that mattered below it. One bar a position: a click or the arrow keys lead there.
 * @param {GameState} state
 * @param {Curve} curve
 * @param {number} ply the position shown
 * @param {(ply: number) => void} goTo
 */
export function curveSection(state, curve, ply, goTo) {
  const { moves } = state.view;
  const colours = coloursOf(state.symbols);
  const { moments } = curve;
  const count = moves.length + 1;
  const step = WIDTH / count;
  const bars = Array.from({ length: count }, (_, i) => {
    const value = curve.valueAt(i);
    const isMoment = moments.some((moment) => moment.ply + 1 === i);
    const size = Math.max(MIN_BAR, Math.abs(value ?? 0) * HEIGHT / 2);
    const gap = Math.min(2, step / 4);
    return [
      i === ply && svg('rect.here', { x: i * step, y: 0, width: step, height: HEIGHT, rx: Math.min(6, step / 3) }),
      value !== null && svg(`rect.bar${isMoment ? '.mistake' : ''}`, {
        x: i * step + gap, width: Math.max(step - 2 * gap, 0.5), y: value > 0 ? HEIGHT / 2 - size : HEIGHT / 2, height: size, rx: Math.min(2, step / 4),
      }),
    ];
  });
  const slider = h('div.curve', {
    role: 'slider', tabindex: '0', 'data-action': 'curve', 'aria-label': t('curve.title'), 'aria-valuemin': '0', 'aria-valuemax': String(moves.length), 'aria-valuenow': String(ply),
    'aria-valuetext': t('curve.at', { number: ply, who: curve.textAt(ply) }),
    onclick: (event) => {
      const { left, width } = slider.getBoundingClientRect();
      goTo(Math.min(Math.max(Math.floor((event.clientX - left) / width * count), 0), moves.length));
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const forward = isRightToLeft() ? -1 : 1;
      const to = { ArrowLeft: ply - forward, ArrowRight: ply + forward, ArrowDown: ply - 1, ArrowUp: ply + 1, Home: 0, End: moves.length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      goTo(to);
    },
  }, svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, bars, svg('path.middle', { d: `M0 ${HEIGHT / 2}H${WIDTH}` })));
  const side = (/** @type {number} */ seat) => badge(state.material, state.symbols[seat], colours[seat]);
  return h('div.card.who-ahead', {},
    h('div.card-head', {}, h('h2', {}, t('curve.title')), h('small', {}, curve.textAt(ply))),
    h('div.curve-row', {}, h('div.curve-sides', { 'aria-hidden': 'true' }, side(0), side(1)), slider),
    moments.length > 0 && [h('h3', {}, t('moment.title')), h('ul.moments', {}, moments.map((moment) => {
      const seat = state.seatOf(moment.ply);
      const values = { move: moveText(moment.move, state.symbols), better: moveText(moment.better, state.symbols) };
      return h('li', {}, h('button', { type: 'button', 'data-action': `moment-${moment.ply}`, onclick: () => goTo(moment.ply) },
        seat !== null && side(seat), h('span', {}, t(`moment.${moment.lost}`, values))));
    }))],
    curve.isComplete ? moments.length === 0 && h('p.placeholder', {}, t('moment.none')) : h('p.placeholder', {}, t('curve.loading')));
}
