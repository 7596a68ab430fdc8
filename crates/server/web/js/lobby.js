// The lobby, and games in lists.

import { ApiError, get, path, post, withSession } from './client.js';
import { h, setChildren, setText } from './dom.js';
import { chosenRules, loadChoice } from './home.js';
import { navigate, showToast } from './page.js';
import { rulesName } from './rules.js';
import { durationText, relativeTime } from './text.js';

/** @import { EndReason, GamePhase, GameSummary, GameView, IdentityKind, TimeControl } from './api' */

const REFRESH_MS = 2000;
const LEAD = 'Games anyone can join or watch.';

/** @type {{ phase: GamePhase, title: string, action: string, placeholder: string }[]} */
const SECTIONS = [
  { phase: 'open', title: 'Open games', action: 'Join', placeholder: 'Nobody is waiting. Open a game and someone may join.' },
  { phase: 'live', title: 'Live games', action: 'Watch', placeholder: 'No public game is being played.' },
  { phase: 'finished', title: 'Finished games', action: 'Review', placeholder: 'No public game has finished yet.' },
];

/** @type {import('./page.js').Screen} */
export const screen = { title: 'Lobby', show };

/**
 * @param {HTMLElement} root
 */
function show(root) {
  const lists = SECTIONS.map((section) => {
    const list = h('ul.game-list', { hidden: true });
    const placeholder = h('p.placeholder', {}, section.placeholder);
    return { ...section, list, placeholder, element: h('section', {}, h('h2', {}, section.title), list, placeholder) };
  });
  // Hidden until their content is known, so that nothing moves.
  const sections = h('div.sections', { hidden: true }, lists.map(({ element }) => element));
  const status = h('p.lead', { role: 'status' }, LEAD);
  const rules = chosenRules(loadChoice());
  setChildren(root, h('h1', {}, 'Lobby'), status,
    h('div.row', {}, h('button.primary', { type: 'button', onclick: () => playOnline(rules) }, `Play online: ${rulesName(rules)}`),
      h('a.button', { href: '/' }, 'Other games')),
    sections);

  const left = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  async function refresh() {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      try {
        const games = await Promise.all(lists.map(({ phase }) => /** @type {Promise<GameSummary[]>} */ (get(path('games', { phase, limit: 20 })))));
        lists.forEach((list, i) => updateList(list, games[i]));
        sections.hidden = false;
        setText(status, LEAD);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setText(status, `${error.message} Trying again.`);
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
    showToast(error.message);
  }
}

/**
 * Unchanged rows are kept, so that nothing flickers or loses the focus.
 * @param {{ list: HTMLElement, placeholder: HTMLElement, action: string }} section
 * @param {GameSummary[]} games
 */
function updateList({ list, placeholder, action }, games) {
  const rows = games.map((game) => {
    const row = gameRow(game, action);
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
  if (!name) return h('span.free', {}, 'free seat');
  return kind === 'guest' ? h('bdi', {}, name) : h('a', { href: `/player/${encodeURIComponent(name)}` }, h('bdi', {}, name));
}

/** @type {Record<EndReason, string>} */
const REASONS = { line: '', no_line: '', draw: 'draw', repetition: 'draw', move_limit: 'draw', resigned: 'resigned', time: 'time', left: 'left', forfeit: 'forfeit', aborted: 'aborted', abandoned: 'abandoned' };

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
  const facts = [rulesName(game.rules), game.rated ? 'rated' : 'casual', game.clock && timeControlText(game.clock),
    game.reason && REASONS[game.reason], relativeTime(game.updated_at)];
  const names = game.players.map((player) => player.name ?? 'free seat').join(' – ');
  return h('li.game-row', { 'data-game': game.id },
    h('span.pairing', {}, players),
    h('span.facts-line', {}, facts.filter(Boolean).join(' · ')),
    h('a.button', { href: `/game/${game.id}`, 'aria-label': `${action}: ${names}` }, action));
}

/**
 * @param {TimeControl} clock
 */
const timeControlText = ({ initial_ms, increment_ms }) =>
  `${durationText(initial_ms)}${increment_ms ? ` + ${increment_ms / 1000} s` : ''}`;
