// The unfinished games of this player on the first screen: where it is their turn, and where others wait for them.

import { avatar } from './avatar.js';
import { ApiError, get, getAnonymously, path } from './client.js';
import { h, setChildren } from './dom.js';
import { t } from './i18n.js';
import { glyph } from './icons.js';
import { load, save } from './page.js';
import { rulesName } from './rules.js';
import { onSessionChange } from './session.js';

/** @import { GameSummary, GameView, IdentityKind, Me } from './api' */

/**
 * A game as a card: whether it waits for this player, and what it says. `rival` is the one to show.
 * @typedef {{ id: string, isYours: boolean, title: string, facts: string, rival: { name: string, kind: IdentityKind | null } | null }} Card
 */

const MAX_CARDS = 3;
const MAX_LOOKED_AT = 6;
const REFRESH_MS = 5000;

export class ContinueList {
  element = h('div.continue');
  #key = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #hasStopped = false;
  #stopListening;

  constructor() {
    // As they were at the last visit, so that nothing moves once the server has answered.
    this.#draw(load('continue', []));
    /** @type {string | null} */
    let known = null;
    this.#stopListening = onSessionChange((me) => {
      if ((me?.name ?? null) === known) return;
      known = me?.name ?? null;
      this.#refresh(me);
    });
  }

  stop() {
    this.#hasStopped = true;
    clearTimeout(this.#timer);
    this.#stopListening();
  }

  /**
   * @param {Me | null} me
   */
  async #refresh(me) {
    clearTimeout(this.#timer);
    try {
      const cards = me ? await unfinishedGames(me) : [];
      if (this.#hasStopped) return;
      this.#draw(cards);
      save('continue', cards.length ? cards : null);
      // Without games there is nothing to wait for.
      if (cards.length === 0) return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    if (!this.#hasStopped) this.#timer = setTimeout(() => (document.hidden ? this.#later(me) : this.#refresh(me)), REFRESH_MS);
  }

  /**
   * @param {Me | null} me
   */
  #later(me) {
    if (!this.#hasStopped) this.#timer = setTimeout(() => this.#refresh(me), REFRESH_MS);
  }

  /**
   * @param {Card[]} cards
   */
  #draw(cards) {
    const key = JSON.stringify(cards);
    if (key === this.#key) return;
    this.#key = key;
    setChildren(this.element, cards.slice(0, MAX_CARDS).map(({ id, isYours, title, facts, rival }) =>
      h(`a.continue-card${isYours ? '.yours' : ''}`, { href: `/game/${id}` },
        rival ? avatar(rival.name, rival.kind, false, 'large') : h('span.avatar.large', {}, glyph('two')),
        h('span.text', {}, h('strong', {}, title), h('small', {}, facts)),
        h('span.go-on', {}, t('continue.open')), glyph('next'))));
  }
}

/**
 * @param {Me} me
 * @returns {Promise<Card[]>}
 */
async function unfinishedGames(me) {
  /** @type {GameSummary[][]} */
  const [live, open] = await Promise.all([get(path('games', { player: me.name, phase: 'live', limit: MAX_LOOKED_AT })),
    get(path('games', { player: me.name, phase: 'open', limit: MAX_LOOKED_AT }))]);
  /** @type {GameView[]} */
  const views = await Promise.all([...live, ...open].slice(0, MAX_LOOKED_AT).map(({ id }) => getAnonymously(path('games', id))));
  const cards = views.filter(({ phase }) => phase !== 'finished').map((view) => card(view, me));
  return cards.sort((a, b) => Number(b.isYours) - Number(a.isYours));
}

/**
 * @param {GameView} view
 * @param {Me} me
 * @returns {Card}
 */
function card({ id, rules, players, moves, turn, phase }, me) {
  const game = rulesName(rules);
  const facts = moves.length ? t('continue.facts', { game, count: moves.length }) : game;
  const own = players.find(({ name, kind }) => name === me.name && kind === me.kind);
  const rivals = players.filter((player) => player !== own);
  const [rival] = rivals;
  const isComputer = rival?.kind === 'computer';
  const name = rivals.length > 1 ? t('continue.others', { count: rivals.length }) : isComputer ? t('play.theComputer') : rival?.name ?? rival?.invited ?? '';
  const shown = rival?.name ? { name: rival.name, kind: rival.kind ?? null } : null;
  const make = (/** @type {boolean} */ isYours, /** @type {string} */ title) => ({ id, isYours, title, facts, rival: shown });
  if (players.some(({ invited, name: seated }) => !seated && invited === me.name)) return make(true, t('continue.invites', { name: players.find((player) => player.name)?.name ?? '' }));
  // The names of a game on one screen are free text.
  if (!own) return { ...make(phase === 'live', t('continue.here')), rival: null };
  if (phase === 'open') return make(false, rival?.invited ? t('continue.waitingFor', { name: rival.invited }) : t('continue.waitingForOpponent'));
  return turn === own.seat ? make(true, t('continue.yourTurn', { name })) : make(false, t('continue.waitingFor', { name }));
}
