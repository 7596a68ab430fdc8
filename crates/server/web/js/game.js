// A game: playing, watching, and looking at it afterwards.

import { actions, questions } from './actions.js';
import { announce } from './announcer.js';
import { commandKey, get, post, Refused, sentence } from './api.js';
import { Board } from './board.js';
import { confirmed, notice } from './dialog.js';
import { h, put, say } from './dom.js';
import { asSomeone, shownName, whoAmI } from './me.js';
import { recall, remember } from './memory.js';
import { MovesList } from './moves.js';
import { go, mark } from './navigate.js';
import { PlayersPanel } from './players.js';
import { invitation, review, seats, shareGame } from './review.js';
import { goalOf, nameOf, parse } from './rules.js';
import { GameSocket } from './socket.js';
import { GameState } from './state.js';
import { analysis, losingMove, verdictOf } from './study.js';
import { eventOf, statusOf } from './words.js';

export const title = 'Game';

/** How long events after a reconnection count as missed ones. */
const MISSED_MS = 400;

/** How often, and how far apart, it is asked for ratings that are about to change. */
const RATING_TRIES = 6;
const RATING_WAIT_MS = 200;

export function show(root, id) {
  const screen = new GameScreen(root, id);
  screen.start();
  return () => screen.leave();
}

class GameScreen {
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.ply = null;
    this.pending = null;
    this.missed = null;
    this.study = { on: false, answer: null };
    this.commands = new Map();
    this.note = h('p.note');
    this.link = h('span.connection', {}, 'connecting');
  }

  async start() {
    put(this.root, h('p.lead', {}, 'Loading the game…'));
    await whoAmI().catch(() => null);
    try {
      this.state = new GameState(await get(`/games/${encodeURIComponent(this.id)}`));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(this.root, h('h1', {}, 'No game here'), h('p', {}, error.message), h('p', {}, h('a.button', { href: '/' }, 'Play a game')));
      return;
    }
    if (this.left) return;
    const ply = new URLSearchParams(location.search).get('ply');
    const { moves } = this.state.view;
    if (ply !== null && /^\d+$/.test(ply) && Number(ply) < moves.length) this.ply = Number(ply);
    this.#build();
    this.socket = new GameSocket(this.id, {
      onmessage: (message) => this.#receive(message),
      onstate: (state) => this.#connection(state),
    });
    this.timer = setInterval(() => this.players.tick(), 100);
    this.keys = (event) => this.#key(event);
    document.addEventListener('keydown', this.keys);
    this.#afterEnd();
  }

  leave() {
    this.left = true;
    this.socket?.close();
    clearInterval(this.timer);
    document.removeEventListener('keydown', this.keys);
  }

  #build() {
    const { view } = this.state;
    this.builtOpen = view.phase === 'open';
    this.extrasShown = null;
    this.rules = parse(view.rules);
    this.board = new Board(this.rules, {
      label: `Board, ${view.rows} rows by ${view.cols} columns`,
      onplay: (box) => this.#play(box),
      onaim: (box) => say(this.note, `${box}: tap again to play there.`),
    });
    this.players = new PlayersPanel();
    this.moves = new MovesList((ply) => this.#look(ply));
    this.line = h('p.status');
    this.question = h('div.question');
    this.actions = h('div.actions');
    this.side = h('div.extras');
    this.table = h('div.table', {},
      h('div.heading', {}, h('h1', {}, nameOf(view.rules)),
        h('p', {}, h('span', {}, goalOf(view.rules)), ' ', h('span.tag', {}, view.rated ? `rated, ${view.league}` : 'casual'), ' ', this.link)),
      h('div.middle', {}, this.line, this.board.element, this.note),
      h('div.panel', {}, this.players.element, this.question, this.actions, this.moves.element, this.side));
    put(this.root, this.table);
    this.#render();
  }

  /** The number of actions that are shown. */
  get shownPly() {
    return this.ply ?? this.state.view.moves.length;
  }

  #render() {
    const { state } = this;
    const { view } = state;
    // Who waits has another screen than who plays: one takes the other's place as a whole.
    if (this.builtOpen !== (view.phase === 'open')) return this.#build();
    const ply = this.shownPly;
    const isLatest = ply === view.moves.length;
    const last = view.moves.slice(0, ply).filter((move) => !move.startsWith('resign')).pop();
    this.board.update({
      at: state.boardAt(ply),
      symbols: view.players.map((player) => player.symbol),
      names: view.players.map((player) => player.name),
      last,
      wins: isLatest ? view.result?.cells ?? [] : [],
      pending: isLatest ? this.pending : null,
      legal: view.legal,
      turn: isLatest && state.isMyTurn && !this.pending ? view.turn : null,
      values: this.study.on ? this.study.answer?.values : null,
      hint: isLatest ? this.hint : null,
    });
    this.table.classList.toggle('open', view.phase === 'open');
    this.players.update(state);
    this.moves.update(state, ply, this.lost?.ply);
    say(this.line, isLatest ? statusOf(state) : `After move ${ply} of ${view.moves.length}.`);
    this.line.classList.toggle('yours', isLatest && state.isMyTurn);
    this.#title();
    this.#replace(this.question, questions(state, (command) => this.#send(command)));
    this.#replace(this.actions, actions(state, {
      send: (command) => this.#send(command),
      hint: () => this.#hint(),
      resign: () => this.#resign(),
      notify: () => Notification.requestPermission().then(() => this.#render()),
    }));
    this.#drawExtras();
  }

  #title() {
    const { view } = this.state;
    const turn = this.state.awaitsMe;
    document.title = `${turn ? '● Your turn · ' : ''}${nameOf(view.rules)} · Noughts`;
    if (turn && !this.wasMyTurn && document.hidden && window.Notification?.permission === 'granted') {
      new Notification('Your turn', { body: nameOf(view.rules), tag: view.id });
    }
    this.wasMyTurn = turn;
  }

  /** Says something under the board, and to screen readers. */
  #say(text) {
    say(this.note, text);
    if (text) announce(text);
  }

  // What the server says.

  #receive(message) {
    switch (message.type) {
      case 'state':
        this.#take(message.game);
        this.#opening();
        break;
      case 'done':
        this.commands.delete(message.key);
        break;
      case 'refused':
        this.#refused(message);
        break;
      case 'lag':
        break;
      default:
        this.#event(message);
    }
  }

  #take(view) {
    const before = this.state.view;
    this.state.take(view);
    if (this.pending && view.moves.length !== this.pending.ply) this.pending = null;
    if (view.seq > before.seq && this.missed) this.#say(`While you were away: ${statusOf(this.state)}`);
    this.missed = null;
    this.#render();
    this.#afterEnd();
  }

  #event(event) {
    const again = this.state.apply(event);
    this.hint = null;
    if (event.type === 'moved' || event.type === 'undone' || event.type === 'resigned') this.pending = null;
    if (event.type === 'undone') {
      this.ply = null;
      this.lost = undefined;
      this.study = { on: false, answer: null };
    }
    const words = eventOf(this.state, event);
    if (this.missed && words) {
      this.missed.push(words);
      this.#say(`While you were away: ${this.missed.join(' ')}`);
    } else if (words) {
      const spoken = this.state.view.result || event.type === 'moved' || event.type === 'undone' ? ` ${statusOf(this.state)}` : '';
      say(this.note, event.type === 'moved' ? '' : words);
      announce(words + spoken);
    }
    this.#render();
    // Whoever joins changes more than the event says.
    if (again) this.#reload();
    if (event.result && this.state.view.rated) this.#awaitRatings();
    if (event.type === 'rematch') this.#follow(event.game);
    this.#afterEnd();
  }

  async #reload() {
    const view = await get(`/games/${this.id}`).catch(() => null);
    if (view && !this.left && view.seq >= this.state.view.seq) this.#take(view);
  }

  /** The end of a rated game changes the ratings, a moment after it is told. */
  async #awaitRatings() {
    const before = this.players.ratingsText;
    for (let tries = 0; tries < RATING_TRIES && !this.left && this.players.ratingsText === before; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, tries * RATING_WAIT_MS));
      await this.#reload();
    }
  }

  #refused({ key, message, game }) {
    const command = this.commands.get(key);
    this.commands.delete(key);
    if (game) {
      const { yours } = this.state.view;
      this.state.take({ ...game, yours: game.yours.length ? game.yours : yours });
    }
    if (this.pending?.key === key) this.pending = null;
    this.#render();
    const text = sentence(message);
    this.#say(command?.do === 'move' ? `${command.cell} was refused. ${text}` : text);
  }

  #connection(state) {
    const words = { open: 'connected', closed: 'reconnecting…', refused: 'signed out' }[state];
    say(this.link, words);
    this.link.dataset.state = state;
    if (state !== 'open') {
      if (!this.isLost) announce('The connection is lost. Trying again.');
      this.isLost = true;
    } else if (this.isLost) {
      this.isLost = false;
      this.missed = [];
      announce('Connected again.');
      setTimeout(() => (this.missed = null), MISSED_MS);
    }
  }

  // What people do.

  #send(command) {
    const key = commandKey();
    this.commands.set(key, command);
    this.socket.send({ ...command, seq: this.state.view.seq, key });
    return key;
  }

  #play(box) {
    const { view } = this.state;
    if (this.ply !== null) return this.#look(view.moves.length);
    if (!this.state.isMine) return this.#watcherClicked();
    if (this.pending) return;
    // Legality is the server's: what it is not known to refuse is shown at once and taken back if it is.
    const key = this.#send({ do: 'move', cell: box });
    const free = this.state.boardAt(view.moves.length);
    const [row, col] = [box.charCodeAt(0) - 65, Number(box.slice(1)) - 1];
    if (this.state.isMyTurn && free(row, col) === null) {
      this.pending = { box, seat: view.turn, key, ply: view.moves.length };
      this.#say('');
      this.#render();
    }
  }

  #watcherClicked() {
    const { phase } = this.state.view;
    this.#say(phase === 'open' ? 'Join the game to play.' : phase === 'over' ? '' : 'You are watching: only the players can move.');
  }

  /** The box that was chosen on the first screen is the first move. */
  #opening() {
    const opening = recall('opening');
    if (opening?.game !== this.id) return;
    remember('opening', null);
    if (this.state.isMyTurn && this.state.view.moves.length === 0) this.#play(opening.box);
  }

  #follow(game) {
    if (this.state.isMine) setTimeout(() => !this.left && go(`/game/${game}`), 300);
  }

  /** Puts buttons in place without taking the focus away from one that stays. */
  #replace(element, parts) {
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset?.action : null;
    put(element, parts.flat());
    if (focused) element.querySelector(`[data-action=${focused}]`)?.focus();
  }

  async #resign() {
    const sure = await confirmed('Give this game up?', 'Resign');
    if (sure) this.#send({ do: 'resign' });
  }

  async #hint() {
    const { moves, turn } = this.state.view;
    this.#say('Thinking…');
    try {
      const answer = await analysis(this.id, moves.length);
      if (moves.length !== this.state.view.moves.length) return this.#say('');
      this.hint = answer.best;
      this.#say(`Hint: ${verdictOf(answer, this.state.nameOf(turn))}`);
      this.#render();
    } catch (error) {
      this.#say(error.message);
    }
  }

  // Before and after.

  #drawExtras() {
    const { view, isMine } = this.state;
    const { phase } = view;
    // While nobody looks back, moves change nothing here.
    const looking = phase === 'over' || this.ply !== null;
    const key = JSON.stringify([phase, isMine, looking && this.shownPly, view.players.map((player) => player.name), phase === 'open' && shownName(), this.study.on, this.lost ?? null, this.study.words]);
    if (key === this.extrasShown) return;
    this.extrasShown = key;
    const focused = this.side.contains(document.activeElement) ? document.activeElement.dataset?.action : null;
    if (phase === 'open') put(this.side, isMine ? invitation()
      : seats(this.state, shownName(), (seat) => this.#sit(seat), () => this.#send({ do: 'abort' })));
    else if (looking) put(this.side, this.#review());
    else put(this.side, h('div.row', {}, h('button.quiet', { type: 'button', 'data-action': 'share', onclick: shareGame }, 'Share this game')));
    if (focused) this.side.querySelector(`[data-action=${focused}]`)?.focus();
  }

  async #sit(seat) {
    try {
      const answer = await asSomeone(() => post(`/games/${this.id}/join`, { seat }));
      this.#take(answer.game);
      // Events come as to a player only over a connection that knows who we are.
      this.socket.again();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#say(error.message);
      this.#reload();
    }
  }

  #review() {
    return review(this.state, {
      ply: this.shownPly,
      lost: this.lost,
      study: this.study,
      look: (ply) => this.#look(ply),
      toggleStudy: () => this.#toggleStudy(),
      playOn: () => this.#playOn(),
    });
  }

  /** When a game is over, the server may know where it was lost. */
  async #afterEnd() {
    const { view } = this.state;
    if (view.phase !== 'over') return;
    if (this.lost !== undefined || view.players.length !== 2 || view.result?.how !== 'line') return;
    this.lost = null;
    this.lost = await losingMove(this.id);
    if (this.lost && !this.left) this.#render();
  }

  #look(ply) {
    const { moves } = this.state.view;
    const wanted = Math.min(Math.max(ply, 0), moves.length);
    this.ply = wanted === moves.length ? null : wanted;
    mark(this.ply === null ? `/game/${this.id}` : `/game/${this.id}?ply=${wanted}`);
    const move = moves[wanted - 1];
    announce(move ? `Move ${wanted}: ${this.state.nameOf(this.state.seatOf(move))}, ${move}.` : 'The beginning.');
    this.study.answer = null;
    this.study.words = '';
    this.#render();
    if (this.study.on) this.#ask();
  }

  #toggleStudy() {
    this.study = { on: !this.study.on, answer: null, words: '' };
    this.#render();
    if (this.study.on) this.#ask();
  }

  /** One question at a time: who steps on meanwhile is answered for where they are by then. */
  async #ask() {
    if (this.asking) return;
    const ply = this.shownPly;
    const { view } = this.state;
    if (ply === view.moves.length && view.result) {
      this.study.words = 'The game is over here: step back to see what the moves were worth.';
      return this.#render();
    }
    this.asking = true;
    let answer = null;
    let words;
    try {
      answer = await analysis(this.id, ply);
      words = verdictOf(answer, this.state.nameOf(answer.turn));
    } catch (error) {
      words = error.message;
    }
    this.asking = false;
    if (this.left || !this.study.on) return;
    if (ply !== this.shownPly) return this.#ask();
    Object.assign(this.study, { answer, words });
    this.#render();
    announce(words);
  }

  async #playOn() {
    const { view } = this.state;
    const moves = view.moves.slice(0, this.shownPly);
    const level = recall('choice', {}).level ?? 'medium';
    // Whoever moved next in this game is the one who plays on.
    const turn = this.state.seatOf(view.moves[this.shownPly]);
    const seats = view.players.map((player) =>
      player.seat === turn ? { for: 'me', symbol: player.symbol } : { for: 'computer', level, symbol: player.symbol });
    try {
      const game = await asSomeone(() => post('/games', { rules: view.rules, seats, moves, public: false }));
      go(`/game/${game.id}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(error.message);
    }
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.('input, select, textarea, dialog, [role=grid]')) return;
    const { view } = this.state;
    if (view.phase !== 'over' && this.ply === null && event.key !== 'ArrowLeft') return;
    if (event.key === 'ArrowLeft') this.#look(this.shownPly - 1);
    else if (event.key === 'ArrowRight') this.#look(this.shownPly + 1);
    else return;
    event.preventDefault();
  }
}
