// The dialog for language, colours, boards, labels and vibration.

import { field, h, radioGroup } from './dom.js';
import { language, t } from './i18n.js';
import { LANGUAGES } from './languages.js';
import { load, openDialog, save } from './page.js';

/** @typedef {'system' | 'light' | 'dark'} Theme */
/** @typedef {'classic' | 'chalk' | 'plain'} BoardTheme */

/** @type {Theme[]} */
const THEMES = ['system', 'light', 'dark'];

/** @type {BoardTheme[]} */
const BOARDS = ['classic', 'chalk', 'plain'];

/**
 * Stores a choice that the style sheet reads from the document; the default is not stored.
 * @param {'theme' | 'board' | 'labels'} name
 * @param {string} value
 * @param {string} fallback
 */
function choose(name, value, fallback) {
  const isDefault = value === fallback;
  save(name, isDefault ? null : value);
  if (isDefault) delete document.documentElement.dataset[name];
  else document.documentElement.dataset[name] = value;
}

/** The languages. Another one is spoken by a page that is loaded again: the server keeps every game. */
function languageField() {
  const select = h('select', {
    onchange: () => {
      save('language', select.value);
      location.reload();
    },
  }, Object.entries(LANGUAGES).map(([tag, name]) => h('option', { value: tag, lang: tag, selected: tag === language }, name)));
  return field(t('settings.language'), select);
}

/** Language, colours, boards, labels and vibration. */
export function openSettings() {
  const labels = h('input', { type: 'checkbox', checked: load('labels', null) !== null, onchange: () => choose('labels', labels.checked ? 'on' : '', '') });
  const vibration = h('input', { type: 'checkbox', checked: load('vibration', true), onchange: () => save('vibration', vibration.checked) });
  return openDialog(t('settings.title'), () => h('div.settings', {},
    languageField(),
    h('div.segments', {}, radioGroup(t('settings.colours'), THEMES.map((theme) => [theme, t(`settings.${theme}`)]), load('theme', /** @type {Theme} */ ('system')),
      (theme) => choose('theme', theme, 'system'))),
    h('div.segments', {}, radioGroup(t('settings.boards'), BOARDS.map((board) => [board, t(`settings.${board}`)]), load('board', /** @type {BoardTheme} */ ('classic')),
      (board) => choose('board', board, 'classic'))),
    h('label.check', {}, labels, h('span', {}, t('settings.labels'))),
    'vibrate' in navigator && h('label.check', {}, vibration, h('span', {}, t('settings.vibration')))), 'small');
}
