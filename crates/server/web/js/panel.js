// The panel beside the board: players, prompts, actions, moves, invitations.

import { h, setChildren, setText } from './dom.js';
import { isResignation } from './history.js';
import { openDialog } from './page.js';
import { hasOwnMarks, moveText, parseMove } from './rules.js';
import { shareLink } from './share.js';
import { badge } from './symbols.js';
import { durationText } from './text.js';

/** @import { EndReason, PlayerCommand, PlayerView } from './api' */
/** @import { Child } from './dom.js' */
/** @import { GameState } from './state.js' */
/** @typedef {(command: PlayerCommand) => void} Send */

/** Ends that come from the board, so that a move can be taken back. @type {EndReason[]} */
const BOARD_ENDS = ['line', 'no_line', 'draw', 'repetition', 'move_limit'];

/** The sides of order and chaos. */
const SIDES = ['Order: wants a line', 'Chaos: wants none'];

/** The time below which a running clock is highlighted. */
const SHORT_TIME_MS = 10_000;

/**
 * @param {string} action
 * @param {string} text
 * @param {() => unknown} onclick
 * @param {'.primary' | ''} [kind]
 */
const button = (action, text, onclick, kind = '') => h(`button${kind}`, { type: 'button', 'data-action': action, onclick }, text);

/**
 * What waits for the player's answer.
 * @param {GameState} state
 * @param {Send} send
 * @returns {Child[]}
 */
export function prompts(state, send) {
  const { view, isPlayer, isLocal } = state;
  if (!isPlayer) return [];
  return [!isLocal && undoPrompt(state, send), view.phase === 'live' && awayPrompt(state, send), rematchPrompt(state)];
}

/**
 * @param {GameState} state
 * @param {Send} send
 */
function undoPrompt(state, send) {
  const { undo_request: undo, your_seats: yours } = state.view;
  if (!undo) return null;
  if ([undo.seat, ...undo.accepted].some((seat) => yours.includes(seat))) return h('p', {}, 'Waiting for an answer to the undo request…');
  return [h('p', {}, `${state.nameOf(undo.seat)} asks to take back a move.`),
    h('div.row', {}, button('accept', 'Accept', () => send({ type: 'answer_undo', accept: true }), '.primary'),
      button('decline', 'Decline', () => send({ type: 'answer_undo', accept: false })))];
}

/**
 * @param {GameState} state
 * @param {Send} send
 */
function awayPrompt(state, send) {
  const { players, your_seats: yours, away_ms } = state.view;
  const away = players.find((player) => player.away_since && !yours.includes(player.seat) && !player.out);
  return away && [h('p', {}, `${state.nameOf(away.seat)} is away. After ${Math.round(away_ms / 1000)} seconds you can claim the win.`),
    h('div.row', {}, button('claim', 'Claim the win', () => send({ type: 'claim' })))];
}

/**
 * @param {GameState} state
 */
function rematchPrompt(state) {
  const { phase, rematch, rematch_offers: offers, your_seats: yours } = state.view;
  if (phase !== 'finished' || rematch || offers.length === 0 || offers.some((seat) => yours.includes(seat))) return null;
  const names = offers.map((seat) => state.nameOf(seat)).join(' and ');
  return h('p', {}, `${names} ${offers.length === 1 ? 'offers' : 'offer'} a rematch.`);
}

/**
 * What the player can do. The server has the last word.
 * @param {GameState} state
 * @param {{ send: Send, hint: () => void, resign: () => void, notify: () => void }} handlers
 * @returns {Child[]}
 */
export function actions(state, { send, hint, resign, notify }) {
  const { view, isPlayer, isLocal } = state;
  const hasMoved = view.moves.some((_, i) => view.your_seats.includes(state.seatOf(i) ?? -1));
  const undo = () => button('undo', isLocal ? 'Undo' : 'Request undo', () => send({ type: 'request_undo' }));
  const abort = () => button('abort', 'Abort', () => send({ type: 'abort' }));
  const canAsk = isPlayer && !isLocal && 'Notification' in window && Notification.permission === 'default';
  const notifyButton = canAsk && button('notify', 'Notify me', notify);
  switch (view.phase) {
    case 'open':
      return [isPlayer && abort(), notifyButton];
    case 'live':
      return [
        // Nobody can agree to an undo in a rated game against a computer.
        isPlayer && hasMoved && !view.undo_request && !(view.rated && isLocal) && undo(),
        isPlayer && !view.rated && button('hint', 'Hint', hint),
        isPlayer && (view.moves.length < 2 && !isLocal ? abort() : button('resign', 'Resign', resign)),
        notifyButton,
      ];
    case 'finished': {
      const canUndo = isPlayer && hasMoved && !view.rated && !view.rematch && view.result && BOARD_ENDS.includes(view.result.reason);
      return [rematchAction(state, send), canUndo && undo(), h('a.button', { href: '/' }, 'New game')];
    }
  }
}

/**
 * @param {GameState} state
 * @param {Send} send
 */
function rematchAction({ view, isPlayer, isLocal }, send) {
  const { rematch, rematch_offers: offers, your_seats: yours } = view;
  if (rematch) {
    return h(`a.button${isPlayer ? '.primary' : ''}`, { href: `/game/${rematch}` }, isPlayer ? 'Go to the rematch' : 'Watch the rematch');
  }
  if (!isPlayer || view.moves.length === 0) return null;
  if (offers.some((seat) => yours.includes(seat))) return h('span.waiting', {}, 'Waiting for an answer…');
  const text = isLocal ? 'Play again' : offers.length ? 'Accept rematch' : 'Rematch';
  return button('rematch', text, () => send({ type: 'rematch' }), '.primary');
}

/** Names, symbols, ratings, clocks and the score of the series. */
export class PlayersPanel {
  /** @type {GameState | null} */
  #state = null;
  /** Ratings by seat: not every view has them. @type {Map<number, number>} */
  #ratings = new Map();
  element = h('ol.players', { 'aria-label': 'Players' });

  /**
   * @param {GameState} state
   */
  update(state) {
    this.#state = state;
    for (const { seat, rating } of state.view.players) if (typeof rating === 'number') this.#ratings.set(seat, rating);
    setChildren(this.element, state.view.players.map((player) => this.#row(state, player)));
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
  #row(state, player) {
    const { view, isLocal, rules } = state;
    const { seat } = player;
    const mark = state.ownMark(seat);
    const isTurn = view.turn === seat;
    const isWinner = view.result?.winner === seat;
    const name = player.name ?? (player.invited ? `waiting for ${player.invited}` : 'free seat');
    const kind = player.kind && player.kind !== 'account' && !name.toLowerCase().includes(player.kind) ? player.kind : null;
    const notes = [!isLocal && view.your_seats.includes(seat) && 'you', player.away_since && 'away', player.out && 'out', isWinner && 'winner',
      !isLocal && kind, rules.order && SIDES[seat]].filter(Boolean);
    const rating = this.#ratings.get(seat);
    const change = view.ratings?.[seat];
    return h(`li${isTurn ? '.turn' : ''}${isWinner ? '.winner' : ''}${player.name ? '' : '.free'}`, { 'data-seat': seat },
      mark !== null && badge(state.symbols[mark], mark),
      h('span.name', {},
        // The names of a local game are free text, not profiles.
        player.name && !isLocal ? h('a', { href: `/player/${encodeURIComponent(player.name)}` }, name) : h('bdi', {}, name),
        notes.length > 0 && h('small', {}, notes.join(', '))),
      change ? h('span.rating', { title: change.weight < 100 ? `Rating; the game counts ${change.weight} %` : 'Rating' }, `${change.before} → ${change.after}`)
        : rating !== undefined && h('span.rating', { title: 'Rating' }, String(rating)),
      view.series && h('span.score', { title: 'Games won in this series' }, String(view.series.wins[seat] + (isWinner ? 1 : 0))),
      view.clock && h('span.clock', { role: 'timer', 'aria-label': `Time of ${name}` }),
      isTurn && h('span.visually-hidden', {}, 'to move'));
  }

  /** Updates the clocks. */
  tick() {
    const state = this.#state;
    for (const row of /** @type {Iterable<HTMLElement>} */ (this.element.children)) {
      const clock = row.querySelector('.clock');
      if (!state || !clock) continue;
      const seat = Number(row.dataset.seat);
      const remaining = state.remainingMs(seat);
      setText(clock, durationText(remaining));
      clock.classList.toggle('short', remaining < SHORT_TIME_MS && state.view.turn === seat);
    }
  }
}

/** The moves of a game, with buttons to step through them. */
export class MoveList {
  #goTo;
  #ply = 0;
  #count = 0;
  #key = '';
  #list = h('ol.moves', { 'aria-label': 'Moves', tabindex: '0' });
  #back;
  #forward;

  /**
   * @param {(ply: number) => void} goTo shows the position after this many actions
   */
  constructor(goTo) {
    this.#goTo = goTo;
    const step = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => number} */ ply) =>
      h('button.icon', { type: 'button', 'aria-label': label, title: label, onclick: () => goTo(ply()) }, sign);
    this.#back = [step('⇤', 'First position', () => 0), step('←', 'Back', () => this.#ply - 1)];
    this.#forward = [step('→', 'Forward', () => this.#ply + 1), step('⇥', 'Last position', () => this.#count)];
    this.element = h('section.history', { 'aria-label': 'Moves' }, this.#list, h('div.steps', {}, this.#back, this.#forward));
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
    const { moves, players } = state.view;
    [this.#ply, this.#count] = [ply, moves.length];
    const key = JSON.stringify([moves, ply, losingPly, players.map((player) => player.symbol), state.hasHistory]);
    if (key === this.#key) return;
    this.#key = key;
    const hadFocus = this.#list.contains(document.activeElement) && document.activeElement !== this.#list;
    setChildren(this.#list, moves.map((move, i) => this.#row(state, move, i, losingPly === i)),
      moves.length === 0 && h('li.placeholder', {}, 'No moves yet.'));
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
   */
  #row(state, move, index, isLosing) {
    const [seat, mark] = [state.seatOf(index), state.markOf(index)];
    // A resignation and an opening choice have no mark: they show whose they are.
    const shown = mark ?? (seat === null ? null : state.ownMark(seat));
    const { cell } = parseMove(move);
    const text = isResignation(move) ? 'resigned' : cell ?? moveText(move, state.symbols);
    return h(`li${cell === null ? '.wide' : ''}`, {}, h(`button.move${isLosing ? '.losing' : ''}`, {
      type: 'button', 'aria-current': this.#ply === index + 1 ? 'step' : undefined, onclick: () => this.#goTo(index + 1),
    }, h('span.number', {}, String(index + 1)), shown !== null && badge(state.symbols[shown], shown),
    h('span.visually-hidden', {}, ` ${state.nameOf(seat)} ${shown === null ? '' : state.symbols[shown]} `),
    h('span', {}, text), isLosing && h('b', { title: 'The losing move' }, '??')));
  }
}

const gameLink = () => shareLink('Link to this game', location.origin + location.pathname);

/** For the player who has created an open game. */
export const invitation = () =>
  h('section.invite', {}, h('h2', {}, 'Invite a friend'), h('p', {}, 'Anyone who opens this link can take the free seat.'), gameLink());

export const shareGame = () => openDialog('Share this game', gameLink, 'small');

/**
 * For anyone else at an open game. A seat kept for them can be declined.
 * @param {GameState} state
 * @param {string | null} name
 * @param {{ join: (seat: number) => void, decline: () => void }} handlers
 */
export function freeSeats({ view, rules }, name, { join, decline }) {
  const kept = view.players.filter((player) => player.invited && player.invited === name);
  const free = kept.length ? kept : view.players.filter((player) => !player.name && !player.invited);
  const titles = ['No free seat', 'One free seat'];
  const side = (/** @type {PlayerView} */ { seat, symbol }) => (rules.order ? ['Order', 'Chaos'][seat] : hasOwnMarks(rules) ? symbol : `player ${seat + 1}`);
  return h('section.invite', {}, h('h2', {}, kept.length ? 'You are invited' : titles[free.length] ?? `${free.length} free seats`),
    free.length > 0 && h('p', {}, `You can play right away, without signing up.${view.rated ? ' This game is rated.' : ''}`),
    h('div.row', {}, free.map((player) =>
      button(`join-${player.seat}`, `Play as ${side(player)}`, () => join(player.seat), '.primary')),
    kept.length > 0 && button('decline', 'Decline', decline)));
}
