// Who this browser is to the server: nobody yet, a guest, or someone with a name.

import { get, post, remove, Refused } from './api.js';
import { recall, remember } from './memory.js';

let me = null;
let asked = null;
const listeners = new Set();

/** Calls back at once and whenever it changes. */
export function onMe(listener) {
  listeners.add(listener);
  listener(me);
  return () => listeners.delete(listener);
}

function become(player) {
  me = player;
  asked = Promise.resolve(player);
  remember('session', player?.name ?? null);
  for (const listener of listeners) listener(me);
  return me;
}

/** Who we are, or were the last time, which the server will confirm. */
export const shownName = () => me?.name ?? recall('session');

export const isNamed = () => me?.kind === 'account';

/** Who we are, if we are anyone. Who has never been here is not asked for. */
export function whoAmI() {
  asked ??= recall('session')
    ? get('/me').then(become, (error) => {
        // A token that is no longer valid would be in the way of everything: a guest's replaces it.
        if (error.code === 'bad_token') return beGuest();
        if (error.status === 401) return become(null);
        asked = null;
        throw error;
      })
    : Promise.resolve(null);
  return asked;
}

/** Someone, if need be a guest. */
export async function beSomeone() {
  const known = await whoAmI().catch(() => null);
  return known ?? me ?? beGuest();
}

async function beGuest() {
  return become((await post('/guests')).player);
}

/** Does something as someone; a token that the server no longer knows is replaced once. */
export async function asSomeone(action) {
  await beSomeone();
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    await beGuest();
    return action();
  }
}

export const signUp = async (name, password) => become((await post('/names', { name, password })).player);
export const logIn = async (name, password) => become((await post('/sessions', { name, password })).player);

export async function logOut(everywhere) {
  await remove(everywhere ? '/sessions' : '/sessions/current');
  become(null);
}
