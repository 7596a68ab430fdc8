// What a visitor has chosen on the first screen, kept for the next visit, and the games that follow from it.

import { t } from './i18n.js';
import { range } from './layout.js';
import { load, save } from './page.js';
import { DEFAULT_SYMBOLS } from './pieces.js';
import { BOARDS, formatRules, hasOwnMarks, parseRules } from './rules.js';

/** @import { Level, NewGame, NewSeat, PairingRequest, TimeControl } from './api' */
/** @import { Rules } from './rules.js' */

/** @typedef {'local' | 'computer' | 'link' | 'online'} Mode */
/** @typedef {'me' | 'opponent' | 'random'} FirstPlayer */
/** @typedef {typeof DEFAULTS} Choice */

const DEFAULTS = {
  /** The game: one of the first screen, `more` or `custom`. */
  board: 'classic',
  /** The rules of the game chosen among those without a tile. */
  more: '6x6:5+order',
  custom: parseRules('5x5:4+wrap'),
  level: /** @type {Level} */ ('medium'),
  first: /** @type {FirstPlayer} */ ('me'),
  /** Initial time and increment in seconds, such as `180+2`; empty for no limit. */
  clock: '',
  rated: false,
  public: true,
  names: /** @type {string[]} */ ([]),
  symbols: /** @type {string[]} */ ([]),
};

/** The choices of the last visit. @returns {Choice} */
export function loadChoice() {
  /** @type {Partial<Choice>} */
  const saved = load('choice', {});
  const choice = { ...DEFAULTS, ...saved, custom: { ...DEFAULTS.custom, ...saved.custom } };
  const isKnown = choice.board === 'more' || choice.board === 'custom' || BOARDS.some(({ id }) => id === choice.board);
  return isKnown ? choice : { ...choice, board: DEFAULTS.board };
}

/**
 * @param {Choice} choice
 */
export const saveChoice = (choice) => save('choice', choice);

/**
 * The rules of the chosen game.
 * @param {Choice} choice
 */
export function chosenRules({ board, more, custom }) {
  const rules = BOARDS.find(({ id }) => id === board)?.rules;
  return rules ?? (board === 'more' ? more : formatRules(custom));
}

/**
 * The symbol of a seat: the chosen one, its default, or another if that is taken.
 * @param {Choice} choice
 * @param {number} seat
 */
export function symbolOf({ symbols }, seat) {
  if (symbols[seat]) return symbols[seat];
  if (!symbols.includes(DEFAULT_SYMBOLS[seat])) return DEFAULT_SYMBOLS[seat];
  const free = DEFAULT_SYMBOLS.filter((symbol) => !symbols.includes(symbol));
  return free[free.length - 1 - seat] ?? free[0];
}

/**
 * @param {Choice} choice
 * @param {Rules} rules
 */
export const symbolsOf = (choice, rules) => (hasOwnMarks(rules) ? range(rules.players).map((seat) => symbolOf(choice, seat)) : DEFAULT_SYMBOLS);

/** Initial time and increment in seconds. */
export const TIME_CONTROLS = /** @type {const} */ (['', '60+0', '180+2', '300+3', '600+5', '86400+0']);

/**
 * @param {string} text
 * @returns {{ clock?: TimeControl }}
 */
export function timeControl(text) {
  if (!text) return {};
  const [initial_ms, increment_ms] = text.split('+').map((seconds) => Number(seconds) * 1000);
  return { clock: { initial_ms, increment_ms } };
}

/**
 * @param {Choice} choice
 * @returns {PairingRequest}
 */
export const pairing = (choice) => ({ rules: chosenRules(choice), rated: choice.rated, ...timeControl(choice.clock) });

/**
 * @param {Choice} choice
 * @param {'local' | 'computer' | 'link'} mode
 * @returns {NewGame}
 */
export function newGame(choice, mode) {
  const rules = chosenRules(choice);
  const parsed = parseRules(rules);
  const isLocal = mode === 'local';
  // Nobody can be rated against themselves.
  const rated = choice.rated && !isLocal;
  /**
   * @param {number} seat
   * @returns {NewSeat}
   */
  const seatFor = (seat) => {
    const symbol = hasOwnMarks(parsed) ? symbolOf(choice, seat) : undefined;
    if (isLocal) return { for: 'me', name: choice.names[seat]?.trim() || t('player.number', { number: seat + 1 }), symbol };
    if (seat === 0) return { for: 'me', symbol };
    return mode === 'computer' ? { for: 'computer', level: choice.level, symbol } : { for: 'anyone', symbol };
  };
  const seats = range(parsed.players).map(seatFor);
  return {
    rules,
    seats: !isLocal && choice.first === 'opponent' ? [...seats.slice(1), seats[0]] : seats,
    shuffle: !isLocal && choice.first === 'random',
    rated,
    public: mode === 'computer' && choice.public,
    ...timeControl(choice.clock),
  };
}
