// How to play, in a few pictures.

import { Board } from './board.js';
import { h, put } from './dom.js';
import { boxAt, parse } from './rules.js';

export const title = 'How to play';

/** Rules, moves in turn, the winning cells, and what there is to see. */
const PICTURES = [
  ['Three in a row', '3x3', 'B2 A1 C1 B1 A3', 'A3 B2 C1',
    'Take turns and take a box each. Three side by side, in a row, a column or a diagonal, and you win.'],
  ['Any board', '5x5:4', 'C3 C2 B2 B3 D4 D3 A1', 'A1 B2 C3 D4',
    'Boards go up to 26 × 26 with as many in a row as you like. Gomoku is five in a row on 15 × 15.'],
  ['Connect Four', '6x7:4+gravity', 'F4 E4 F5 E5 F6 E6 F3', 'F3 F4 F5 F6',
    'With gravity a stone falls to the lowest free box of its column. Choose any box of the column.'],
  ['Misère', '3x3+misere', 'B2 A1 A3 C3 C1', 'A3 B2 C1',
    'The other way round: whoever completes a line loses. Here X had to, and O wins.'],
  ['Joined edges', '5x5:4+wrap', 'C1 B2 C2 B3 C4 D4 C5', 'C1 C2 C4 C5',
    'With wrap the board has no edges: a line goes out on one side and comes in on the other.'],
  ['Three and more', '5x5:3+3p', 'C3 B2 D2 A4 A2 D3 E1 B5 D4', 'D2 D3 D4',
    'Up to eight can play, each with a symbol of their own, even an emoji.'],
];

export function show(root) {
  put(root, h('h1', {}, 'How to play'),
    h('div.pictures', {}, PICTURES.map(([name, rules, moves, wins, text]) =>
      h('figure', {}, picture(name, rules, moves.split(' '), wins.split(' ')), h('figcaption', {}, h('h2', {}, name), h('p', {}, text))))),
    h('section.keys', {}, h('h2', {}, 'Keys'),
      h('dl', {},
        h('dt', {}, h('kbd', {}, '←'), h('kbd', {}, '↑'), h('kbd', {}, '→'), h('kbd', {}, '↓')), h('dd', {}, 'go over the board'),
        h('dt', {}, h('kbd', {}, 'B'), h('kbd', {}, '2')), h('dd', {}, 'go to box B2: row B, column 2'),
        h('dt', {}, h('kbd', {}, 'Enter')), h('dd', {}, 'take the box'),
        h('dt', {}, h('kbd', {}, '←'), h('kbd', {}, '→')), h('dd', {}, 'outside the board: step through the moves'))),
    h('p', {}, h('a.button.primary', { href: '/' }, 'Play now')));
}

function picture(name, rules, moves, wins) {
  const { players } = parse(rules);
  const seats = new Map(moves.map((box, i) => [box, i % players]));
  const board = new Board(parse(rules), { label: `Picture of ${name}` });
  const boxes = new Map([...seats].map(([box, seat]) => [boxAt(box).join(), seat]));
  board.update({
    at: (row, col) => boxes.get(`${row},${col}`) ?? null,
    symbols: ['X', 'O', '△', '□'],
    names: [],
    wins,
  });
  return board.element;
}
