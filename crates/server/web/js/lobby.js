// The lobby: who waits, who plays, who has played. It keeps itself up to date.

import { get, post, query, Refused } from './api.js';
import { notice } from './dialog.js';
import { h, put, say } from './dom.js';
import { gameRow } from './lists.js';
import { asSomeone } from './me.js';
import { recall } from './memory.js';
import { go } from './navigate.js';
import { BOARDS, nameOf, write } from './rules.js';

export const title = 'Lobby';

const EVERY_MS = 2000;

export function show(root) {
  const section = (name, state, action, none) => {
    const list = h('ul.game-list', { hidden: true });
    const empty = h('p.none', {}, none);
    return { state, action, list, empty, element: h('section', {}, h('h2', {}, name), list, empty) };
  };
  const sections = [
    section('Waiting for a player', 'open', 'Join', 'Nobody waits at the moment. Open a game and someone may come.'),
    section('Playing now', 'live', 'Watch', 'Nobody plays in public at the moment.'),
    section('Finished', 'finished', 'Look', 'No public game has ended yet.'),
  ];
  // Hidden until it is known what is in them: nothing moves then.
  const all = h('div.sections', { hidden: true }, sections.map(({ element }) => element));
  const state = h('p.lead', { role: 'status' }, 'Games that everyone can join or watch.');
  const choice = recall('choice', {});
  const rules = BOARDS.find((board) => board.id === choice.board)?.rules ?? (choice.own ? write(choice.own) : '3x3');
  put(root, h('h1', {}, 'Lobby'), state,
    h('div.row', {}, h('button.primary', { type: 'button', onclick: open }, `Wait for someone: ${nameOf(rules)}`), h('a.button', { href: '/' }, 'Other games')),
    all);

  async function open() {
    try {
      const game = await asSomeone(() => post('/pairings', { rules }));
      go(`/game/${game.id}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(error.message);
    }
  }

  let [left, timer] = [false, null];
  async function refresh() {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      try {
        const lists = await Promise.all(sections.map(({ state }) => get(`/games${query({ state, limit: 20 })}`)));
        if (left) return;
        sections.forEach((section, i) => update(section, lists[i]));
        all.hidden = false;
        say(state, 'Games that everyone can join or watch.');
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        say(state, `${error.message} Trying again.`);
      }
    }
    if (!left) timer = setTimeout(refresh, EVERY_MS);
  }

  refresh();
  document.addEventListener('visibilitychange', refresh);
  return () => {
    left = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', refresh);
  };
}

/** Rows that stay are kept, so that nothing flickers and the focus is not lost. */
function update({ list, empty, action }, games) {
  const before = new Map([...list.children].map((row) => [row.dataset.game, row]));
  const rows = games.map((game) => {
    const row = gameRow(game, action);
    const old = before.get(game.id);
    return old && old.textContent === row.textContent ? old : row;
  });
  const same = rows.length === list.children.length && rows.every((row, i) => row === list.children[i]);
  if (!same) list.replaceChildren(...rows);
  list.hidden = games.length === 0;
  empty.hidden = games.length > 0;
}
