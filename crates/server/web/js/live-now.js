// What goes on in the lobby just now, as a card on the first screen.

import { get, path } from './client.js';
import { h, setChildren } from './dom.js';
import { t } from './i18n.js';

/** @import { GameSummary } from './api' */

/** Nobody counts more. */
const MAX_COUNTED = 50;

/** A card that leads to the lobby, filled once the server has answered. Its place is kept. */
export function liveNowCard() {
  const facts = h('p', {}, '\u00a0');
  const card = h('a.live-now', { href: '/lobby' }, h('div.text', {}, h('h2', {}, t('lobby.liveGames')), facts), h('span.button', {}, t('lobby.watch')));
  (window.requestIdleCallback ?? setTimeout)(async () => {
    if (!card.isConnected) return;
    /** @type {GameSummary[][]} */
    const [live, open] = await Promise.all(['live', 'open'].map((phase) => get(path('games', { phase, limit: MAX_COUNTED, present: 'true' })))).catch(() => [[], []]);
    const counts = [live.length > 0 && t('home.live', { count: live.length }), open.length > 0 && t('home.waiting', { count: open.length })].filter(Boolean);
    setChildren(facts, counts.length > 0 ? [h('span.online'), counts.join(' · ')] : t('lobby.quiet'));
  });
  return card;
}
