// The screen of a tournament: who plays, who is ahead, and what comes next.

import { ApiError, get, path, post } from './client.js';
import { field, h, setChildren, setText } from './dom.js';
import { playerLink } from './game-list.js';
import { t, tParts } from './i18n.js';
import { glyph } from './icons.js';
import { announce, confirmAction, load, MAX_NAME_LENGTH, navigate, save, showToast } from './page.js';
import { refusalText } from './refusals.js';
import { hasAccount, playAs, restoreSession, withSession } from './session.js';
import { shareLink } from './share.js';
import { countdownText } from './text.js';
import { followTournament } from './tournament-stream.js';
import { factsText, momentText } from './tournament-text.js';

/** @import { TournamentGame, TournamentStanding, TournamentState, TournamentView } from './api' */
/** @import { Child } from './dom.js' */
/** @import { MessageKey } from './i18n.js' */

const TICK_MS = 500;

/** @type {import('./page.js').Screen} */
export const screen = { title: 'tournament.title', show };

/**
 * Opens a game of a player by itself, once: whoever comes back from it stays.
 * @param {TournamentState} state
 */
export function openNewGame({ you }) {
  if (!you?.game || load('tournament-game', null) === you.game) return;
  save('tournament-game', you.game);
  navigate(`/game/${you.game}`);
}

/**
 * @param {HTMLElement} root
 * @param {string} id
 */
function show(root, id) {
  /** @type {TournamentState | undefined} */
  let state;
  /** How far the server's clock is ahead of this one's. */
  let ahead = 0;
  let hasLeft = false;
  const status = h('p.lead.tournament-status', { role: 'timer' });
  const head = h('div');
  const actions = h('div.row.tournament-actions');
  const invitation = h('div.invitation');
  const games = h('section', { hidden: true });
  const standings = h('section', { hidden: true });
  const downloads = h('p.downloads', { hidden: true });

  function draw() {
    if (!state) return;
    const { tournament } = state;
    document.title = `${tournament.name} · Noughts`;
    drawHead(tournament);
    drawActions(state);
    drawGames(tournament);
    drawStandings(state);
    downloads.hidden = tournament.phase === 'waiting' || tournament.phase === 'cancelled';
    tick();
  }

  /**
   * @param {TournamentView} tournament
   */
  function drawHead(tournament) {
    const key = `${tournament.name} ${tournament.phase}`;
    if (head.dataset.key === key) return;
    head.dataset.key = key;
    setChildren(head, h('h1', {}, h('bdi', {}, tournament.name)),
      h('p.facts-line', {}, factsText(tournament), ' · ', tParts('tournament.by', { name: h('bdi', {}, tournament.creator) })));
    setChildren(invitation, tournament.phase === 'waiting' && h('section.invite.card', {}, shareLink(t('tournament.link'), location.origin + location.pathname)));
  }

  /**
   * @param {TournamentState} shown
   */
  function drawActions({ tournament, you }) {
    const { phase, format, standings: players } = tournament;
    const key = JSON.stringify([phase, you, players.length > 1, hasAccount()]);
    if (actions.dataset.key === key) return;
    actions.dataset.key = key;
    const isIn = you?.active ?? false;
    const canJoin = !isIn && (phase === 'waiting' || (phase === 'running' && (format.type !== 'round_robin' || Boolean(you?.number))));
    const name = h('input', { type: 'text', maxlength: MAX_NAME_LENGTH, autocomplete: 'nickname', placeholder: t('seat.anyName') });
    const join = async () => {
      if (name.value.trim()) await playAs(name.value);
      await act('join');
    };
    const button = (/** @type {string} */ action, /** @type {MessageKey} */ text, /** @type {() => unknown} */ onclick, kind = '') =>
      h(`button${kind}`, { type: 'button', 'data-action': action, onclick }, t(text));
    const canStart = phase === 'waiting' && you?.creator;
    setChildren(actions,
      you?.game && h('a.button.primary.go', { href: `/game/${you.game}` }, t('tournament.yourGame')),
      canJoin && !hasAccount() && !you?.number && field(t('seat.yourName'), name),
      canJoin && button('join', you?.number ? 'tournament.rejoin' : 'tournament.join', () => attempt(join), you?.game ? '' : '.primary'),
      canStart && players.length > 1 && button('start', 'tournament.startNow', () => attempt(() => act('start')), isIn ? '.primary' : ''),
      isIn && phase !== 'finished' && button('leave', phase === 'waiting' ? 'tournament.leave' : 'tournament.pause', () => attempt(() => act('leave'))),
      canStart && button('cancel', 'tournament.cancel', () => attempt(async () => {
        if (await confirmAction(t('tournament.cancelQuestion'), t('tournament.cancel'))) await act('cancel');
      }), '.danger'));
    // One button stands out.
    invitation.querySelector('[data-action=copy]')?.classList.toggle('primary', !actions.querySelector('.primary'));
  }

  /**
   * @param {TournamentView} tournament
   */
  function drawGames({ games: current, standings: players }) {
    games.hidden = current.length === 0;
    const nameOf = (/** @type {number} */ number) => players.find((player) => player.number === number)?.name ?? '';
    const row = (/** @type {TournamentGame} */ { game, first, second }) => {
      const names = `${nameOf(first)} – ${nameOf(second)}`;
      const action = t('lobby.watch');
      return h('li.game-row', {}, h('span.pairing', {}, h('bdi', {}, nameOf(first)), h('span.vs', {}, ' – '), h('bdi', {}, nameOf(second))),
        h('a.button', { href: `/game/${game}`, 'aria-label': t('lobby.actionOn', { action, names }) }, action));
    };
    const key = JSON.stringify(current.map(({ game }) => game));
    if (games.dataset.key === key) return;
    games.dataset.key = key;
    setChildren(games, h('h2', {}, t('tournament.games')), h('ul.game-list', {}, current.map(row)));
  }

  /**
   * @param {TournamentState} shown
   */
  function drawStandings({ tournament, you }) {
    const { phase, format, standings: players } = tournament;
    standings.hidden = false;
    if (players.length === 0) {
      setChildren(standings, h('h2', {}, t('tournament.standings')), h('p.placeholder', {}, t('tournament.nobody')));
      return;
    }
    const columns = columnsOf(format.type, phase === 'waiting');
    setChildren(standings, h('h2', {}, t(phase === 'finished' ? 'tournament.result' : 'tournament.standings')),
      h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': t('tournament.standings') }, h('table.standings', {}, h('caption.visually-hidden', {}, t('tournament.standings')),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('league.rank')), h('th', { scope: 'col' }, t('league.player')),
          columns.map(([key]) => h('th', { scope: 'col' }, t(key))))),
        h('tbody', {}, players.map((player) => standingRow(player, columns, player.number === you?.number, phase))))),
      phase !== 'waiting' && h('small', {}, t(`tournament.scoring.${format.type}`)));
  }

  /** What time does to the screen. */
  function tick() {
    if (state) setText(status, statusText(state.tournament, Date.now() + ahead));
  }

  /**
   * @param {'join' | 'leave' | 'start' | 'cancel'} action
   */
  async function act(action) {
    const wasNobody = !state?.you;
    receive(await withSession(() => post(path('tournaments', id, action))));
    if (wasNobody && !hasLeft) follow();
  }

  /** Follows as the player of this session, who may be a new one. */
  function follow() {
    stop();
    stop = followTournament(id, receive);
  }

  /**
   * @param {() => Promise<void>} action
   */
  async function attempt(action) {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast(refusalText(error));
    }
  }

  /**
   * @param {TournamentState} next
   */
  function receive(next) {
    // A line of the stream may be older than the answer to a request, and may be for nobody.
    if (hasLeft || (state && next.tournament.seq < state.tournament.seq)) return;
    const before = state?.tournament.phase;
    state = { ...next, you: next.you ?? state?.you ?? null };
    ahead = next.at - Date.now();
    draw();
    if (before && before !== next.tournament.phase) announce(statusText(next.tournament, next.at));
    openNewGame(state);
  }

  setChildren(root, head, status, actions, h('div.main-and-side', {},
    h('div', {}, games, standings, downloads, h('p.placeholder', {}, h('a', { href: '/tournaments' }, t('tournament.all')))), invitation));
  setChildren(downloads, glyph('share'), h('a', { href: `/api/v1/tournaments/${id}/export?format=csv`, download: '' }, t('tournament.csv')), ' · ',
    h('a', { href: `/api/v1/tournaments/${id}/export?format=json`, download: '' }, t('tournament.json')));
  let stop = () => {};
  const timer = setInterval(tick, TICK_MS);
  // With the session, so that the stream knows who follows it.
  restoreSession().catch(() => null).then(() => get(path('tournaments', id))).then((first) => {
    if (hasLeft) return;
    receive(first);
    if (!hasLeft) follow();
  }, (error) => {
    if (!(error instanceof ApiError)) throw error;
    if (!hasLeft) setChildren(root, h('h1', {}, t('tournament.notFound')), h('p', {}, refusalText(error)), h('p', {}, h('a', { href: '/tournaments' }, t('tournament.all'))));
  });
  return () => {
    hasLeft = true;
    stop();
    clearInterval(timer);
  };
}

/** A column: its title, and what a player has in it. @typedef {[MessageKey, (player: TournamentStanding) => number]} Column */

/**
 * @param {TournamentView['format']['type']} format
 * @param {boolean} isWaiting
 * @returns {Column[]}
 */
function columnsOf(format, isWaiting) {
  if (isWaiting) return [];
  /** @type {Column[]} */
  const columns = [['tournament.points', ({ points }) => points], ['league.won', ({ wins }) => wins], ['league.drawn', ({ draws }) => draws], ['league.lost', ({ losses }) => losses]];
  if (format === 'swiss') columns.push(['tournament.buchholz', ({ tie_breaks: ties }) => ties.buchholz]);
  if (format === 'round_robin') columns.push(['tournament.sonnebornBerger', ({ tie_breaks: ties }) => ties.sonneborn_berger]);
  return columns;
}

/**
 * @param {TournamentStanding} player
 * @param {Column[]} columns
 * @param {boolean} isYou
 * @param {TournamentView['phase']} phase
 */
function standingRow(player, columns, isYou, phase) {
  const { rank, name, kind, active } = player;
  const isPaused = !active && phase === 'running';
  return h(`tr${isYou ? '.marked' : ''}`, {}, h('td', {}, phase === 'waiting' ? '–' : String(rank)),
    h('th', { scope: 'row' }, playerLink(name, kind), isPaused && h('small', {}, ' ', t('tournament.paused'))),
    columns.map(([, value]) => h('td', {}, String(value(player)))));
}

/**
 * What is going on, in a sentence.
 * @param {TournamentView} tournament
 * @param {number} now the server's time
 */
function statusText({ phase, format, starts_at: starts, ends_at: ends, round, rounds, next_pairing_at: next, standings }, now) {
  const left = (/** @type {number} */ at) => countdownText(at - now);
  switch (phase) {
    case 'waiting':
      if (!starts) return t('tournament.waitingForCreator');
      return starts - now > 86_400_000 ? t('tournament.startsAt', { time: momentText(starts) }) : t('tournament.startsIn', { time: left(starts) });
    case 'running':
      if (format.type === 'arena') return t('tournament.timeLeft', { time: left(ends ?? now) });
      return next && round > 0 && round < rounds ? t('tournament.nextRound', { round: round + 1, rounds, time: left(next) }) : t('tournament.round', { round, rounds });
    case 'finished': {
      const winners = standings.filter(({ rank }) => rank === 1).map(({ name }) => name);
      return winners.length === 1 ? t('tournament.won', { name: winners[0] }) : t('tournament.over');
    }
    case 'cancelled': return t('tournament.wasCancelled');
  }
}
