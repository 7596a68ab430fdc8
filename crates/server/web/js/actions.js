// What players can do in a game, and what they are asked.

import { h } from './dom.js';

const button = (name, text, onclick, kind = '') => h(`button${kind}`, { type: 'button', 'data-action': name, onclick }, text);

/** What waits for an answer. */
export function questions(state, send) {
  const { view, isMine, isLocal } = state;
  if (!isMine) return [];
  const parts = [];
  if (view.undo && !isLocal) {
    const answered = [view.undo.seat, ...view.undo.agreed].some((seat) => view.yours.includes(seat));
    if (answered) parts.push(h('p', {}, 'Waiting for an answer about taking back…'));
    else {
      parts.push(h('p', {}, `${state.nameOf(view.undo.seat)} asks to take back a move.`),
        h('div.row', {}, button('agree', 'Agree', () => send({ do: 'answer_undo', agree: true }), '.primary'),
          button('refuse', 'Refuse', () => send({ do: 'answer_undo', agree: false }))));
    }
  }
  const away = view.players.find((player) => player.away_since && !view.yours.includes(player.seat) && !player.out);
  if (away && view.phase === 'live') {
    parts.push(h('p', {}, `${state.nameOf(away.seat)} is away. After ${Math.round(view.away_ms / 1000)} seconds you can claim the game.`),
      h('div.row', {}, button('claim', 'Claim the game', () => send({ do: 'claim' }))));
  }
  const others = view.again.filter((seat) => !view.yours.includes(seat));
  if (view.phase === 'over' && others.length && !view.next && others.length === view.again.length) {
    parts.push(h('p', {}, `${others.map((seat) => state.nameOf(seat)).join(' and ')} would play again.`));
  }
  return parts;
}

/** What can be done. The server has the last word on each. */
export function actions(state, { send, hint, resign, notify }) {
  const { view, isMine, isLocal } = state;
  const moved = view.moves.some((move) => view.yours.includes(state.seatOf(move)));
  const undo = () => button('undo', isLocal ? 'Undo' : 'Ask for undo', () => send({ do: 'undo' }));
  const can = [];
  if (isMine && view.phase === 'open') can.push(button('abort', 'Stop waiting', () => send({ do: 'abort' })));
  if (isMine && view.phase === 'live') {
    // In a rated game somebody has to agree.
    if (moved && !view.undo && !(view.rated && isLocal)) can.push(undo());
    if (!view.rated) can.push(button('hint', 'Hint', hint));
    if (view.moves.length < 2 && !isLocal) can.push(button('abort', 'Call off', () => send({ do: 'abort' })));
    else can.push(button('resign', 'Resign', resign));
  }
  if (isMine && view.phase !== 'over' && !isLocal && window.Notification?.permission === 'default') {
    can.push(button('notify', 'Notify me', notify));
  }
  if (view.phase === 'over') {
    can.push(again(state, send));
    if (isMine && !view.rated && !view.next && moved && ['line', 'draw'].includes(view.result?.how)) can.push(undo());
    can.push(h('a.button', { href: '/' }, 'New game'));
  }
  return can;
}

function again({ view, isMine, isLocal }, send) {
  if (view.next) {
    return h(`a.button${isMine ? '.primary' : ''}`, { href: `/game/${view.next}` }, isMine ? 'To the rematch' : 'Watch the rematch');
  }
  if (!isMine || view.moves.length === 0) return null;
  if (view.again.some((seat) => view.yours.includes(seat))) return h('span.waiting', {}, 'Waiting for the others…');
  const text = isLocal ? 'Play again' : view.again.length ? 'Accept the rematch' : 'Rematch';
  return button('rematch', text, () => send({ do: 'rematch' }), '.primary');
}
