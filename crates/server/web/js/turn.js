// What the player to move can choose besides a cell: the mark, or a side in the opening.

import { h, radioGroup, setChildren } from './dom.js';
import { t } from './i18n.js';
import { badge, coloursOf } from './pieces.js';
import { hasChoiceOfMark } from './rules.js';
import { choiceText } from './text.js';

/** @import { Rules } from './rules.js' */
/** @import { GameState } from './state.js' */

export class TurnControls {
  #handlers;
  #hasMarks;
  /** The mark to place, where the mover chooses. */
  mark = 0;
  #key = '';
  element = h('div.turn-controls');

  /**
   * @param {Rules} rules
   * @param {{ onmark: () => void, onchoice: (choice: string) => void }} handlers
   */
  constructor(rules, handlers) {
    this.#handlers = handlers;
    this.#hasMarks = hasChoiceOfMark(rules);
  }

  /**
   * @param {GameState} state
   * @param {{ isLatest: boolean, hint: string | null }} shown
   */
  update(state, { isLatest, hint }) {
    const { view, isPlayer, isYourTurn, isOpening, choices, symbols } = state;
    // Their place is kept, so that the board stays where it is.
    this.element.hidden = !this.#hasMarks && !isOpening;
    const showsMarks = this.#hasMarks && isPlayer && isLatest && view.phase === 'live';
    const offered = isYourTurn && isLatest ? choices : [];
    const key = JSON.stringify([showsMarks, offered, view.turn, hint, symbols]);
    if (key === this.#key) return;
    this.#key = key;
    setChildren(this.element,
      showsMarks && radioGroup(t('play.markToPlace'), symbols.slice(0, 2).map((symbol, mark) => [String(mark), [badge('paper', symbol, coloursOf(symbols)[mark]), h('span', {}, symbol)]]),
        String(this.mark), (mark) => this.choose(Number(mark))),
      offered.map((choice) => h(`button${hint === choice ? '.hinted' : ''}`, {
        type: 'button', 'data-choice': choice, onclick: () => this.#handlers.onchoice(choice),
      }, choiceText(state, choice))));
  }

  /**
   * @param {number} mark
   */
  choose(mark) {
    this.mark = mark;
    const input = this.element.querySelector(`input[value="${mark}"]`);
    if (input instanceof HTMLInputElement) input.checked = true;
    this.#handlers.onmark();
  }
}
