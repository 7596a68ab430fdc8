// A player: rating, record, curve, games, and how it went against others.

import { get, query, Refused } from './api.js';
import { ratingChart } from './chart.js';
import { field, h, put } from './dom.js';
import { leagueName } from './leaderboard.js';
import { gameRow } from './lists.js';
import { onMe } from './me.js';

export const title = 'Player';

export function show(root, name) {
  const address = `/players/${encodeURIComponent(name)}`;
  let left = false;
  let stop = () => {};

  async function load() {
    const [profile, games] = await Promise.all([get(address), get(`/games${query({ player: name, limit: 20 })}`)]);
    const history = ({ league }) => get(`${address}/history${query({ league })}`).catch(() => []);
    const curves = await Promise.all(profile.leagues.map(history));
    if (left) return;
    document.title = `${profile.name} · Noughts`;
    const against = h('section', {}, h('h2', {}, 'Head to head'));
    put(root, h('h1', {}, h('bdi', {}, profile.name)),
      h('p.lead', {}, `${{ account: 'Player', guest: 'Guest', computer: 'Computer player' }[profile.kind] ?? profile.kind}, here since ${new Date(profile.created_at).toLocaleDateString('en-GB', { dateStyle: 'long' })}`),
      profile.leagues.length === 0 && h('p.none', {}, 'No rated games yet.'),
      profile.leagues.map((row, i) => league(row, curves[i], profile.name)), against,
      h('section', {}, h('h2', {}, 'Recent games'),
        games.length ? h('ul.game-list', {}, games.map((game) => gameRow(game, game.state === 'finished' ? 'Look' : 'Go there'))) : h('p.none', {}, 'No public games yet.')));
    headToHead(against, profile.name);
  }

  function league(row, points, who) {
    const fact = (label, value) => h('div', {}, h('dt', {}, label), h('dd', {}, String(value)));
    return h('section.league', {}, h('h2', {}, h('a', { href: `/leaderboard/${encodeURIComponent(row.league)}` }, leagueName(row.league))),
      h('dl.numbers', {}, fact('Rating', row.rating), fact('Rank', row.rank), fact('Won', row.wins), fact('Lost', row.losses), fact('Drawn', row.draws)),
      points.length > 0 && ratingChart(points, who));
  }

  function headToHead(section, who) {
    const other = h('input', { type: 'search', autocomplete: 'off', maxlength: 64 });
    const answer = h('p.record', { role: 'status' });
    const ask = async () => {
      if (!other.value.trim()) return;
      try {
        const record = await get(`${address}/against/${encodeURIComponent(other.value.trim())}`);
        put(answer, h('bdi', {}, who), ` won ${record.wins}, lost ${record.losses} and drew ${record.draws} rated games against `, h('bdi', {}, other.value.trim()), '.');
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        put(answer, error.message);
      }
    };
    section.append(h('form.row.end', {
      onsubmit: (event) => {
        event.preventDefault();
        ask();
      },
    }, field('Against', other), h('button', { type: 'submit' }, 'Compare')), answer);
    stop = onMe((me) => {
      if (me?.kind === 'named' && me.name !== who && !other.value) {
        other.value = me.name;
        ask();
      }
    });
  }

  put(root, h('h1', {}, h('bdi', {}, name)));
  load().catch((error) => {
    if (!(error instanceof Refused)) throw error;
    if (!left) put(root, h('h1', {}, 'No such player'), h('p', {}, error.message));
  });
  return () => {
    left = true;
    stop();
  };
}
