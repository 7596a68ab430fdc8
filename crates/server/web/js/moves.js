// The moves of a game, with buttons to step through them.

import { h, setChildren } from './dom.js';
import { isResignation } from './history.js';
import { t } from './i18n.js';
import { glyph } from './icons.js';
import { badge, coloursOf } from './pieces.js';
import { moveText, parseMove } from './rules.js';

/** @import { GameState } from './state.js' */
/** @import { MessageKey } from './i18n.js' */

export class MoveList {
  #goTo;
  #ply = 0;
  #count = 0;
  #key = '';
  #list = h('ol.moves', { 'aria-label': t('moves.title') });
  #tag = h('small');
  #back;
  #forward;

  /**
   * @param {(ply: number) => void} goTo shows the position after this many actions
   */
  constructor(goTo) {
    this.#goTo = goTo;
    const step = (/** @type {'first' | 'back' | 'next' | 'last'} */ icon, /** @type {MessageKey} */ label, /** @type {() => number} */ ply) =>
      h('button.icon', { type: 'button', 'aria-label': t(label), title: t(label), onclick: () => goTo(ply()) }, glyph(icon));
    this.#back = [step('first', 'moves.first', () => 0), step('back', 'moves.back', () => this.#ply - 1)];
    this.#forward = [step('next', 'moves.forward', () => this.#ply + 1), step('last', 'moves.last', () => this.#count)];
    this.element = h('section.history.card', { 'aria-label': t('moves.title') },
      h('div.card-head', {}, h('h2', {}, t('moves.title')), this.#tag), this.#list, h('div.steps', {}, this.#back, this.#forward));
    this.#list.addEventListener('keydown', (event) => {
      const ply = { ArrowUp: this.#ply - 1, ArrowDown: this.#ply + 1, Home: 0, End: this.#count }[event.key];
      if (ply === undefined) return;
      event.preventDefault();
      goTo(ply);
      this.#current?.focus();
    });
  }

  /** @returns {HTMLElement | null} */
  get #current() {
    return this.#list.querySelector('[aria-current]');
  }

  /**
   * @param {GameState} state
   * @param {number} ply
   * @param {number | undefined} losingPly
   */
  update(state, ply, losingPly) {
    const { moves, players, rated } = state.view;
    [this.#ply, this.#count] = [ply, moves.length];
    const key = JSON.stringify([moves, ply, losingPly, players.map((player) => player.symbol), state.hasHistory, state.isYourTurn]);
    if (key === this.#key) return;
    this.#key = key;
    const hadFocus = this.#list.contains(document.activeElement);
    const inPairs = players.length === 2 && state.rules.stones === 1;
    this.#list.classList.toggle('pairs', inPairs);
    setChildren(this.#tag, t(rated ? 'play.rated' : 'play.casual'));
    setChildren(this.#list, moves.map((move, i) => this.#row(state, move, i, losingPly === i, inPairs)),
      moves.length === 0 && h('li.placeholder', {}, t(state.isYourTurn && !state.isLocal ? 'moves.none' : 'moves.noneYet')));
    for (const button of this.#back) button.disabled = ply === 0;
    for (const button of this.#forward) button.disabled = ply === moves.length;
    const current = this.#current;
    // Scrolls the list alone, not the page.
    this.#list.scrollTop = current ? current.offsetTop - this.#list.clientHeight / 2 : 0;
    if (hadFocus) current?.focus({ preventScroll: true });
  }

  /**
   * @param {GameState} state
   * @param {string} move
   * @param {number} index
   * @param {boolean} isLosing
   * @param {boolean} inPairs
   */
  #row(state, move, index, isLosing, inPairs) {
    const [seat, mark] = [state.seatOf(index), state.markOf(index)];
    // A resignation and an opening choice have no mark: they show whose they are.
    const shown = mark ?? (seat === null ? null : state.ownMark(seat));
    const { cell } = parseMove(move);
    const text = isResignation(move) ? t(`move.${state.exitReason(index)}`) : cell ?? moveText(move, state.symbols);
    const isCurrent = this.#ply === index + 1;
    const number = inPairs ? Math.floor(index / 2) + 1 : index + 1;
    const isNumbered = !inPairs || index % 2 === 0;
    return h(`li${cell === null ? '.wide' : ''}`, {}, h(`button.move${isLosing ? '.losing' : ''}`, {
      type: 'button', 'aria-current': isCurrent ? 'step' : undefined,
      // The list is one tab stop: arrow keys go from move to move.
      tabindex: isCurrent || (this.#ply === 0 && index === 0) ? 0 : -1, onclick: () => this.#goTo(index + 1),
    }, isNumbered ? h('span.number', {}, String(number)) : h('span.number'), shown !== null && badge(state.material, state.symbols[shown], coloursOf(state.symbols)[shown]),
    h('span.visually-hidden', {}, ` ${state.nameOf(seat)} ${shown === null ? '' : state.symbols[shown]} `),
    h('span.where', {}, text), isLosing && h('b', { title: t('moves.mistake') }, '?')));
  }
}
