// Leaderboards and profiles.

import { avatar } from './avatar.js';
import { ApiError, get, includingResult, path } from './client.js';
import { field, h, setChildren, setText, svg } from './dom.js';
import { playerLink } from './game-list.js';
import { locale, t, tParts } from './i18n.js';
import { openChallenge, personActions, presenceDot } from './people.js';
import { playerGames, statisticsSection } from './player-games.js';
import { refusalText } from './refusals.js';
import { leagueName } from './rules.js';
import { restoreSession } from './session.js';

/** @import { GameSummary, HeadToHead, LeagueStanding, LeagueTable, LeagueView, Me, PlayerStatistics, ProfileView, RankView, RatingPoint, StandingView } from './api' */
/** @import { Child } from './dom.js' */
/** @import { Screen } from './page.js' */

/** How the server's rating systems are written. @type {Record<string, string>} */
const RATING_SYSTEMS = { glicko2: 'Glicko-2', 'weng-lin': 'Weng–Lin' };

const PAGE_SIZE = 25;
const MAX_SEARCH_RESULTS = 10;
const NEIGHBOURS = 3;

/**
 * @param {string} league
 */
const leagueAddress = (league) => `/leaderboard/${encodeURIComponent(league)}`;

// Leaderboards: one for each league, with a search and the player's own rank.

/** @type {Screen} */
export const leaderboard = { title: 'nav.leaderboard', show: showLeaderboard };

/**
 * @param {HTMLElement} root
 * @param {string} argument
 */
function showLeaderboard(root, argument) {
  const league = argument || 'classic';
  const tabs = h('nav.tabs', { 'aria-label': t('league.leagues') });
  const about = h('p.lead');
  const rows = h('tbody');
  const more = h('button', { type: 'button', hidden: true, onclick: () => loadRows() }, t('more'));
  const placeholder = h('p.placeholder', { hidden: true }, t('league.empty'), ' ', h('a', { href: '/' }, t('league.beFirst')));
  const yourRank = h('section.your-rank', { hidden: true });
  const input = h('input', { type: 'search', autocomplete: 'off', maxlength: 32 });
  const results = h('div.search-results', { role: 'status' });
  const form = h('form.row.end', {
    role: 'search',
    onsubmit: (event) => {
      event.preventDefault();
      search(input.value.trim());
    },
  }, field(t('league.find'), input), h('button', { type: 'submit' }, t('league.findButton')));
  // Hidden until the player's rank is known, so that nothing moves.
  const body = h('div.sections', { hidden: true }, about, form, results, yourRank,
    h('div.scroll', {}, standingsTable(h('caption.visually-hidden', {}, t('league.best')), rows)), placeholder, more);
  setChildren(root, h('h1', {}, t('nav.leaderboard')), tabs, body);

  /** @type {Me | null} */
  let me = null;

  async function loadRows() {
    /** @type {LeagueTable} */
    const table = await get(path('leagues', league, { offset: rows.children.length, limit: PAGE_SIZE, ...includingResult() }));
    rows.append(...table.rows.map((row) => standingRow(row, row.name === me?.name, me?.name)));
    placeholder.hidden = table.players > 0;
    more.hidden = rows.children.length >= table.players;
    setText(about, t('league.about', { count: table.players, system: RATING_SYSTEMS[table.system] ?? table.system }));
  }

  async function loadTabs() {
    /** @type {LeagueView[]} */
    const leagues = await get('/leagues');
    setChildren(tabs, leagues.map(({ name, title }) =>
      h('a', { href: leagueAddress(name), 'aria-current': name === league ? 'page' : undefined }, leagueName({ name, title }))));
  }

  /**
   * A player's rank and neighbours.
   * @param {string} name
   */
  async function rankTable(name) {
    /** @type {RankView} */
    const { above, player, below } = await get(path('leagues', league, 'players', name, { neighbours: NEIGHBOURS, ...includingResult() }));
    return standingsTable(h('caption', {}, t('league.around', { name: player.name })),
      h('tbody', {}, [...above, player, ...below].map((row) => standingRow(row, row.name === player.name))));
  }

  /**
   * @param {string} name
   */
  async function search(name) {
    if (!name) return setChildren(results);
    try {
      /** @type {LeagueTable} */
      const found = await get(path('leagues', league, { search: name, limit: MAX_SEARCH_RESULTS, ...includingResult() }));
      if (found.rows.length === 0) setChildren(results, h('p', {}, t('league.nobodyNamed', { name })));
      else if (found.rows.length === 1) setChildren(results, await rankTable(found.rows[0].name));
      else {
        setChildren(results, standingsTable(h('caption', {}, t('league.named', { name })),
          h('tbody', {}, found.rows.map((row) => standingRow(row, false)))));
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setChildren(results, h('p', {}, refusalText(error)));
    }
  }

  async function loadYourRank() {
    if (!me) return;
    // Asks for the rank only if there is one: a refusal would show up in the browser's console.
    /** @type {ProfileView} */
    const profile = await get(path('players', me.name, includingResult()));
    if (!profile.leagues.some((standing) => standing.league === league && standing.rank)) return;
    setChildren(yourRank, h('h2', {}, t('league.yourRank')), await rankTable(me.name));
    yourRank.hidden = false;
  }

  async function load() {
    me = await restoreSession().catch(() => null);
    try {
      await Promise.all([loadYourRank(), loadTabs(), loadRows()]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setText(about, refusalText(error));
    }
    body.hidden = false;
  }

  load();
}

/** @type {import('./i18n.js').MessageKey[]} */
const COLUMNS = ['league.rank', 'league.player', 'league.rating', 'league.won', 'league.lost', 'league.drawn'];

/**
 * @param {Child} caption
 * @param {Child} body
 */
const standingsTable = (caption, body) => h('table.standings', {}, caption,
  h('thead', {}, h('tr', {}, COLUMNS.map((name) => h('th', { scope: 'col' }, t(name))), h('td'))), body);

/**
 * @param {StandingView} row
 * @param {boolean} isMarked
 * @param {string} [own] the name of this player
 */
const standingRow = ({ rank, name, kind, rating, wins, losses, draws }, isMarked, own = isMarked ? name : undefined) =>
  h(`tr${isMarked ? '.marked' : ''}`, {}, h('td', {}, String(rank ?? '–')), h('th', { scope: 'row' }, playerLink(name)),
    [rating, wins, losses, draws].map((number) => h('td', {}, String(number))),
    h('td', {}, kind !== 'computer' && name !== own
      && h('button.quiet', { type: 'button', 'aria-label': t('people.challengeNamed', { name }), onclick: () => openChallenge(name) }, t('people.challenge'))));

// Profiles: ratings, records, rating histories, games, and the score against another player.

/** @type {Screen} */
export const profile = { title: 'profile.title', show: showProfile };

/**
 * @param {HTMLElement} root
 * @param {string} name
 */
function showProfile(root, name) {
  let hasLeft = false;
  setChildren(root, h('h1', {}, h('bdi', {}, name)));
  loadProfile(name).then((sections) => {
    if (hasLeft) return;
    document.title = `${name} · Noughts`;
    setChildren(root, sections);
  }, (error) => {
    if (!(error instanceof ApiError)) throw error;
    if (!hasLeft) setChildren(root, h('h1', {}, t('profile.notFound')), h('p', {}, refusalText(error)));
  });
  return () => {
    hasLeft = true;
  };
}

/**
 * @param {string} player
 * @returns {Promise<Child>}
 */
async function loadProfile(player) {
  /** @type {[ProfileView, GameSummary[], GameSummary[], PlayerStatistics, Me | null]} */
  const [view, live, open, statistics, me] = await Promise.all([
    get(path('players', player, includingResult())), get(path('games', { player, phase: 'live' })), get(path('games', { player, phase: 'open' })),
    get(path('players', player, 'statistics')), restoreSession().catch(() => null)]);
  const { name, kind, created_at, online, leagues } = view;
  const games = playerGames(name, [...live, ...open]);
  await games.loaded;
  const rival = me?.kind === 'account' && me.name !== name ? me.name : '';
  const record = rival ? await headToHeadText(name, rival) : null;
  /** @type {RatingPoint[][]} */
  const histories = await Promise.all(leagues.map(({ league }) => get(path('players', name, 'history', { league, ...includingResult() }))));
  const since = t(`profile.since.${kind}`, { date: new Date(created_at).toLocaleDateString(locale, { dateStyle: 'long' }) });
  return [
    h('div.profile-head', {}, avatar(name, kind, false, 'huge'), h('div', {}, h('h1', {}, h('bdi', {}, name), online && presenceDot()), h('p.lead', {}, since)),
      me?.name !== name && kind !== 'computer' && personActions(view)),
    h('div.main-and-side', {},
      h('div', {}, leagues.length === 0 && h('section.card', {}, h('p.placeholder', {}, t('profile.noRated'))),
        leagues.map((standing, i) => leagueSection(name, standing, histories[i])), statisticsSection(statistics)),
      h('div', {}, games.element, headToHeadSection(name, rival, record)))];
}

/**
 * @param {string} name
 * @param {LeagueStanding} standing
 * @param {RatingPoint[]} history
 */
function leagueSection(name, { league, title, rating, rank, wins, losses, draws }, history) {
  const fact = (/** @type {string} */ label, /** @type {number | string} */ value) => h('div', {}, h('dt', {}, label), h('dd', {}, String(value)));
  return h('section.league.card', {}, h('h2', {}, h('a', { href: leagueAddress(league) }, leagueName({ name: league, title }))),
    h('dl.numbers', {}, fact(t('league.rating'), rating), fact(t('league.rank'), rank ?? t('league.provisional')), fact(t('league.won'), wins), fact(t('league.lost'), losses), fact(t('league.drawn'), draws)),
    recordBar([wins, draws, losses]),
    history.length > 0 && ratingHistory(name, history));
}

/**
 * How much was won, drawn and lost, as parts of a bar. The numbers are above it.
 * @param {number[]} counts
 */
const recordBar = (counts) => h('div.record-bar', { 'aria-hidden': 'true' }, counts.map((count) => {
  const part = h('span', { hidden: count === 0 });
  part.style.flexGrow = String(count);
  return part;
}));

/**
 * The score of one player against another, in a sentence.
 * @param {string} name
 * @param {string} rival
 * @returns {Promise<Child>}
 */
async function headToHeadText(name, rival) {
  try {
    /** @type {HeadToHead} */
    const { wins, losses, draws } = await get(path('players', name, 'against', rival, includingResult()));
    return tParts('profile.record', { name: h('bdi', {}, name), rival: h('bdi', {}, rival), wins, losses, draws });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusalText(error);
  }
}

/**
 * @param {string} name
 * @param {string} rival
 * @param {Child} record
 */
function headToHeadSection(name, rival, record) {
  const input = h('input', { type: 'search', autocomplete: 'off', maxlength: 32, value: rival });
  const answer = h('p.record', { role: 'status' }, record);
  return h('section.card', {}, h('h2', {}, t('profile.headToHead')),
    h('form.row.end', {
      onsubmit: async (event) => {
        event.preventDefault();
        const opponent = input.value.trim();
        if (opponent) setChildren(answer, await headToHeadText(name, opponent));
      },
    }, field(t('profile.opponent'), input), h('button', { type: 'submit' }, t('profile.compare'))), answer);
}

// Rating histories as a chart and as a table.

const CHART = { width: 640, height: 220, left: 60, right: 10, top: 10, bottom: 30 };
const MAX_CHART_DOTS = 60;
const MAX_TABLE_ROWS = 200;

/** @type {import('./i18n.js').MessageKey[]} */
const HISTORY_COLUMNS = ['profile.date', 'league.rating', 'profile.deviation'];

/**
 * @param {string} name
 * @param {RatingPoint[]} points
 * @returns {Child}
 */
function ratingHistory(name, points) {
  const ratings = points.map((point) => point.rating);
  const [first, last] = [points[0], points[points.length - 1]];
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const label = t('profile.chart', { name, count: points.length, first: String(first.rating), last: String(last.rating), low: String(low), high: String(high) });
  const rows = points.toReversed().slice(0, MAX_TABLE_ROWS).map(({ at, rating, deviation }) =>
    h('tr', {}, h('td', {}, new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })), h('td', {}, String(rating)),
      h('td', {}, deviation ? `± ${Math.round(deviation)}` : '')));
  return [ratingChart(label, points, low, high), h('details.more', {}, h('summary', {}, t('profile.asTable')),
    h('div.scroll', {}, h('table.standings', {}, h('caption.visually-hidden', {}, label),
      h('thead', {}, h('tr', {}, HISTORY_COLUMNS.map((name) => h('th', { scope: 'col' }, t(name))))), h('tbody', {}, rows))))];
}

/**
 * @param {string} label
 * @param {RatingPoint[]} points
 * @param {number} low
 * @param {number} high
 */
function ratingChart(label, points, low, high) {
  const { width, height, left, right, top, bottom } = CHART;
  // Multiples of 20 around all ratings.
  const [min, max] = [Math.floor((low - 1) / 20) * 20, Math.ceil((high + 1) / 20) * 20];
  const x = (/** @type {number} */ i) => left + (points.length === 1 ? 0.5 : i / (points.length - 1)) * (width - left - right);
  const y = (/** @type {number} */ rating) => top + ((max - rating) / (max - min)) * (height - top - bottom);
  const date = (/** @type {RatingPoint} */ { at }) => new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
  const curve = points.map(({ rating }, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(rating).toFixed(1)}`).join('');
  return svg('svg.chart', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    [min, (min + max) / 2, max].map((rating) => [
      svg('path.rule', { d: `M${left} ${y(rating)}H${width - right}` }),
      svg('text', { x: left - 8, y: y(rating), 'text-anchor': 'end', 'dominant-baseline': 'middle' }, String(Math.round(rating))),
    ]),
    points.length > 1 && svg('path.curve', { d: curve }),
    points.length <= MAX_CHART_DOTS && points.map(({ rating }, i) => svg('circle', { cx: x(i), cy: y(rating), r: 3.5 })),
    svg('text', { x: left, y: height - 4 }, date(points[0])),
    points.length > 1 && svg('text', { x: width - right, y: height - 4, 'text-anchor': 'end' }, date(points[points.length - 1])));
}
