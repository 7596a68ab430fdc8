// Other players: who is there, whom this player follows, and challenges by name.

import { avatar } from './avatar.js';
import { TIME_CONTROLS, timeControl } from './choice.js';
import { ApiError, get, path, post, put, remove } from './client.js';
import { field, h, radioGroup, setChildren } from './dom.js';
import { t } from './i18n.js';
import { confirmAction, MAX_NAME_LENGTH, navigate, openDialog, showToast } from './page.js';
import { refusalText } from './refusals.js';
import { BOARDS, parseRules } from './rules.js';
import { hasAccount, withSession } from './session.js';

/** @import { GameView, NewGame, NewSeat, PersonView, PlayerList, ProfileView, Relation } from './api' */
/** @import { FirstPlayer } from './choice.js' */

const MAX_SUGGESTIONS = 8;

/** Games of two. */
const GAMES = BOARDS.filter(({ rules }) => parseRules(rules).players === 2);

/** @type {FirstPlayer[]} */
const FIRST_PLAYERS = ['random', 'me', 'opponent'];

/**
 * Does something that the server may refuse. Returns whether it was done.
 * @param {() => Promise<unknown>} action
 */
async function attempt(action) {
  try {
    await withSession(action);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showToast(refusalText(error));
    return false;
  }
}

/**
 * Asks for the game, and challenges a player to it. Without a name, asks for that, too.
 * @param {string} [name]
 */
export async function openChallenge(name) {
  const suggestions = h('datalist', { id: 'players-found' });
  const input = h('input', { type: 'text', required: true, maxlength: MAX_NAME_LENGTH, autocomplete: 'off', list: 'players-found', value: name ?? '', oninput: () => suggest(input.value, suggestions) });
  const game = h('select', {}, GAMES.map(({ id, rules }) => h('option', { value: rules }, t(`game.${id}`))));
  const clock = h('select', {}, TIME_CONTROLS.map((value) => h('option', { value }, t(`clock.${value || 'none'}`))));
  const isRated = h('input', { type: 'checkbox', disabled: !hasAccount() });
  let first = FIRST_PLAYERS[0];
  const error = h('p.error', { role: 'alert', hidden: true });
  if (name === undefined) suggest('', suggestions);
  /** @type {GameView | undefined} */
  const created = await openDialog(name ? t('challenge.title', { name }) : t('challenge.anyone'), (/** @type {(value: GameView) => void} */ close) =>
    h('form.stack', {
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          const { value: rules } = game;
          const body = challenge(input.value.trim(), { rules, first, rated: isRated.checked, ...timeControl(clock.value) });
          close(await withSession(() => post('/games', body)));
        } catch (refusal) {
          if (!(refusal instanceof ApiError)) throw refusal;
          error.textContent = refusalText(refusal);
          error.hidden = false;
        }
      },
    }, !name && [field(t('challenge.name'), input), suggestions], field(t('challenge.game'), game), field(t('options.clock'), clock),
    h('div.segments', {}, radioGroup(t('options.first'), FIRST_PLAYERS.map((who) => [who, t(`first.${who}`)]), first, (who) => {
      first = who;
    })),
    h('label.check', {}, isRated, h('span', {}, t('options.rated'), !hasAccount() && h('small', {}, t('challenge.ratedNeedsAccount')))),
    error, h('button.primary.go', { type: 'submit' }, t('challenge.send'))), 'small');
  if (created) navigate(`/game/${created.id}`);
}

/**
 * @param {string} name
 * @param {Pick<NewGame, 'rules' | 'rated' | 'clock'> & { first: FirstPlayer }} choice
 * @returns {NewGame}
 */
function challenge(name, { first, ...game }) {
  /** @type {NewSeat[]} */
  const seats = [{ for: 'me' }, { for: 'player', name }];
  return { ...game, seats: first === 'opponent' ? seats.reverse() : seats, shuffle: first === 'random' };
}

/**
 * Suggests names that begin with a text; without one, those of players who are there.
 * @param {string} text
 * @param {HTMLElement} suggestions
 */
async function suggest(text, suggestions) {
  const search = text.trim() || null;
  /** @type {PlayerList | null} */
  const found = await get(path('players', { search, limit: MAX_SUGGESTIONS })).catch(() => null);
  if (found) setChildren(suggestions, found.players.map(({ name }) => h('option', { value: name })));
}

/**
 * @param {string} name
 * @param {boolean} isBlocked
 */
export const setBlocked = (name, isBlocked) => attempt(() => (isBlocked ? put(path('me', 'blocked', name), {}) : remove(path('me', 'blocked', name))));

/**
 * @param {string} name
 * @param {boolean} isFollowed
 */
const setFollowed = (name, isFollowed) => attempt(() => (isFollowed ? put(path('me', 'following', name), {}) : remove(path('me', 'following', name))));

/**
 * What one can do about another player on their profile.
 * @param {ProfileView} profile
 */
export function personActions({ name, relation }) {
  const element = h('div.row.person-actions');
  const draw = (/** @type {Relation | null} */ now) => {
    const toggle = (/** @type {'follow' | 'unfollow' | 'block' | 'unblock'} */ action, /** @type {() => Promise<boolean>} */ set, /** @type {Relation | null} */ then) =>
      h('button', { type: 'button', 'data-action': action, onclick: async () => (await set()) && draw(then) }, t(`people.${action}`));
    setChildren(element,
      now !== 'blocked' && h('button.primary', { type: 'button', 'data-action': 'challenge', onclick: () => openChallenge(name) }, t('people.challenge')),
      now === null && toggle('follow', () => setFollowed(name, true), 'following'),
      now === 'following' && toggle('unfollow', () => setFollowed(name, false), null),
      now === 'blocked' ? toggle('unblock', () => setBlocked(name, false), null)
        : toggle('block', async () => (await confirmAction(t('people.blockQuestion', { name }), t('people.block'))) && setBlocked(name, true), 'blocked'));
  };
  draw(relation ?? null);
  return element;
}

/** A dot that says that a player is there. */
export const presenceDot = () => h('span.online', { title: t('people.online') }, h('span.visually-hidden', {}, ` ${t('people.online')}`));

/**
 * A player with a button to challenge them.
 * @param {PersonView} person
 */
export function personRow({ name, kind, online, following }) {
  const note = [kind === 'bot' && t('play.bot'), kind === 'guest' && t('play.guest'), following && t('people.following')].filter(Boolean).join(' · ');
  return h('li.person-row', { 'data-name': name }, avatar(name, kind),
    h('span.text', {}, h('strong', {}, h('a', { href: `/player/${encodeURIComponent(name)}` }, h('bdi', {}, name)), online && presenceDot()), h('small', {}, note)),
    h('button', { type: 'button', 'aria-label': t('people.challengeNamed', { name }), onclick: () => openChallenge(name) }, t('people.challenge')));
}

/** The players who are there, for the lobby. */
export class PeopleList {
  #count = h('span.count-of-people');
  #list = h('ul.game-list.card', { hidden: true });
  #placeholder = h('p.placeholder', {}, t('people.nobody'));
  #key = '';
  element = h('section.people', {}, h('div.card-head', {}, h('h2', {}, t('people.title')), this.#count), this.#list, this.#placeholder,
    h('button', { type: 'button', 'data-action': 'challenge', onclick: () => openChallenge() }, t('people.challengeByName')));

  async refresh() {
    /** @type {PlayerList | null} */
    const latest = await get('/players').catch(() => null);
    const key = JSON.stringify(latest);
    if (!latest || key === this.#key) return;
    this.#key = key;
    setChildren(this.#count, latest.online > 0 && t('people.count', { count: latest.online }));
    setChildren(this.#list, latest.players.map(personRow));
    this.#list.hidden = latest.players.length === 0;
    this.#placeholder.hidden = latest.players.length > 0;
  }
}
