// The symbols of players: how they are drawn in a cell of 100 by 100, and the dialog to choose one.

import { field, h, setChildren, svg } from './dom.js';
import { openDialog } from './page.js';

/**
 * The paths of the default symbols; all others are written as text.
 * @type {Record<string, string[]>}
 */
const SHAPES = {
  X: ['M24 24 76 76', 'M76 24 24 76'],
  O: ['M50 21a29 29 0 1 1-.01 0Z'],
  '△': ['M50 20 81 74H19Z'],
  '□': ['M25 25H75V75H25Z'],
  '◇': ['M50 17 80 50 50 83 20 50Z'],
  '☆': ['M50 18 59.4 39.6 82 41.7 65 57 69.8 79.6 50 68 30.2 79.6 35 57 18 41.7 40.6 39.6Z'],
  '✚': ['M50 20V80', 'M20 50H80'],
  '●': ['M50 28a22 22 0 1 1-.01 0Z'],
};

export const DEFAULT_SYMBOLS = Object.keys(SHAPES);

const GROUPS = [
  ['Faces', '😀 😎 🥳 🤓 🤠 😺 🤖 👻 👽 🎃 🐵 🦊'],
  ['Animals', '🐶 🐱 🐭 🐰 🐻 🐼 🐨 🐸 🐙 🦉 🦋 🐝 🐢 🐬 🦕 🦩'],
  ['Plants and food', '🌻 🌵 🍀 🍄 🌹 🍎 🍋 🍓 🍒 🥑 🥕 🍩 🍪 🧁 🍕 ☕'],
  ['Things', '⚽ 🏀 🎾 🎲 🎈 🎁 🎸 🚀 🚲 ⛵ ✈️ ⏰ 💎 🔑 🧲 🕯️'],
  ['Signs', '❎ 🛑 ❤️ 💛 💚 💙 💜 🖤 ⭐ 🌙 ☀️ ⚡ ❄️ 🔥 💧 ☂️'],
];

/**
 * A player's mark, to be put into the group of a cell.
 * @param {string} symbol
 * @param {number} seat
 */
export function mark(symbol, seat) {
  const shape = SHAPES[symbol];
  if (!shape) return svg(`text.mark.text-mark.seat-${seat}`, { x: 50, y: 54 }, symbol);
  const filled = symbol === '●' ? '.filled' : '';
  // Every path counts as one unit long, so that one animation draws them all.
  return svg(`g.mark.drawn${filled}.seat-${seat}`, {}, shape.map((d) => svg('path', { d, pathLength: 1 })));
}

/**
 * A symbol as an icon in text.
 * @param {string} symbol
 * @param {number} seat
 */
export function badge(symbol, seat) {
  return svg('svg.badge', { viewBox: '8 8 84 84', 'aria-hidden': 'true' }, mark(symbol, seat));
}

/**
 * The first visible character of a text.
 * @param {string} text
 */
function firstGrapheme(text) {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.trim());
  return first?.segment ?? '';
}

/**
 * Asks for a symbol. Resolves with nothing if the dialog is dismissed.
 * @param {number} seat
 * @param {string} player
 * @param {string[]} taken the symbols of the other players
 * @returns {Promise<string | undefined>}
 */
export function pickSymbol(seat, player, taken) {
  return openDialog(`Symbol of ${player}`, (/** @type {(symbol: string) => void} */ close) => {
    const button = (/** @type {string} */ symbol, /** @type {import('./dom.js').Child} */ content) =>
      h('button.symbol', { type: 'button', 'aria-label': symbol, disabled: taken.includes(symbol), onclick: () => close(symbol) }, content);
    const input = h('input', { type: 'text', autocomplete: 'off', size: 4, placeholder: '♞' });
    const submit = h('button', { type: 'submit' }, 'Use it');
    input.addEventListener('input', () => setChildren(submit, input.value.trim() ? `Use ${firstGrapheme(input.value)}` : 'Use it'));
    return [
      h('div.symbols', { role: 'group', 'aria-label': 'Drawn symbols' },
        DEFAULT_SYMBOLS.map((symbol) => button(symbol, badge(symbol, seat)))),
      GROUPS.map(([name, symbols]) => [h('h3', {}, name), h('div.symbols', { role: 'group', 'aria-label': name },
        symbols.split(' ').map((symbol) => button(symbol, symbol)))]),
      h('form.row.end', {
        onsubmit: (event) => {
          event.preventDefault();
          const symbol = firstGrapheme(input.value);
          if (symbol && !taken.includes(symbol)) close(symbol);
        },
      }, field('Or any character', input), submit),
    ];
  });
}
