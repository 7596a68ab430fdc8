// The pace of a game: the computer waits until a stroke is drawn, and a win is celebrated once.

import { h } from './dom.js';
import { coloursOf, DEFAULT_SYMBOLS, badge } from './pieces.js';
import { play as playSound, vibrate } from './sound.js';

/** @import { GameResult } from './api' */
/** @import { Material } from './pieces.js' */

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** How long a piece takes to be drawn, set down or dropped. @type {Record<Material, number>} */
const STROKE_MS = { paper: 330, stones: 180, discs: 480 };

/** How long the computer waits after the stroke has ended. */
const REPLY_MS = 350;
const CALM_REPLY_MS = 150;

/** Delivers messages in order, and replies to a move not before its stroke has ended. @template Message */
export class ReplyPacer {
  #deliver;
  /** @type {Message[]} */
  #waiting = [];
  #readyAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {(message: Message) => void} deliver
   */
  constructor(deliver) {
    this.#deliver = deliver;
  }

  /**
   * A piece begins to appear.
   * @param {Material} material
   */
  strokeStarts(material) {
    this.#readyAt = performance.now() + (calm.matches ? CALM_REPLY_MS : STROKE_MS[material] + REPLY_MS);
  }

  /**
   * @param {Message} message
   * @param {boolean} isReply whether it waits for the stroke
   */
  push(message, isReply) {
    const wait = isReply ? this.#readyAt - performance.now() : 0;
    if (this.#waiting.length === 0 && wait <= 0) return this.#deliver(message);
    this.#waiting.push(message);
    this.#timer ??= setTimeout(() => this.flush(), Math.max(wait, 0));
  }

  /** Delivers everything now. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const message of this.#waiting.splice(0)) this.#deliver(message);
  }
}

/** When the result sounds: after the last stroke. */
const RESULT_AFTER_S = 0.5;

/** What a phone does for a win. */
const WIN_VIBRATION_MS = [40, 60, 40];

/**
 * Sound, confetti and vibration for the result of a game that people at this screen played.
 * @param {GameResult} result
 * @param {number[]} yours their seats
 * @param {HTMLElement} element where the confetti rise
 */
export function accompanyResult({ winner = null }, yours, element) {
  const isYours = winner !== null && yours.includes(winner);
  playSound(winner === null ? 'draw' : isYours ? 'win' : 'lose', { after: RESULT_AFTER_S });
  if (!isYours) return;
  celebrate(element);
  vibrate(WIN_VIBRATION_MS);
}

const CONFETTI = 12;
const CONFETTI_MS = 1300;

/**
 * Little marks rise from an element and fade, once.
 * @param {HTMLElement} element
 */
function celebrate(element) {
  if (calm.matches) return;
  const colours = coloursOf(DEFAULT_SYMBOLS);
  const layer = h('div.confetti', { 'aria-hidden': 'true' }, Array.from({ length: CONFETTI }, (_, i) => {
    const mark = badge('paper', DEFAULT_SYMBOLS[i % 4], colours[i % 4]);
    const side = i % 2 === 0 ? -1 : 1;
    mark.style.setProperty('--x', `${50 + side * (18 + ((i * 37) % 30))}%`);
    mark.style.setProperty('--turn', `${(i * 47) % 180}deg`);
    mark.style.setProperty('--size', `${16 + (i % 3) * 5}px`);
    mark.style.setProperty('--late', `${(i * 53) % 240}ms`);
    return mark;
  }));
  element.append(layer);
  setTimeout(() => layer.remove(), CONFETTI_MS);
}
