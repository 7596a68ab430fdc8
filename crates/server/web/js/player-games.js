// The finished games of a player with filters, and how they have done by game and by opponent.

import { get, path } from './client.js';
import { field, h, setChildren } from './dom.js';
import { gameRow, playerLink } from './game-list.js';
import { t } from './i18n.js';
import { MAX_NAME_LENGTH } from './page.js';
import { BOARDS, leagueName } from './rules.js';

/** @import { GameSummary, PlayerStatistics } from './api' */
/** @import { Child } from './dom.js' */

const PAGE_SIZE = 20;

const RESULTS = /** @type {const} */ (['won', 'lost', 'drawn']);

/**
 * The games of a player: those that are played, and then the finished ones with filters.
 * @param {string} player
 * @param {GameSummary[]} unfinished
 */
export function playerGames(player, unfinished) {
  const list = h('ul.game-list');
  const placeholder = h('p.placeholder', { role: 'status', hidden: true });
  const more = h('button', { type: 'button', hidden: true, onclick: () => loadPage() }, t('more'));
  const rules = h('select', { onchange: () => reload() }, h('option', { value: '' }, t('games.anyGame')),
    BOARDS.map(({ id, rules: text }) => h('option', { value: text }, t(`game.${id}`))));
  const result = h('select', { onchange: () => reload() }, h('option', { value: '' }, t('games.anyResult')),
    RESULTS.map((value) => h('option', { value }, t(`league.${value}`))));
  const opponent = h('input', { type: 'search', autocomplete: 'off', maxlength: MAX_NAME_LENGTH, onchange: () => reload() });
  /** @type {string | null} */
  let before = null;
  let loads = 0;

  async function loadPage() {
    loads += 1;
    const latest = loads;
    const query = { player, phase: 'finished', rules: rules.value, result: result.value, opponent: opponent.value.trim(), before, limit: PAGE_SIZE };
    // Nobody has that name.
    /** @type {GameSummary[]} */
    const games = await get(path('games', query)).catch(() => []);
    if (latest !== loads) return;
    list.append(...games.map((game) => gameRow(game, t('lobby.review'))));
    before = games[games.length - 1]?.id ?? null;
    more.hidden = games.length < PAGE_SIZE;
    const isFiltered = rules.value || result.value || opponent.value.trim();
    setChildren(placeholder, t(isFiltered ? 'games.noneFound' : 'profile.noGames'));
    placeholder.hidden = list.children.length > 0;
  }

  function reload() {
    before = null;
    setChildren(list);
    return loadPage();
  }

  const element = h('section.player-games.card', {},
    unfinished.length > 0 && [h('h2', {}, t('lobby.liveGames')), h('ul.game-list', {}, unfinished.map((game) => gameRow(game, t('lobby.open'))))],
    h('h2', {}, t('lobby.finishedGames')),
    h('form.row.end.filters', { onsubmit: (event) => event.preventDefault() }, field(t('challenge.game'), rules), field(t('games.result'), result), field(t('profile.opponent'), opponent)),
    list, placeholder, more);
  return { element, loaded: loadPage() };
}

/**
 * How a player has done, in tables.
 * @param {PlayerStatistics} statistics
 */
export function statisticsSection({ games, kinds, opponents }) {
  if (games === 0) return null;
  const table = (/** @type {string} */ caption, /** @type {string} */ head, /** @type {[Child, { wins: number, losses: number, draws: number }][]} */ rows) =>
    h('div.scroll', {}, h('table.statistics', {}, h('caption', {}, caption),
      h('thead', {}, h('tr', {}, [head, t('league.won'), t('league.lost'), t('league.drawn')].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, rows.map(([name, { wins, losses, draws }]) =>
        h('tr', {}, h('th', { scope: 'row' }, name), [wins, losses, draws].map((number) => h('td', {}, String(number))))))));
  return h('section.card', {}, h('h2', {}, t('games.statistics')),
    h('p.lead', {}, t('games.counted', { count: games })),
    h('div.statistics-tables', {},
      table(t('games.byGame'), t('challenge.game'), kinds.map((record) => [leagueName({ name: record.kind, title: record.title }), record])),
      opponents.length > 0 && table(t('games.byOpponent'), t('profile.opponent'), opponents.map((record) => [playerLink(record.name, record.kind), record]))));
}
