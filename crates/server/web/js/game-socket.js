// The WebSocket of a game.

import { BASE, includingSeen, noteSeen, path } from './client.js';

/** @import { CommandRequest, ServerMessage } from './api' */

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
