// A game: playing, watching, and looking at it afterwards.

import { announce } from './announcer.js';
import { commandKey, get, post, Refused, sentence } from './api.js';
import { Board } from './board.js';
import { confirmed, notice, openDialog } from './dialog.js';
import { h, put, say } from './dom.js';
import { asSomeone, whoAmI } from './me.js';
import { recall, remember } from './memory.js';
import { MovesList } from './moves.js';
import { go, mark } from './navigate.js';
import { PlayersPanel } from './players.js';
import { goalOf, nameOf, parse } from './rules.js';
import { copyText, shareLine } from './share.js';
import { GameSocket } from './socket.js';
import { GameState } from './state.js';
import { analysis, losingMove, verdictOf } from './study.js';
import { eventOf, statusOf } from './words.js';

export const title = 'Game';

/** How long events after a reconnection count as missed ones. */
const MISSED_MS = 400;

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
    this.rules = parse(view.rules);
    this.board = new Board(this.rules, { label: `Board, ${view.rows} rows by ${view.cols} columns`, onplay: (box) => this.#play(box) });
    this.players = new PlayersPanel();
    this.moves = new MovesList((ply) => this.#look(ply));
    this.line = h('p.status');
    this.note = h('p.note', { role: 'status' });
    this.question = h('div.question');
    this.actions = h('div.actions');
    this.side = h('div.extras');
    this.link = h('span.connection', {}, 'connecting');
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
    this.#drawQuestion();
    this.#drawActions();
    this.#drawExtras();
  }

  #title() {
    const { view } = this.state;
    const turn = this.state.isMyTurn && !this.state.isLocal;
    document.title = `${turn ? '● Your turn · ' : ''}${nameOf(view.rules)} · Noughts`;
    if (turn && !this.wasMyTurn && document.hidden && window.Notification?.permission === 'granted') {
      new Notification('Your turn', { body: nameOf(view.rules), tag: view.id });
    }
    this.wasMyTurn = turn;
  }

  #say(text) {
    say(this.note, text);
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
      announce(words + spoken);
      this.#say(event.type === 'moved' ? '' : words);
    }
    this.#render();
    // Whoever joins changes more than the event says, and the end of a rated game changes ratings.
    if (again || (event.result && this.state.view.rated)) this.#reload();
    if (event.type === 'rematch') this.#follow(event.game);
    this.#afterEnd();
  }

  async #reload() {
    const view = await get(`/games/${this.id}`).catch(() => null);
    if (view && !this.left && view.seq >= this.state.view.seq) this.#take(view);
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
    announce(this.note.textContent);
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

  #drawQuestion() {
    const { view, isMine, isLocal } = this.state;
    const button = (text, onclick, kind = '') => h(`button${kind}`, { type: 'button', onclick }, text);
    const parts = [];
    if (view.undo && isMine && !isLocal) {
      const asks = view.yours.includes(view.undo.seat);
      const answered = view.undo.agreed.some((seat) => view.yours.includes(seat));
      parts.push(asks || answered
        ? h('p', {}, 'Waiting for an answer about taking back…')
        : [h('p', {}, `${this.state.nameOf(view.undo.seat)} asks to take back a move.`),
          h('div.row', {}, button('Agree', () => this.#send({ do: 'answer_undo', agree: true }), '.primary'),
            button('Refuse', () => this.#send({ do: 'answer_undo', agree: false })))]);
    }
    const away = view.players.find((player) => player.away_since && !view.yours.includes(player.seat) && !player.out);
    if (away && isMine && view.phase === 'live') {
      parts.push(h('p', {}, `${this.state.nameOf(away.seat)} is away. After ${Math.round(view.away_ms / 1000)} seconds you can claim the game.`),
        h('div.row', {}, button('Claim the game', () => this.#send({ do: 'claim' }))));
    }
    if (view.phase === 'over' && view.again.length && !view.next && isMine && !view.again.some((seat) => view.yours.includes(seat))) {
      parts.push(h('p', {}, `${view.again.map((seat) => this.state.nameOf(seat)).join(' and ')} would play again.`));
    }
    this.#replace(this.question, parts);
  }

  #drawActions() {
    const { view, isMine, isLocal } = this.state;
    const buttons = [];
    const add = (name, text, onclick, kind = '') => buttons.push(h(`button${kind}`, { type: 'button', 'data-action': name, onclick }, text));
    const moved = view.moves.some((move) => view.yours.includes(this.state.seatOf(move)));
    if (view.phase === 'open' && isMine) add('abort', 'Stop waiting', () => this.#send({ do: 'abort' }));
    if (view.phase === 'live' && isMine) {
      if (moved && !view.undo) add('undo', isLocal ? 'Undo' : 'Ask for undo', () => this.#send({ do: 'undo' }));
      if (!view.rated) add('hint', 'Hint', () => this.#hint());
      if (view.moves.length < 2 && !isLocal) add('abort', 'Call off', () => this.#send({ do: 'abort' }));
      else add('resign', 'Resign', () => this.#resign());
    }
    if (view.phase === 'over') {
      if (isMine && view.next) buttons.push(h('a.button.primary', { href: `/game/${view.next}` }, 'To the rematch'));
      else if (view.next) buttons.push(h('a.button', { href: `/game/${view.next}` }, 'Watch the rematch'));
      else if (isMine && view.moves.length) {
        const asked = view.again.some((seat) => view.yours.includes(seat));
        if (asked) buttons.push(h('span.waiting', {}, 'Waiting for the others…'));
        else add('rematch', isLocal ? 'Play again' : view.again.length ? 'Accept the rematch' : 'Rematch', () => this.#send({ do: 'rematch' }), '.primary');
      }
      if (isMine && !view.rated && moved && view.result?.how !== 'aborted' && ['line', 'draw'].includes(view.result?.how)) {
        add('undo', isLocal ? 'Undo' : 'Ask for undo', () => this.#send({ do: 'undo' }));
      }
      buttons.push(h('a.button', { href: '/' }, 'New game'));
    }
    if (!isLocal && isMine && view.phase !== 'over' && window.Notification?.permission === 'default') {
      add('notify', 'Notify me', () => Notification.requestPermission().then(() => this.#render()));
    }
    this.#replace(this.actions, buttons);
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
    const key = JSON.stringify([phase, isMine, view.players.map((player) => player.name), this.study.on, this.shownPly === view.moves.length, this.lost ?? null, this.study.words]);
    if (key === this.extrasShown) return;
    this.extrasShown = key;
    const focused = this.side.contains(document.activeElement) ? document.activeElement.dataset?.action : null;
    if (phase === 'open') put(this.side, isMine ? this.#invite() : this.#join());
    else if (phase === 'over' || this.ply !== null) put(this.side, this.#review());
    else put(this.side, h('div.row', {}, h('button.quiet', { type: 'button', 'data-action': 'share', onclick: () => this.#share() }, 'Share this game')));
    if (focused) this.side.querySelector(`[data-action=${focused}]`)?.focus();
  }

  #invite() {
    return h('section.invite', {}, h('h2', {}, 'Invite a friend'),
      h('p', {}, 'Whoever opens this address can take the free seat.'), shareLine('Address of this game', location.origin + location.pathname));
  }

  #join() {
    const { players, rated } = this.state.view;
    const free = players.filter((player) => player.name === null);
    return h('section.invite', {}, h('h2', {}, 'A seat is free'),
      h('p', {}, rated ? 'This game is rated: it needs a name.' : 'You can play at once, without signing up.'),
      h('div.row', {}, free.map((player) =>
        h('button.primary', { type: 'button', 'data-action': `join-${player.seat}`, onclick: () => this.#sit(player.seat) }, `Play as ${player.symbol}`))));
  }

  async #sit(seat) {
    try {
      const answer = await asSomeone(() => post(`/games/${this.id}/join`, { seat }));
      this.#take(answer.game);
      // Events come as to a player only over a connection that knows who we are.
      this.socket.again();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'name_needed') return go('/account');
      this.#say(error.message);
      announce(error.message);
      this.#reload();
    }
  }

  #share() {
    openDialog('Share this game', () => shareLine('Address of this game', location.origin + location.pathname), 'small');
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

  #review() {
    const { view } = this.state;
    const live = view.phase !== 'over';
    const action = (name, text, onclick, pressed) =>
      h('button', { type: 'button', 'data-action': name, onclick, 'aria-pressed': pressed }, text);
    const lost = this.lost && h('p.lost-at', {},
      `${this.state.nameOf(this.lost.seat)} lost the game with `,
      h('button.quiet', { type: 'button', 'data-action': 'lost', onclick: () => this.#look(this.lost.ply) }, `move ${this.lost.ply + 1}, ${this.lost.cell}`),
      `; ${this.lost.better} would have ${this.lost.missed === 'win' ? 'won' : 'drawn'}.`);
    const download = (format, name) => h('a', { href: `/api/v1/games/${this.id}/export?format=${format}`, download: '' }, name);
    const gomoku = this.rules.k === 5 && this.rules.players === 2 && !this.rules.gravity && !this.rules.wrap && !this.rules.misere;
    return h('section.review', {},
      h('h2', {}, live ? 'Looking back' : 'Look at it again'),
      lost,
      h('div.row', {},
        !(live && view.rated) && action('analysis', 'Analysis', () => this.#toggleStudy(), String(this.study.on)),
        this.shownPly < view.moves.length && action('play-on', 'Play on from here', () => this.#playOn()),
        action('position', 'Copy link to this position', () => copyText(`${location.origin}/game/${this.id}?ply=${this.shownPly}`)),
        live && action('back', 'Back to the game', () => this.#look(view.moves.length))),
      this.study.on && h('p.legend', {}, this.study.words || 'Thinking…',
        h('small', {}, 'W: win, =: draw, L: loss, with the number of moves. Other numbers are estimates, not proven.')),
      h('p.downloads', {}, 'Download: ', download('text', 'text'), ' · ', download('json', 'JSON'),
        gomoku && [' · ', download('psq', 'psq'), ' · ', download('sgf', 'SGF')]));
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

  async #ask() {
    const ply = this.shownPly;
    const { view } = this.state;
    if (ply === view.moves.length && view.result) {
      this.study.words = 'The game is over here: step back to see what the moves were worth.';
      return this.#render();
    }
    try {
      const answer = await analysis(this.id, ply);
      if (this.left || ply !== this.shownPly || !this.study.on) return;
      this.study.answer = answer;
      this.study.words = verdictOf(answer, this.state.nameOf(answer.turn));
    } catch (error) {
      this.study.words = error.message;
    }
    if (!this.left) this.#render();
    announce(this.study.words);
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
