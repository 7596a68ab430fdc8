// Games in lists, and what they say about a game and its players.

import { avatar } from './avatar.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { rulesName } from './rules.js';
import { durationText, relativeTime } from './text.js';

/** @import { EndReason, GameSummary, IdentityKind, TimeControl } from './api' */
/** @import { MessageKey } from './i18n.js' */

/**
 * A link to a player's profile, or just the name of a guest.
 * @param {string | null | undefined} name
 * @param {IdentityKind | null} [kind]
 */
export function playerLink(name, kind) {
  if (!name) return h('span.free', {}, t('play.freeSeat'));
  return kind === 'guest' ? h('bdi', {}, name) : h('a', { href: `/player/${encodeURIComponent(name)}` }, h('bdi', {}, name));
}

/** How games ended other than by a line. @type {Partial<Record<EndReason, MessageKey>>} */
const REASONS = { draw: 'reason.draw', repetition: 'reason.draw', move_limit: 'reason.draw', resigned: 'reason.resigned', time: 'reason.time', left: 'reason.left',
  forfeit: 'reason.forfeit', aborted: 'reason.aborted', abandoned: 'reason.abandoned' };

/**
 * What kind of game it is, in a line.
 * @param {{ rules: string, rated: boolean, clock?: TimeControl | null }} game
 */
export const gameFacts = ({ rules, rated, clock }) => [rulesName(rules), t(rated ? 'play.rated' : 'play.casual'), clock && timeControlText(clock)].filter(Boolean).join(' · ');

/**
 * A game as a row with one action.
 * @param {GameSummary} game
 * @param {string} action
 */
export function gameRow(game, action) {
  // Who waits is shown alone; the other seat is what the game waits for.
  const isOpen = game.phase === 'open';
  const seated = game.players.filter(({ name }) => name);
  const players = (isOpen ? seated : game.players).map(({ name, kind }, i) => [
    i > 0 && h('span.vs', {}, ' – '),
    game.winner === i ? h('strong', {}, playerLink(name, kind)) : playerLink(name, kind),
  ]);
  const reason = game.reason && REASONS[game.reason];
  const facts = [gameFacts(game), reason && t(reason), relativeTime(game.updated_at)];
  const names = game.players.map((player) => player.name ?? t('play.freeSeat')).join(' – ');
  return h(`li.game-row${isOpen ? '.waiting-row' : ''}`, { 'data-game': game.id },
    isOpen && seated.slice(0, 1).map(({ name, kind }) => avatar(name ?? '', kind ?? null, false, 'large')),
    h('span.pairing', {}, players),
    h('span.facts-line', {}, facts.filter(Boolean).join(' · ')),
    h('a.button', { href: `/game/${game.id}`, 'aria-label': t('lobby.actionOn', { action, names }) }, action));
}

/**
 * @param {TimeControl} clock
 */
const timeControlText = ({ initial_ms, increment_ms }) =>
  (increment_ms ? t('lobby.clock', { time: durationText(initial_ms), seconds: increment_ms / 1000 }) : durationText(initial_ms));
