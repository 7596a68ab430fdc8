// The server's HTTP interface. It decides; this asks.

const BASE = '/api/v1';

/** The server said no, and why. */
export class Refused extends Error {
  constructor(status, body) {
    super(sentence(body?.message ?? 'The server could not do that.'));
    this.status = status;
    this.code = body?.code ?? 'unknown';
    this.game = body?.game ?? null;
  }
}

/** Refusals come as clauses; people read sentences. */
export function sentence(text) {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

async function call(method, path, body) {
  const options = { method, headers: { accept: 'application/json' } };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers['content-type'] = 'application/json';
  }
  let response;
  try {
    response = await fetch(BASE + path, options);
  } catch {
    throw new Refused(0, { code: 'offline', message: 'The server can\u2019t be reached. Is the network there?' });
  }
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    answer = { message: text.slice(0, 200) };
  }
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

export const get = (path) => call('GET', path);
export const post = (path, body = {}) => call('POST', path, body);
export const put = (path, body) => call('PUT', path, body);
export const remove = (path) => call('DELETE', path);

/** `query({player: 'Ann', limit: 5})` is `?player=Ann&limit=5`; what is missing is left out. */
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given).toString();
  return text && `?${text}`;
}

/** A name for a command: sent again after a lost answer, it counts once. */
export function commandKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
