// What a game's screen and the server tell each other: commands and their refusals, updates at the pace of the strokes,
// and what was missed while the connection was lost.

import { commandRequest } from './client.js';
import { GameSocket } from './game-socket.js';
import { ReplyPacer } from './motion.js';

/** @import { PlayerCommand, ServerMessage } from './api' */
/** @import { ConnectionState } from './game-socket.js' */
/** @import { Material } from './pieces.js' */
/** @import { GameState } from './state.js' */

/** How long updates after a reconnection count as missed. */
const CATCH_UP_MS = 400;

export class GameConnection {
  #state;
  #handlers;
  #socket;
  #pacer = /** @type {ReplyPacer<ServerMessage>} */ (new ReplyPacer((message) => this.#deliver(message)));
  /** Unanswered commands by key. @type {Map<string, PlayerCommand>} */
  #commands = new Map();
  /** What happened while the connection was lost, in sentences. @type {string[] | null} */
  missed = null;

  /**
   * @param {GameState} state
   * @param {{
   *   onmessage: (message: ServerMessage) => void,
   *   onrefused: (refusal: Extract<ServerMessage, { type: 'refused' }>, command: PlayerCommand | undefined) => void,
   *   onstate: (connection: ConnectionState) => void,
   * }} handlers
   */
  constructor(state, handlers) {
    this.#state = state;
    this.#handlers = handlers;
    this.#socket = new GameSocket(state.view.id, {
      onmessage: (message) => this.#pacer.push(message, this.#isReply(message)),
      onstate: handlers.onstate,
    });
  }

  /**
   * Whether a message is the computer's move.
   * @param {ServerMessage} message
   */
  #isReply(message) {
    return message.type === 'update' && message.event.type === 'moved' && this.#state.view.players[message.event.seat]?.kind === 'computer';
  }

  /**
   * @param {ServerMessage} message
   */
  #deliver(message) {
    if (message.type === 'accepted') {
      this.#commands.delete(message.key);
    } else if (message.type === 'refused') {
      const key = message.key ?? '';
      const command = this.#commands.get(key);
      this.#commands.delete(key);
      this.#handlers.onrefused(message, command);
    } else {
      this.#handlers.onmessage(message);
    }
  }

  /**
   * Sends a command and returns its key.
   * @param {PlayerCommand} command
   */
  send(command) {
    this.#pacer.flush();
    const request = commandRequest(command, this.#state.view.seq);
    this.#commands.set(request.key, command);
    this.#socket.send(request);
    return request.key;
  }

  /**
   * A piece begins to appear: the computer's reply waits for it.
   * @param {Material} material
   */
  strokeStarts(material) {
    this.#pacer.strokeStarts(material);
  }

  /** The connection is back: the updates that come at once were missed. */
  catchUp() {
    this.missed = [];
    setTimeout(() => { this.missed = null; }, CATCH_UP_MS);
  }

  /** Connects anew, as another player. */
  restart() {
    this.#socket.restart();
  }

  close() {
    this.#socket.close();
  }
}
