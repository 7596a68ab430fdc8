// Puzzles: the one of the day and others, with an explanation of every wrong move.

import { Board } from './board.js';
import { ApiError, get, path, post } from './client.js';
import { h, radioGroup, setChildren, setText } from './dom.js';
import { locale, t } from './i18n.js';
import { glyph } from './icons.js';
import { accompanyResult } from './motion.js';
import { announce, replaceAddress, showToast } from './page.js';
import { badge, coloursOf, DEFAULT_SYMBOLS, materialOf } from './pieces.js';
import { boardPosition, taskText } from './puzzle-board.js';
import { filterCard, loadFilter } from './puzzle-filter.js';
import { DAY_MS, PuzzleProgress } from './puzzle-progress.js';
import { refusalText } from './refusals.js';
import { hasChoiceOfMark, parseMove, parseRules, rulesName } from './rules.js';
import { goalText } from './rules-text.js';
import { restoreSession, withSession } from './session.js';
import { play as playSound } from './sound.js';

/** @import { AttemptView, DailyPuzzle, PuzzleGame, PuzzleHint, PuzzleSolution, PuzzleStep, PuzzleView } from './api' */
/** @import { MessageKey } from './i18n.js' */
/** @import { Frame } from './puzzle-board.js' */

/** How long the defender seems to think. */
const REPLY_MS = 450;

/** @type {import('./page.js').Screen} */
export const screen = {
  title: 'nav.puzzles',
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
  setChildren(root, h('p.lead', {}, t('loading')));
  await restoreSession().catch(() => null);
  try {
    const games = /** @type {PuzzleGame[]} */ (await get('/puzzles/games'));
    const shown = id ? { puzzle: /** @type {PuzzleView} */ (await get(path('puzzles', id))), daily: null } : await loadDaily();
    if (!signal.aborted) new PuzzleScreen(root, shown, games, signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    setChildren(root, h('h1', {}, t('nav.puzzles')), h('p', {}, error.code === 'no_puzzle' ? t('puzzle.none') : refusalText(error)),
      h('p', {}, h('a.button', { href: '/puzzles' }, t('puzzle.daily'))));
  }
}

/** @returns {Promise<{ puzzle: PuzzleView, daily: DailyPuzzle }>} */
async function loadDaily() {
  /** @type {DailyPuzzle} */
  const daily = await get('/puzzles/daily');
  return { puzzle: daily.puzzle, daily };
}

class PuzzleScreen {
  #signal;
  #puzzle;
  /** @type {DailyPuzzle | null} */
  #daily;
  /** The positions from the start to the one that is to be solved, and after a wrong move or the solution those of its explanation. @type {Frame[]} */
  #frames = [];
  /** How many frames there are without the explanation. */
  #length = 1;
  /** The frame that is shown. */
  #at = 0;
  /** The player's own moves. @type {string[]} */
  #moves = [];
  /** @type {'open' | 'busy' | 'solved' | 'given-up'} */
  #state = 'open';
  #mark = 0;
  /** @type {Board | null} */
  #board = null;
  #head = h('div.puzzle-head');
  #message = h('p.puzzle-message', { role: 'status' });
  #stage = h('div.puzzle-stage');
  #marks = h('div.turn-controls', { hidden: true });
  #about = h('section.card.puzzle-about');
  #actions = h('div.puzzle-actions');
  #progress;
  #steps = h('div.puzzle-steps', { hidden: true });
  #solvers = h('p.facts-line');

  /**
   * @param {HTMLElement} root
   * @param {{ puzzle: PuzzleView, daily: DailyPuzzle | null }} shown
   * @param {PuzzleGame[]} games
   * @param {AbortSignal} signal
   */
  constructor(root, { puzzle, daily }, games, signal) {
    this.#signal = signal;
    this.#progress = new PuzzleProgress(signal);
    this.#puzzle = puzzle;
    this.#daily = daily;
    setChildren(root, h('div.puzzle', {},
      h('div.mid', {}, this.#head, this.#message, this.#stage, this.#marks, this.#steps),
      h('div.side', {}, this.#about, this.#actions, this.#progress.element, filterCard(games, () => this.#next()), this.#solvers)));
    addEventListener('resize', () => this.#board?.fit(), { signal });
    this.#open(puzzle, daily);
    this.#progress.load();
  }

  /**
   * @param {PuzzleView} puzzle
   * @param {DailyPuzzle | null} daily
   */
  #open(puzzle, daily) {
    this.#puzzle = puzzle;
    this.#daily = daily;
    const rules = parseRules(puzzle.rules);
    const symbols = DEFAULT_SYMBOLS.slice(0, 2);
    const mark = puzzle.view.details.owners.indexOf(puzzle.seat);
    this.#board = new Board(rules, { label: t('puzzle.board', { task: taskText(puzzle) }), onplay: (cell) => this.#play(cell), onmark: (chosen) => this.#chooseMark(chosen) });
    setChildren(this.#stage, this.#board.element);
    setChildren(this.#head, mark >= 0 && badge(materialOf(rules), symbols[mark], coloursOf(symbols)[mark]),
      h('div', {}, h('h1', {}, taskText(puzzle)), h('p.facts-line', {}, daily
        ? [t('puzzle.daily'), new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(daily.day * DAY_MS)].join(' · ')
        : t(`puzzle.difficulty.${/** @type {1} */ (puzzle.difficulty)}`))));
    setChildren(this.#about, h('h2', {}, rulesName(puzzle.rules)), h('p', {}, goalText(puzzle.rules)),
      h('p.facts-line', {}, t('puzzle.defence')));
    this.#marks.hidden = !hasChoiceOfMark(rules);
    if (!this.#marks.hidden) {
      setChildren(this.#marks, radioGroup(t('play.markToPlace'),
        symbols.map((symbol, i) => [String(i), [badge('paper', symbol, coloursOf(symbols)[i]), h('span', {}, symbol)]]), '0', (value) => this.#chooseMark(Number(value))));
    }
    setText(this.#solvers, daily && daily.solvers > 0 ? t('puzzle.solvers', { count: daily.solvers }) : '');
    this.#restart(puzzle.solved ? t('puzzle.solvedBefore') : '');
  }

  /**
   * @param {number} mark
   */
  #chooseMark(mark) {
    this.#mark = mark;
    const input = this.#marks.querySelector(`input[value="${mark}"]`);
    if (input instanceof HTMLInputElement) input.checked = true;
    this.#draw();
  }

  /**
   * Begins the puzzle anew.
   * @param {string} message
   */
  #restart(message = '') {
    this.#frames = [{ view: this.#puzzle.view, move: null }];
    this.#moves = [];
    this.#state = 'open';
    this.#show(1, message);
  }

  /**
   * Shows the last of the first frames; any others explain something.
   * @param {number} length
   * @param {string} message
   * @param {'right' | 'wrong' | ''} kind
   */
  #show(length, message, kind = '') {
    this.#length = length;
    this.#at = length - 1;
    setText(this.#message, message);
    this.#message.dataset.kind = kind;
    this.#draw();
  }

  get #isPlayable() {
    return this.#state === 'open' && this.#at === this.#length - 1 && this.#frames.length === this.#length;
  }

  #draw() {
    const isPlayable = this.#isPlayable;
    const mark = hasChoiceOfMark(parseRules(this.#puzzle.rules)) ? this.#mark : null;
    this.#board?.update(boardPosition(this.#puzzle, this.#frames[this.#at], { isPlayable, mark }));
    this.#drawSteps();
    this.#drawActions();
  }

  /** Buttons through the explanation, or through the moves of a solved puzzle. */
  #drawSteps() {
    const last = this.#frames.length - 1;
    const isOver = this.#state === 'solved' || this.#state === 'given-up';
    this.#steps.hidden = last === 0 || (!isOver && this.#frames.length === this.#length);
    const step = (/** @type {'first' | 'back' | 'next' | 'last'} */ icon, /** @type {MessageKey} */ label, /** @type {number} */ to) =>
      h('button', { type: 'button', 'data-action': icon, 'aria-label': t(label), disabled: to < 0 || to > last || to === this.#at, onclick: () => this.#stepTo(to) }, glyph(icon));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.action : undefined;
    setChildren(this.#steps, h('p.line', {}, this.#frames.slice(1).map(({ move }, i) =>
      h('button.move', { type: 'button', 'aria-current': this.#at === i + 1 ? 'step' : undefined, onclick: () => this.#stepTo(i + 1) }, move ?? ''))),
    h('div.steps', {}, step('first', 'moves.first', 0), step('back', 'moves.back', this.#at - 1), step('next', 'moves.forward', this.#at + 1), step('last', 'moves.last', last)));
    const again = focused && this.#steps.querySelector(`[data-action=${focused}]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /**
   * @param {number} frame
   */
  #stepTo(frame) {
    this.#at = Math.max(0, Math.min(frame, this.#frames.length - 1));
    this.#draw();
  }

  #drawActions() {
    const button = (/** @type {string} */ action, /** @type {MessageKey} */ label, /** @type {() => void} */ onclick, /** @type {'bulb' | 'undo' | 'eye' | 'next'} */ icon, primary = false) =>
      h(`button${primary ? '.primary' : ''}`, { type: 'button', 'data-action': action, disabled: this.#state === 'busy', onclick }, glyph(icon), t(label));
    const next = (primary = true) => button('next', 'puzzle.next', () => this.#next(), 'next', primary);
    if (this.#state === 'solved' || this.#state === 'given-up') setChildren(this.#actions, button('again', 'puzzle.again', () => this.#restart(), 'undo'), next());
    else if (this.#frames.length > this.#length) {
      setChildren(this.#actions, button('retry', 'puzzle.retry', () => this.#retry(), 'undo', true), button('solution', 'puzzle.solution', () => this.#giveUp(), 'eye'));
    } else {
      setChildren(this.#actions, button('hint', 'action.hint', () => this.#hint(), 'bulb'), button('again', 'puzzle.again', () => this.#restart(), 'undo'),
        button('solution', 'puzzle.solution', () => this.#giveUp(), 'eye'));
    }
  }

  /** Takes a wrong move back. */
  #retry() {
    this.#frames.length = this.#length;
    this.#show(this.#length, '');
    this.#board?.focus();
  }

  /**
   * @param {string} cell
   */
  async #play(cell) {
    if (!this.#isPlayable) return;
    const { view } = this.#frames[this.#at];
    const candidates = view.legal.filter((move) => parseMove(move).cell === cell);
    const move = candidates.find((other) => (parseMove(other).mark ?? this.#mark) === this.#mark) ?? candidates[0];
    if (!move) {
      this.#board?.shake(cell);
      return;
    }
    playSound('place', { material: materialOf(parseRules(this.#puzzle.rules)) });
    /** @type {AttemptView | null} */
    const answer = await this.#ask(() => post(path('puzzles', this.#puzzle.id, 'attempts'), { moves: [...this.#moves, move] }));
    if (!answer) return;
    this.#progress.update(answer.progress ?? null);
    if (answer.result === 'wrong') this.#refute(cell, move, answer);
    else await this.#accept(move, answer);
  }

  /**
   * @param {string} move
   * @param {AttemptView} answer
   */
  async #accept(move, { result, steps, continuation, moves_left: left }) {
    this.#moves.push(move);
    const [own, ...replies] = steps;
    this.#frames.push(frame(own));
    this.#state = 'busy';
    this.#show(this.#frames.length, t('puzzle.right'), 'right');
    if (replies.length > 0) await new Promise((resolve) => { setTimeout(resolve, REPLY_MS); });
    if (this.#signal.aborted) return;
    this.#frames.push(...replies.map(frame));
    if (result === 'solved') {
      this.#state = 'solved';
      const length = this.#frames.length;
      this.#frames.push(...continuation.map(frame));
      this.#show(length, [t(this.#puzzle.kind === 'win' ? 'puzzle.solved' : 'puzzle.held'), this.#progress.ratingText].filter(Boolean).join(' '), 'right');
      announce(t(this.#puzzle.kind === 'win' ? 'puzzle.solved' : 'puzzle.held'));
      accompanyResult({ winner: this.#puzzle.seat, reason: 'line', cells: [] }, [this.#puzzle.seat], this.#message);
    } else {
      this.#state = 'open';
      if (replies.length > 0) playSound('place', { material: materialOf(parseRules(this.#puzzle.rules)), isOpponent: true });
      this.#show(this.#frames.length, t('puzzle.goOn', { count: left }), 'right');
    }
  }

  /**
   * @param {string} cell
   * @param {string} move
   * @param {AttemptView} answer
   */
  #refute(cell, move, { steps, continuation, because }) {
    const length = this.#frames.length;
    this.#state = 'open';
    this.#frames.push(...steps.map(frame), ...continuation.map(frame));
    const left = this.#puzzle.moves - this.#moves.length;
    const why = because === 'loses' ? t('puzzle.loses', { move }) : because === 'draws' ? t('puzzle.draws', { move }) : t('puzzle.tooSlow', { move, count: left });
    this.#show(length, why, 'wrong');
    this.#board?.shake(cell);
    // The wrong move and what answers it.
    this.#stepTo(Math.min(length + 1, this.#frames.length - 1));
  }

  async #hint() {
    if (this.#moves.length > 0) {
      showToast(t('puzzle.noHint'));
      return;
    }
    /** @type {PuzzleHint | null} */
    const hint = await this.#ask(() => post(path('puzzles', this.#puzzle.id, 'hint')));
    if (!hint) return;
    const moves = new Intl.ListFormat(locale, { type: 'disjunction' }).format(hint.moves);
    this.#show(this.#length, t('puzzle.hint', { moves }));
  }

  async #giveUp() {
    /** @type {PuzzleSolution | null} */
    const solution = await this.#ask(() => post(path('puzzles', this.#puzzle.id, 'solution')));
    if (!solution) return;
    this.#progress.update(solution.progress ?? null);
    this.#frames = [{ view: this.#puzzle.view, move: null }, ...solution.steps.map(frame)];
    this.#state = 'given-up';
    this.#show(2, t('puzzle.solutionIs', { move: solution.steps[0].move }));
  }

  async #next() {
    const { rules, difficulty } = loadFilter();
    /** @type {PuzzleView[] | null} */
    const puzzles = await this.#ask(() => get(path('puzzles', { rules, difficulty, limit: 2 })));
    if (!puzzles) return;
    const puzzle = puzzles.find(({ id }) => id !== this.#puzzle.id);
    if (!puzzle) {
      showToast(t('puzzle.none'));
      return;
    }
    replaceAddress(`/puzzles/${puzzle.id}`);
    this.#open(puzzle, null);
    announce(taskText(puzzle));
    scrollTo(0, 0);
    this.#board?.focus();
  }

  /**
   * Asks the server for something, as a guest if need be; null if it refuses or the screen is left.
   * @template T
   * @param {() => Promise<T>} request
   * @returns {Promise<T | null>}
   */
  async #ask(request) {
    if (this.#state === 'busy') return null;
    const before = this.#state;
    const puzzle = this.#puzzle;
    this.#state = 'busy';
    try {
      const answer = await withSession(request);
      return this.#signal.aborted || puzzle !== this.#puzzle ? null : answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast(refusalText(error));
      return null;
    } finally {
      this.#state = before;
    }
  }
}

/**
 * @param {PuzzleStep} step
 * @returns {Frame}
 */
const frame = ({ move, view }) => ({ move, view });
