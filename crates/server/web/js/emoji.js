// Choosing a symbol: the drawn ones, some emoji, or anything that can be typed.

import { openDialog } from './dialog.js';
import { field, h, put } from './dom.js';
import { badge, DEFAULT_SYMBOLS } from './marks.js';

const GROUPS = [
  ['Faces', '😀 😎 🥳 🤓 🤠 😺 🤖 👻 👽 🎃 🐵 🦊'],
  ['Animals', '🐶 🐱 🐭 🐰 🐻 🐼 🐨 🐸 🐙 🦉 🦋 🐝 🐢 🐬 🦕 🦩'],
  ['Plants and food', '🌻 🌵 🍀 🍄 🌹 🍎 🍋 🍓 🍒 🥑 🥕 🍩 🍪 🧁 🍕 ☕'],
  ['Things', '⚽ 🏀 🎾 🎲 🎈 🎁 🎸 🚀 🚲 ⛵ ✈️ ⏰ 💎 🔑 🧲 🕯️'],
  ['Signs', '❎ 🛑 ❤️ 💛 💚 💙 💜 🖤 ⭐ 🌙 ☀️ ⚡ ❄️ 🔥 💧 ☂️'],
];

/** Only the first visible character counts. */
function first(text) {
  const trimmed = text.trim();
  if (!Intl.Segmenter) return [...trimmed][0] ?? '';
  const [segment] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(trimmed);
  return segment?.segment ?? '';
}

/** Asks for a symbol; `taken` are those of the other players. Resolves with it, or with nothing. */
export function pickSymbol(seat, who, taken) {
  return openDialog(`Symbol of ${who}`, (close) => {
    const button = (symbol, content) =>
      h('button.symbol', { type: 'button', 'aria-label': symbol, disabled: taken.includes(symbol), onclick: () => close(symbol) }, content);
    const own = h('input', { type: 'text', autocomplete: 'off', size: 4, placeholder: '♞' });
    const preview = h('button', { type: 'submit' }, 'Use it');
    const form = h('form.row.end', {
      onsubmit: (event) => {
        event.preventDefault();
        const symbol = first(own.value);
        if (symbol && !taken.includes(symbol)) close(symbol);
      },
    }, field('Or any character', own), preview);
    own.addEventListener('input', () => put(preview, first(own.value) ? `Use ${first(own.value)}` : 'Use it'));
    return [
      h('div.symbols', { role: 'group', 'aria-label': 'Drawn symbols' },
        DEFAULT_SYMBOLS.map((symbol) => button(symbol, badge(symbol, seat)))),
      ...GROUPS.map(([name, list]) => [h('h3', {}, name), h('div.symbols', { role: 'group', 'aria-label': name },
        list.split(' ').map((symbol) => button(symbol, symbol)))]).flat(),
      form,
    ];
  });
}
