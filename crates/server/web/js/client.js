// The client of the server's API: HTTP requests, and what they say that this page has seen.

import { t } from './i18n.js';

/** @import { CommandRequest, ErrorBody, ErrorCode, GameView, PlayerCommand } from './api' */

export const BASE = '/api/v1';

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
export function noteSeen(game, seq) {
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
