// The dialog to choose a symbol.

import { field, h, setChildren } from './dom.js';
import { t } from './i18n.js';
import { openDialog } from './page.js';
import { badge, coloursOf, DEFAULT_SYMBOLS } from './pieces.js';

/** @type {[import('./i18n.js').MessageKey, string][]} */
const GROUPS = [
  ['symbols.faces', '😀 😎 🥳 🤓 🤠 😺 🤖 👻 👽 🎃 🐵 🦊'],
  ['symbols.animals', '🐶 🐱 🐭 🐰 🐻 🐼 🐨 🐸 🐙 🦉 🦋 🐝 🐢 🐬 🦕 🦩'],
  ['symbols.food', '🌻 🌵 🍀 🍄 🌹 🍎 🍋 🍓 🍒 🥑 🥕 🍩 🍪 🧁 🍕 ☕'],
  ['symbols.things', '⚽ 🏀 🎾 🎲 🎈 🎁 🎸 🚀 🚲 ⛵ ✈️ ⏰ 💎 🔑 🧲 🕯️'],
  ['symbols.signs', '❎ 🛑 ❤️ 💛 💚 💙 💜 🖤 ⭐ 🌙 ☀️ ⚡ ❄️ 🔥 💧 ☂️'],
];

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
 * @param {string} player
 * @param {string[]} taken the symbols of the other players
 * @returns {Promise<string | undefined>}
 */
export function pickSymbol(player, taken) {
  return openDialog(t('symbols.title', { player }), (/** @type {(symbol: string) => void} */ close) => {
    const button = (/** @type {string} */ symbol, /** @type {import('./dom.js').Child} */ content) =>
      h('button.symbol', { type: 'button', 'aria-label': symbol, disabled: taken.includes(symbol), onclick: () => close(symbol) }, content);
    const input = h('input', { type: 'text', autocomplete: 'off', size: 4, placeholder: '♞' });
    const submit = h('button', { type: 'submit' }, t('symbols.use'));
    input.addEventListener('input', () => setChildren(submit, input.value.trim() ? t('symbols.useThis', { symbol: firstGrapheme(input.value) }) : t('symbols.use')));
    return [
      h('div.symbols', { role: 'group', 'aria-label': t('symbols.drawn') },
        DEFAULT_SYMBOLS.map((symbol) => button(symbol, badge('paper', symbol, coloursOf([symbol])[0])))),
      GROUPS.map(([name, symbols]) => [h('h3', {}, t(name)), h('div.symbols', { role: 'group', 'aria-label': t(name) },
        symbols.split(' ').map((symbol) => button(symbol, symbol)))]),
      h('form.row.end', {
        onsubmit: (event) => {
          event.preventDefault();
          const symbol = firstGrapheme(input.value);
          if (symbol && !taken.includes(symbol)) close(symbol);
        },
      }, field(t('symbols.any'), input), submit),
    ];
  });
}
