// The connection to one game. It comes back by itself, asks for what it missed, and sends again what
// was not answered: commands have keys, so nothing counts twice.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;

export class GameSocket {
  /** `onmessage(message)` gets what the server says, `onstate(state)` `open`, `closed` or `refused`. */
  constructor(game, { onmessage, onstate }) {
    this.address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/games/${game}/socket`;
    this.onmessage = onmessage;
    this.onstate = onstate;
    this.seq = null;
    this.unanswered = new Map();
    this.wait = FIRST_WAIT;
    this.wake = () => this.#hurry();
    addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
    this.#connect();
  }

  #connect() {
    clearTimeout(this.timer);
    this.timer = null;
    const since = this.seq === null ? '' : `?since=${this.seq}`;
    const socket = new WebSocket(this.address + since);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.wait = FIRST_WAIT;
      this.onstate('open');
      for (const text of this.unanswered.values()) socket.send(text);
    });
    socket.addEventListener('message', (event) => this.#receive(event.data));
    socket.addEventListener('close', (event) => {
      if (this.socket !== socket) return;
      this.onstate(event.code === 4401 ? 'refused' : 'closed');
      // A little chance keeps all clients of a restarted server from coming at once.
      this.timer = setTimeout(() => this.#connect(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    });
  }

  #hurry() {
    if (this.timer && document.visibilityState === 'visible') this.#connect();
  }

  #receive(text) {
    const message = JSON.parse(text);
    if (message.type === 'state') this.seq = message.game.seq;
    else if (message.type === 'refused' && message.game) this.seq = Math.max(this.seq ?? 0, message.game.seq);
    else if (message.seq !== undefined && message.type !== 'done') {
      if (this.seq !== null && message.seq <= this.seq) return;
      if (this.seq !== null && message.seq > this.seq + 1) return this.#startOver();
      this.seq = message.seq;
    }
    if (message.type === 'done' || message.type === 'refused') this.unanswered.delete(message.key);
    this.onmessage(message);
  }

  /** Something is missing in between: the whole game is asked for. */
  #startOver() {
    this.seq = null;
    this.socket.close();
  }

  send(command) {
    const text = JSON.stringify(command);
    this.unanswered.set(command.key, text);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  /** Comes back as whoever the browser is by then. */
  again() {
    this.seq = null;
    const old = this.socket;
    this.#connect();
    old.close();
  }

  close() {
    clearTimeout(this.timer);
    removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    const socket = this.socket;
    this.socket = null;
    socket.close();
  }
}
