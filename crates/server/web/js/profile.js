// A player: rating, record, curve, games, and how it went against others.

import { get, query, Refused } from './api.js';
import { ratingChart } from './chart.js';
import { field, h, put } from './dom.js';
import { leagueName } from './leaderboard.js';
import { gameRow } from './lists.js';
import { whoAmI } from './me.js';

export const title = 'Player';

export function show(root, name) {
  const address = `/players/${encodeURIComponent(name)}`;
  let left = false;

  async function load() {
    const [profile, games, me] = await Promise.all([
      get(address), get(`/games${query({ player: name, limit: 20 })}`), whoAmI().catch(() => null)]);
    const history = ({ league }) => get(`${address}/history${query({ league })}`).catch(() => []);
    const rival = me?.kind === 'account' && me.name !== profile.name ? me.name : '';
    const [record, ...curves] = await Promise.all([rival && against(profile.name, rival), ...profile.leagues.map(history)]);
    if (left) return;
    document.title = `${profile.name} · Noughts`;
    const kind = { account: 'Player', guest: 'Guest', computer: 'Computer player' }[profile.kind] ?? profile.kind;
    const since = new Date(profile.created_at).toLocaleDateString('en-GB', { dateStyle: 'long' });
    put(root, h('h1', {}, h('bdi', {}, profile.name)),
      h('p.lead', {}, `${kind}, here since ${since}`),
      profile.leagues.length === 0 && h('p.none', {}, 'No rated games yet.'),
      profile.leagues.map((row, i) => league(row, curves[i], profile.name)),
      headToHead(profile.name, rival, record),
      h('section', {}, h('h2', {}, 'Recent games'),
        games.length ? h('ul.game-list', {}, games.map((game) => gameRow(game, game.state === 'finished' ? 'Look' : 'Go there'))) : h('p.none', {}, 'No public games yet.')));
  }

  function league(row, points, who) {
    const fact = (label, value) => h('div', {}, h('dt', {}, label), h('dd', {}, String(value)));
    return h('section.league', {}, h('h2', {}, h('a', { href: `/leaderboard/${encodeURIComponent(row.league)}` }, leagueName(row.league))),
      h('dl.numbers', {}, fact('Rating', row.rating), fact('Rank', row.rank), fact('Won', row.wins), fact('Lost', row.losses), fact('Drawn', row.draws)),
      points.length > 0 && ratingChart(points, who));
  }

  /** How it went between two, in a sentence. */
  async function against(who, other) {
    try {
      const { wins, losses, draws } = await get(`${address}/against/${encodeURIComponent(other)}`);
      return [h('bdi', {}, who), ` won ${wins}, lost ${losses} and drew ${draws} rated games against `, h('bdi', {}, other), '.'];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return [error.message];
    }
  }

  function headToHead(who, rival, record) {
    const other = h('input', { type: 'search', autocomplete: 'off', maxlength: 64, value: rival });
    const answer = h('p.record', { role: 'status' }, record || []);
    return h('section', {}, h('h2', {}, 'Head to head'),
      h('form.row.end', {
        onsubmit: async (event) => {
          event.preventDefault();
          const wanted = other.value.trim();
          if (wanted) put(answer, await against(who, wanted));
        },
      }, field('Against', other), h('button', { type: 'submit' }, 'Compare')), answer);
  }

  put(root, h('h1', {}, h('bdi', {}, name)));
  load().catch((error) => {
    if (!(error instanceof Refused)) throw error;
    if (!left) put(root, h('h1', {}, 'No such player'), h('p', {}, error.message));
  });
  return () => {
    left = true;
  };
}
