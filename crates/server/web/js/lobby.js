// The lobby, and games in lists.

import { chosenRules, loadChoice } from './choice.js';
import { ApiError, get, path, post } from './client.js';
import { h, setChildren, setText } from './dom.js';
import { t } from './i18n.js';
import { glyph } from './icons.js';
import { navigate, showToast } from './page.js';
import { PeopleList } from './people.js';
import { refusalText } from './refusals.js';
import { rulesName } from './rules.js';
import { currentPlayer, withSession } from './session.js';
import { durationText, relativeTime } from './text.js';

/** @import { MessageKey } from './i18n.js' */
/** @import { EndReason, GamePhase, GameSummary, GameView, IdentityKind, TimeControl } from './api' */

const REFRESH_MS = 2000;

/** @type {{ phase: GamePhase, title: MessageKey, action: MessageKey, placeholder: MessageKey }[]} */
const SECTIONS = [
  { phase: 'open', title: 'lobby.openGames', action: 'lobby.join', placeholder: 'lobby.nobodyWaiting' },
  { phase: 'live', title: 'lobby.liveGames', action: 'lobby.watch', placeholder: 'lobby.nothingLive' },
  { phase: 'finished', title: 'lobby.finishedGames', action: 'lobby.review', placeholder: 'lobby.nothingFinished' },
];

/** @type {import('./page.js').Screen} */
export const screen = { title: 'nav.lobby', show };

/**
 * @param {HTMLElement} root
 */
function show(root) {
  const lists = SECTIONS.map((section) => {
    const list = h('ul.game-list', { hidden: true });
    const placeholder = h('p.placeholder', {}, t(section.placeholder));
    return { ...section, list, placeholder, element: h('section', {}, h('h2', {}, t(section.title)), list, placeholder) };
  });
  // Hidden until their content is known, so that nothing moves.
  const people = new PeopleList();
  const sections = h('div.sections', { hidden: true }, lists[0].element, people.element, lists.slice(1).map(({ element }) => element));
  const status = h('p.lead', { role: 'status' }, t('lobby.lead'));
  const rules = chosenRules(loadChoice());
  setChildren(root, h('h1', {}, t('nav.lobby')), status,
    h('div.row', {}, h('button.primary', { type: 'button', onclick: () => playOnline(rules) }, t('lobby.playOnline', { game: rulesName(rules) })),
      h('a.button', { href: '/' }, t('lobby.otherGames')), h('a.button', { href: '/tournaments' }, glyph('cup'), t('nav.tournaments'))),
    sections);

  const left = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  async function refresh() {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      try {
        const [games] = await Promise.all([Promise.all(lists.map(({ phase }) => /** @type {Promise<GameSummary[]>} */ (get(path('games', { phase, limit: 20, present: phase === 'finished' ? null : 'true' }))))), people.refresh()]);
        lists.forEach((list, i) => updateList(list, games[i]));
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
    clearTimeout(timer);
  };
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
 * @param {{ list: HTMLElement, placeholder: HTMLElement, action: MessageKey }} section
 * @param {GameSummary[]} games
 */
function updateList({ list, placeholder, action }, games) {
  const me = currentPlayer();
  const rows = games.map((game) => {
    const isOwn = game.players.some(({ name, kind }) => name !== null && name === me?.name && kind === me?.kind);
    const row = gameRow(game, t(isOwn && game.phase !== 'finished' ? 'continue.open' : action));
    const old = list.querySelector(`[data-game="${game.id}"]`);
    return old?.textContent === row.textContent ? old : row;
  });
  const isSame = rows.length === list.children.length && rows.every((row, i) => row === list.children[i]);
  if (!isSame) list.replaceChildren(...rows);
  list.hidden = games.length === 0;
  placeholder.hidden = games.length > 0;
}

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
  const players = game.players.map(({ name, kind }, seat) => [
    seat > 0 && h('span.vs', {}, ' – '),
    game.winner === seat ? h('strong', {}, playerLink(name, kind)) : playerLink(name, kind),
  ]);
  const reason = game.reason && REASONS[game.reason];
  const facts = [gameFacts(game), reason && t(reason), relativeTime(game.updated_at)];
  const names = game.players.map((player) => player.name ?? t('play.freeSeat')).join(' – ');
  return h('li.game-row', { 'data-game': game.id },
    h('span.pairing', {}, players),
    h('span.facts-line', {}, facts.filter(Boolean).join(' · ')),
    h('a.button', { href: `/game/${game.id}`, 'aria-label': t('lobby.actionOn', { action, names }) }, action));
}

/**
 * @param {TimeControl} clock
 */
const timeControlText = ({ initial_ms, increment_ms }) =>
  (increment_ms ? t('lobby.clock', { time: durationText(initial_ms), seconds: increment_ms / 1000 }) : durationText(initial_ms));
