// A board in a frame of another page: it follows the game, and its link leads to it.

import { Board } from './board.js';
import { ApiError } from './client.js';
import { h, setChildren, setText } from './dom.js';
import { GameSocket } from './game-socket.js';
import { t } from './i18n.js';
import { loadGame } from './load-game.js';
import { PlayersPanel } from './players.js';
import { refusalText } from './refusals.js';
import { parseMove, rulesName } from './rules.js';
import { GameState } from './state.js';
import { boardLabel, statusOf } from './text.js';

/** @import { ServerMessage } from './api' */

/** @type {import('./page.js').Screen} */
export const screen = {
  title: 'play.title',
  show(root, id) {
    const abort = new AbortController();
    start(root, id, abort.signal);
    return () => abort.abort();
  },
};

/**
 * @param {HTMLElement} root
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function start(root, id, signal) {
  try {
    const [view, updates] = await loadGame(id);
    if (!signal.aborted) follow(root, new GameState(view, updates), signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setChildren(root, h('h1', {}, t('play.notFound')), h('p', {}, refusalText(error)));
  }
}

/**
 * @param {HTMLElement} root
 * @param {GameState} state
 * @param {AbortSignal} signal
 */
function follow(root, state, signal) {
  const { view, rules } = state;
  const wanted = new URLSearchParams(location.search).get('ply');
  const ply = wanted !== null && /^\d+$/.test(wanted) && Number(wanted) < view.moves.length ? Number(wanted) : null;
  const board = new Board(rules, { label: boardLabel(view) });
  const players = new PlayersPanel(() => {});
  const status = h('p.status', { role: 'status' });
  setChildren(root, h('div.embed', {}, players.element, status, board.element,
    h('p.embed-foot', {}, h('h1', {}, rulesName(view.rules)), h('a', { href: `/game/${view.id}`, target: '_blank', rel: 'noopener' }, t('embed.open')))));
  const render = () => {
    const shown = ply ?? state.view.moves.length;
    const isLatest = shown === state.view.moves.length;
    players.update(state);
    setText(status, isLatest ? statusOf(state).title : t('moves.position', { number: shown, total: state.view.moves.length }));
    board.update({
      at: state.boardAt(shown), symbols: state.symbols, names: [], details: state.detailsAt(shown) ?? state.view.details,
      last: state.view.moves.slice(0, shown).map((move) => parseMove(move).cell).findLast((cell) => cell !== null),
      winning: isLatest ? state.view.result?.cells : [], legal: [], mark: null,
    });
  };
  render();
  const socket = new GameSocket(view.id, {
    onmessage: (/** @type {ServerMessage} */ message) => {
      if (message.type === 'state') state.replace(message.game);
      else if (message.type === 'update') state.apply(message);
      else return;
      render();
    },
    onstate: () => {},
  });
  const timer = setInterval(() => players.tick(), 100);
  addEventListener('resize', () => board.fit(), { signal });
  signal.addEventListener('abort', () => {
    socket.close();
    clearInterval(timer);
  });
}
