// The first screen: a board, and four ways to start a game with one click.

import { Board } from './board.js';
import { ApiError, get, hasAccount, onSessionChange, path, post, withSession } from './client.js';
import { field, h, radioGroup, setChildren, setText, svg } from './dom.js';
import { load, navigate, save, showToast } from './page.js';
import { BOARDS, cellName, formatRules, parseRules, rulesGoal, rulesName } from './rules.js';
import { badge, DEFAULT_SYMBOLS, pickSymbol } from './symbols.js';

/** @import { GameView, Level, NewGame, NewSeat, PairingRequest, RulesView, TimeControl } from './api' */
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

const MAX_THUMBNAIL_SIDE = 7;

/** What was chosen, kept for the next visit. */
const DEFAULTS = {
  board: 'classic',
  custom: { rows: 5, cols: 5, k: 4, players: 2, misere: false, gravity: false, wrap: true, exact: false },
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
export const chosenRules = (choice) => BOARDS.find(({ id }) => id === choice.board)?.rules ?? formatRules(choice.custom);

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
    setText(goal, rulesGoal(text));
    showVerdict(text);
  }

  function drawCustomRules() {
    const isCustom = choice.board === 'custom';
    // The fields stay while they are filled in.
    if (isCustom === custom.hasChildNodes()) return;
    setChildren(custom, isCustom && customRules(choice.custom, (rules) => change({ custom: rules })));
  }

  /**
   * @param {Rules} rules
   */
  function drawBoard(rules) {
    const board = new Board(rules, {
      label: `Board of ${rulesName(formatRules(rules))}: choose a cell to start`,
      onplay: (cell) => start(choice.mode === 'computer' ? 'computer' : 'local', cell),
    });
    const symbols = Array.from({ length: rules.players }, (_, seat) => symbolOf(seat));
    const legal = Array.from({ length: rules.cols }, (_, col) => cellName(rules.rows - 1, col));
    board.update({ at: () => null, symbols, turn: 0, legal });
    setChildren(stage, board.element);
  }

  /**
   * @param {Rules} rules
   */
  function drawPlayers(rules) {
    const key = JSON.stringify([rules.players, choice.symbols]);
    if (players.dataset.key === key) return;
    players.dataset.key = key;
    setChildren(players, Array.from({ length: rules.players }, (_, seat) => playerInput(seat)));
  }

  /**
   * @param {number} seat
   */
  function playerInput(seat) {
    const name = h('input', {
      type: 'text', maxlength: 64, autocomplete: 'off', value: choice.names[seat] ?? '', placeholder: `Player ${seat + 1}`,
      'aria-label': `Name of player ${seat + 1}`,
      oninput: () => {
        const names = [...choice.names];
        names[seat] = name.value;
        store({ names });
      },
    });
    const pick = async () => {
      const others = Array.from({ length: parseRules(chosenRules(choice)).players }, (_, other) => other).filter((other) => other !== seat);
      const symbol = await pickSymbol(seat, name.value || `player ${seat + 1}`, others.map(symbolOf));
      if (!symbol) return;
      const symbols = [...choice.symbols];
      symbols[seat] = symbol;
      change({ symbols });
      players.querySelectorAll('button')[seat]?.focus();
    };
    return h('div.player-input', {},
      h('button.symbol', { type: 'button', 'aria-label': `Symbol of player ${seat + 1}: ${symbolOf(seat)}. Change`, onclick: pick },
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

  let verdicts = 0;
  /**
   * Shows what perfect play leads to, or why the rules are invalid.
   * @param {string} text
   */
  async function showVerdict(text) {
    verdicts += 1;
    const latest = verdicts;
    const { sentence, isError } = await rulesVerdict(text);
    if (latest !== verdicts) return;
    setText(verdict, sentence);
    verdict.classList.toggle('error', isError);
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
    const isLocal = mode === 'local';
    const rated = choice.rated && !isLocal;
    /**
     * @param {number} seat
     * @returns {NewSeat}
     */
    const seatFor = (seat) => {
      const symbol = symbolOf(seat);
      const name = choice.names[seat]?.trim();
      if (isLocal) return { for: 'me', name: name || `Player ${seat + 1}`, symbol };
      // Only a casual game against the computer may be played under another name.
      if (seat === 0) return { for: 'me', symbol, ...(mode === 'computer' && !rated && name ? { name } : {}) };
      return mode === 'computer' ? { for: 'computer', level: choice.level, symbol } : { for: 'anyone', symbol };
    };
    const seats = Array.from({ length: parseRules(rules).players }, (_, seat) => seatFor(seat));
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
      radioGroup('Board', BOARDS.map((board) => [board.id, [thumbnail(board.rules ?? formatRules(choice.custom), board.rules === null),
        h('span', {}, board.name), h('small', {}, board.about)]]), choice.board, (board) => change({ board })),
      custom,
      h('div.facts', {}, goal, verdict),
      players,
      modes,
      h('details.more', {}, h('summary', {}, 'Options'), options))));
  drawModes();
  draw();
  // Loads the game's modules while the browser is idle.
  (window.requestIdleCallback ?? setTimeout)(() => import('./game.js'));
  return onSessionChange(drawOptions);
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

/** @typedef {{ sentence: string, isError: boolean }} Verdict */

/** @type {Map<string, Verdict>} */
const knownVerdicts = new Map();

/**
 * @param {string} rules
 * @returns {Promise<Verdict>}
 */
async function rulesVerdict(rules) {
  const known = knownVerdicts.get(rules);
  if (known) return known;
  /** @type {Verdict} */
  let verdict;
  try {
    verdict = { sentence: perfectPlay(await get(path('rules', { rules }))), isError: false };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isInvalid = error.status === 400 || error.status === 422;
    if (!isInvalid) return { sentence: '', isError: false };
    verdict = { sentence: error.message, isError: true };
  }
  knownVerdicts.set(rules, verdict);
  return verdict;
}

/**
 * @param {RulesView} rules
 */
function perfectPlay({ players, value }) {
  if (players > 2) return 'With more than two players, perfect play has no known result.';
  if (!value) return 'The result of perfect play is unknown.';
  if (value.result === 'draw') return 'With perfect play, it’s a draw.';
  const note = value.source ?? (value.plies ? `in at most ${value.plies} moves` : '');
  return `With perfect play, the ${value.result === 'win' ? 'first' : 'second'} player wins${note && ` (${note})`}.`;
}

/**
 * @param {Rules} rules
 * @param {(rules: Rules) => void} onchange
 */
function customRules(rules, onchange) {
  const current = { ...rules };
  const number = (/** @type {string} */ label, /** @type {'rows' | 'cols' | 'k' | 'players'} */ name, /** @type {number} */ min, /** @type {number} */ max) => {
    const input = h('input', { type: 'number', min, max, value: current[name], inputmode: 'numeric',
      onchange: () => {
        const wanted = input.value === '' ? current[name] : Math.round(Number(input.value));
        current[name] = Math.min(Math.max(wanted, min), max);
        onchange({ ...current });
      } });
    return field(label, input);
  };
  const flag = (/** @type {'misere' | 'gravity' | 'wrap' | 'exact'} */ name, /** @type {string} */ text) => {
    const box = h('input', { type: 'checkbox', checked: current[name], onchange: () => {
      current[name] = box.checked;
      onchange({ ...current });
    } });
    return h('label.check', {}, box, h('span', {}, text));
  };
  return h('div.custom-rules', {},
    number('Rows', 'rows', 1, 26), number('Columns', 'cols', 1, 26), number('In a row', 'k', 1, 26), number('Players', 'players', 2, 8),
    h('div.flags', {}, flag('misere', 'Misère: a line loses'), flag('gravity', 'Gravity: pieces fall'),
      flag('wrap', 'Wrap: edges are joined'), flag('exact', 'Exact: longer lines don’t count')));
}

/**
 * A small picture of a board. All cells are in two paths, because hundreds of elements are slow to lay out.
 * @param {string} text
 * @param {boolean} isCustom
 */
function thumbnail(text, isCustom) {
  const { rows, cols, gravity } = parseRules(text);
  const [r, c] = [Math.min(rows, MAX_THUMBNAIL_SIDE), Math.min(cols, MAX_THUMBNAIL_SIDE)];
  const side = 24 / Math.max(r, c);
  const [x, y] = [(28 - c * side) / 2, (28 - r * side) / 2];
  let [empty, filled] = ['', ''];
  for (let row = 0; row < r; row += 1) {
    for (let col = 0; col < c; col += 1) {
      const cell = roundedSquare(x + col * side + 0.6, y + row * side + 0.6, side - 1.2, gravity ? side / 2 : side / 5);
      if (isCustom ? (row * 3 + col) % 4 === 0 : gravity && row + (col % 3) >= r) filled += cell;
      else empty += cell;
    }
  }
  return svg('svg.thumb', { viewBox: '0 0 28 28', 'aria-hidden': 'true' }, svg('path', { d: empty }), svg('path.on', { d: filled }));
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} radius
 */
function roundedSquare(x, y, size, radius) {
  const round = Math.min(radius, size / 2);
  const straight = size - 2 * round;
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${round} ${round} 0 0 1 ${dx} ${dy}`;
  return `M${x + round} ${y}h${straight}${corner(round, round)}v${straight}${corner(-round, round)}`
    + `h${-straight}${corner(-round, -round)}v${-straight}${corner(round, -round)}z`;
}

/** @type {Record<Mode, string>} */
const GLYPHS = {
  local: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM16 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 19c.4-3.4 2.600-5 5.500-5 2 0 3.300.7 4 1.700.7-1 2-1.700 4-1.700 2.900 0 5.100 1.600 5.500 5',
  computer: 'M5 5h14v10H5ZM9 19h6M12 15v4M9 9.500v1M15 9.500v1',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300L12 6.300M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  online: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
};
