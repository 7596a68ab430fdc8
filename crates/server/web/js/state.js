// A game as this page knows it: the server's view, and every event since.

import { boxAt } from './rules.js';

export class GameState {
  constructor(view) {
    this.take(view);
  }

  /** The whole game as the server sees it. */
  take(view) {
    this.view = view;
    this.clockSeen = performance.now();
  }

  /** Applies an event; answers whether the whole game must be asked for to know what it means. */
  apply(event) {
    const { view } = this;
    view.seq = event.seq;
    view.last_at = event.at;
    if ('turn' in event) view.turn = event.turn;
    if (event.clock) {
      view.clock = event.clock;
      this.clockSeen = performance.now();
    }
    view.result = event.result ?? null;
    if (event.result) view.phase = 'over';
    if (event.legal) view.legal = event.legal;
    switch (event.type) {
      case 'moved':
        this.#set(event.cell, event.seat);
        view.moves.push(event.cell);
        view.undo = null;
        return false;
      case 'undo_asked':
        view.undo = { seat: event.seat, to: event.to, agreed: [] };
        return false;
      case 'undo_agreed':
        view.undo?.agreed.push(event.seat);
        return false;
      case 'undo_refused':
        view.undo = null;
        return false;
      case 'undone':
        for (const box of view.moves.splice(event.to)) this.#set(box, null);
        view.undo = null;
        if (!event.result) view.phase = 'live';
        return false;
      case 'resigned':
        view.moves.push(`resign:${event.seat + 1}`);
        view.players[event.seat].out = true;
        view.undo = null;
        return false;
      case 'left':
        view.players[event.seat].away_since = event.at;
        return false;
      case 'returned':
        view.players[event.seat].away_since = null;
        return false;
      case 'rematch_asked':
        view.again.push(event.seat);
        return false;
      case 'rematch_withdrawn':
        view.again = view.again.filter((seat) => seat !== event.seat);
        return false;
      case 'rematch':
        view.next = event.game;
        return false;
      case 'clock_held':
        return false;
      default:
        return true;
    }
  }

  #set(box, seat) {
    if (!/^[A-Z]\d+$/.test(box)) return;
    const [row, col] = boxAt(box);
    this.view.board[row][col] = seat;
  }

  /** The board after so many actions: cells are never taken twice, so the last board knows them all. */
  boardAt(ply) {
    const { board, moves } = this.view;
    const later = new Set(moves.slice(ply));
    return (row, col) => {
      const seat = board[row][col];
      return seat === null || later.has(String.fromCharCode(65 + row) + (col + 1)) ? null : seat;
    };
  }

  /** Who did the action: whose cell it is, or who gave up. */
  seatOf(action) {
    if (action.startsWith('resign:')) return Number(action.slice(7)) - 1;
    const [row, col] = boxAt(action);
    return this.view.board[row][col];
  }

  nameOf(seat) {
    const player = this.view.players[seat];
    return player?.name ?? player?.invited ?? `Player ${seat + 1}`;
  }

  /** Milliseconds that a seat has left by now. */
  left(seat) {
    const { clock, turn } = this.view;
    const spent = turn === seat && clock.deadline ? performance.now() - this.clockSeen : 0;
    return Math.max(clock.left_ms[seat] - spent, 0);
  }

  get isMine() {
    return this.view.yours.length > 0;
  }

  /** Everybody plays at this screen. */
  get isLocal() {
    return this.isMine && this.view.players.every((player) => player.kind === 'computer' || this.view.yours.includes(player.seat));
  }

  get isMyTurn() {
    return this.view.turn !== null && this.view.yours.includes(this.view.turn);
  }

  /** Someone else has moved and waits for me, not for whoever sits beside me. */
  get awaitsMe() {
    return this.isMyTurn && !(this.isLocal && this.view.yours.length > 1);
  }
}
