// What players say to each other during a game, from a fixed set. Whoever does not want to hear it mutes it.

import { ApiError, path, post } from './client.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { load, save } from './page.js';
import { refusalText } from './refusals.js';

/** @import { Emote } from './api' */

/** @type {Emote[]} */
const EMOTES = ['hello', 'good_luck', 'nice_move', 'thanks', 'oops', 'thinking', 'good_game', 'one_more'];

/** @type {Record<Emote, string>} */
const FACES = { hello: '👋', good_luck: '🍀', nice_move: '👏', thanks: '🙏', oops: '🙈', thinking: '🤔', good_game: '🤝', one_more: '🔁' };

const isMuted = () => load('muted', false);

/** Whether what others say is shown. */
export const hearsEmotes = () => !isMuted();

/**
 * An emote with its face.
 * @param {Emote} emote
 */
export const emoteText = (emote) => `${FACES[emote]} ${t(`emote.${emote}`)}`;

/**
 * Buttons to say something, and a switch to hear nothing.
 * @param {string} game
 * @param {(refusal: string) => void} onrefused
 */
export function emotePicker(game, onrefused) {
  const send = async (/** @type {Emote} */ emote) => {
    try {
      await post(path('games', game, 'emotes'), { emote });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onrefused(refusalText(error));
    }
  };
  const mute = h('input', { type: 'checkbox', checked: isMuted(), onchange: () => save('muted', mute.checked || null) });
  return h('details.emotes.more', {}, h('summary', {}, t('emote.title')),
    h('div.emote-list', {}, EMOTES.map((emote) => h('button', { type: 'button', 'data-emote': emote, onclick: () => send(emote) }, emoteText(emote)))),
    h('label.check', {}, mute, h('span', {}, t('emote.mute'))));
}
