// Who plays: names, symbols, ratings, clocks, and the score of the series.

import { get } from './api.js';
import { h, put, say } from './dom.js';
import { badge } from './marks.js';
import { timeOf } from './words.js';

export class PlayersPanel {
  constructor() {
    this.element = h('ol.players', { 'aria-label': 'Players' });
    this.ratings = new Map();
    this.lags = new Map();
    this.score = null;
  }

  update(state) {
    this.state = state;
    const { view } = state;
    put(this.element, view.players.map((player) => this.#row(player)));
    this.tick();
    if (view.rated) this.#askRatings();
  }

  #row(player) {
    const { view } = this.state;
    const { seat } = player;
    const isTurn = view.turn === seat;
    const isWinner = view.result?.winner === seat;
    const free = player.name === null;
    const isYou = view.yours.includes(seat) && !this.state.isLocal;
    const kind = { computer: 'computer', bot: 'bot', guest: 'guest' }[player.kind];
    const named = player.kind === 'named' || player.kind === 'bot';
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
      this.score && h('span.score', { title: 'Games won in this series' }, String(this.score[seat])),
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

  async #askRatings() {
    const { view } = this.state;
    if (this.ratingsOf === `${view.phase} ${view.id}`) return;
    this.ratingsOf = `${view.phase} ${view.id}`;
    await Promise.all(view.players.filter((player) => player.name).map(async (player) => {
      const profile = await get(`/players/${encodeURIComponent(player.name)}`).catch(() => null);
      const row = profile?.leagues.find((league) => league.league === view.league);
      if (row) this.ratings.set(player.seat, row.rating);
    }));
    this.update(this.state);
  }

  /** Adds up the games of which this is a rematch. Sides swap, so people are known by name. */
  async askScore() {
    const { view } = this.state;
    const names = view.players.map((player) => player.name);
    const wins = new Map(names.map((name) => [name, 0]));
    let [before, games] = [view.rematch_of, 0];
    while (before && games < 30) {
      const game = await get(`/games/${before}`).catch(() => null);
      if (!game) break;
      const winner = game.result?.winner;
      if (winner !== null && winner !== undefined) {
        const name = game.players[winner].name;
        wins.set(name, (wins.get(name) ?? 0) + 1);
      }
      [before, games] = [game.rematch_of, games + 1];
    }
    if (games === 0) return;
    this.before = names.map((name) => wins.get(name));
    this.addResult();
  }

  /** Counts this game too, when it is over. */
  addResult() {
    if (!this.before) return;
    const winner = this.state.view.result?.winner;
    this.score = this.before.map((won, seat) => won + (winner === seat ? 1 : 0));
    this.update(this.state);
  }
}
