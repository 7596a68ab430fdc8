// The first screen: a board, and four ways to begin a game with one click.

import { get, post, query, Refused } from './api.js';
import { Board } from './board.js';
import { notice } from './dialog.js';
import { choice, field, h, put, s, say } from './dom.js';
import { badge, DEFAULT_SYMBOLS } from './marks.js';
import { asSomeone, isNamed, onMe } from './me.js';
import { recall, remember } from './memory.js';
import { go } from './navigate.js';
import { BOARDS, boxName, goalOf, nameOf, parse, write } from './rules.js';

export const title = 'Play';

const LEVELS = [['random', 'Random'], ['easy', 'Easy'], ['medium', 'Medium'], ['hard', 'Hard'], ['perfect', 'Perfect']];

const CLOCKS = [['', 'No clock'], ['60+0', '1 minute'], ['180+2', '3 minutes + 2 s'], ['300+3', '5 minutes + 3 s'],
  ['600+5', '10 minutes + 5 s'], ['86400+0', '1 day']];

const DEFAULTS = {
  board: 'classic',
  own: { rows: 5, cols: 5, k: 4, players: 2, misere: false, gravity: false, wrap: true, exact: false },
  way: 'local',
  level: 'medium',
  starts: 'me',
  clock: '',
  rated: false,
  public: true,
  names: [],
  symbols: [],
};

export function show(root) {
  const saved = recall('choice', {});
  const chosen = { ...DEFAULTS, ...saved, own: { ...DEFAULTS.own, ...saved.own } };
  const stage = h('div.stage');
  const people = h('div.people');
  const own = h('div.own');
  const honesty = h('p.honesty', { role: 'status' });
  const ways = h('div.ways');
  const options = h('div.options');
  const headline = h('p.lead');

  const rulesText = () => BOARDS.find((board) => board.id === chosen.board)?.rules ?? write(chosen.own);
  const keep = () => remember('choice', chosen);
  const symbolOf = (seat) => chosen.symbols[seat] ?? freeSymbol(chosen.symbols, seat);

  const change = (part) => {
    Object.assign(chosen, part);
    keep();
    draw();
  };

  function draw() {
    const rules = parse(rulesText());
    drawOwn();
    drawBoard(rules);
    drawPeople(rules);
    for (const card of ways.children) card.classList.toggle('chosen', card.querySelector('[data-way]').dataset.way === chosen.way);
    say(headline, goalOf(rulesText()));
    judge();
  }

  /** Fields stay while they are filled in. */
  function drawOwn() {
    const wanted = chosen.board === 'own';
    if (wanted === own.hasChildNodes()) return;
    put(own, wanted && ownRules(chosen.own, (part) => change({ own: Object.assign(chosen.own, part) })));
  }

  function drawBoard(rules) {
    const board = new Board(rules, {
      label: `Board of ${nameOf(rulesText())}: choose a box to begin`,
      onplay: (box) => begin(chosen.way === 'computer' ? 'computer' : 'local', box),
    });
    const symbols = Array.from({ length: rules.players }, (_, seat) => symbolOf(seat));
    const legal = Array.from({ length: rules.cols }, (_, col) => boxName(rules.rows - 1, col));
    board.update({ at: () => null, symbols, names: [], turn: 0, legal });
    put(stage, board.element);
  }

  function drawPeople(rules) {
    const looks = JSON.stringify([rules.players, chosen.symbols]);
    if (people.dataset.looks === looks) return;
    people.dataset.looks = looks;
    put(people, Array.from({ length: rules.players }, (_, seat) => person(seat)));
  }

  function person(seat) {
    const name = h('input', {
      type: 'text', maxlength: 64, autocomplete: 'off', value: chosen.names[seat] ?? '', placeholder: `Player ${seat + 1}`,
      'aria-label': `Name of player ${seat + 1}`,
      oninput: () => {
        chosen.names[seat] = name.value;
        keep();
      },
    });
    const pick = async () => {
      const { pickSymbol } = await import('./emoji.js');
      const players = parse(rulesText()).players;
      const taken = Array.from({ length: players }, (_, other) => other).filter((other) => other !== seat).map(symbolOf);
      const symbol = await pickSymbol(seat, name.value || `player ${seat + 1}`, taken);
      if (!symbol) return;
      const symbols = [...chosen.symbols];
      symbols[seat] = symbol;
      change({ symbols });
      people.querySelectorAll('button.symbol')[seat]?.focus();
    };
    return h('div.person', {},
      h('button.symbol', { type: 'button', 'aria-label': `Symbol of player ${seat + 1}: ${symbolOf(seat)}. Change`, onclick: pick },
        badge(symbolOf(seat), seat)), name);
  }

  function drawWays() {
    const way = (id, name, about, ...more) =>
      h('div.way', {},
        h('button.begin', { type: 'button', 'data-way': id, onclick: () => begin(id) },
          glyph(id), h('span', {}, h('strong', {}, name), h('small', {}, about))), ...more);
    put(ways,
      way('local', 'On this screen', 'with friends beside you'),
      way('computer', 'The computer', 'at a level you choose',
        choice('Level', LEVELS, chosen.level, (level) => change({ level, way: 'computer' }))),
      way('link', 'A friend by link', 'copy, share or scan it'),
      way('anyone', 'Whoever waits', 'paired by rating and rules'));
  }

  function drawOptions() {
    const rated = h('input', { type: 'checkbox', checked: chosen.rated, onchange: () => { chosen.rated = rated.checked; keep(); } });
    const open = h('input', { type: 'checkbox', checked: chosen.public, onchange: () => { chosen.public = open.checked; keep(); } });
    const clock = h('select', { onchange: () => { chosen.clock = clock.value; keep(); } },
      CLOCKS.map(([value, text]) => h('option', { value, selected: value === chosen.clock }, text)));
    put(options,
      choice('Who begins', [['me', 'I do'], ['other', 'The other'], ['chance', 'Chance']], chosen.starts, (starts) => { chosen.starts = starts; keep(); }),
      field('Clock', clock),
      h('label.check', {}, rated, h('span', {}, 'Rated', h('small', {}, ' counts in the league', !isNamed() && ['; ', h('a', { href: '/account' }, 'a name'), ' keeps your rating']))),
      h('label.check', {}, open, h('span', {}, 'Others may watch')));
  }

  let judged = 0;
  /** Says what is known of the rules before anyone plays by them. */
  async function judge() {
    judged += 1;
    const mine = judged;
    const text = rulesText();
    const sentence = await verdict(text);
    if (mine === judged) {
      say(honesty, sentence.text);
      honesty.classList.toggle('wrong', sentence.wrong);
    }
  }

  let busy = false;
  async function begin(way, box) {
    if (busy) return;
    busy = true;
    change({ way });
    try {
      const game = await asSomeone(() => (way === 'anyone' ? pair() : create(way)));
      if (box && game.yours.includes(game.turn)) remember('opening', { game: game.id, box });
      go(`/game/${game.id}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(error.message);
    } finally {
      busy = false;
    }
  }

  function pair() {
    return post('/pairings', { rules: rulesText(), rated: chosen.rated, ...clockOf(chosen.clock) });
  }

  function create(way) {
    const { players } = parse(rulesText());
    const name = (seat) => (chosen.names[seat]?.trim() ? { name: chosen.names[seat].trim() } : {});
    const rated = chosen.rated && way !== 'local';
    const all = Array.from({ length: players }, (_, seat) => {
      const symbol = symbolOf(seat);
      if (way === 'local') return { for: 'me', name: `Player ${seat + 1}`, ...name(seat), symbol };
      if (seat === 0) return { for: 'me', symbol, ...(way === 'computer' && !rated ? name(0) : {}) };
      return way === 'computer' ? { for: 'computer', level: chosen.level, symbol } : { for: 'anyone', symbol };
    });
    const seats = way !== 'local' && chosen.starts === 'other' ? [...all.slice(1), all[0]] : all;
    return post('/games', {
      rules: rulesText(),
      seats,
      shuffle: way !== 'local' && chosen.starts === 'chance',
      rated,
      public: way !== 'local' && way !== 'link' && chosen.public,
      ...(way === 'local' ? {} : clockOf(chosen.clock)),
    });
  }

  put(root, h('div.home', {},
    stage,
    h('div.choose', {},
      h('h1', {}, 'Play now'),
      choice('Board', BOARDS.map((board) => [board.id, [thumb(board, chosen.own), h('span', {}, board.name), h('small', {}, board.about)]]),
        chosen.board, (board) => change({ board })),
      own,
      h('div.facts', {}, headline, honesty),
      people,
      ways,
      h('details.more', {}, h('summary', {}, 'Options'), options))));
  drawWays();
  draw();
  // Whoever is here will play: what that needs is fetched while nothing else is to do.
  (window.requestIdleCallback ?? setTimeout)(() => import('./game.js'));
  return onMe(() => drawOptions());
}

function freeSymbol(taken, seat) {
  const free = DEFAULT_SYMBOLS.filter((symbol) => !taken.includes(symbol));
  return taken.includes(DEFAULT_SYMBOLS[seat]) ? free[free.length - 1 - seat] ?? free[0] : DEFAULT_SYMBOLS[seat];
}

function clockOf(text) {
  if (!text) return {};
  const [initial, increment] = text.split('+').map((part) => Number(part) * 1000);
  return { clock: { initial_ms: initial, increment_ms: increment } };
}

const verdicts = new Map();

async function verdict(rules) {
  if (!verdicts.has(rules)) {
    try {
      verdicts.set(rules, inWords(await get(`/rules${query({ rules })}`)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const wrong = { text: error.message, wrong: true };
      if (error.status === 422 || error.status === 400) verdicts.set(rules, wrong);
      return error.status === 422 || error.status === 400 ? wrong : { text: '', wrong: false };
    }
  }
  return verdicts.get(rules);
}

function inWords({ players, value }) {
  const said = (text) => ({ text, wrong: false });
  if (players > 2) return said('With more than two players nobody knows how perfect play ends.');
  if (!value) return said('How perfect play ends is not known here.');
  const after = value.plies ? ` (after ${value.plies} moves at most)` : '';
  const proven = value.source ? ` (${value.source})` : after;
  switch (value.result) {
    case 'draw':
      return said('With perfect play nobody wins.');
    case 'win':
      return said(`With perfect play the first player wins${proven}.`);
    default:
      return said(`With perfect play the second player wins${proven}.`);
  }
}

function ownRules(parts, change) {
  const number = (label, name, min, max) => {
    const input = h('input', { type: 'number', min, max, value: parts[name], inputmode: 'numeric',
      onchange: () => {
        const wanted = Math.round(Number(input.value));
        change({ [name]: Math.min(Math.max(Number.isFinite(wanted) ? wanted : parts[name], min), max) });
      } });
    return field(label, input);
  };
  const flag = (name, text) => {
    const box = h('input', { type: 'checkbox', checked: parts[name], onchange: () => change({ [name]: box.checked }) });
    return h('label.check', {}, box, h('span', {}, text));
  };
  return h('div.own-rules', {},
    number('Rows', 'rows', 1, 26), number('Columns', 'cols', 1, 26), number('In a row', 'k', 1, 26), number('Players', 'players', 2, 8),
    h('div.flags', {}, flag('misere', 'Misère: a line loses'), flag('gravity', 'Gravity: stones fall'),
      flag('wrap', 'Wrap: edges join'), flag('exact', 'Exact: longer lines don\u2019t count')));
}

/** A small picture of a board: all its cells in two shapes, because hundreds of elements take time. */
function thumb(board, own) {
  const { rows, cols, gravity } = parse(board.rules ?? write(own));
  const [r, c] = [Math.min(rows, 7), Math.min(cols, 7)];
  const side = 24 / Math.max(r, c);
  const [x, y] = [(28 - c * side) / 2, (28 - r * side) / 2];
  let [free, filled] = ['', ''];
  for (let row = 0; row < r; row += 1) {
    for (let col = 0; col < c; col += 1) {
      const box = roundBox(x + col * side + 0.6, y + row * side + 0.6, side - 1.2, gravity ? side / 2 : side / 5);
      if (board.id === 'own' ? (row * 3 + col) % 4 === 0 : gravity && row + (col % 3) >= r) filled += box;
      else free += box;
    }
  }
  return s('svg.thumb', { viewBox: '0 0 28 28', 'aria-hidden': 'true' }, s('path', { d: free }), s('path.on', { d: filled }));
}

/** A square with round corners, as a piece of a path. */
function roundBox(x, y, size, radius) {
  const round = Math.min(radius, size / 2);
  const straight = size - 2 * round;
  const corner = (dx, dy) => `a${round} ${round} 0 0 1 ${dx} ${dy}`;
  return `M${x + round} ${y}h${straight}${corner(round, round)}v${straight}${corner(-round, round)}`
    + `h${-straight}${corner(-round, -round)}v${-straight}${corner(round, -round)}z`;
}

const GLYPHS = {
  local: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM16 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 19c.4-3.4 2.600-5 5.500-5 2 0 3.300.7 4 1.700.7-1 2-1.700 4-1.700 2.900 0 5.100 1.600 5.500 5',
  computer: 'M5 5h14v10H5ZM9 19h6M12 15v4M9 9.500v1M15 9.500v1',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300L12 6.300M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  anyone: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
};

const glyph = (way) => s('svg.glyph', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: GLYPHS[way] }));
