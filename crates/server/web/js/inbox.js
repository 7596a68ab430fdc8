// What waits for this player's answer, live: challenges, offers of rematches, and games that wait for a move.

import { avatar } from './avatar.js';
import { ApiError, commandRequest, get, path, post } from './client.js';
import { h, setChildren } from './dom.js';
import { gameFacts } from './game-list.js';
import { SIGNED_OUT } from './game-socket.js';
import { t } from './i18n.js';
import { announce, navigate, openDialog, showToast } from './page.js';
import { setBlocked } from './people.js';
import { refusalText } from './refusals.js';
import { rulesName } from './rules.js';
import { onSessionChange } from './session.js';
import { relativeTime } from './text.js';

/** @import { Challenge, CommandReply, GameView, Inbox, Me, PlayerCommand } from './api' */
/** @import { Child } from './dom.js' */

/** Changes that come together are one. */
const REFRESH_DELAY_MS = 200;
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** @type {Inbox} */
const EMPTY = { received: [], sent: [], rematches: [], turns: [] };

let inbox = EMPTY;

/** @type {Set<() => void>} */
const listeners = new Set();

/** How many answers others wait for; a game on the screen needs no reminder. */
export function waiting() {
  const isElsewhere = (/** @type {GameView} */ { id }) => location.pathname !== `/game/${id}`;
  return inbox.received.length + inbox.rematches.filter(isElsewhere).length + inbox.turns.filter(isElsewhere).length;
}

/**
 * Calls back after every change.
 * @param {() => void} listener
 */
export function onInboxChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Reads the inbox again soon. */
export function refreshInbox() {
  clearTimeout(timer);
  timer = setTimeout(read, REFRESH_DELAY_MS);
}

/** The one that the inbox belongs to. @type {Me | null} */
let owner = null;

async function read() {
  if (!owner) return show(EMPTY);
  const known = new Set(inbox.received.map(({ game }) => game.id));
  const reader = owner;
  /** @type {Inbox | null} */
  const latest = await get('/me/inbox').catch(() => null);
  if (!latest || reader !== owner) return;
  show(latest);
  for (const { from, game } of latest.received) {
    if (!known.has(game.id)) showToast(t('inbox.challenged', { name: from, game: rulesName(game.rules) }));
  }
}

/**
 * @param {Inbox} latest
 */
function show(latest) {
  inbox = latest;
  for (const listener of listeners) listener();
}

/** All games of the player over a WebSocket, which says when to read the inbox. */
class PlayerSocket {
  #backoff = MIN_BACKOFF_MS;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    this.#connect();
  }

  #connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    // Being on the page is not being at a game.
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/socket?present=false`);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#backoff = MIN_BACKOFF_MS;
      refreshInbox();
    });
    socket.addEventListener('message', refreshInbox);
    socket.addEventListener('close', ({ code }) => {
      if (this.#socket !== socket || code === SIGNED_OUT) return;
      this.#timer = setTimeout(() => this.#connect(), this.#backoff * (0.75 + Math.random() / 2));
      this.#backoff = Math.min(this.#backoff * 2, MAX_BACKOFF_MS);
    });
  }

  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}

/** Follows the inbox of whoever is signed in. */
export function followInbox() {
  /** @type {PlayerSocket | null} */
  let socket = null;
  onSessionChange((me) => {
    if (me?.id === owner?.id) return;
    owner = me;
    socket?.close();
    socket = me && new PlayerSocket();
    if (!me) show(EMPTY);
  });
}

/**
 * @param {GameView} game
 * @param {PlayerCommand} command
 * @returns {Promise<GameView | null>}
 */
async function answer(game, command) {
  try {
    /** @type {CommandReply} */
    const reply = await post(path('games', game.id, 'commands'), commandRequest(command, game.seq));
    return reply.game;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showToast(refusalText(error));
    return null;
  } finally {
    refreshInbox();
  }
}

/** What waits for answers, in a dialog that follows it. */
export function openInbox() {
  const content = h('div.inbox');
  /** @type {(value?: unknown) => void} */
  let close = () => {};
  const draw = () => setChildren(content, sections(close));
  const stop = onInboxChange(draw);
  const closed = openDialog(t('inbox.title'), (done) => {
    close = done;
    draw();
    return content;
  });
  refreshInbox();
  return closed.finally(stop);
}

/**
 * @param {() => void} close
 * @returns {Child}
 */
function sections(close) {
  const { received, sent, rematches, turns } = inbox;
  const open = (/** @type {string} */ id) => {
    close();
    navigate(`/game/${id}`);
  };
  const button = (/** @type {string} */ text, /** @type {() => unknown} */ onclick, primary = false) =>
    h(`button${primary ? '.primary' : ''}`, { type: 'button', onclick }, text);
  if (received.length + sent.length + rematches.length + turns.length === 0) return h('p.placeholder', {}, t('inbox.empty'));
  return [
    section(t('inbox.challenges'), received.map(({ from, expires_at, game }) => row(from, game, t('inbox.expires', { when: relativeTime(expires_at) }), [
      button(t('inbox.accept'), async () => (await answer(game, { type: 'join' })) && open(game.id), true),
      button(t('inbox.decline'), () => answer(game, { type: 'abort' })),
      h('button.quiet', { type: 'button', onclick: () => block(from) }, t('people.block')),
    ]))),
    section(t('inbox.rematches'), rematches.map((game) => row(opponents(game), game, '', [
      button(t('inbox.accept'), async () => {
        const rematch = (await answer(game, { type: 'rematch' }))?.rematch;
        if (rematch) open(rematch);
      }, true),
    ]))),
    section(t('inbox.turns'), turns.map((game) => row(opponents(game), game, '', [button(t('continue.open'), () => open(game.id), true)]))),
    section(t('inbox.sent'), sent.map(({ to, expires_at, game }) => row(to, game, t('inbox.expires', { when: relativeTime(expires_at) }), [
      button(t('lobby.open'), () => open(game.id)), button(t('inbox.withdraw'), () => answer(game, { type: 'abort' })),
    ]))),
  ];
}

/**
 * @param {string} title
 * @param {HTMLElement[]} rows
 */
const section = (title, rows) => rows.length > 0 && h('section', {}, h('h3', {}, title), h('ul.game-list', {}, rows));

/**
 * @param {string} name
 * @param {GameView} game
 * @param {string} note
 * @param {Child[]} buttons
 */
const row = (name, game, note, buttons) => h('li.person-row', { 'data-game': game.id }, avatar(name, null),
  h('span.text', {}, h('strong', {}, h('bdi', {}, name)), h('small', {}, [gameFacts(game), note].filter(Boolean).join(' · '))),
  h('span.answers', {}, buttons));

/**
 * @param {GameView} game
 */
const opponents = ({ players, your_seats: yours }) => players.filter(({ seat }) => !yours.includes(seat)).map(({ name }) => name ?? '').join(', ');

/**
 * @param {string} name
 */
async function block(name) {
  if (await setBlocked(name, true)) announce(t('people.blockedNow', { name }));
  refreshInbox();
}
