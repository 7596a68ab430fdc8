// The list of moves, and stepping through them.

import { h, put } from './dom.js';
import { badge } from './marks.js';

export class MovesList {
  /** `onply(ply)` is called with the number of actions to show. */
  constructor(onply) {
    this.onply = onply;
    this.list = h('ol.moves', { 'aria-label': 'Moves', tabindex: '0' });
    this.buttons = [['⇤', 'First position', () => 0], ['←', 'Back', () => this.ply - 1],
      ['→', 'On', () => this.ply + 1], ['⇥', 'Last position', () => this.count]].map(([sign, label, to]) =>
      h('button.icon', { type: 'button', 'aria-label': label, title: label, onclick: () => onply(to()) }, sign));
    this.element = h('section.history', { 'aria-label': 'Moves' }, this.list, h('div.steps', {}, this.buttons));
    this.list.addEventListener('keydown', (event) => {
      const to = { ArrowUp: this.ply - 1, ArrowDown: this.ply + 1, Home: 0, End: this.count }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      onply(to);
      this.list.querySelector('[aria-current]')?.focus();
    });
  }

  update(state, ply, lostAt) {
    const { moves, players } = state.view;
    [this.ply, this.count] = [ply, moves.length];
    const key = JSON.stringify([moves, ply, lostAt, players.map((player) => player.symbol)]);
    if (key === this.shown) return;
    this.shown = key;
    const focused = this.list.contains(document.activeElement) && document.activeElement !== this.list;
    put(this.list, moves.map((move, i) => {
      const seat = state.seatOf(move);
      const resigned = move.startsWith('resign:');
      const lost = lostAt === i;
      return h(`li${resigned ? '.wide' : ''}`, {}, h(`button.move${lost ? '.lost' : ''}`, {
        type: 'button', 'aria-current': ply === i + 1 ? 'step' : undefined, onclick: () => this.onply(i + 1),
      }, h('span.number', {}, String(i + 1)), badge(players[seat].symbol, seat), h('span.unseen', {}, ` ${state.nameOf(seat)} `),
      h('span', {}, resigned ? 'resigned' : move), lost && h('b', { title: 'The losing move' }, '??')));
    }));
    if (moves.length === 0) put(this.list, h('li.none', {}, 'No moves yet.'));
    const [first, back, on, last] = this.buttons;
    for (const [button, off] of [[first, ply === 0], [back, ply === 0], [on, ply === this.count], [last, ply === this.count]]) {
      button.disabled = off;
    }
    const current = this.list.querySelector('[aria-current]');
    if (current) {
      // Scrolls the list alone; the page stays where it is.
      this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
      if (focused) current.focus({ preventScroll: true });
    } else this.list.scrollTop = 0;
  }
}
