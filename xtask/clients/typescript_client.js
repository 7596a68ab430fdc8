// Plays a game with a client that openapi-typescript has generated: node typescript_client.js SERVER

import createClient from 'openapi-fetch';

/** @import { components, paths } from './generated/noughts.d.ts' */
/** @typedef {components['schemas']['GameView']} GameView */
/** @typedef {components['schemas']['PlayerCommand']} PlayerCommand */

/** @type {string} */
const baseUrl = process.argv[2];

/** @type {ReturnType<typeof createClient<paths>>} */
const guest = createClient({ baseUrl });
const session = checked(await guest.POST('/api/v1/guests'));

/** @type {ReturnType<typeof createClient<paths>>} */
const client = createClient({ baseUrl, headers: { Authorization: `Bearer ${session.token}` } });

/**
 * The body of a successful response.
 * @template T
 * @param {{ data?: T, error?: { code: string, message: string } }} response
 * @returns {T}
 */
function checked({ data, error }) {
  if (!data) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

/** @type {GameView} */
let game = checked(await client.POST('/api/v1/games', {
  body: { rules: '3x3', seats: [{ for: 'me' }, { for: 'computer', level: 'easy' }] },
}));

while (game.phase === 'live') {
  const path = { id: game.id };
  if (game.turn !== game.your_seats[0]) {
    game = checked(await client.GET('/api/v1/games/{id}', { params: { path } }));
    continue;
  }
  /** @type {PlayerCommand} */
  const command = { type: 'move', move: game.legal[0] };
  const body = { command, seq: game.seq, key: `${game.seq}` };
  game = checked(await client.POST('/api/v1/games/{id}/commands', { params: { path }, body })).game;
}
const [update] = checked(await client.GET('/api/v1/games/{id}/events', { params: { path: { id: game.id } } })).slice(-1);
if (update.event.type !== 'moved') throw new Error(`the last event is ${update.event.type}`);

const refused = await client.POST('/api/v1/games', { body: { rules: '3x3', seats: [] } });
if (refused.error?.code !== 'seat_count') throw new Error('a game without seats is not refused');
console.log(`${game.moves.join(' ')}: ${game.result?.reason}`);
