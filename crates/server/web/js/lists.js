// Games and players in lists.

import { h } from './dom.js';
import { nameOf } from './rules.js';
import { agoOf, timeOf } from './words.js';

/** A link to someone who has a profile, or just the name. */
export function playerLink(name, kind) {
  if (!name) return h('span.free', {}, 'free seat');
  return kind === 'guest' ? h('bdi', {}, name) : h('a', { href: `/player/${encodeURIComponent(name)}` }, h('bdi', {}, name));
}

/** Who plays whom. */
export function pairing(game) {
  return game.players.flatMap((player, i) => [
    i > 0 && h('span.vs', {}, ' – '),
    game.winner === i ? h('strong', {}, playerLink(player.name, player.kind)) : playerLink(player.name, player.kind),
  ]);
}

/** A game as a line with one thing to do. */
export function gameRow(game, action) {
  const ended = { line: '', draw: 'draw', resigned: 'resigned', time: 'time', left: 'left', forfeit: 'forfeit', aborted: 'called off', abandoned: 'abandoned' };
  const facts = [nameOf(game.rules), game.rated ? 'rated' : 'casual', game.clock && clockText(game.clock), game.how && ended[game.how], agoOf(game.last_at)];
  return h('li.game-row', { 'data-game': game.id },
    h('span.pairing', {}, pairing(game)),
    h('span.facts-line', {}, facts.filter(Boolean).join(' · ')),
    h('a.button', { href: `/game/${game.id}`, 'aria-label': `${action}: ${game.players.map((player) => player.name ?? 'free seat').join(' – ')}` }, action));
}

export const clockText = ({ initial_ms, increment_ms }) =>
  `${timeOf(initial_ms)}${increment_ms ? ` + ${increment_ms / 1000} s` : ''}`;
