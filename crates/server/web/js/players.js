// The players above the board: pieces, names, ratings, clocks, and whose turn it is.

import { avatar } from './avatar.js';
import { h, setChildren, setText } from './dom.js';
import { t } from './i18n.js';
import { badge, coloursOf } from './pieces.js';
import { durationText } from './text.js';

/** @import { PlayerView } from './api' */
/** @import { GameState } from './state.js' */

/** The time below which a running clock is highlighted. */
const SHORT_TIME_MS = 20_000;

/** How long what a player says is seen. */
const BUBBLE_MS = 4000;

/** The last seconds tick. */
const TICKING_MS = 10_000;

export class PlayersPanel {
  /** @type {GameState | null} */
  #state = null;
  /** Ratings by seat: not every view has them. @type {Map<number, number>} */
  #ratings = new Map();
  #onsecond;
  #lastSecond = 0;
  #key = '';
  element = h('ol.players', { 'aria-label': t('play.players') });

  /**
   * @param {() => void} onsecond is called in each of the last seconds of a player at this screen
   */
  constructor(onsecond) {
    this.#onsecond = onsecond;
  }

  /**
   * @param {GameState} state
   */
  update(state) {
    const { view } = state;
    for (const { seat, rating } of view.players) {
      if (typeof rating === 'number') this.#ratings.set(seat, rating);
    }
    this.#state = state;
    const key = JSON.stringify([view.players, view.turn, view.result, view.your_seats, view.details.owners, this.ratings, view.ratings]);
    if (key !== this.#key) {
      this.#key = key;
      const count = view.players.length;
      this.element.className = `players${count > 3 ? ' many' : count === 3 ? ' three' : ''}`;
      setChildren(this.element, view.players.map((player) => this.#card(state, player)));
    }
    this.tick();
  }

  /** All known ratings, to be compared. */
  get ratings() {
    return JSON.stringify([...this.#ratings]);
  }

  /**
   * @param {GameState} state
   * @param {PlayerView} player
   */
  #card(state, player) {
    const { view, isLocal, symbols, material } = state;
    const { seat } = player;
    const mark = state.ownMark(seat);
    const isTurn = view.turn === seat;
    const isWinner = view.result?.winner === seat;
    const isFree = !player.name;
    const name = state.cardName(seat);
    const classes = [isTurn && '.turn', isWinner && '.winner', isFree && '.free', player.away_since && '.away'].filter(Boolean).join('');
    // The names of a local game are free text, not profiles.
    const hasProfile = player.name && player.kind !== 'computer' && player.kind !== 'guest' && !isLocal;
    return h(`li${classes}`, { 'data-seat': seat },
      mark !== null && badge(material, symbols[mark], coloursOf(symbols)[mark]),
      h('span.name', {},
        hasProfile ? h('a', { href: `/player/${encodeURIComponent(player.name ?? '')}` }, h('bdi', {}, name)) : h('bdi', {}, name),
        h('small', {}, this.#secondLine(state, player)),
        isTurn && h('span.visually-hidden', {}, ` ${t('play.toMove')}`), isWinner && h('span.visually-hidden', {}, ` ${t('play.winner')}`)),
      view.clock ? h('span.clock', { role: 'timer', 'aria-label': t('play.timeOf', { name }) })
        : !isFree && view.players.length === 2 && avatar(player.name ?? '', player.kind ?? null, isLocal));
  }

  /**
   * @param {GameState} state
   * @param {PlayerView} player
   */
  #secondLine(state, player) {
    const { view, rules, isLocal } = state;
    const { seat } = player;
    if (!player.name) return player.invited ? t('play.invitedSeat') : t('play.notHere');
    const rating = this.#ratings.get(seat);
    const change = view.ratings?.[seat];
    const isComputer = player.kind === 'computer';
    const parts = [
      rules.order && t(seat === 0 ? 'play.orderSide' : 'play.chaosSide'),
      player.out && t('play.out'), player.away_since && t('play.away'),
      state.isYou(seat) && !isLocal && !rating && player.name,
      isComputer && player.level && t(`level.${player.level}`),
      player.kind === 'bot' && t('play.bot'),
      change ? t(change.weight < 100 ? 'play.partialRating' : 'play.rating', { rating: String(change.after), change: signed(change.after - change.before), weight: change.weight })
        : typeof rating === 'number' && String(rating),
    ].filter((part) => typeof part === 'string');
    if (view.clock && !state.isYou(seat) && parts.length === 0 && player.kind === 'guest' && !isLocal) return t('play.guest');
    return parts.join(' · ');
  }

  /**
   * Shows for a moment what a player says.
   * @param {number} seat
   * @param {string} text
   */
  say(seat, text) {
    const card = this.element.querySelector(`[data-seat="${seat}"]`);
    card?.querySelector('.bubble')?.remove();
    const bubble = h('span.bubble', { 'aria-hidden': 'true' }, text);
    card?.append(bubble);
    setTimeout(() => bubble.remove(), BUBBLE_MS);
  }

  /** Updates the clocks. */
  tick() {
    const state = this.#state;
    if (!state?.view.clock) return;
    for (const card of /** @type {Iterable<HTMLElement>} */ (this.element.children)) {
      const clock = card.querySelector('.clock');
      if (!clock) continue;
      const seat = Number(card.dataset.seat);
      const remaining = state.remainingMs(seat);
      setText(clock, durationText(remaining));
      const isRunning = state.view.turn === seat;
      card.classList.toggle('hurry', remaining < SHORT_TIME_MS && isRunning);
      const second = Math.ceil(remaining / 1000);
      if (isRunning && state.isYou(seat) && remaining < TICKING_MS && remaining > 0 && second !== this.#lastSecond) {
        this.#lastSecond = second;
        this.#onsecond();
      }
    }
  }
}

const signed = (/** @type {number} */ n) => (n < 0 ? `−${-n}` : `+${n}`);
