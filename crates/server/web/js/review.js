// Beside the board: how to join a game before it begins, and how to study it afterwards.

import { openDialog } from './dialog.js';
import { h } from './dom.js';
import { parse } from './rules.js';
import { copyText, shareLine } from './share.js';

const address = () => location.origin + location.pathname;

/** For who has made the game and waits. */
export function invitation() {
  return h('section.invite', {}, h('h2', {}, 'Invite a friend'),
    h('p', {}, 'Whoever opens this address can take the free seat.'), shareLine('Address of this game', address()));
}

/** For who has come by a link, or was invited: then a seat is kept for them, and they can decline. */
export function seats({ view }, name, sit, decline) {
  const kept = view.players.filter((player) => player.invited !== null && player.invited === name);
  const free = kept.length ? kept : view.players.filter((player) => player.name === null && player.invited === null);
  const title = kept.length ? 'You are invited' : free.length === 1 ? 'A seat is free' : free.length ? `${free.length} seats are free` : 'No seat is free';
  return h('section.invite', {}, h('h2', {}, title),
    free.length > 0 && h('p', {}, `You can play at once, without signing up.${view.rated ? ' This game counts in the league.' : ''}`),
    h('div.row', {}, free.map((player) =>
      h('button.primary', { type: 'button', 'data-action': `join-${player.seat}`, onclick: () => sit(player.seat) }, `Play as ${player.symbol}`)),
    kept.length > 0 && h('button', { type: 'button', 'data-action': 'decline', onclick: decline }, 'Decline')));
}

export function shareGame() {
  openDialog('Share this game', () => shareLine('Address of this game', address()), 'small');
}

/** What a better move would have done. */
const kept = { win: 'would have won', draw: 'would have drawn', estimate: 'looks better' };

/** Stepping, analysis, playing on, and taking the game away. */
export function review(state, { ply, lost, study, look, toggleStudy, playOn }) {
  const { view } = state;
  const live = view.phase !== 'over';
  // A game can begin with moves, but not with someone who has resigned.
  const canPlayOn = ply < view.moves.length && !view.moves.slice(0, ply).some((move) => move.startsWith('resign:'));
  const action = (name, text, onclick, pressed) =>
    h('button', { type: 'button', 'data-action': name, onclick, 'aria-pressed': pressed }, text);
  return h('section.review', {},
    h('h2', {}, live ? 'Looking back' : 'Look at it again'),
    lost && h('p.lost-at', {}, `${state.nameOf(lost.seat)} ${lost.missed === 'estimate' ? 'seems to have lost' : 'lost'} the game with `,
      h('button.quiet', { type: 'button', 'data-action': 'lost', onclick: () => look(lost.ply) }, `move ${lost.ply + 1}, ${lost.cell}`),
      `; ${lost.better} ${kept[lost.missed]}.`),
    h('div.row', {},
      !(live && view.rated) && action('analysis', 'Analysis', toggleStudy, String(study.on)),
      canPlayOn && action('play-on', 'Play on from here', playOn),
      action('position', 'Copy link to this position', () => copyText(`${location.origin}/game/${view.id}?ply=${ply}`)),
      live && action('back', 'Back to the game', () => look(view.moves.length))),
    study.on && h('p.legend', {}, study.words || 'Thinking…',
      h('small', {}, 'W: win, =: draw, L: loss, with the number of moves. Other numbers are estimates, not proven.')),
    downloads(view));
}

function downloads({ id, rules }) {
  const { k, players, gravity, wrap, misere } = parse(rules);
  const isGomoku = k === 5 && players === 2 && !gravity && !wrap && !misere;
  const formats = [['text', 'text'], ['json', 'JSON'], ...(isGomoku ? [['psq', 'psq'], ['sgf', 'SGF']] : [])];
  return h('p.downloads', {}, 'Download: ', formats.map(([format, name], i) =>
    [i > 0 && ' · ', h('a', { href: `/api/v1/games/${id}/export?format=${format}`, download: '' }, name)]));
}
