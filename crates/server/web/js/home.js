// The first screen: one sentence, one button, a board to tap, and the games to choose from.

import { Board } from './board.js';
import { chosenRules, loadChoice, newGame, pairing, saveChoice, symbolOf, symbolsOf, TIME_CONTROLS } from './choice.js';
import { customRules, gameTiles, moreGames } from './choosers.js';
import { ApiError, post } from './client.js';
import { ContinueList } from './continue.js';
import { dailyPuzzleCard } from './daily-puzzle.js';
import { perfectPlay, rulesInfo, showHowToPlay } from './describe.js';
import { field, h, radioGroup, setChildren, setText } from './dom.js';
import { language, t, tParts } from './i18n.js';
import { glyph } from './icons.js';
import { range } from './layout.js';
import { liveNowCard } from './live-now.js';
import { MAX_NAME_LENGTH, navigate, save, showToast } from './page.js';
import { gamePicture } from './pictures.js';
import { badge, coloursOf } from './pieces.js';
import { refusalText } from './refusals.js';
import { BOARDS, cellName, extent, formatRules, hasOwnMarks, parseRules, rulesName } from './rules.js';
import { displayName, hasAccount, onSessionChange, playAs, withSession } from './session.js';

/** @import { GameView, Level } from './api' */
/** @import { Choice, FirstPlayer, Mode } from './choice.js' */
/** @import { Rules } from './rules.js' */

/** @type {Level[]} */
const LEVELS = ['random', 'easy', 'medium', 'hard', 'perfect'];

/** @type {FirstPlayer[]} */
const FIRST_PLAYERS = ['me', 'opponent', 'random'];

/** @type {import('./page.js').Screen} */
export const screen = { title: 'nav.play', show };

/**
 * @param {HTMLElement} root
 */
function show(root) {
  const choice = loadChoice();
  const stage = h('div.stage');
  const what = h('div.what');
  const more = h('div.more-choices', { hidden: true });
  const players = h('div.player-inputs');
  const play = h('button.primary.go', { type: 'button', 'data-mode': 'computer', onclick: () => start('computer') });
  const options = h('div.options');

  const store = (/** @type {Partial<Choice>} */ changes) => {
    Object.assign(choice, changes);
    saveChoice(choice);
  };
  const change = (/** @type {Partial<Choice>} */ changes) => {
    store(changes);
    draw();
  };

  function draw() {
    const rules = parseRules(chosenRules(choice));
    drawMore();
    drawBoard(rules);
    drawPlayers(rules);
    drawPlay();
    describe();
  }

  /** The list of more games, and the fields of own rules, which stay while they are filled in. */
  function drawMore() {
    const isOther = !BOARDS.some(({ id }) => id === choice.board);
    more.hidden = !isOther;
    if (!isOther || more.dataset.board === choice.board) return;
    more.dataset.board = choice.board;
    setChildren(more,
      moreGames(choice.board === 'custom' ? 'custom' : choice.more, (other) => change(other === 'custom' ? { board: 'custom' } : { board: 'more', more: other })),
      choice.board === 'custom' && customRules(choice.custom, (rules) => change({ custom: rules })));
  }

  /** @type {Board | undefined} */
  let shownBoard;
  let boardKey = '';
  const fitBoard = () => shownBoard?.fit();
  addEventListener('resize', fitBoard);

  /**
   * @param {Rules} rules
   */
  function drawBoard(rules) {
    const text = formatRules(rules);
    const symbols = symbolsOf(choice, rules);
    const key = JSON.stringify([text, symbols]);
    if (key === boardKey) return;
    boardKey = key;
    const board = new Board(rules, { label: t('home.boardLabel', { game: rulesName(chosenRules(choice)) }), onplay: (cell) => start('computer', cell) });
    board.update({ at: () => null, symbols, mark: 0, legal: floor(rules) });
    setChildren(stage, board.element, h('p.cap', {}, t('home.tapASquare')));
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
    const number = seat + 1;
    const name = h('input', {
      type: 'text', maxlength: MAX_NAME_LENGTH, autocomplete: 'off', value: choice.names[seat] ?? '',
      placeholder: rules.order ? t(seat === 0 ? 'player.order' : 'player.chaos', { number }) : t('player.number', { number }),
      'aria-label': t('player.nameOf', { number }),
      oninput: () => {
        const names = [...choice.names];
        names[seat] = name.value;
        store({ names });
      },
    });
    const pick = async () => {
      const others = range(rules.players).filter((other) => other !== seat);
      const { pickSymbol } = await import('./symbols.js');
      const symbol = await pickSymbol(name.value || t('player.number', { number }), others.map((other) => symbolOf(choice, other)));
      if (!symbol) return;
      const symbols = [...choice.symbols];
      symbols[seat] = symbol;
      change({ symbols });
      players.querySelectorAll('button')[seat]?.focus();
    };
    const symbol = symbolOf(choice, seat);
    const colour = coloursOf(range(rules.players).map((other) => symbolOf(choice, other)))[seat];
    // Where marks belong to nobody, there is none to choose.
    return h('div.player-input', {}, hasOwnMarks(rules)
      && h('button.symbol', { type: 'button', 'aria-label': t('player.symbolOf', { number, symbol }), onclick: pick }, badge('paper', symbol, colour)), name);
  }

  function drawPlay() {
    setChildren(play, h('span', {}, tParts('home.playComputer', { level: h('em', {}, t(`level.${choice.level}`)) })));
    const board = BOARDS.find(({ id }) => id === choice.board);
    const name = choice.board === 'custom' ? t('game.custom') : rulesName(chosenRules(choice));
    if (what.dataset.game === name) return;
    what.dataset.game = name;
    setChildren(what, gamePicture(board?.id ?? 'more'),
      h('div', {}, h('h2', {}, name), h('p.verdict', { role: 'status' }, board && t(`game.${board.id}.goal`))),
      h('button.flat', { type: 'button', onclick: () => showHowToPlay(chosenRules(choice)) }, t('home.rules')));
  }

  function drawOptions() {
    const rated = h('input', { type: 'checkbox', checked: choice.rated, onchange: () => store({ rated: rated.checked }) });
    const listed = h('input', { type: 'checkbox', checked: choice.public, onchange: () => store({ public: listed.checked }) });
    const clock = h('select', { onchange: () => store({ clock: clock.value }) },
      TIME_CONTROLS.map((value) => h('option', { value, selected: value === choice.clock }, t(`clock.${value || 'none'}`))));
    setChildren(options,
      h('fieldset.choice', {}, h('legend', {}, t('options.players')), players, !hasAccount() && h('small', {}, t('options.playersAbout'))),
      radioGroup(t('options.first'), FIRST_PLAYERS.map((first) => [first, t(`first.${first}`)]), choice.first, (first) => store({ first })),
      field(t('options.clock'), clock),
      h('label.check', {}, rated, h('span', {}, t('options.rated'), h('br'), h('small', {},
        hasAccount() ? t('options.ratedAbout') : tParts('options.ratedGuest', { signUp: h('a', { href: '/account' }, t('account.signUp')) })))),
      h('label.check', {}, listed, h('span', {}, t('options.spectators'))));
  }

  let descriptions = 0;
  /** Says what perfect play leads to, or why the rules are invalid. */
  async function describe() {
    descriptions += 1;
    const latest = descriptions;
    const board = BOARDS.find(({ id }) => id === choice.board);
    const verdict = /** @type {HTMLElement} */ (what.querySelector('.verdict'));
    try {
      const info = await rulesInfo(chosenRules(choice));
      if (latest !== descriptions) return;
      verdict.classList.remove('error');
      setText(verdict, board ? t(`game.${board.id}.goal`) : perfectPlay(info));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (latest !== descriptions || (error.status !== 400 && error.status !== 422)) return;
      verdict.classList.add('error');
      // The server's sentence says more, in English.
      setText(verdict, language === 'en' ? error.message : t('custom.impossible'));
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
    // Its next look could ask for a name that is being changed.
    continueList.stop();
    root.querySelector(`[data-mode=${mode}]`)?.classList.add('busy');
    try {
      // The computer does not mind, but the others do.
      if (mode === 'link' || mode === 'online') await playAs(choice.names[0] ?? '');
      /** @type {GameView} */
      const game = await withSession(() => (mode === 'online' ? post('/pairings', pairing(choice)) : post('/games', newGame(choice, mode))));
      if (cell && game.your_seats.some((seat) => seat === game.turn)) save('opening', { game: game.id, cell });
      if (mode === 'local' && choice.rated) showToast(t('home.localNotRated'));
      navigate(`/game/${game.id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast(refusalText(error));
    } finally {
      isStarting = false;
      root.querySelector('.busy')?.classList.remove('busy');
    }
  }

  const continueList = new ContinueList();
  const ownName = displayName();
  const way = (/** @type {Mode} */ mode, /** @type {'globe' | 'two' | 'link'} */ icon, /** @type {string} */ text) =>
    h('button', { type: 'button', 'data-mode': mode, onclick: () => start(mode) }, glyph(icon), h('span', {}, text));
  setChildren(root, h('div.home', {},
    h('div.pitch', {}, h('h1', {}, t('home.title')), h('p.lead', {}, t('home.lead'), ' ', h('span.free-of-charge', {}, t('home.free')))),
    continueList.element,
    gameTiles(choice.board, (board) => change({ board: board === 'more' && choice.board === 'custom' ? 'custom' : board })),
    stage,
    h('div.play-card', {}, what,
      h('div.segments', {}, radioGroup(t('options.level'), LEVELS.map((level) => [level, t(`level.${level}`)]), choice.level, (level) => {
        store({ level });
        drawPlay();
      })),
      play,
      h('div.ways', {}, way('online', 'globe', t('home.playOnline')), way('local', 'two', t('home.twoPlayers')), way('link', 'link', t('home.invite'))),
      h('div.between', {}, h('details.more', {}, h('summary', {}, t('home.options')), options),
        h('button.quiet', { type: 'button', 'data-action': 'challenge', onclick: async () => (await import('./people.js')).openChallenge() }, t('challenge.anyone')),
        ownName !== null && h('a.your-games', { href: `/player/${encodeURIComponent(ownName)}` }, t('home.yourGames')))),
    more, h('div.day-cards', {}, dailyPuzzleCard(), liveNowCard())));
  draw();
  // Loads the game's modules while the browser is idle.
  (window.requestIdleCallback ?? setTimeout)(() => import('./game.js').catch(() => {}));
  const stopListening = onSessionChange(drawOptions);
  return () => {
    stopListening();
    continueList.stop();
    removeEventListener('resize', fitBoard);
  };
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
