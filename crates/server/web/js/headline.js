// What is said above the board: whose turn it is, what happened, what is asked, and how the connection is.

import { h, setText } from './dom.js';
import { t } from './i18n.js';
import { announce } from './page.js';
import { question } from './panel.js';
import { countdownText, statusOf } from './text.js';

/** @import { LosingMove } from './api' */
/** @import { ConnectionState } from './game-socket.js' */
/** @import { Child } from './dom.js' */
/** @import { Send } from './panel.js' */
/** @import { GameState } from './state.js' */

/**
 * What the headline is about. `ply` is the number of actions shown, and `analysis` what the analysis of the position says.
 * @typedef {{
 *   state: GameState, ply: number, isLatest: boolean, losing: LosingMove | null | undefined,
 *   isThinking: boolean, isVariation: boolean, analysis: string,
 * }} Shown
 */

export class Headline {
  #shown;
  #send;
  #replace;
  /** What the page says until something else happens. */
  #message = '';
  #isError = false;
  /** @type {ConnectionState | 'connecting'} */
  #connectionState = 'connecting';
  #isConnectionLost = false;
  /** Whether the session has ended elsewhere: from then on this page only watches. */
  #isSignedOut = false;
  #status = h('p.status');
  #note = h('p.note');
  #question = h('div.question');
  element = h('div.headline', {}, this.#status, this.#note, this.#question);
  /** For the head of the screen. */
  connection = h('span.connection');

  /**
   * @param {{ shown: () => Shown, send: Send, replace: (element: HTMLElement, children: Child[]) => void }} handlers `replace`
   *   replaces controls and looks after the focus
   */
  constructor({ shown, send, replace }) {
    this.#shown = shown;
    this.#send = send;
    this.#replace = replace;
  }

  /**
   * Says something until something else happens.
   * @param {string} text
   * @param {{ isError?: boolean }} [options]
   */
  say(text, { isError = false } = {}) {
    this.replaceMessage(text, { isError });
    if (text) announce(text);
    this.render();
  }

  /**
   * Sets what the next rendering says, without speaking.
   * @param {string} text
   * @param {{ isError?: boolean }} [options]
   */
  replaceMessage(text, { isError = false } = {}) {
    this.#message = text;
    this.#isError = isError && text !== '';
  }

  /** The player sits at the board again. */
  signedIn() {
    this.#isSignedOut = false;
  }

  render() {
    const { state, ply, isLatest, losing, isThinking, isVariation, analysis } = this.#shown();
    const { view } = state;
    const asked = question(state, this.#send);
    const status = isLatest ? statusOf(state, losing)
      : { title: t('moves.position', { number: ply, total: view.moves.length }), detail: '' };
    if (isLatest && isThinking) status.title = t('turn.thinking');
    if (isVariation) status.title = t('review.whatIf');
    const lost = this.#isSignedOut ? t('play.signedOut') : this.#connectionState === 'closed' ? t('play.noConnection') : '';
    setText(this.#status, status.title);
    setText(this.#note, lost || this.#message || analysis || [status.detail, isLatest && firstMoveText(state), isLatest && ratingText(state)].filter(Boolean).join(' '));
    this.#note.classList.toggle('error', lost !== '' || this.#isError);
    this.element.classList.toggle('won', isLatest && view.result !== null && view.result !== undefined);
    this.element.classList.toggle('asked', asked !== null && asked.answers.length > 0);
    this.#replace(this.#question, asked && asked.answers.length > 0 ? [h('p', {}, asked.text), h('div.answers', {}, asked.answers)] : []);
    if (asked && asked.answers.length === 0 && !this.#message && !lost) setText(this.#note, asked.text);
  }

  /**
   * @param {ConnectionState} connection
   * @returns {boolean} whether the connection is back after it was lost
   */
  showConnection(connection) {
    this.#connectionState = connection;
    if (connection === 'signed-out') this.#isSignedOut = true;
    this.connection.dataset.state = connection;
    setText(this.connection, connection === 'open' ? '' : t('play.connecting'));
    const isBack = connection === 'open' && this.#isConnectionLost;
    if (connection !== 'open') {
      if (!this.#isConnectionLost) announce(connection === 'signed-out' ? t('play.signedOut') : t('play.noConnection'));
      this.#isConnectionLost = true;
    } else if (isBack) {
      this.#isConnectionLost = false;
      announce(t('play.backOnline'));
    }
    this.render();
    return isBack;
  }
}

/**
 * In a tournament, the first move has a time limit of its own.
 * @param {GameState} state
 */
function firstMoveText({ view, isYourTurn }) {
  const { clock } = view;
  return isYourTurn && clock?.first_move_deadline ? t('tournament.firstMove', { time: countdownText(clock.first_move_deadline - clock.at) }) : '';
}

/**
 * How the rating of the player at this screen has changed.
 * @param {GameState} state
 */
function ratingText({ view }) {
  const [seat] = view.your_seats;
  const change = view.your_seats.length === 1 && view.ratings?.[seat];
  return change ? t('end.rating', { before: String(change.before), after: String(change.after) }) : '';
}
