// The client of the server's API: HTTP, the session of this browser, and the WebSocket of a game.

import { t } from './i18n.js';
import { load, save } from './page.js';

/** @import { CommandRequest, ErrorBody, ErrorCode, GameView, Me, PlayerCommand, Recovery, RecoveryCode, ServerMessage, Session } from './api' */

// HTTP.

const BASE = '/api/v1';

/** A refusal of the server, or `offline`. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {{ code: ErrorCode | 'offline', message: string }} body
   */
  constructor(status, { code, message }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {RequestCredentials} [credentials]
 * @returns {Promise<T>}
 */
async function request(method, path, body, credentials) {
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(BASE + path, { method, headers, credentials, body: body === undefined ? undefined : JSON.stringify(body) }).catch(() => {
    throw new ApiError(0, { code: 'offline', message: t('error.offline') });
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text || 'null');
  /** @type {ErrorBody} */
  let error;
  try {
    error = JSON.parse(text);
  } catch {
    // A proxy answered in place of the server.
    error = { code: 'unknown', message: `status ${response.status}` };
  }
  throw new ApiError(response.status, error);
}

/**
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
export const get = (path) => request('GET', path);

/**
 * The same as anybody sees it. To look at a game like this does not count as being there.
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
export const getAnonymously = (path) => request('GET', path, undefined, 'omit');

/**
 * @template T
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
export const post = (path, body = {}) => request('POST', path, body);

/**
 * @template T
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<T>}
 */
export const put = (path, body) => request('PUT', path, body);

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
export const remove = (path) => request('DELETE', path);

/**
 * `path('players', 'Ann', { limit: 5 })` is `/players/Ann?limit=5`. Empty parameters are left out.
 * @param {...(string | Record<string, string | number | null>)} parts
 */
export function path(...parts) {
  const segments = parts.flatMap((part) => (typeof part === 'string' ? [`/${encodeURIComponent(part)}`] : []));
  const parameters = parts.flatMap((part) => (typeof part === 'string' ? [] : Object.entries(part)));
  const given = parameters.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, String(value)]]));
  const query = new URLSearchParams(given).toString();
  return segments.join('') + (query && `?${query}`);
}

/**
 * A command with a fresh idempotency key: sent again after a lost reply, it takes effect once.
 * @param {PlayerCommand} command
 * @param {number} seq
 * @param {number} [seat]
 * @returns {CommandRequest}
 */
export function commandRequest(command, seq, seat) {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(12)));
  const key = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { command, seq, key, seat };
}

// What this page has seen. Servers that share a database may be a moment behind each other: requests say what
// their answer must include.

/** The last event seen of each game. @type {Map<string, number>} */
const seen = new Map();

/** The last rated game that was seen to end. @type {string | null} */
let lastRatedGame = null;

/**
 * @param {string} game
 * @param {number} seq
 */
function noteSeen(game, seq) {
  seen.set(game, Math.max(seq, seen.get(game) ?? 0));
}

/**
 * For `path`: the answer must include every event of the game that this page has seen.
 * @param {string} game
 */
export const includingSeen = (game) => ({ seq: seen.get(game) ?? null });

/** For `path`: the answer must include the result of the last rated game that this page has seen. */
export const includingResult = () => ({ game: lastRatedGame });

/**
 * @param {GameView} view
 */
export function noteRatedEnd(view) {
  if (view.rated && view.phase === 'finished') lastRatedGame = view.id;
}

// The session: nobody yet, a guest, or an account.

/** @type {Me | null} */
let me = null;

/** @type {Promise<Me | null> | null} */
let restored = null;

/**
 * A recovery code that the person has yet to write down: the server shows it only once.
 * @type {string | null}
 */
let recoveryCode = null;

export const newRecoveryCode = () => recoveryCode;

export function forgetRecoveryCode() {
  recoveryCode = null;
}

/** @type {Set<(me: Me | null) => void>} */
const listeners = new Set();

/**
 * Calls back at once and after every change. Returns how to stop.
 * @param {(me: Me | null) => void} listener
 */
export function onSessionChange(listener) {
  listeners.add(listener);
  listener(me);
  return () => listeners.delete(listener);
}

/**
 * @param {Me | null} player
 */
function setSession(player) {
  me = player;
  restored = Promise.resolve(player);
  save('session', player?.name ?? null);
  for (const listener of listeners) listener(me);
  return me;
}

/**
 * The name of this session, or of the last one until the server has confirmed it.
 * @returns {string | null}
 */
export const displayName = () => me?.name ?? load('session', null);

export const hasAccount = () => me?.kind === 'account';

/** Who this is, as far as the server has said. */
export const currentPlayer = () => me;

/** The player of this session, if there is one. The server is only asked if this browser had a session before. */
export function restoreSession() {
  restored ??= displayName() === null ? Promise.resolve(null) : get('/me').then(setSession, (error) => {
    // An invalid token would make every request fail: a new guest's replaces it.
    if (error.code === 'bad_token') return createGuest();
    if (error.status === 401) return setSession(null);
    restored = null;
    throw error;
  });
  return restored;
}

async function createGuest() {
  /** @type {Session} */
  const session = await post('/guests');
  return setSession(session.player);
}

/**
 * Runs a request with a session, as a guest if need be. A token the server no longer knows is replaced once.
 * @template T
 * @param {() => Promise<T>} action
 */
export async function withSession(action) {
  const player = await restoreSession().catch(() => me);
  if (!player) await createGuest();
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    // Perhaps only an older request failed: another tab may have signed up meanwhile.
    restored = null;
    if (!(await restoreSession())) await createGuest();
    return action();
  }
}

/**
 * @param {string} name
 * @param {string} password
 */
export async function signUp(name, password) {
  /** @type {Session} */
  const session = await post('/names', { name, password });
  recoveryCode = session.recovery_code ?? null;
  setSession(session.player);
}

/**
 * Sets a new password with a recovery code.
 * @param {Recovery} recovery
 */
export async function recover(recovery) {
  /** @type {Session} */
  const session = await post('/recoveries', recovery);
  recoveryCode = session.recovery_code ?? null;
  setSession(session.player);
}

/**
 * Replaces the recovery code.
 * @param {string} password
 */
export async function renewRecoveryCode(password) {
  /** @type {RecoveryCode} */
  const { code } = await post('/me/recovery-code', { password });
  recoveryCode = code;
  setSession(me);
}

/**
 * @param {string} name
 */
export async function changeName(name) {
  /** @type {Me} */
  const player = await put('/me/name', { name });
  setSession(player);
}

/**
 * Plays under a name, unless it is empty, the same, or the player has an account, which has its own.
 * @param {string} name
 */
export async function playAs(name) {
  const wanted = name.trim();
  const player = await restoreSession().catch(() => me);
  if (wanted && player?.kind !== 'account' && player?.name !== wanted) await withSession(() => changeName(wanted));
}

/**
 * @param {string} password
 */
export async function deleteAccount(password) {
  await post('/me/deletion', { password });
  forgetRecoveryCode();
  setSession(null);
}

/**
 * @param {string} name
 * @param {string} password
 */
export async function logIn(name, password) {
  /** @type {Session} */
  const session = await post('/sessions', { name, password });
  setSession(session.player);
}

/**
 * @param {boolean} everywhere
 */
export async function logOut(everywhere) {
  await remove(everywhere ? '/sessions' : '/sessions/current');
  forgetRecoveryCode();
  setSession(null);
}

// The WebSocket of a game.

const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4000;

/** The close code of a session that has ended. */
export const SIGNED_OUT = 4401;

/** @typedef {'open' | 'closed' | 'signed-out'} ConnectionState */

/** Reconnects by itself, resumes after the last update it has seen, and sends unanswered commands again. */
export class GameSocket {
  /** @type {number | null} */
  #seq = null;
  /** @type {Map<string, string>} */
  #unanswered = new Map();
  #backoff = MIN_BACKOFF_MS;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #game;
  #address;
  #onmessage;
  #onstate;

  /**
   * @param {string} game
   * @param {{ onmessage: (message: ServerMessage) => void, onstate: (state: ConnectionState) => void }} handlers
   */
  constructor(game, { onmessage, onstate }) {
    this.#game = game;
    this.#address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${BASE}${path('games', game, 'socket')}`;
    this.#onmessage = onmessage;
    this.#onstate = onstate;
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = new WebSocket(this.#address + path(this.#seq === null ? includingSeen(this.#game) : { since: this.#seq }));
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#backoff = MIN_BACKOFF_MS;
      this.#onstate('open');
      for (const text of this.#unanswered.values()) socket.send(text);
    });
    socket.addEventListener('message', (event) => {
      if (this.#socket === socket) this.#receive(JSON.parse(event.data));
    });
    socket.addEventListener('close', (event) => {
      if (this.#socket !== socket) return;
      this.#onstate(event.code === SIGNED_OUT ? 'signed-out' : 'closed');
      // Jitter keeps the clients of a restarted server from coming back at once.
      this.#timer = setTimeout(() => this.#connect(), this.#backoff * (0.75 + Math.random() / 2));
      this.#backoff = Math.min(this.#backoff * 2, MAX_BACKOFF_MS);
    });
  }

  /** Reconnects without waiting once the network or the tab is back. */
  #wake = () => {
    if (this.#timer !== undefined && document.visibilityState === 'visible') this.#connect();
  };

  /**
   * @param {ServerMessage} message
   */
  #receive(message) {
    switch (message.type) {
      case 'state':
        this.#seq = message.game.seq;
        break;
      case 'update':
        if (this.#seq !== null && message.seq <= this.#seq) return;
        if (this.#seq !== null && message.seq > this.#seq + 1) return this.restart();
        this.#seq = message.seq;
        break;
      case 'refused':
        if (message.game) this.#seq = Math.max(this.#seq ?? 0, message.game.seq);
        if (message.key) this.#unanswered.delete(message.key);
        break;
      case 'accepted':
        this.#unanswered.delete(message.key);
        break;
      case 'lag':
      case 'emote':
      case 'spectators':
        break;
    }
    if (this.#seq !== null) noteSeen(this.#game, this.#seq);
    this.#onmessage(message);
  }

  /**
   * @param {CommandRequest} request
   */
  send(request) {
    const text = JSON.stringify(request);
    this.#unanswered.set(request.key, text);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /** Connects anew for the whole game: as another player, or after a gap in the updates. */
  restart() {
    this.#seq = null;
    const old = this.#socket;
    this.#connect();
    old?.close();
  }

  close() {
    clearTimeout(this.#timer);
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
