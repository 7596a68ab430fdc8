// Games that are being played, as cards with their boards.

import { Board } from './board.js';
import { getAnonymously, path } from './client.js';
import { h, setChildren } from './dom.js';
import { t } from './i18n.js';
import { badge, coloursOf } from './pieces.js';
import { parseMove, rulesName } from './rules.js';
import { GameState } from './state.js';
import { boardLabel } from './text.js';

/** @import { GameSummary, GameView } from './api' */

/** As many boards are drawn; other games are a line in the list below. */
export const MAX_BOARDS = 8;

export class LiveGames {
  element = h('ul.live-games');
  /** The cards by game, and when each was last drawn. @type {Map<string, { card: HTMLElement, updatedAt: number }>} */
  #cards = new Map();

  /**
   * Shows these games. Only those that have gone on are asked for.
   * @param {GameSummary[]} games
   * @param {(game: GameSummary) => string} action what the link to a game does, in a word
   */
  async update(games, action) {
    const changed = games.filter(({ id, updated_at: updatedAt }) => this.#cards.get(id)?.updatedAt !== updatedAt);
    await Promise.all(changed.map(async (game) => {
      /** @type {GameView | null} */
      const view = await getAnonymously(path('games', game.id)).catch(() => null);
      if (view) this.#draw(view, game.updated_at, action(game));
    }));
    const ids = new Set(games.map(({ id }) => id));
    for (const id of this.#cards.keys()) if (!ids.has(id)) this.#cards.delete(id);
    const cards = games.flatMap(({ id }) => this.#cards.get(id)?.card ?? []);
    const isSame = cards.length === this.element.children.length && cards.every((card, i) => card === this.element.children[i]);
    if (!isSame) this.element.replaceChildren(...cards);
    this.element.hidden = cards.length === 0;
  }

  /**
   * Draws a card, in place of what was on it, so that it keeps the focus.
   * @param {GameView} view
   * @param {number} updatedAt
   * @param {string} action
   */
  #draw(view, updatedAt, action) {
    const card = this.#cards.get(view.id)?.card ?? h('li', { 'data-game': view.id }, h('a.live-card', { href: `/game/${view.id}` }));
    this.#cards.set(view.id, { card, updatedAt });
    const [link] = card.children;
    const state = new GameState(view, []);
    const names = view.players.map(({ seat }) => state.cardName(seat));
    const pieces = coloursOf(state.symbols);
    setChildren(/** @type {HTMLElement} */ (link), picture(state), h('span.visually-hidden', {}, `${action} `),
      h('span.live-players', {}, view.players.map(({ seat }, i) => {
        const mark = state.ownMark(seat);
        return h('span.live-player', {}, mark !== null && badge(state.material, state.symbols[mark], pieces[mark]), h('bdi', {}, names[i]));
      })),
      h('small', {}, t('continue.facts', { game: rulesName(view.rules), count: view.moves.length })));
  }
}

/**
 * The board of a game as it is now, to be looked at only.
 * @param {GameState} state
 */
function picture(state) {
  const { view, rules, symbols } = state;
  const board = new Board(rules, { label: boardLabel(view) });
  board.update({
    at: state.boardAt(view.moves.length), symbols, details: view.details, winning: view.result?.cells ?? [],
    last: view.moves.map((move) => parseMove(move).cell).findLast((cell) => cell !== null),
  });
  return h('span.live-board', { 'aria-hidden': 'true', inert: true }, board.element);
}
