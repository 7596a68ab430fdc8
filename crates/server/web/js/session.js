// The session of this browser: nobody yet, a guest, or an account.

import { ApiError, get, post, put, remove } from './client.js';
import { load, save } from './page.js';

/** @import { Me, Recovery, RecoveryCode, Session } from './api' */

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
