// The screen of a game: playing, watching and reviewing.

import { Board } from './board.js';
import { ApiError, commandRequest, displayName, GameSocket, get, path, post, restoreSession, withSession } from './client.js';
import { closest, h, setChildren, setText } from './dom.js';
import { announce, confirmAction, load, navigate, replaceAddress, save, showToast } from './page.js';
import { actions, freeSeats, invitation, MoveList, PlayersPanel, prompts, shareGame } from './panel.js';
import { analyse, bestMoveText, losingMove, reviewSection } from './review.js';
import { parseCell, parseRules, rulesGoal, rulesName } from './rules.js';
import { GameState, isResignation } from './state.js';
import { statusText, updateText } from './text.js';

/** @import { CommandReply, GameUpdate, GameView, LosingMove, NewGame, NewSeat, PlayerCommand, ServerMessage } from './api' */
/** @import { ConnectionState } from './client.js' */
/** @import { Child } from './dom.js' */
/** @import { Analysis } from './review.js' */

/** How long updates after a reconnection count as missed. */
const CATCH_UP_MS = 400;

/** The ratings change shortly after the end of a rated game. */
const RATING_ATTEMPTS = 6;
const RATING_BACKOFF_MS = 200;

const CLOCK_INTERVAL_MS = 100;

/** How long the result is seen before the rematch. */
const REMATCH_DELAY_MS = 300;

/** @type {import('./page.js').Screen} */
export const screen = {
  title: 'Game',
  show(root, id) {
    const abort = new AbortController();
    start(root, id, abort.signal);
    return () => abort.abort();
  },
};

/**
 * @param {HTMLElement} root
 * @param {string} id
 * @param {AbortSignal} signal aborts when the screen is left
 */
async function start(root, id, signal) {
  setChildren(root, h('p.lead', {}, 'Loading the game…'));
  await restoreSession().catch(() => null);
  try {
    /** @type {GameView} */
    const view = await get(path('games', id));
    if (!signal.aborted) new GameScreen(root, view, signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setChildren(root, h('h1', {}, 'Game not found'), h('p', {}, error.message), h('p', {}, h('a.button', { href: '/' }, 'Play a game')));
  }
}

class GameScreen {
  #root;
  #state;
  #signal;
  #socket;
  /** The number of actions shown while reviewing; null shows the latest position. @type {number | null} */
  #ply = null;
  /** A move the server has not confirmed. @type {{ cell: string, seat: number, key: string, ply: number } | null} */
  #pending = null;
  /** What happened while the connection was lost. @type {string[] | null} */
  #missed = null;
  #isConnectionLost = false;
  /** Unanswered commands by key. @type {Map<string, PlayerCommand>} */
  #commands = new Map();
  /** @type {{ isOn: boolean, result: Analysis | null, text: string }} */
  #analysis = { isOn: false, result: null, text: '' };
  #isAnalysing = false;
  /** @type {string | null} */
  #hint = null;
  /** Undefined until the server was asked. @type {LosingMove | null | undefined} */
  #losing;
  #wasAwaited = false;
  #extrasKey = '';
  /** Whether what is drawn is a game that waits for players. */
  #isOpen = false;
  #note = h('p.note');
  #connection = h('span.connection', {}, 'connecting…');
  #status = h('p.status');
  #prompts = h('div.prompts');
  #actions = h('div.actions');
  #extras = h('div.extras');
  #layout = h('div.game');
  #board;
  #players;
  #moves;

  /**
   * @param {HTMLElement} root
   * @param {GameView} view
   * @param {AbortSignal} signal
   */
  constructor(root, view, signal) {
    this.#root = root;
    this.#state = new GameState(view);
    this.#signal = signal;
    const ply = new URLSearchParams(location.search).get('ply');
    if (ply !== null && /^\d+$/.test(ply) && Number(ply) < view.moves.length) this.#ply = Number(ply);
    this.#board = new Board(parseRules(view.rules), {
      label: `Board, ${view.rows} rows by ${view.cols} columns`,
      onplay: (cell) => this.#play(cell),
      onaim: (cell) => setText(this.#note, `${cell}: tap again to play there.`),
    });
    this.#players = new PlayersPanel();
    this.#moves = new MoveList((to) => this.#goTo(to));
    this.#build();
    this.#socket = new GameSocket(view.id, {
      onmessage: (message) => this.#receive(message),
      onstate: (state) => this.#showConnection(state),
    });
    const timer = setInterval(() => this.#players.tick(), CLOCK_INTERVAL_MS);
    document.addEventListener('keydown', (event) => this.#key(event), { signal });
    signal.addEventListener('abort', () => {
      this.#socket.close();
      clearInterval(timer);
    });
    this.#findLosingMove();
  }

  /** Draws the whole screen. A game that waits for players has another layout than one that is played. */
  #build() {
    const { view } = this.#state;
    this.#isOpen = view.phase === 'open';
    this.#extrasKey = '';
    this.#layout = h('div.game', {},
      h('div.heading', {}, h('h1', {}, rulesName(view.rules)),
        h('p', {}, h('span', {}, rulesGoal(view.rules)), ' ', h('span.tag', {}, view.rated ? `rated, ${view.league}` : 'casual'), ' ', this.#connection)),
      h('div.board-area', {}, this.#status, this.#board.element, this.#note),
      h('div.panel', {}, this.#players.element, this.#prompts, this.#actions, this.#moves.element, this.#extras));
    setChildren(this.#root, this.#layout);
    this.#render();
  }

  /** The number of actions shown. */
  get #shownPly() {
    return this.#ply ?? this.#state.view.moves.length;
  }

  #render() {
    const state = this.#state;
    const { view } = state;
    if (this.#isOpen !== (view.phase === 'open')) return this.#build();
    const ply = this.#shownPly;
    const isLatest = ply === view.moves.length;
    this.#board.update({
      at: state.boardAt(ply),
      symbols: view.players.map((player) => player.symbol),
      names: view.players.map((player) => player.name),
      last: view.moves.slice(0, ply).findLast((move) => !isResignation(move)),
      winning: isLatest ? view.result?.cells : [],
      pending: isLatest ? this.#pending : null,
      legal: view.legal,
      turn: isLatest && state.isYourTurn && !this.#pending ? view.turn : null,
      values: this.#analysis.isOn ? this.#analysis.result?.values : null,
      hint: isLatest ? this.#hint : null,
    });
    this.#layout.classList.toggle('open', view.phase === 'open');
    this.#players.update(state);
    this.#moves.update(state, ply, this.#losing?.ply);
    setText(this.#status, isLatest ? statusText(state) : `After move ${ply} of ${view.moves.length}.`);
    this.#status.classList.toggle('yours', isLatest && state.isYourTurn);
    this.#notify();
    const send = (/** @type {PlayerCommand} */ command) => this.#send(command);
    this.#replace(this.#prompts, prompts(state, send));
    this.#replace(this.#actions, actions(state, {
      send,
      hint: () => this.#showHint(),
      resign: () => this.#resign(),
      notify: () => Notification.requestPermission().then(() => this.#render()),
    }));
    this.#renderExtras();
  }

  #renderExtras() {
    const { view, isPlayer } = this.#state;
    const isReview = view.phase === 'finished' || this.#ply !== null;
    const key = JSON.stringify([view.phase, isPlayer, isReview && this.#shownPly, view.players.map((player) => player.name),
      view.phase === 'open' && displayName(), this.#analysis.isOn, this.#analysis.text, this.#losing]);
    if (key === this.#extrasKey) return;
    this.#extrasKey = key;
    this.#replace(this.#extras, [this.#extraSection(isReview)]);
  }

  /**
   * @param {boolean} isReview
   */
  #extraSection(isReview) {
    const { view, isPlayer } = this.#state;
    if (view.phase === 'open') {
      return isPlayer ? invitation() : freeSeats(this.#state, displayName(), {
        join: (seat) => this.#join(seat),
        decline: () => this.#send({ type: 'abort' }),
      });
    }
    if (!isReview) return h('div.row', {}, h('button.quiet', { type: 'button', 'data-action': 'share', onclick: shareGame }, 'Share this game'));
    return reviewSection(this.#state, {
      ply: this.#shownPly,
      losing: this.#losing ?? null,
      analysis: this.#analysis,
      goTo: (ply) => this.#goTo(ply),
      toggleAnalysis: () => this.#toggleAnalysis(),
      continueHere: () => this.#continueHere(),
    });
  }

  /**
   * Replaces controls without taking the focus from one that stays.
   * @param {HTMLElement} element
   * @param {Child[]} children
   */
  #replace(element, children) {
    const focused = document.activeElement;
    const action = focused instanceof HTMLElement && element.contains(focused) ? focused.dataset.action : undefined;
    setChildren(element, children);
    const same = action && element.querySelector(`[data-action=${action}]`);
    if (same instanceof HTMLElement) same.focus();
  }

  /** Shows in the title, and by a notification if the tab is hidden, that it is the player's turn. */
  #notify() {
    const { view, isAwaited } = this.#state;
    const name = rulesName(view.rules);
    document.title = `${isAwaited ? '● Your turn · ' : ''}${name} · Noughts`;
    if (isAwaited && !this.#wasAwaited && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
      new Notification('Your turn', { body: name, tag: view.id });
    }
    this.#wasAwaited = isAwaited;
  }

  /**
   * Shows a note below the board and announces it.
   * @param {string} text
   */
  #say(text) {
    setText(this.#note, text);
    if (text) announce(text);
  }

  // From the server.

  /**
   * @param {ServerMessage} message
   */
  #receive(message) {
    switch (message.type) {
      case 'state':
        this.#replaceView(message.game);
        this.#playOpening();
        break;
      case 'update':
        this.#update(message);
        break;
      case 'accepted':
        this.#commands.delete(message.key);
        break;
      case 'refused':
        this.#refused(message);
        break;
      case 'lag':
        break;
    }
  }

  /**
   * @param {GameView} view
   */
  #replaceView(view) {
    const { seq } = this.#state.view;
    this.#state.replace(view);
    if (this.#pending && view.moves.length !== this.#pending.ply) this.#pending = null;
    if (view.seq > seq && this.#missed) this.#say(`While you were away: ${statusText(this.#state)}`);
    this.#missed = null;
    this.#render();
    this.#findLosingMove();
  }

  /**
   * @param {GameUpdate} update
   */
  #update(update) {
    const { event } = update;
    this.#state.apply(update);
    this.#hint = null;
    const movesChanged = event.type === 'moved' || event.type === 'undone' || event.type === 'eliminated';
    if (movesChanged) this.#pending = null;
    if (event.type === 'undone') {
      this.#ply = null;
      this.#losing = undefined;
      this.#analysis = { isOn: false, result: null, text: '' };
    }
    const text = updateText(this.#state, update);
    if (this.#missed && text) {
      this.#missed.push(text);
      this.#say(`While you were away: ${this.#missed.join(' ')}`);
    } else if (text) {
      setText(this.#note, event.type === 'moved' ? '' : text);
      announce(movesChanged || update.result ? `${text} ${statusText(this.#state)}` : text);
    }
    this.#render();
    if (movesChanged && update.result && this.#state.view.rated) this.#awaitRatings();
    if (event.type === 'rematch_started' && this.#state.isPlayer) {
      setTimeout(() => !this.#signal.aborted && navigate(`/game/${event.game}`), REMATCH_DELAY_MS);
    }
    this.#findLosingMove();
  }

  /** No update tells that the ratings have changed. */
  async #awaitRatings() {
    const before = this.#players.ratings;
    for (let attempt = 0; attempt < RATING_ATTEMPTS && !this.#signal.aborted && this.#players.ratings === before; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, attempt * RATING_BACKOFF_MS));
      /** @type {GameView | null} */
      const view = await get(path('games', this.#state.view.id)).catch(() => null);
      if (view && !this.#signal.aborted && view.seq >= this.#state.view.seq) this.#replaceView(view);
    }
  }

  /**
   * @param {Extract<ServerMessage, { type: 'refused' }>} refusal
   */
  #refused({ key, message, game }) {
    const command = this.#commands.get(key ?? '');
    this.#commands.delete(key ?? '');
    if (game) this.#state.replace(game);
    if (this.#pending?.key === key) this.#pending = null;
    this.#render();
    this.#say(command?.type === 'move' ? `${command.cell} was refused. ${message}` : message);
  }

  /**
   * @param {ConnectionState} state
   */
  #showConnection(state) {
    setText(this.#connection, { open: 'connected', closed: 'reconnecting…', 'signed-out': 'signed out' }[state]);
    this.#connection.dataset.state = state;
    if (state !== 'open') {
      if (!this.#isConnectionLost) announce('Connection lost. Reconnecting.');
      this.#isConnectionLost = true;
    } else if (this.#isConnectionLost) {
      this.#isConnectionLost = false;
      this.#missed = [];
      announce('Connected again.');
      setTimeout(() => { this.#missed = null; }, CATCH_UP_MS);
    }
  }

  // From the player.

  /**
   * @param {PlayerCommand} command
   */
  #send(command) {
    const request = commandRequest(command, this.#state.view.seq);
    this.#commands.set(request.key, command);
    this.#socket.send(request);
    return request.key;
  }

  /**
   * @param {string} cell
   */
  #play(cell) {
    const { view, isPlayer, isYourTurn } = this.#state;
    if (this.#ply !== null) return this.#goTo(view.moves.length);
    if (!isPlayer) return this.#say({ open: 'Join the game to play.', live: 'You are watching: only the players can move.', finished: '' }[view.phase]);
    if (this.#pending) return;
    // Legality is the server's: a plausible move is shown at once, and taken back if it is refused.
    const key = this.#send({ type: 'move', cell });
    const [row, col] = parseCell(cell);
    if (isYourTurn && typeof view.turn === 'number' && view.board[row][col] === null) {
      this.#pending = { cell, seat: view.turn, key, ply: view.moves.length };
      this.#say('');
      this.#render();
    }
  }

  /** Plays the cell that was chosen on the first screen. */
  #playOpening() {
    const opening = load('opening', { game: '', cell: '' });
    if (opening.game !== this.#state.view.id) return;
    save('opening', null);
    if (this.#state.isYourTurn && this.#state.view.moves.length === 0) this.#play(opening.cell);
  }

  async #resign() {
    if (await confirmAction('Resign this game?', 'Resign')) this.#send({ type: 'resign' });
  }

  /**
   * @param {number} seat
   */
  async #join(seat) {
    const { id, seq } = this.#state.view;
    const request = commandRequest({ type: 'join' }, seq, seat);
    try {
      /** @type {CommandReply} */
      const reply = await withSession(() => post(path('games', id, 'commands'), request));
      this.#replaceView(reply.game);
      // The open connection is a spectator's.
      this.#socket.restart();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#say(error.message);
    }
  }

  async #showHint() {
    const { id, moves, turn } = this.#state.view;
    const ply = moves.length;
    this.#say('Thinking…');
    try {
      const analysis = await analyse(id, ply);
      if (ply !== this.#state.view.moves.length) return this.#say('');
      this.#hint = analysis.best;
      this.#say(`Hint: ${bestMoveText(analysis, this.#state.nameOf(turn ?? 0))}`);
      this.#render();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#say(error.message);
    }
  }

  // Reviewing.

  async #findLosingMove() {
    const { id, phase, players, result } = this.#state.view;
    if (phase !== 'finished' || this.#losing !== undefined || players.length !== 2 || result?.reason !== 'line') return;
    this.#losing = null;
    this.#losing = await losingMove(id);
    if (this.#losing && !this.#signal.aborted) this.#render();
  }

  /**
   * Shows the position after this many actions.
   * @param {number} ply
   */
  #goTo(ply) {
    const { id, moves } = this.#state.view;
    const wanted = Math.min(Math.max(ply, 0), moves.length);
    this.#ply = wanted === moves.length ? null : wanted;
    replaceAddress(this.#ply === null ? `/game/${id}` : `/game/${id}?ply=${wanted}`);
    const move = moves[wanted - 1];
    announce(move ? `Move ${wanted}: ${this.#state.nameOf(this.#state.seatOf(move))}, ${move}.` : 'Start of the game.');
    Object.assign(this.#analysis, { result: null, text: '' });
    this.#render();
    if (this.#analysis.isOn) this.#analyse();
  }

  #toggleAnalysis() {
    this.#analysis = { isOn: !this.#analysis.isOn, result: null, text: '' };
    this.#render();
    if (this.#analysis.isOn) this.#analyse();
  }

  /**
   * Analyses the position shown. One request at a time: positions skipped meanwhile are not asked for.
   * @returns {Promise<void>}
   */
  async #analyse() {
    if (this.#isAnalysing) return;
    const ply = this.#shownPly;
    const { id, moves, result } = this.#state.view;
    if (ply === moves.length && result) {
      this.#analysis.text = 'The game is over here. Step back to see what the moves were worth.';
      return this.#render();
    }
    this.#isAnalysing = true;
    /** @type {Analysis | null} */
    let analysis = null;
    let text;
    try {
      analysis = await analyse(id, ply);
      text = bestMoveText(analysis, this.#state.nameOf(analysis.turn ?? 0));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      text = error.message;
    } finally {
      this.#isAnalysing = false;
    }
    if (this.#signal.aborted || !this.#analysis.isOn) return;
    if (ply !== this.#shownPly) return this.#analyse();
    Object.assign(this.#analysis, { result: analysis, text });
    this.#render();
    announce(text);
  }

  /** Starts a game against the computer from the position shown, in the place of the player to move. */
  async #continueHere() {
    const { view } = this.#state;
    const moves = view.moves.slice(0, this.#shownPly);
    const turn = this.#state.seatOf(view.moves[this.#shownPly]);
    /** @type {{ level?: import('./api').Level }} */
    const { level = 'medium' } = load('choice', {});
    const seats = view.players.map(({ seat, symbol }) =>
      /** @type {NewSeat} */ (seat === turn ? { for: 'me', symbol } : { for: 'computer', level, symbol }));
    /** @type {NewGame} */
    const game = { rules: view.rules, seats, moves, public: false };
    try {
      /** @type {GameView} */
      const { id } = await withSession(() => post('/games', game));
      navigate(`/game/${id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast(error.message);
    }
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (closest(event, 'input, select, textarea, dialog, [role=grid]')) return;
    const isReview = this.#state.view.phase === 'finished' || this.#ply !== null;
    if (event.key === 'ArrowLeft') this.#goTo(this.#shownPly - 1);
    else if (event.key === 'ArrowRight' && isReview) this.#goTo(this.#shownPly + 1);
    else return;
    event.preventDefault();
  }
}
