// The screen of a game: loads it, and says if there is none.

import { ApiError } from './client.js';
import { h, setChildren } from './dom.js';
import { GameScreen } from './game-screen.js';
import { t } from './i18n.js';
import { loadGame } from './load-game.js';
import { refusalText } from './refusals.js';
import { restoreSession } from './session.js';
import { GameState } from './state.js';

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
 * @param {AbortSignal} signal aborts when the screen is left
 */
async function start(root, id, signal) {
  setChildren(root, h('p.lead', {}, t('play.loading')));
  await restoreSession().catch(() => null);
  try {
    const [view, updates] = await loadGame(id);
    if (!signal.aborted) new GameScreen(root, new GameState(view, updates), signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setChildren(root, h('h1', {}, t('play.notFound')), h('p', {}, refusalText(error)), h('p', {}, h('a.button', { href: '/' }, t('lost.play'))));
  }
}
