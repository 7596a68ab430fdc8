// Tournaments: the list, and creating one.

import { ApiError, get, path, post } from './client.js';
import { field, h, radioGroup, setChildren } from './dom.js';
import { t } from './i18n.js';
import { load, navigate, openDialog, save } from './page.js';
import { refusalText } from './refusals.js';
import { BOARDS, parseRules, rulesName } from './rules.js';
import { restoreSession, withSession } from './session.js';
import { factsText, momentText } from './tournament-text.js';

/** @import { NewTournament, TournamentFormat, TournamentState, TournamentSummary } from './api' */
/** @import { MessageKey } from './i18n.js' */

/** @type {import('./page.js').Screen} */
export const screen = { title: 'nav.tournaments', show };

/** @type {[key: MessageKey, query: Record<string, string>][]} */
const SECTIONS = [
  ['tournament.yours', { mine: 'true' }],
  ['tournament.waitingList', { phase: 'waiting' }],
  ['tournament.runningList', { phase: 'running' }],
  ['tournament.finishedList', { phase: 'finished' }],
];

/**
 * @param {HTMLElement} root
 */
function show(root) {
  // Hidden until their content is known, so that nothing moves.
  const sections = h('div.sections', { hidden: true });
  const error = h('p.error', { role: 'status' });
  setChildren(root, h('h1', {}, t('nav.tournaments')), h('p.lead', {}, t('tournament.lead')),
    h('div.row', {}, h('button.primary', { type: 'button', 'data-action': 'create', onclick: openCreation }, t('tournament.create'))),
    error, sections);
  loadLists().then((lists) => {
    setChildren(sections, lists);
    sections.hidden = false;
  }, (failure) => {
    if (!(failure instanceof ApiError)) throw failure;
    error.textContent = refusalText(failure);
  });
}

async function loadLists() {
  const me = await restoreSession().catch(() => null);
  const shown = SECTIONS.filter(([key]) => me || key !== 'tournament.yours');
  /** @type {TournamentSummary[][]} */
  const lists = await Promise.all(shown.map(([, query]) => get(path('tournaments', { ...query, limit: 20 }))));
  const isEmpty = lists.every((tournaments) => tournaments.length === 0);
  return isEmpty ? [h('p.placeholder', {}, t('tournament.none'))] : shown.map(([key], i) => lists[i].length > 0
    && h('section', {}, h('h2', {}, t(key)), h('ul.game-list', {}, lists[i].map(row))));
}

/**
 * @param {TournamentSummary} tournament
 */
function row(tournament) {
  const { id, name, phase, players, starts_at: starts } = tournament;
  const state = phase === 'waiting' && starts ? t('tournament.startsAt', { time: momentText(starts) }) : t(`tournament.phase.${phase}`);
  const action = t('lobby.open');
  return h('li.game-row', {}, h('span.pairing', {}, h('bdi', {}, name)),
    h('span.facts-line', {}, [factsText(tournament), t('tournament.players', { count: players }), state].join(' · ')),
    h('a.button', { href: `/tournament/${id}`, 'aria-label': t('lobby.actionOn', { action, names: name }) }, action));
}

// Creating a tournament.

/** @type {TournamentFormat['type'][]} */
const FORMATS = ['arena', 'swiss', 'round_robin'];

/** Initial time and increment in seconds. */
const CLOCKS = /** @type {const} */ (['60+0', '180+2', '300+3', '600+5']);

/** The length of each format: its label, the smallest, the largest and the usual value. @type {Record<TournamentFormat['type'], [MessageKey, number, number, number]>} */
const LENGTHS = { arena: ['tournament.minutes', 1, 240, 20], swiss: ['tournament.rounds', 1, 30, 5], round_robin: ['tournament.cycles', 1, 2, 1] };

/** Games of two players beside those with a tile. */
const OTHER_GAMES = ['4x4', '15x15:5+renju', '15x15:5+exact', '3x3+wild', '3x3+fade6'];

/** What was chosen last time. */
const DEFAULTS = { format: /** @type {TournamentFormat['type']} */ ('arena'), rules: '3x3', clock: '60+0', rated: false, bots: false, public: true };

function openCreation() {
  const choice = { ...DEFAULTS, ...load('tournament', {}) };
  const name = h('input', { type: 'text', required: true, minlength: 2, maxlength: 60, autocomplete: 'off' });
  const length = h('div');
  /** @type {HTMLInputElement} */
  let lengthInput;
  const drawLength = () => {
    const [label, min, max, value] = LENGTHS[choice.format];
    lengthInput = h('input', { type: 'number', min, max, value: String(value), required: true });
    setChildren(length, field(t(label), lengthInput, h('small', {}, t(`tournament.about.${choice.format}`))));
  };
  drawLength();
  const games = [...BOARDS.map(({ rules }) => rules), ...OTHER_GAMES].filter((rules) => parseRules(rules).players === 2);
  const rules = h('select', {}, games.map((value) => h('option', { value, selected: value === choice.rules }, rulesName(value))));
  const clock = h('select', {}, CLOCKS.map((value) => h('option', { value, selected: value === choice.clock }, t(`clock.${value}`))));
  const starts = h('input', { type: 'datetime-local' });
  const check = (/** @type {'rated' | 'bots' | 'public'} */ key, /** @type {MessageKey} */ label) => {
    const input = h('input', { type: 'checkbox', checked: choice[key], onchange: () => { choice[key] = input.checked; } });
    return h('label.check', {}, input, h('span', {}, t(label)));
  };
  const error = h('p.error', { role: 'alert' });

  openDialog(t('tournament.create'), (close) => h('form.stack.tournament-form', {
    onsubmit: async (event) => {
      event.preventDefault();
      Object.assign(choice, { rules: rules.value, clock: clock.value });
      save('tournament', choice);
      try {
        const state = await create(choice, name.value, Number(lengthInput.value), starts.value);
        close(undefined);
        navigate(`/tournament/${state.tournament.id}`);
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        error.textContent = refusalText(failure);
      }
    },
  }, field(t('tournament.name'), name),
  h('div.segments', {}, radioGroup(t('tournament.format'), FORMATS.map((format) => [format, t(`tournament.format.${format}`)]), choice.format, (format) => {
    choice.format = format;
    drawLength();
  })),
  length,
  h('div.row', {}, field(t('tournament.game'), rules), field(t('options.clock'), clock)),
  field(t('tournament.start'), starts, h('small', {}, t('tournament.startAbout'))),
  check('rated', 'options.rated'), check('bots', 'tournament.bots'), check('public', 'tournament.public'),
  error, h('button.primary.go', { type: 'submit' }, t('tournament.create'))));
  name.focus();
}

/** The key of the request, so that it takes effect once however often it is sent. */
let key = crypto.randomUUID();

/**
 * @param {typeof DEFAULTS} choice
 * @param {string} name
 * @param {number} length
 * @param {string} starts
 * @returns {Promise<TournamentState>}
 */
async function create(choice, name, length, starts) {
  const [initial, increment] = choice.clock.split('+').map(Number);
  /** @type {TournamentFormat} */
  const format = choice.format === 'arena' ? { type: 'arena', minutes: length }
    : choice.format === 'swiss' ? { type: 'swiss', rounds: length } : { type: 'round_robin', cycles: length };
  /** @type {NewTournament} */
  const tournament = { name, format, rules: choice.rules, clock: { initial_ms: initial * 1000, increment_ms: increment * 1000 },
    rated: choice.rated, bots: choice.bots, public: choice.public, key };
  if (starts) tournament.starts_at = new Date(starts).getTime();
  const state = await withSession(() => post('/tournaments', tournament));
  key = crypto.randomUUID();
  return state;
}
