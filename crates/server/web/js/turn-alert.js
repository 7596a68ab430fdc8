// Telling players that it is their turn, and that the computer is thinking.

import { t } from './i18n.js';
import { rulesName } from './rules.js';
import { play as playSound } from './sound.js';

/** @import { GameState } from './state.js' */

/** After how long the page says that the computer is thinking. */
const THINKING_AFTER_MS = 600;

/** Shows in the title, and by a bell and a notification if the tab is hidden, that it is the player's turn. */
export class TurnAlert {
  #wasAwaited = false;

  /**
   * @param {GameState} state
   */
  update({ view, isAwaited }) {
    const name = rulesName(view.rules);
    document.title = `${isAwaited ? t('play.yourTurnTitle', { game: name }) : name} · Noughts`;
    if (isAwaited && !this.#wasAwaited && document.hidden) {
      playSound('bell');
      if ('Notification' in window && Notification.permission === 'granted') new Notification(t('play.yourTurn'), { body: name, tag: view.id });
    }
    this.#wasAwaited = isAwaited;
  }
}

/** Notices when the computer thinks long enough to say so. */
export class ThinkingNotice {
  isShown = false;
  #onchange;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => void} onchange
   */
  constructor(onchange) {
    this.#onchange = onchange;
  }

  /**
   * @param {GameState} state
   */
  update({ view: { turn, players, phase } }) {
    if (phase !== 'live' || typeof turn !== 'number' || players[turn].kind !== 'computer') return this.stop();
    this.#timer ??= setTimeout(() => {
      this.isShown = true;
      this.#onchange();
    }, THINKING_AFTER_MS);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.isShown = false;
  }
}
