// What a player is asked and can do, and how to invite others.

import { avatar } from './avatar.js';
import { field, h } from './dom.js';
import { list, t } from './i18n.js';
import { glyph } from './icons.js';
import { MAX_NAME_LENGTH, openDialog } from './page.js';
import { materialOf } from './pieces.js';
import { hasOwnMarks, rulesName } from './rules.js';
import { goalText } from './rules-text.js';
import { hasAccount } from './session.js';
import { qrCard, shareLink } from './share.js';
import { markName } from './text.js';

/** @import { EndReason, PlayerCommand, PlayerView } from './api' */
/** @import { Child } from './dom.js' */
/** @import { Icon } from './icons.js' */
/** @import { MessageKey } from './i18n.js' */
/** @import { GameState } from './state.js' */
/** @typedef {(command: PlayerCommand) => void} Send */

/** Ends that come from the board, so that a move can be taken back. @type {EndReason[]} */
const BOARD_ENDS = ['line', 'no_line', 'draw', 'repetition', 'move_limit'];

/**
 * @param {string} action
 * @param {MessageKey} text
 * @param {() => unknown} onclick
 * @param {{ icon?: Icon, kind?: '.primary' | '.danger' | '' }} [look]
 */
const button = (action, text, onclick, { icon, kind = '' } = {}) =>
  h(`button${kind}`, { type: 'button', 'data-action': action, onclick }, icon && glyph(icon), h('span', {}, t(text)));

/**
 * The head of the screen: the game, what it is about, and how to share it.
 * @param {GameState} state
 * @param {HTMLElement} connection
 * @param {HTMLElement} spectators
 */
export function gameHead({ view, isLocal }, connection, spectators) {
  const kind = view.rated ? 'play.rated' : isLocal && view.your_seats.length > 1 ? 'play.oneScreen' : 'play.casual';
  const iconButton = (/** @type {'share' | 'rules'} */ action, /** @type {Icon} */ icon, /** @type {() => unknown} */ onclick) =>
    h('button.icon', { type: 'button', 'aria-label': t(`action.${action}`), title: t(`action.${action}`), 'data-action': action, onclick }, glyph(icon));
  return h('div.game-head', {},
    h('a.button.flat.back', { href: view.tournament ? `/tournament/${view.tournament}` : '/', 'aria-label': t('play.back') }, glyph('back')),
    h('div', {}, h('h1', {}, rulesName(view.rules)),
      h('p', {}, h('span.tag', {}, t(kind)), spectators, connection),
      h('p.goal', {}, goalText(view.rules))),
    iconButton('share', 'share', shareGame),
    iconButton('rules', 'book', async () => (await import('./describe.js')).showHowToPlay(view.rules)));
}

/**
 * What waits for the player's answer: a sentence and the answers.
 * @typedef {{ text: string, answers: Child[] }} Question
 */

/**
 * @param {GameState} state
 * @param {Send} send
 * @returns {Question | null}
 */
export function question(state, send) {
  const { view, isPlayer, isLocal } = state;
  if (!isPlayer) return null;
  return (isLocal ? null : undoQuestion(state, send)) ?? (view.phase === 'live' ? awayQuestion(state, send) : null) ?? rematchQuestion(state, send);
}

/**
 * @param {GameState} state
 * @param {Send} send
 */
function undoQuestion(state, send) {
  const { undo_request: undo, your_seats: yours } = state.view;
  if (!undo) return null;
  if ([undo.seat, ...undo.accepted].some((seat) => yours.includes(seat))) return { text: t('ask.undoWaiting'), answers: [] };
  return { text: t('ask.undo', { name: state.nameOf(undo.seat) }), answers: [
    button('accept', 'ask.allow', () => send({ type: 'answer_undo', accept: true }), { kind: '.primary' }),
    button('decline', 'ask.no', () => send({ type: 'answer_undo', accept: false }))] };
}

/**
 * @param {GameState} state
 * @param {Send} send
 */
function awayQuestion(state, send) {
  const { players, your_seats: yours } = state.view;
  const away = players.find((player) => player.away_since && !yours.includes(player.seat) && !player.out);
  return away ? { text: t('ask.away', { name: state.nameOf(away.seat) }),
    answers: [button('claim', 'ask.claim', () => send({ type: 'claim' }))] } : null;
}

/**
 * @param {GameState} state
 * @param {Send} send
 */
function rematchQuestion(state, send) {
  const { phase, rematch, rematch_offers: offers, your_seats: yours } = state.view;
  if (phase !== 'finished' || rematch || offers.length === 0 || offers.some((seat) => yours.includes(seat))) return null;
  return { text: t('ask.rematch', { name: list(offers.map((seat) => state.nameOf(seat))) }),
    answers: [button('rematch', 'ask.play', () => send({ type: 'rematch' }), { kind: '.primary' })] };
}

/**
 * What the player can do. The server has the last word.
 * @param {GameState} state
 * @param {{ send: Send, hint: () => void, resign: () => void, notify: () => void, review: () => void }} handlers
 * @returns {Child[]}
 */
export function actions(state, { send, hint, resign, notify, review }) {
  const { view, isPlayer, isLocal } = state;
  const hasMoved = view.moves.some((_, i) => view.your_seats.includes(state.seatOf(i) ?? -1));
  const undo = () => button('undo', isLocal ? 'action.undo' : 'action.askUndo', () => send({ type: 'request_undo' }), { icon: 'undo' });
  const abort = () => button('abort', 'action.abort', () => send({ type: 'abort' }), { icon: 'stop', kind: '.danger' });
  const canAsk = isPlayer && !isLocal && 'Notification' in window && Notification.permission === 'default';
  const notifyButton = canAsk && button('notify', 'action.notify', notify, { icon: 'bell' });
  switch (view.phase) {
    case 'open':
      return [isPlayer && abort(), notifyButton];
    case 'live':
      return [
        // Nobody can agree to an undo in a rated game against a computer.
        isPlayer && hasMoved && !view.undo_request && !(view.rated && isLocal) && undo(),
        // Between people, a hint would be a secret advantage.
        isPlayer && isLocal && !view.rated && button('hint', 'action.hint', hint, { icon: 'bulb' }),
        isPlayer && (view.moves.length < 2 && !isLocal && !view.tournament ? abort() : button('resign', 'action.resign', resign, { icon: 'flag', kind: '.danger' })),
        notifyButton,
      ];
    case 'finished': {
      const canUndo = isPlayer && hasMoved && !view.rated && !view.tournament && !view.rematch && view.result && BOARD_ENDS.includes(view.result.reason);
      return [view.tournament ? backToTournament(view.tournament) : rematchAction(state, send), view.moves.length > 0 && button('review', 'action.review', review, { icon: 'eye' }),
        canUndo && undo(), !view.tournament && h('a.button.new-game', { href: '/' }, t('action.newGame'))];
    }
  }
}

/**
 * @param {string} id
 */
const backToTournament = (id) => h('a.button.primary.go', { href: `/tournament/${id}` }, glyph('cup'), t('tournament.back'));

/**
 * @param {GameState} state
 * @param {Send} send
 */
function rematchAction({ view, isPlayer, isLocal }, send) {
  const { rematch, rematch_offers: offers, your_seats: yours } = view;
  if (rematch) {
    return h(`a.button.go${isPlayer ? '.primary' : ''}`, { href: `/game/${rematch}` }, t(isPlayer ? 'action.goToRematch' : 'action.watchRematch'));
  }
  if (!isPlayer || view.moves.length === 0) return null;
  if (offers.some((seat) => yours.includes(seat))) return h('span.waiting', {}, t('action.waiting'));
  // The answer to an offer is above the board.
  if (offers.length) return null;
  return h('button.primary.go', { type: 'button', 'data-action': 'rematch', onclick: () => send({ type: 'rematch' }) },
    glyph('again'), t(isLocal ? 'action.playAgain' : 'action.rematch'));
}

/**
 * The score of a series of games.
 * @param {GameState} state
 */
export function seriesCard(state) {
  const { series, result, players } = state.view;
  if (!series) return null;
  const wins = players.map(({ seat }) => series.wins[seat] + (result?.winner === seat ? 1 : 0));
  const isDraw = result && result.winner === null && BOARD_ENDS.includes(result.reason);
  const count = wins.reduce((sum, n) => sum + n, 0) + series.draws + (isDraw ? 1 : 0);
  return h('section.series.card', {}, h('div.card-head', {}, h('h2', {}, t('series.title')), h('small', {}, t('series.games', { count }))),
    h('ul', {}, players.map(({ seat }, i) => h('li', {}, h('bdi', {}, state.cardName(seat)), h('b.score', {}, String(wins[i]))))));
}

const gameLink = () => shareLink(t('invite.address'), location.origin + location.pathname);

/** For the player who has created an open game. */
export const invitation = () => [
  h('section.invite.card', {}, shareLink(t('invite.address'), location.origin + location.pathname, { hasCode: true })),
  qrCard(location.origin + location.pathname),
  h('section.card.bored', {}, avatar('', 'computer'), h('p', {}, h('strong', {}, t('invite.bored')), ' ', t('invite.warmUp')),
    h('a.button', { href: '/', target: '_blank' }, t('ask.play'))),
];

/** The board for other pages, as they write it. */
const embedCode = () => {
  const address = location.href.replace('/game/', '/embed/');
  const code = h('input.address', { type: 'text', readonly: true, onfocus: () => code.select(),
    value: `<iframe src="${address}" width="420" height="600" style="border:0"></iframe>` });
  return field(t('embed.code'), code);
};

export const shareGame = () => openDialog(t('invite.shareGame'), () => h('div.share', {}, gameLink(), embedCode()), 'small');

/**
 * For anyone else at an open game. A seat kept for them can be declined.
 * @param {GameState} state
 * @param {string | null} name
 * @param {{ join: (seat: number, name: string) => void, decline: () => void }} handlers
 */
export function freeSeats({ view, rules }, name, { join, decline }) {
  const kept = view.players.filter((player) => player.invited && player.invited === name);
  const free = kept.length ? kept : view.players.filter((player) => !player.name && !player.invited);
  const side = (/** @type {PlayerView} */ { seat, symbol }) =>
    (rules.order ? t(seat === 0 ? 'seat.order' : 'seat.chaos') : hasOwnMarks(rules) ? markName(materialOf(rules), seat, symbol) : t('seat.player', { number: seat + 1 }));
  const input = h('input', { type: 'text', maxlength: MAX_NAME_LENGTH, autocomplete: 'nickname', value: name ?? '', placeholder: t('seat.anyName') });
  return h('section.invite.card', {},
    free.length > 0 && !hasAccount() && field(t('seat.yourName'), input),
    free.length === 0 && [h('h2', {}, t('seat.none')), h('p', {}, t('seat.watch'))],
    free.map((player, i) => h(`button${i === 0 ? '.primary.go' : ''}`, { type: 'button', 'data-action': `join-${player.seat}`, onclick: () => join(player.seat, input.value) },
      t('seat.playAs', { side: side(player) }))),
    kept.length > 0 && button('decline', 'seat.decline', decline));
}
