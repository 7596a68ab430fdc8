// The screen of a game: playing, watching and reviewing.

import { Board } from './board.js';
import { ApiError, commandRequest, displayName, GameSocket, get, includingSeen, noteRatedEnd, path, post, restoreSession, withSession } from './client.js';
import { showHowToPlay } from './describe.js';
import { closest, h, setChildren, setText } from './dom.js';
import { announce, confirmAction, load, navigate, replaceAddress, save } from './page.js';
import { actions, freeSeats, invitation, MoveList, PlayersPanel, prompts, shareGame } from './panel.js';
import { analyse, bestMoveText, continueAgainstComputer, losingMove, PositionAnalysis, reviewSection } from './review.js';
import { hasChoiceOfMark, MARK_LETTERS, moveText, parseMove, rulesName } from './rules.js';
import { GameState } from './state.js';
import { actionText, boardLabel, refusalText, statusText, updateText } from './text.js';
import { TurnControls } from './turn.js';

/** @import { CommandReply, GameUpdate, GameView, LosingMove, PlayerCommand, ServerMessage } from './api' */
/** @import { ConnectionState } from './client.js' */
/** @import { Child } from './dom.js' */

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
    /** @type {[GameView, GameUpdate[]]} */
    const [view, updates] = await Promise.all([get(path('games', id, includingSeen(id))), allEvents(id)]);
    if (!signal.aborted) new GameScreen(root, new GameState(view, updates), signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setChildren(root, h('h1', {}, 'Game not found'), h('p', {}, error.message), h('p', {}, h('a.button', { href: '/' }, 'Play a game')));
  }
}

/**
 * All events of a game, page by page.
 *
 * @param {string} id
 * @returns {Promise<GameUpdate[]>}
 */
async function allEvents(id) {
  const EVENTS_PER_PAGE = 1000;
  /** @type {GameUpdate[]} */
  const updates = [];
  for (;;) {
    const since = updates.at(-1)?.seq ?? 0;
    /** @type {GameUpdate[]} */
    const page = await get(path('games', id, 'events', { since, ...includingSeen(id) }));
    updates.push(...page);
    if (page.length < EVENTS_PER_PAGE) return updates;
  }
}

class GameScreen {
  #root;
  #state;
  #signal;
  #socket;
  /** The number of actions shown while reviewing; null shows the latest position. @type {number | null} */
  #ply = null;
  /** A move the server has not confirmed. @type {{ cell: string, mark: number, key: string, ply: number } | null} */
  #pending = null;
  /** What happened while the connection was lost. @type {string[] | null} */
  #missed = null;
  #isConnectionLost = false;
  /** Unanswered commands by key. @type {Map<string, PlayerCommand>} */
  #commands = new Map();
  #analysis = new PositionAnalysis({
    shown: () => ({ state: this.#state, ply: this.#shownPly }),
    onchange: () => !this.#signal.aborted && this.#render(),
  });
  /** A move. @type {string | null} */
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
  #controls;
  #players;
  #moves;

  /**
   * @param {HTMLElement} root
   * @param {GameState} state
   * @param {AbortSignal} signal
   */
  constructor(root, state, signal) {
    this.#root = root;
    this.#state = state;
    this.#signal = signal;
    const { view, rules } = state;
    const ply = new URLSearchParams(location.search).get('ply');
    if (ply !== null && /^\d+$/.test(ply) && Number(ply) < view.moves.length) this.#ply = Number(ply);
    this.#controls = new TurnControls(rules, {
      onmark: () => this.#render(),
      onchoice: (choice) => this.#move(choice),
    });
    this.#board = new Board(rules, {
      label: boardLabel(view),
      onplay: (cell) => this.#play(cell),
      onaim: (cell) => setText(this.#note, `${cell}: tap again to play there.`),
      onmark: hasChoiceOfMark(rules) ? (mark) => this.#chooseMark(mark) : undefined,
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
    addEventListener('resize', () => this.#board.fit(), { signal });
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
        h('p', {}, h('span.tag', {}, view.rated ? `rated, ${view.league}` : 'casual'), ' ', this.#connection, ' ',
          h('button.quiet', { type: 'button', onclick: () => showHowToPlay(view.rules) }, 'How to play'))),
      h('div.board-area', {}, this.#status, this.#controls.element, this.#board.element, this.#note),
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
    noteRatedEnd(view);
    const ply = this.#shownPly;
    const isLatest = ply === view.moves.length;
    const canPlay = isLatest && state.isYourTurn && !this.#pending;
    const details = state.detailsAt(ply);
    this.#controls.update(state, { isLatest, hint: this.#hint });
    this.#board.update({
      at: state.boardAt(ply),
      symbols: state.symbols,
      names: (details ?? view.details).owners.map((owner) => (owner === null ? null : state.nameOf(owner))),
      details,
      last: view.moves.slice(0, ply).map((move) => parseMove(move).cell).findLast((cell) => cell !== null),
      winning: isLatest ? view.result?.cells : [],
      pending: isLatest ? this.#pending : null,
      legal: view.legal,
      mark: canPlay && state.choices.length === 0 ? this.#markToPlace : null,
      values: this.#analysis.result?.cells,
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

  /** The mark that the player to move would place. */
  get #markToPlace() {
    return hasChoiceOfMark(this.#state.rules) ? this.#controls.mark : this.#state.markToPlace;
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
      toggleAnalysis: () => this.#analysis.toggle(),
      continueHere: () => continueAgainstComputer(this.#state, this.#shownPly),
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
    this.#loadHistory();
    this.#findLosingMove();
  }

  /** Loads the history after the view has skipped updates. */
  async #loadHistory() {
    if (this.#state.hasHistory) return;
    /** @type {GameUpdate[] | null} */
    const updates = await allEvents(this.#state.view.id).catch(() => null);
    if (!updates || this.#signal.aborted) return;
    this.#state.replaceHistory(updates.filter(({ seq }) => seq <= this.#state.view.seq));
    this.#render();
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
      this.#analysis.switchOff();
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
    this.#loadHistory();
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
      const view = await get(path('games', this.#state.view.id, includingSeen(this.#state.view.id))).catch(() => null);
      if (view && !this.#signal.aborted && view.seq >= this.#state.view.seq) this.#replaceView(view);
    }
  }

  /**
   * @param {Extract<ServerMessage, { type: 'refused' }>} refusal
   */
  #refused(refusal) {
    const { key, game } = refusal;
    const message = refusalText(refusal);
    const command = this.#commands.get(key ?? '');
    this.#commands.delete(key ?? '');
    if (game) this.#state.replace(game);
    if (this.#pending?.key === key) this.#pending = null;
    this.#render();
    this.#loadHistory();
    this.#say(command?.type === 'move' ? `${moveText(command.move, this.#state.symbols)} was refused. ${message}` : message);
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
    const mark = this.#markToPlace;
    const move = hasChoiceOfMark(this.#state.rules) ? `${cell}=${MARK_LETTERS[this.#controls.mark]}` : cell;
    // A legal move is shown at once, and taken back if the server refuses it. All others are refused by the server.
    const isShown = isYourTurn && mark !== null && view.legal.includes(move);
    const key = this.#move(move);
    if (!isShown) return;
    this.#pending = { cell, mark, key, ply: view.moves.length };
    this.#say('');
    this.#render();
  }

  /**
   * @param {string} move
   */
  #move(move) {
    return this.#send({ type: 'move', move });
  }

  /**
   * @param {number} mark
   */
  #chooseMark(mark) {
    this.#controls.choose(mark);
    announce(`${this.#state.symbols[mark]} is chosen.`);
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
    const { symbols, view: { id, moves, turn } } = this.#state;
    const ply = moves.length;
    this.#say('Thinking…');
    try {
      const analysis = await analyse(id, ply, symbols);
      if (ply !== this.#state.view.moves.length) return this.#say('');
      this.#hint = analysis.best;
      this.#say(`Hint: ${bestMoveText(analysis, this.#state.nameOf(turn ?? 0), symbols)}`);
      this.#render();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#say(error.message);
    }
  }

  // Reviewing.

  async #findLosingMove() {
    const { id, phase, players, result } = this.#state.view;
    if (phase !== 'finished' || this.#losing !== undefined || players.length !== 2) return;
    if (result?.reason !== 'line' && result?.reason !== 'no_line') return;
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
    announce(move ? `Move ${wanted}: ${this.#state.nameOf(this.#state.seatOf(wanted - 1))}, ${actionText(this.#state, move)}.` : 'Start of the game.');
    this.#analysis.update();
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (closest(event, 'input:not([type=radio]), select, textarea, dialog, [role=grid]')) return;
    const isReview = this.#state.view.phase === 'finished' || this.#ply !== null;
    const mark = hasChoiceOfMark(this.#state.rules) ? MARK_LETTERS.slice(0, 2).indexOf(event.key) : -1;
    if (mark >= 0) this.#chooseMark(mark);
    else if (closest(event, 'input')) return;
    else if (event.key === 'ArrowLeft') this.#goTo(this.#shownPly - 1);
    else if (event.key === 'ArrowRight' && isReview) this.#goTo(this.#shownPly + 1);
    else return;
    event.preventDefault();
  }
}
