// Leaderboards: one table for each league, a search, and one's own place in it.

import { get, query, Refused } from './api.js';
import { field, h, put, say } from './dom.js';
import { playerLink } from './lists.js';
import { whoAmI } from './me.js';

export const title = 'Leaderboard';

const PAGE = 25;

export const leagueName = (name) => ({ online: 'Two players', 'online-many': 'Three and more' })[name] ?? name;

export function show(root, wanted) {
  const tabs = h('nav.tabs', { 'aria-label': 'Leagues' });
  const about = h('p.lead');
  const rows = h('tbody');
  const more = h('button', { type: 'button', hidden: true, onclick: () => load() }, 'More');
  const none = h('p.none', { hidden: true }, 'Nobody has played a rated game here yet. ', h('a', { href: '/' }, 'Be the first.'));
  const place = h('section.place', { hidden: true });
  const text = h('input', { type: 'search', autocomplete: 'off', maxlength: 64 });
  const found = h('div.found', { role: 'status' });
  const form = h('form.row.end', {
    role: 'search',
    onsubmit: (event) => {
      event.preventDefault();
      search();
    },
  }, field('Find a player', text), h('button', { type: 'submit' }, 'Find'));
  let [league, me, left] = [wanted ?? 'online', null, false];

  // Hidden until one's own place is known: nothing moves then.
  const body = h('div.sections', { hidden: true }, about, form, found, place,
    h('div.scroll', {}, h('table.standings', {}, h('caption.unseen', {}, 'The best players'), head(), rows)), none, more);
  put(root, h('h1', {}, 'Leaderboard'), tabs, body);

  async function load() {
    const shown = rows.children.length;
    const table = await get(`/leagues/${encodeURIComponent(league)}${query({ offset: shown, limit: PAGE })}`).catch(fail);
    if (!table || left) return;
    rows.append(...table.rows.map((row) => line(row, row.name === me?.name)));
    none.hidden = table.players > 0;
    more.hidden = rows.children.length >= table.players;
    say(about, `${table.players} ${table.players === 1 ? 'player' : 'players'}, ranked by ${table.system}. Equal ratings share a rank.`);
  }

  function fail(error) {
    if (!(error instanceof Refused)) throw error;
    say(about, error.message);
    return null;
  }

  async function loadTabs() {
    const leagues = await get('/leagues').catch(() => []);
    const names = [...new Set(['online', 'online-many', ...leagues.map(({ name }) => name)])];
    put(tabs, names.map((name) =>
      h('a', { href: `/leaderboard/${encodeURIComponent(name)}`, 'aria-current': name === league ? 'page' : undefined }, leagueName(name))));
  }

  /** Rows around someone, or nothing if they are not in the league. */
  async function around(name) {
    const answer = await get(`/leagues/${encodeURIComponent(league)}/players/${encodeURIComponent(name)}${query({ neighbours: 3 })}`);
    return h('table.standings', {}, h('caption', {}, `Around ${answer.player.name}`), head(),
      h('tbody', {}, [...answer.above, answer.player, ...answer.below].map((row) => line(row, row.name === answer.player.name))));
  }

  async function search() {
    const name = text.value.trim();
    if (!name) return put(found);
    const matches = await get(`/leagues/${encodeURIComponent(league)}${query({ search: name, limit: 10 })}`).catch(() => null);
    if (matches && matches.rows.length !== 1) {
      return put(found, matches.rows.length === 0
        ? h('p', {}, `Nobody in this league is called ${name}.`)
        : h('table.standings', {}, h('caption', {}, `Players called ${name}…`), head(), h('tbody', {}, matches.rows.map((row) => line(row, false)))));
    }
    try {
      put(found, await around(matches?.rows[0].name ?? name));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(found, h('p', {}, `Nobody in this league is called ${name}.`));
    }
  }

  async function findPlace() {
    if (!me) return;
    // Who has not played a rated game has no place, and need not be asked for.
    const profile = await get(`/players/${encodeURIComponent(me.name)}`);
    if (!profile.leagues.some((row) => row.league === league)) return;
    put(place, h('h2', {}, 'Your place'), await around(me.name));
    place.hidden = false;
  }

  async function start() {
    me = await whoAmI().catch(() => null);
    await Promise.all([findPlace().catch(fail), loadTabs(), load()]);
    body.hidden = false;
  }

  start();
  return () => {
    left = true;
  };
}

const head = () => h('thead', {}, h('tr', {}, ['Rank', 'Player', 'Rating', 'Won', 'Lost', 'Drawn'].map((name) => h('th', { scope: 'col' }, name))));

const line = (row, isMarked) =>
  h(`tr${isMarked ? '.marked' : ''}`, {}, h('td', {}, String(row.rank)), h('th', { scope: 'row' }, playerLink(row.name)),
    h('td', {}, String(row.rating)), h('td', {}, String(row.wins)), h('td', {}, String(row.losses)), h('td', {}, String(row.draws)));
