// How to play, in pictures.

import { Board } from './board.js';
import { h, setChildren } from './dom.js';
import { cellName, parseRules } from './rules.js';
import { DEFAULT_SYMBOLS } from './symbols.js';

/** Name, rules, moves in turn order, winning cells, explanation. */
const EXAMPLES = [
  ['Three in a row', '3x3', 'B2 A1 C1 B1 A3', 'A3 B2 C1',
    'Take turns to claim a cell. Three next to each other in a row, a column or a diagonal, and you win.'],
  ['Any board', '5x5:4', 'C3 C2 B2 B3 D4 D3 A1', 'A1 B2 C3 D4',
    'Boards go up to 26 × 26, with as many in a row as you like. Gomoku is five in a row on 15 × 15.'],
  ['Connect Four', '6x7:4+gravity', 'F4 E4 F5 E5 F6 E6 F3', 'F3 F4 F5 F6',
    'With gravity, a piece falls to the lowest free cell of its column. Choose any cell of the column.'],
  ['Misère', '3x3+misere', 'B2 A1 A3 C3 C1', 'A3 B2 C1',
    'The other way round: whoever completes a line loses. Here X had to, and O wins.'],
  ['Joined edges', '5x5:4+wrap', 'C1 B2 C2 B3 C4 D4 C5', 'C1 C2 C4 C5',
    'With wrap, the board has no edges: a line that leaves on one side comes in on the other.'],
  ['Three or more players', '5x5:3+3p', 'C3 B2 D2 A4 A2 D3 E1 B5 D4', 'D2 D3 D4',
    'Up to eight can play, each with a symbol of their own, even an emoji.'],
];

/** @type {import('./page.js').Screen} */
export const screen = {
  title: 'How to play',
  show(root) {
    const keys = (/** @type {string[]} */ ...names) => h('dt', {}, names.map((name) => h('kbd', {}, name)));
    setChildren(root, h('h1', {}, 'How to play'),
      h('div.pictures', {}, EXAMPLES.map(([name, rules, moves, winning, text]) =>
        h('figure', {}, picture(name, rules, moves.split(' '), winning.split(' ')), h('figcaption', {}, h('h2', {}, name), h('p', {}, text))))),
      h('section.keys', {}, h('h2', {}, 'Keyboard'),
        h('dl', {},
          keys('←', '↑', '→', '↓'), h('dd', {}, 'move over the board'),
          keys('B', '2'), h('dd', {}, 'go to cell B2: row B, column 2'),
          keys('Enter'), h('dd', {}, 'play there'),
          keys('←', '→'), h('dd', {}, 'outside the board: step through the moves'))),
      h('p', {}, h('a.button.primary', { href: '/' }, 'Play now')));
  },
};

/**
 * @param {string} name
 * @param {string} text
 * @param {string[]} moves
 * @param {string[]} winning
 */
function picture(name, text, moves, winning) {
  const rules = parseRules(text);
  const seats = new Map(moves.map((cell, i) => [cell, i % rules.players]));
  const board = new Board(rules, { label: `Picture of ${name}` });
  board.update({ at: (row, col) => seats.get(cellName(row, col)) ?? null, symbols: DEFAULT_SYMBOLS, winning });
  return board.element;
}
