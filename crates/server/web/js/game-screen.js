// Playing, watching and reviewing a game: the board with everything around it.

import { Board } from './board.js';
import { ApiError, commandRequest, noteRatedEnd, path, post } from './client.js';
import { closest, h, replaceKeepingFocus, setChildren, setText } from './dom.js';
import { emotePicker, emoteText, hearsEmotes } from './emotes.js';
import { GameConnection } from './game-connection.js';
import { GameReview } from './game-review.js';
import { Headline } from './headline.js';
import { isRightToLeft, t } from './i18n.js';
import { loadUpdates, loadView } from './load-game.js';
import { accompanyResult } from './motion.js';
import { MoveList } from './moves.js';
import { announce, confirmAction, load, navigate, save } from './page.js';
import { actions, freeSeats, gameHead, invitation, seriesCard } from './panel.js';
import { PlayersPanel } from './players.js';
import { refusalText } from './refusals.js';
import { analyse, bestMoveText } from './review.js';
import { hasChoiceOfMark, MARK_LETTERS, moveText, parseMove } from './rules.js';
import { goalText } from './rules-text.js';
import { displayName, playAs, withSession } from './session.js';
import { play as playSound, vibrate } from './sound.js';
import { boardLabel, statusOf, updateText } from './text.js';
import { TurnControls } from './turn.js';
import { ThinkingNotice, TurnAlert } from './turn-alert.js';

/** @import { CommandReply, Emote, GameUpdate, GameView, PlayerCommand, ServerMessage } from './api' */
/** @import { Child } from './dom.js' */
/** @import { GameState } from './state.js' */

/** The ratings change shortly after the end of a rated game. */
const RATING_ATTEMPTS = 6;
const RATING_BACKOFF_MS = 200;

const CLOCK_INTERVAL_MS = 100;

/** How long the result is seen before the rematch. */
const REMATCH_DELAY_MS = 300;

export class GameScreen {
  #root;
  #state;
  #signal;
  #connection;
  /** A move the server has not confirmed. @type {{ cell: string, mark: number, key: string, ply: number } | null} */
  #pending = null;
  /** A move. @type {string | null} */
  #hint = null;
  /** The cell that a tap has aimed at. @type {string | null} */
  #aimed = null;
  #extrasKey = '';
  /** Whether what is drawn is a game that waits for players. */
  #isOpen = false;
  #turnAlert = new TurnAlert();
  #thinking = new ThinkingNotice(() => this.#render());
  #headline = new Headline({
    shown: () => ({
      state: this.#state, ply: this.#review.ply, isLatest: !this.#review.isLookingBack, losing: this.#review.losing,
      isThinking: this.#thinking.isShown, isVariation: this.#review.exploration.variation !== null,
      analysis: this.#review.analysis.isOn ? this.#review.analysis.text : '',
    }),
    send: (command) => this.#send(command),
    replace: (element, children) => this.#replace(element, children),
  });
  #actions = h('div.actions');
  #spectators = h('span.spectators');
  #emotes = h('div');
  #series = h('div');
  #extras = h('div.extras');
  #layout = h('div.game');
  #board;
  #review;
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
    this.#controls = new TurnControls(rules, {
      onmark: () => this.#render(),
      onchoice: (choice) => this.#move(choice),
    });
    this.#review = new GameReview(state, signal, {
      onchange: () => this.#render(),
      onprogress: () => this.#renderExtras(),
      say: (text) => this.#say(text),
      mark: () => this.#controls.mark,
    });
    this.#board = new Board(rules, {
      label: boardLabel(view),
      onplay: (cell) => this.#play(cell),
      onaim: (cell) => this.#aim(cell),
      onmark: hasChoiceOfMark(rules) ? (mark) => this.#chooseMark(mark) : undefined,
    });
    this.#players = new PlayersPanel(() => playSound('tick'));
    this.#moves = new MoveList((to) => this.#review.goTo(to));
    this.#build();
    this.#connection = new GameConnection(state, {
      onmessage: (message) => this.#receive(message),
      onrefused: (refusal, command) => this.#refused(refusal, command),
      onstate: (connection) => this.#headline.showConnection(connection) && this.#connection.catchUp(),
    });
    const timer = setInterval(() => this.#players.tick(), CLOCK_INTERVAL_MS);
    document.addEventListener('keydown', (event) => this.#key(event), { signal });
    addEventListener('resize', () => this.#board.fit(), { signal });
    signal.addEventListener('abort', () => {
      this.#connection.close();
      clearInterval(timer);
      this.#thinking.stop();
    });
    this.#review.findLosingMove();
  }

  /** Draws the whole screen. A game that waits for players has another layout than one that is played. */
  #build() {
    const { view } = this.#state;
    this.#isOpen = view.phase === 'open';
    this.#extrasKey = '';
    this.#layout = h('div.game', {},
      gameHead(this.#state, this.#headline.connection, this.#spectators),
      h('div.mid', {}, this.#players.element, this.#headline.element, this.#controls.element, this.#board.element),
      h('div.side', {}, this.#actions, this.#emotes, this.#moves.element, this.#series, this.#extras));
    const hadFocus = this.#root.contains(document.activeElement);
    setChildren(this.#root, this.#layout);
    this.#render();
    // A keyboard goes on where the game is.
    const { activeElement } = document;
    const isNowhere = !activeElement || activeElement === document.body || activeElement === document.querySelector('main');
    if (isNowhere || hadFocus) {
      if (view.phase === 'live') this.#board.focus();
    }
  }

  #render() {
    const state = this.#state;
    const { view } = state;
    if (this.#isOpen !== (view.phase === 'open')) return this.#build();
    noteRatedEnd(view);
    const review = this.#review;
    const { ply } = review;
    const isLatest = !review.isLookingBack;
    const canPlay = isLatest && state.isYourTurn && !this.#pending;
    const details = state.detailsAt(ply);
    const { variation } = review.exploration;
    this.#controls.update(state, { isLatest, hint: this.#hint });
    this.#board.update({
      at: variation ? (cell) => variation.at(cell) : state.boardAt(ply),
      symbols: state.symbols,
      names: (details ?? view.details).owners.map((owner) => (owner === null ? null : state.nameOf(owner))),
      details,
      last: variation?.last ?? view.moves.slice(0, ply).map((move) => parseMove(move).cell).findLast((cell) => cell !== null),
      winning: isLatest ? view.result?.cells : [],
      pending: isLatest ? this.#pending : null,
      legal: view.legal,
      mark: canPlay && state.choices.length === 0 ? this.#markToPlace : null,
      values: review.words,
      verdicts: review.verdicts,
      hint: isLatest ? this.#hint : null,
    });
    this.#board.element.classList.toggle('labelled', review.isLookingBack || review.analysis.isOn);
    this.#layout.classList.toggle('open', view.phase === 'open');
    this.#layout.classList.toggle('inviting', view.phase === 'open' && state.isPlayer);
    this.#layout.classList.toggle('reviewing', review.isLookingBack);
    this.#players.update(state);
    this.#moves.update(state, ply, review.losing?.ply);
    this.#thinking.update(state);
    this.#headline.render();
    this.#turnAlert.update(state);
    this.#renderActions();
    setChildren(this.#series, seriesCard(state));
    const canSpeak = state.isPlayer && !state.isLocal && view.phase !== 'open';
    if (canSpeak !== this.#emotes.hasChildNodes()) setChildren(this.#emotes, canSpeak && emotePicker(view.id, (reason) => this.#say(reason, { isError: true })));
    this.#renderExtras();
    if (view.tournament && view.phase === 'finished' && state.isPlayer) this.#awaitNextGame(view.tournament);
  }

  #awaitsNextGame = false;

  /**
   * The next game of a tournament opens by itself.
   * @param {string} tournament
   */
  async #awaitNextGame(tournament) {
    if (this.#awaitsNextGame) return;
    this.#awaitsNextGame = true;
    const [{ openNewGame }, { followTournament }] = await Promise.all([import('./tournament.js'), import('./tournament-stream.js')]);
    if (!this.#signal.aborted) this.#signal.addEventListener('abort', followTournament(tournament, openNewGame));
  }

  #renderActions() {
    const send = (/** @type {PlayerCommand} */ command) => this.#send(command);
    const place = this.#aimed;
    this.#replace(this.#actions, place ? [
      h('button', { type: 'button', 'data-action': 'cancel', onclick: () => this.#board.cancelAim() }, t('cancel')),
      h('button.primary.go', { type: 'button', 'data-action': 'place', onclick: () => this.#playAimed(place) }, t('play.placeAt', { cell: place })),
    ] : [this.#state.view.phase === 'live' && h('p.rule', {}, goalText(this.#state.view.rules)), actions(this.#state, {
      send,
      hint: () => this.#showHint(),
      resign: () => this.#resign(),
      notify: () => Notification.requestPermission().then(() => this.#render()),
      review: () => this.#startReview(),
    })]);
  }

  /** The mark that the player to move would place. */
  get #markToPlace() {
    return hasChoiceOfMark(this.#state.rules) ? this.#controls.mark : this.#state.markToPlace;
  }

  #renderExtras() {
    const { view, isPlayer } = this.#state;
    const key = JSON.stringify([view.phase, isPlayer, view.players.map((player) => player.name), view.phase === 'open' && displayName(), this.#review.key]);
    if (key === this.#extrasKey) return;
    this.#extrasKey = key;
    this.#replace(this.#extras, [this.#extraSection()]);
  }

  #extraSection() {
    const { view, isPlayer } = this.#state;
    if (view.phase === 'open') {
      return isPlayer ? invitation() : freeSeats(this.#state, displayName(), {
        join: (seat, name) => this.#join(seat, name),
        decline: () => this.#send({ type: 'abort' }),
      });
    }
    return this.#review.isOpen ? this.#review.section() : null;
  }

  /**
   * Replaces controls. If the one with the focus is gone, the board takes it.
   * @param {HTMLElement} element
   * @param {Child[]} children
   */
  #replace(element, children) {
    if (!replaceKeepingFocus(element, children) && this.#state.view.phase !== 'open') this.#board.focus();
  }

  /**
   * Says something above the board until something else happens.
   * @param {string} text
   * @param {{ isError?: boolean }} [options]
   */
  #say(text, options) {
    this.#headline.say(text, options);
  }

  // From the server.

  /**
   * @param {ServerMessage} message
   */
  #receive(message) {
    if (this.#signal.aborted) return;
    switch (message.type) {
      case 'state':
        this.#replaceView(message.game);
        this.#playOpening();
        break;
      case 'update':
        this.#update(message);
        break;
      case 'emote':
        this.#hear(message.seat, message.emote);
        break;
      case 'spectators':
        setText(this.#spectators, message.count > 0 ? t('play.spectators', { count: message.count }) : '');
        break;
    }
  }

  /**
   * @param {number} seat
   * @param {Emote} emote
   */
  #hear(seat, emote) {
    const isOwn = this.#state.isYou(seat);
    if (!isOwn && !hearsEmotes()) return;
    const text = emoteText(emote);
    this.#players.say(seat, text);
    announce(t('emote.said', { name: this.#state.nameOf(seat), text: t(`emote.${emote}`) }));
  }

  /**
   * @param {GameView} view
   */
  #replaceView(view) {
    const { seq } = this.#state.view;
    this.#state.replace(view);
    if (this.#state.isPlayer) this.#headline.signedIn();
    if (this.#pending && view.moves.length !== this.#pending.ply) this.#pending = null;
    const { title, detail } = statusOf(this.#state, this.#review.losing);
    if (view.seq > seq && this.#connection.missed) this.#say(t('play.whileAway', { news: sentences(title, detail) }));
    this.#connection.missed = null;
    this.#render();
    this.#loadHistory();
    this.#review.findLosingMove();
  }

  /** Loads the history after the view has skipped updates. */
  async #loadHistory() {
    if (this.#state.hasHistory) return;
    /** @type {GameUpdate[] | null} */
    const updates = await loadUpdates(this.#state.view.id).catch(() => null);
    if (!updates || this.#signal.aborted) return;
    this.#state.replaceHistory(updates.filter(({ seq }) => seq <= this.#state.view.seq));
    this.#render();
  }

  /**
   * @param {GameUpdate} update
   */
  #update(update) {
    const { event } = update;
    const wasPending = this.#pending !== null;
    const wasOpen = this.#state.view.phase === 'open';
    this.#state.apply(update);
    this.#hint = null;
    const movesChanged = event.type === 'moved' || event.type === 'undone' || event.type === 'eliminated';
    if (movesChanged) this.#pending = null;
    if (event.type === 'undone') this.#review.reset();
    const text = updateText(this.#state, update);
    const { missed } = this.#connection;
    if (missed && text) {
      missed.push(text);
      this.#say(t('play.whileAway', { news: missed.join(' ') }));
    } else if (text || update.result) {
      this.#headline.replaceMessage(movesChanged ? '' : text);
      const { title, detail } = statusOf(this.#state);
      // The way a game ended already says who left it.
      announce(update.result && event.type !== 'moved' ? sentences(title, detail) : movesChanged ? sentences(text, title, update.result ? detail : '') : text);
    }
    this.#render();
    this.#accompany(update, wasPending);
    if (wasOpen && this.#state.view.phase === 'live' && this.#state.isPlayer) playSound('bell');
    this.#loadHistory();
    if (movesChanged && update.result && this.#state.view.rated) this.#awaitRatings();
    if (event.type === 'rematch_started' && this.#state.isPlayer) {
      setTimeout(() => !this.#signal.aborted && navigate(`/game/${event.game}`), REMATCH_DELAY_MS);
    }
    this.#review.findLosingMove();
  }

  /**
   * Sound and motion of an update. A pending move already had its own.
   * @param {GameUpdate} update
   * @param {boolean} wasPending
   */
  #accompany({ event, result }, wasPending) {
    const state = this.#state;
    if (event.type === 'moved' && parseMove(event.move).cell) {
      const isOpponent = !state.view.your_seats.includes(event.seat);
      if (!wasPending) this.#strokeStarts(isOpponent);
    }
    if (result && state.isPlayer) accompanyResult(result, state.view.your_seats, this.#headline.element);
  }

  /**
   * @param {boolean} isOpponent
   */
  #strokeStarts(isOpponent) {
    const { material } = this.#state;
    playSound('place', { material, isOpponent });
    this.#connection.strokeStarts(material);
  }

  /** No update tells that the ratings have changed. */
  async #awaitRatings() {
    for (let attempt = 0; attempt < RATING_ATTEMPTS && !this.#signal.aborted && !this.#state.view.ratings; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, attempt * RATING_BACKOFF_MS));
      /** @type {GameView | null} */
      const view = await loadView(this.#state.view.id).catch(() => null);
      if (view && !this.#signal.aborted && view.seq >= this.#state.view.seq) this.#replaceView(view);
    }
  }

  /**
   * @param {Extract<ServerMessage, { type: 'refused' }>} refusal
   * @param {PlayerCommand | undefined} command
   */
  #refused(refusal, command) {
    const { key, game } = refusal;
    const reason = refusalText(refusal);
    if (game) this.#state.replace(game);
    if (this.#pending?.key === key) this.#pending = null;
    this.#render();
    this.#loadHistory();
    const move = command?.type === 'move' ? command.move : null;
    this.#say(move ? t('play.refusedMove', { move: moveText(move, this.#state.symbols), reason }) : reason, { isError: true });
    if (!move) return;
    this.#board.shake(parseMove(move).cell ?? '');
    playSound('refused');
    vibrate(60);
  }

  // From the player.

  /**
   * @param {PlayerCommand} command
   */
  #send(command) {
    return this.#connection.send(command);
  }

  /**
   * @param {string} cell
   */
  #play(cell) {
    const { view, isPlayer, isYourTurn } = this.#state;
    if (this.#review.isLookingBack) return this.#review.tryMove(cell);
    if (!isPlayer) return this.#say({ open: t('play.joinFirst'), live: t('error.not_a_player'), finished: '' }[view.phase]);
    if (this.#pending || view.phase === 'finished') return;
    const mark = this.#markToPlace;
    const move = hasChoiceOfMark(this.#state.rules) ? `${cell}=${MARK_LETTERS[this.#controls.mark]}` : cell;
    // A legal move is shown at once, and taken back if the server refuses it. All others are refused by the server.
    const isShown = isYourTurn && mark !== null && view.legal.includes(move);
    const key = this.#move(move);
    if (!isShown) return;
    this.#pending = { cell, mark, key, ply: view.moves.length };
    this.#say('');
    this.#render();
    this.#strokeStarts(false);
    vibrate(12);
  }

  /**
   * @param {string | null} cell
   */
  #aim(cell) {
    if (this.#aimed === cell) return;
    this.#aimed = cell;
    this.#say(cell ? t('play.aim', { cell }) : '');
    this.#renderActions();
  }

  /**
   * @param {string} cell
   */
  #playAimed(cell) {
    this.#board.cancelAim();
    this.#play(cell);
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
    announce(t('play.markChosen', { symbol: this.#state.symbols[mark] }));
  }

  /** Plays the cell that was chosen on the first screen. */
  #playOpening() {
    const opening = load('opening', { game: '', cell: '' });
    if (opening.game !== this.#state.view.id) return;
    save('opening', null);
    if (this.#state.isYourTurn && this.#state.view.moves.length === 0) this.#play(opening.cell);
  }

  async #resign() {
    if (await confirmAction(t('play.resignQuestion'), t('action.resign'))) this.#send({ type: 'resign' });
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  async #join(seat, name) {
    const { id, seq } = this.#state.view;
    const request = commandRequest({ type: 'join' }, seq, seat);
    try {
      await playAs(name);
      /** @type {CommandReply} */
      const reply = await withSession(() => post(path('games', id, 'commands'), request));
      this.#replaceView(reply.game);
      // The open connection is a spectator's.
      this.#connection.restart();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#say(refusalText(error), { isError: true });
    }
  }

  async #showHint() {
    const { view: { id, moves } } = this.#state;
    const ply = moves.length;
    this.#say(t('play.thinking'));
    try {
      const analysis = await analyse(id, ply, this.#state.symbols);
      if (ply !== this.#state.view.moves.length) return this.#say('');
      this.#hint = analysis.best;
      this.#say(t('play.hint', { hint: bestMoveText(analysis, this.#state.symbols) }));
      this.#render();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#say(refusalText(error), { isError: true });
    }
  }

  #startReview() {
    this.#review.start();
    this.#extras.scrollIntoView({ block: 'nearest' });
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && !closest(event, 'dialog') && this.#review.goBack()) return;
    if (closest(event, 'input:not([type=radio]), select, textarea, dialog, [role=grid]')) return;
    const review = this.#review;
    const mark = hasChoiceOfMark(this.#state.rules) ? MARK_LETTERS.slice(0, 2).indexOf(event.key) : -1;
    if (mark >= 0) this.#chooseMark(mark);
    else if (closest(event, 'input')) return;
    else if (event.key === (isRightToLeft() ? 'ArrowRight' : 'ArrowLeft')) review.goTo(review.ply - 1);
    else if (event.key === (isRightToLeft() ? 'ArrowLeft' : 'ArrowRight') && review.isOpen) review.goTo(review.ply + 1);
    else return;
    event.preventDefault();
  }
}

/**
 * Sentences in a row. A title ends without a full stop.
 * @param {...string} parts
 */
const sentences = (...parts) => parts.filter(Boolean).map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`)).join(' ');
