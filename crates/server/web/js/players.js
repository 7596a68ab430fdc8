// Who plays: names, symbols, ratings, clocks, and the score of the series.

import { h, put, say } from './dom.js';
import { badge } from './marks.js';
import { timeOf } from './words.js';

export class PlayersPanel {
  constructor() {
    this.element = h('ol.players', { 'aria-label': 'Players' });
    this.ratings = new Map();
  }

  update(state) {
    this.state = state;
    const { view } = state;
    // Not every view has ratings: those of the last that had them stay.
    for (const player of view.players) if (player.rating !== undefined) this.ratings.set(player.seat, player.rating);
    put(this.element, view.players.map((player) => this.#row(player)));
    this.tick();
  }

  /** All ratings that are known, to be compared. */
  get ratingsText() {
    return JSON.stringify([...this.ratings]);
  }

  #row(player) {
    const { view } = this.state;
    const { seat } = player;
    const isTurn = view.turn === seat;
    const isWinner = view.result?.winner === seat;
    const free = player.name === null;
    const isYou = view.yours.includes(seat) && !this.state.isLocal;
    const kind = { computer: 'computer', bot: 'bot', guest: 'guest' }[player.kind];
    // At one screen people are called as they like, which is nobody's profile.
    const named = !free && !this.state.isLocal;
    const name = free ? (player.invited ? `waiting for ${player.invited}` : 'free seat') : player.name;
    const rating = this.ratings.get(seat);
    const notes = [isYou && 'you', player.away_since && 'away', player.out && 'out', isWinner && 'winner',
      kind && !this.state.isLocal && !player.name?.toLowerCase().includes(kind) && kind].filter(Boolean);
    return h(`li${isTurn ? '.turn' : ''}${isWinner ? '.winner' : ''}${free ? '.free' : ''}`, { 'data-seat': seat },
      badge(player.symbol, seat),
      h('span.name', {},
        named ? h('a', { href: `/player/${encodeURIComponent(player.name)}` }, name) : h('bdi', {}, name),
        notes.length > 0 && h('small', {}, notes.join(', '))),
      rating !== undefined && h('span.rating', { title: 'Rating' }, String(rating)),
      view.series && h('span.score', { title: 'Games won in this series' }, String(view.series.wins[seat] + (isWinner ? 1 : 0))),
      view.clock && h('span.clock', { role: 'timer', 'aria-label': `Time of ${name}` }),
      isTurn && h('span.unseen', {}, 'to move'));
  }

  /** Moves the clocks on. */
  tick() {
    const view = this.state?.view;
    if (!view?.clock) return;
    for (const row of this.element.children) {
      const seat = Number(row.dataset.seat);
      const left = this.state.left(seat);
      const clock = row.querySelector('.clock');
      say(clock, timeOf(left));
      clock.classList.toggle('short', left < 10000 && view.turn === seat);
    }
  }
}
