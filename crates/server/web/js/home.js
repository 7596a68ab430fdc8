// The first screen: a board, and four ways to start a game with one click.

import { Board } from './board.js';
import { customRules, moreGames, thumbnail } from './choosers.js';
import { ApiError, hasAccount, onSessionChange, post, withSession } from './client.js';
import { howToPlay, perfectPlay, rulesInfo } from './describe.js';
import { field, h, radioGroup, setChildren, setText, svg } from './dom.js';
import { range } from './layout.js';
import { load, navigate, save, showToast } from './page.js';
import { BOARDS, cellName, extent, formatRules, hasOwnMarks, parseRules, rulesName } from './rules.js';
import { badge, DEFAULT_SYMBOLS, pickSymbol } from './symbols.js';

/** @import { GameView, Level, NewGame, NewSeat, PairingRequest, TimeControl } from './api' */
/** @import { Rules } from './rules.js' */

/** @typedef {'local' | 'computer' | 'link' | 'online'} Mode */
/** @typedef {'me' | 'opponent' | 'random'} FirstPlayer */

/** @type {[Level, string][]} */
const LEVELS = [['random', 'Random'], ['easy', 'Easy'], ['medium', 'Medium'], ['hard', 'Hard'], ['perfect', 'Perfect']];

/** Initial time and increment in seconds. */
const TIME_CONTROLS = [['', 'Unlimited'], ['60+0', '1 minute'], ['180+2', '3 minutes + 2 s'], ['300+3', '5 minutes + 3 s'],
  ['600+5', '10 minutes + 5 s'], ['86400+0', '1 day']];

/** @type {[FirstPlayer, string][]} */
const FIRST_PLAYERS = [['me', 'Me'], ['opponent', 'Opponent'], ['random', 'Random']];

/** What was chosen, kept for the next visit. */
const DEFAULTS = {
  board: 'classic',
  /** The rules of the game chosen among those without a board here. */
  more: '6x6:5+order',
  custom: parseRules('5x5:4+wrap'),
  mode: /** @type {Mode} */ ('local'),
  level: /** @type {Level} */ ('medium'),
  first: /** @type {FirstPlayer} */ ('me'),
  clock: '',
  rated: false,
  public: true,
  names: /** @type {string[]} */ ([]),
  symbols: /** @type {string[]} */ ([]),
};

/** The choices of the last visit. */
export function loadChoice() {
  /** @type {Partial<typeof DEFAULTS>} */
  const saved = load('choice', {});
  return { ...DEFAULTS, ...saved, custom: { ...DEFAULTS.custom, ...saved.custom } };
}

/**
 * The rules of the chosen board.
 * @param {typeof DEFAULTS} choice
 */
export function chosenRules({ board, more, custom }) {
  const rules = BOARDS.find(({ id }) => id === board)?.rules;
  return rules ?? (board === 'more' ? more : formatRules(custom));
}

/** @type {import('./page.js').Screen} */
export const screen = { title: 'Play', show };

/**
 * @param {HTMLElement} root
 */
function show(root) {
  const choice = loadChoice();
  const stage = h('div.stage');
  const goal = h('p.lead');
  const verdict = h('p.verdict', { role: 'status' });
  const explanation = h('div');
  const custom = h('div.custom');
  const players = h('div.player-inputs');
  const modes = h('div.modes');
  const options = h('div.options');

  const store = (/** @type {Partial<typeof DEFAULTS>} */ changes) => {
    Object.assign(choice, changes);
    save('choice', choice);
  };
  const change = (/** @type {Partial<typeof DEFAULTS>} */ changes) => {
    store(changes);
    draw();
  };
  const symbolOf = (/** @type {number} */ seat) => choice.symbols[seat] ?? freeSymbol(choice.symbols, seat);

  function draw() {
    const text = chosenRules(choice);
    const rules = parseRules(text);
    drawCustomRules();
    drawBoard(rules);
    drawPlayers(rules);
    for (const mode of modes.children) mode.classList.toggle('chosen', mode.querySelector(`[data-mode=${choice.mode}]`) !== null);
    describe(text);
  }

  function drawCustomRules() {
    // The fields stay while they are filled in.
    if (custom.dataset.board === choice.board) return;
    custom.dataset.board = choice.board;
    setChildren(custom,
      choice.board === 'custom' && customRules(choice.custom, (rules) => change({ custom: rules })),
      choice.board === 'more' && moreGames(choice.more, (more) => change({ more })));
  }

  /** @type {Board | undefined} */
  let shownBoard;
  const fitBoard = () => shownBoard?.fit();
  addEventListener('resize', fitBoard);

  /**
   * @param {Rules} rules
   */
  function drawBoard(rules) {
    const board = new Board(rules, {
      label: `Board of ${rulesName(formatRules(rules))}: choose a cell to start`,
      onplay: (cell) => start(choice.mode === 'computer' ? 'computer' : 'local', cell),
    });
    const symbols = hasOwnMarks(rules) ? range(rules.players).map(symbolOf) : DEFAULT_SYMBOLS;
    board.update({ at: () => null, symbols, mark: 0, legal: floor(rules) });
    setChildren(stage, board.element);
    shownBoard = board;
  }

  /**
   * @param {Rules} rules
   */
  function drawPlayers(rules) {
    const key = JSON.stringify([rules.players, rules.order, hasOwnMarks(rules), choice.symbols]);
    if (players.dataset.key === key) return;
    players.dataset.key = key;
    setChildren(players, range(rules.players).map((seat) => playerInput(rules, seat)));
  }

  /**
   * @param {Rules} rules
   * @param {number} seat
   */
  function playerInput(rules, seat) {
    const name = h('input', {
      type: 'text', maxlength: 64, autocomplete: 'off', value: choice.names[seat] ?? '', placeholder: `Player ${seat + 1}${rules.order ? [', Order', ', Chaos'][seat] : ''}`,
      'aria-label': `Name of player ${seat + 1}`,
      oninput: () => {
        const names = [...choice.names];
        names[seat] = name.value;
        store({ names });
      },
    });
    const pick = async () => {
      const others = range(rules.players).filter((other) => other !== seat);
      const symbol = await pickSymbol(seat, name.value || `player ${seat + 1}`, others.map(symbolOf));
      if (!symbol) return;
      const symbols = [...choice.symbols];
      symbols[seat] = symbol;
      change({ symbols });
      players.querySelectorAll('button')[seat]?.focus();
    };
    // Where marks belong to nobody, there is none to choose.
    return h('div.player-input', {}, hasOwnMarks(rules)
      && h('button.symbol', { type: 'button', 'aria-label': `Symbol of player ${seat + 1}: ${symbolOf(seat)}. Change`, onclick: pick },
        badge(symbolOf(seat), seat)), name);
  }

  function drawModes() {
    const mode = (/** @type {Mode} */ id, /** @type {string} */ name, /** @type {string} */ about, /** @type {Element | false} */ extra = false) =>
      h('div.mode', {},
        h('button.start', { type: 'button', 'data-mode': id, onclick: () => start(id) },
          svg('svg.glyph', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: GLYPHS[id] })),
          h('span', {}, h('strong', {}, name), h('small', {}, about))), extra);
    setChildren(modes,
      mode('local', 'Two players, one screen', 'or more, side by side'),
      mode('computer', 'Play the computer', 'at a level of your choice',
        radioGroup('Level', LEVELS, choice.level, (level) => change({ level, mode: 'computer' }))),
      mode('link', 'Invite a friend', 'by link or QR code'),
      mode('online', 'Play online', 'against anyone waiting'));
  }

  function drawOptions() {
    const rated = h('input', { type: 'checkbox', checked: choice.rated, onchange: () => store({ rated: rated.checked }) });
    const listed = h('input', { type: 'checkbox', checked: choice.public, onchange: () => store({ public: listed.checked }) });
    const clock = h('select', { onchange: () => store({ clock: clock.value }) },
      TIME_CONTROLS.map(([value, text]) => h('option', { value, selected: value === choice.clock }, text)));
    setChildren(options,
      radioGroup('Who goes first', FIRST_PLAYERS, choice.first, (first) => store({ first })),
      field('Time control', clock),
      h('label.check', {}, rated, h('span', {}, 'Rated', h('small', {}, ' counts for the leaderboard',
        !hasAccount() && ['; ', h('a', { href: '/account' }, 'sign up'), ' to keep your rating']))),
      h('label.check', {}, listed, h('span', {}, 'Allow spectators')));
  }

  let descriptions = 0;
  /**
   * Explains the game and what perfect play leads to, or why the rules are invalid.
   * @param {string} text
   */
  async function describe(text) {
    descriptions += 1;
    const latest = descriptions;
    try {
      const info = await rulesInfo(text);
      if (latest !== descriptions) return;
      setText(goal, info.summary);
      setText(verdict, perfectPlay(info));
      setChildren(explanation, howToPlay(info));
      verdict.classList.remove('error');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (latest !== descriptions) return;
      const isInvalid = error.status === 400 || error.status === 422;
      setText(goal, '');
      setText(verdict, isInvalid ? error.message : '');
      setChildren(explanation);
      verdict.classList.toggle('error', isInvalid);
    }
  }

  let isStarting = false;
  /**
   * @param {Mode} mode
   * @param {string} [cell] the first move
   */
  async function start(mode, cell) {
    if (isStarting) return;
    isStarting = true;
    change({ mode });
    try {
      /** @type {GameView} */
      const game = await withSession(() => (mode === 'online' ? post('/pairings', pairing()) : post('/games', newGame(mode))));
      if (cell && game.your_seats.some((seat) => seat === game.turn)) save('opening', { game: game.id, cell });
      navigate(`/game/${game.id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast(error.message);
    } finally {
      isStarting = false;
    }
  }

  /** @returns {PairingRequest} */
  function pairing() {
    return { rules: chosenRules(choice), rated: choice.rated, ...timeControl(choice.clock) };
  }

  /**
   * @param {'local' | 'computer' | 'link'} mode
   * @returns {NewGame}
   */
  function newGame(mode) {
    const rules = chosenRules(choice);
    const parsed = parseRules(rules);
    const isLocal = mode === 'local';
    const rated = choice.rated && !isLocal;
    /**
     * @param {number} seat
     * @returns {NewSeat}
     */
    const seatFor = (seat) => {
      const symbol = hasOwnMarks(parsed) ? symbolOf(seat) : undefined;
      const name = choice.names[seat]?.trim();
      if (isLocal) return { for: 'me', name: name || `Player ${seat + 1}`, symbol };
      // Only a casual game against the computer may be played under another name.
      if (seat === 0) return { for: 'me', symbol, ...(mode === 'computer' && !rated && name ? { name } : {}) };
      return mode === 'computer' ? { for: 'computer', level: choice.level, symbol } : { for: 'anyone', symbol };
    };
    const seats = range(parsed.players).map(seatFor);
    return {
      rules,
      seats: !isLocal && choice.first === 'opponent' ? [...seats.slice(1), seats[0]] : seats,
      shuffle: !isLocal && choice.first === 'random',
      rated,
      public: mode === 'computer' && choice.public,
      ...(isLocal ? {} : timeControl(choice.clock)),
    };
  }

  setChildren(root, h('div.home', {},
    stage,
    h('div.setup', {},
      h('h1', {}, 'Play now'),
      h('div.boards', {}, radioGroup('Board', BOARDS.map((board) => [board.id, [thumbnail(board),
        h('span', {}, board.name), h('small', {}, board.about)]]), choice.board, (board) => change({ board }))),
      custom,
      h('div.facts', {}, goal, verdict, h('details.more', {}, h('summary', {}, 'How to play'), explanation)),
      players,
      modes,
      h('details.more', {}, h('summary', {}, 'Options'), options))));
  drawModes();
  draw();
  // Loads the game's modules while the browser is idle.
  (window.requestIdleCallback ?? setTimeout)(() => import('./game.js'));
  const stopListening = onSessionChange(drawOptions);
  return () => {
    stopListening();
    removeEventListener('resize', fitBoard);
  };
}

/**
 * The default symbol of a seat, or another if it is taken.
 * @param {string[]} taken
 * @param {number} seat
 */
function freeSymbol(taken, seat) {
  const free = DEFAULT_SYMBOLS.filter((symbol) => !taken.includes(symbol));
  return taken.includes(DEFAULT_SYMBOLS[seat]) ? free[free.length - 1 - seat] ?? free[0] : DEFAULT_SYMBOLS[seat];
}

/**
 * @param {string} text
 * @returns {{ clock?: TimeControl }}
 */
function timeControl(text) {
  if (!text) return {};
  const [initial_ms, increment_ms] = text.split('+').map((seconds) => Number(seconds) * 1000);
  return { clock: { initial_ms, increment_ms } };
}

/**
 * The cells on which pieces come to rest on an empty board.
 * @param {Rules} rules
 */
function floor(rules) {
  const { rows, cols, levels } = extent(rules);
  const lowest = levels > 1 ? range(rows) : [rows - 1];
  return lowest.flatMap((row) => range(cols).map((col) => cellName(0, row, col)));
}

/** @type {Record<Mode, string>} */
const GLYPHS = {
  local: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM16 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 19c.4-3.4 2.600-5 5.500-5 2 0 3.300.7 4 1.700.7-1 2-1.700 4-1.700 2.900 0 5.100 1.600 5.500 5',
  computer: 'M5 5h14v10H5ZM9 19h6M12 15v4M9 9.500v1M15 9.500v1',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300L12 6.300M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  online: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
};
