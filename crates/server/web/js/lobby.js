// The lobby: who waits for a partner, one's own games, who is here, and the games that are played.

import { chosenRules, loadChoice } from './choice.js';
import { ApiError, get, path, post } from './client.js';
import { ContinueList } from './continue.js';
import { h, setChildren, setText } from './dom.js';
import { gameRow } from './game-list.js';
import { t } from './i18n.js';
import { glyph } from './icons.js';
import { LiveGames, MAX_BOARDS } from './live-games.js';
import { navigate, showToast } from './page.js';
import { PeopleList } from './people.js';
import { gamePicture } from './pictures.js';
import { refusalText } from './refusals.js';
import { rulesName } from './rules.js';
import { currentPlayer, withSession } from './session.js';

/** @import { Child } from './dom.js' */
/** @import { MessageKey } from './i18n.js' */
/** @import { GamePhase, GameSummary, GameView } from './api' */

const REFRESH_MS = 2000;

/** The most games of a list. */
const MAX_LISTED = 20;

/** @type {{ phase: GamePhase, title: MessageKey, action: MessageKey }[]} */
const SECTIONS = [
  { phase: 'open', title: 'lobby.openGames', action: 'lobby.join' },
  { phase: 'live', title: 'lobby.liveGames', action: 'lobby.watch' },
  { phase: 'finished', title: 'lobby.finishedGames', action: 'lobby.review' },
];

/** @type {import('./page.js').Screen} */
export const screen = { title: 'nav.lobby', show };

/**
 * @param {HTMLElement} root
 */
function show(root) {
  const [open, live, finished] = SECTIONS.map((section) => ({ ...section, list: h('ul.game-list.card', { hidden: true }) }));
  const boards = new LiveGames();
  const nobodyWaits = h('div.card.quiet-table', {}, gamePicture('classic'),
    h('div', {}, h('h3', {}, t('lobby.quiet')), h('p', {}, t('lobby.nobodyWaiting'))));
  const [nothingLive, nothingFinished] = [h('p.placeholder', {}, t('lobby.nothingLive')), h('p.placeholder', {}, t('lobby.nothingFinished'))];
  const people = new PeopleList();
  const own = new ContinueList();
  const rules = chosenRules(loadChoice());
  const status = h('p.lead', { role: 'status' }, t('lobby.lead'));
  const section = (/** @type {string} */ name, /** @type {MessageKey} */ title, /** @type {Child[]} */ ...children) => h(`section.${name}`, {}, h('h2', {}, t(title)), children);
  // Hidden until their content is known, so that nothing moves.
  const sections = h('div.sections.lobby-columns', { hidden: true },
    h('div.lobby-main', {}, section('open-games', open.title, open.list, nobodyWaits),
      section('live', live.title, boards.element, live.list, nothingLive),
      section('finished-games', finished.title, finished.list, nothingFinished)),
    h('div.lobby-side', {}, section('own-games', 'home.yourGames', own.element), people.element));
  setChildren(root, h('div.lobby-head', {},
    h('div', {}, h('h1', {}, t('nav.lobby')), status),
    h('div.row', {}, h('a.button', { href: '/tournaments' }, glyph('cup'), t('nav.tournaments')), h('a.button', { href: '/' }, t('lobby.otherGames')),
      h('button.primary', { type: 'button', onclick: () => playOnline(rules) }, glyph('globe'), h('span', {}, t('lobby.playOnline', { game: rulesName(rules) }))))),
  sections);

  const left = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  async function refresh() {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      try {
        const [waiting, playing, over] = await Promise.all([listedGames('open'), listedGames('live'), listedGames('finished'), people.refresh()]);
        updateList(open, waiting);
        await boards.update(playing.slice(0, MAX_BOARDS), (game) => t(isOwn(game) ? 'continue.open' : live.action));
        updateList(live, playing.slice(MAX_BOARDS));
        updateList(finished, over);
        nobodyWaits.hidden = waiting.length > 0;
        nothingLive.hidden = playing.length > 0;
        nothingFinished.hidden = over.length > 0;
        sections.hidden = false;
        setText(status, t('lobby.lead'));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setText(status, t('lobby.failed', { reason: refusalText(error) }));
      }
    }
    clearTimeout(timer);
    if (!left.signal.aborted) timer = setTimeout(refresh, REFRESH_MS);
  }

  refresh();
  document.addEventListener('visibilitychange', refresh, { signal: left.signal });
  return () => {
    left.abort();
    own.stop();
    clearTimeout(timer);
  };
}

/**
 * The latest games of a phase; unfinished ones only if somebody is there.
 * @param {GamePhase} phase
 * @returns {Promise<GameSummary[]>}
 */
const listedGames = (phase) => get(path('games', { phase, limit: MAX_LISTED, present: phase === 'finished' ? null : 'true' }));

/**
 * Whether this player sits in a game.
 * @param {GameSummary} game
 */
function isOwn({ players }) {
  const me = currentPlayer();
  return players.some(({ name, kind }) => name !== null && name === me?.name && kind === me?.kind);
}

/**
 * @param {string} rules
 */
async function playOnline(rules) {
  try {
    /** @type {GameView} */
    const { id } = await withSession(() => post('/pairings', { rules }));
    navigate(`/game/${id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showToast(refusalText(error));
  }
}

/**
 * Unchanged rows are kept, so that nothing flickers or loses the focus.
 * @param {{ list: HTMLElement, action: MessageKey }} section
 * @param {GameSummary[]} games
 */
function updateList({ list, action }, games) {
  const rows = games.map((game) => {
    const row = gameRow(game, t(isOwn(game) && game.phase !== 'finished' ? 'continue.open' : action));
    const old = list.querySelector(`[data-game="${game.id}"]`);
    return old?.textContent === row.textContent ? old : row;
  });
  const isSame = rows.length === list.children.length && rows.every((row, i) => row === list.children[i]);
  if (!isSame) list.replaceChildren(...rows);
  list.hidden = games.length === 0;
}
