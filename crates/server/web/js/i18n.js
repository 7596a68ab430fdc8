// The words of the page: every sentence comes from a message file, by key.

import english from './messages/en.js';

/** @import { Child } from './dom.js' */
/** @typedef {keyof typeof english} MessageKey */
/** A text with `{names}` in it, or one text for each plural form of `{count}`. @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Message */
/** @typedef {Record<string, string | number>} Values */

/** @type {Partial<Record<MessageKey, Message>>} */
let messages = english;

/** The language of the page, as a BCP 47 tag. */
export let language = 'en';

let plurals = new Intl.PluralRules(language);
let numbers = new Intl.NumberFormat(language);

/**
 * Speaks another language from now on. Messages that it lacks stay English.
 * @param {string} tag
 * @param {Partial<Record<MessageKey, Message>>} translated
 */
export function setLanguage(tag, translated) {
  language = tag;
  messages = translated;
  plurals = new Intl.PluralRules(tag);
  numbers = new Intl.NumberFormat(tag);
}

/**
 * The text of a message for these values.
 * @param {MessageKey} key
 * @param {Values} values
 */
function form(key, values) {
  /** @type {Message} */
  const message = messages[key] ?? english[key];
  if (typeof message === 'string') return message;
  return message[plurals.select(Number(values.count))] ?? message.other ?? '';
}

const PLACEHOLDER = /\{(\w+)\}/;

/**
 * A message in the language of the page. Numbers are written as the language writes them.
 * @param {MessageKey} key
 * @param {Values} [values]
 */
export function t(key, values = {}) {
  return form(key, values).replace(/\{(\w+)\}/g, (_, name) => format(values[name]));
}

/**
 * @param {string | number | undefined} value
 */
const format = (value) => (typeof value === 'number' ? numbers.format(value) : value ?? '');

/**
 * A message with elements in it: `{link}` stands for the element given as `link`.
 * @param {MessageKey} key
 * @param {Record<string, Child | number>} values
 * @returns {Child[]}
 */
export function tParts(key, values) {
  const texts = /** @type {Values} */ (values);
  return form(key, texts).split(PLACEHOLDER).map((part, i) => {
    if (i % 2 === 0) return part;
    const value = values[part];
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

/**
 * Names in a sentence, such as `Ann and Bob`.
 * @param {string[]} names
 */
export const list = (names) => new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
