// The words of the page: every sentence comes from the message file of its language, by key. Numbers, plurals, dates and
// lists are written as `Intl` knows.

/** @import { Child } from './dom.js' */
/** @typedef {typeof import('./messages/en.js').default} English */
/** @typedef {keyof English} MessageKey */
/** A text with `{names}` in it, or one text for each plural form of `{count}`. @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Message */
/** Every message of a language: one that is plural in English has the plural forms of the language. @typedef {{ [Key in MessageKey]: English[Key] extends string ? string : Partial<Record<Intl.LDMLPluralRule, string>> }} Messages */
/** @typedef {Record<string, string | number>} Values */

/** The language of the page, as a BCP 47 tag; `preferences.js` has chosen it. */
export let language = globalThis.document?.documentElement.lang || 'en';

/** @type {Messages} */
let messages = (await import(`./messages/${language}.js`)).default;

/** The language as the browser prefers it, such as `de-CH`, for numbers and dates. */
export let locale = regional(language);

let plurals = new Intl.PluralRules(locale);
let numbers = new Intl.NumberFormat(locale);

/**
 * Squares are called `B2` in every language, so all numbers have these digits.
 * @param {string} tag
 */
function regional(tag) {
  const preferred = globalThis.navigator?.languages?.find((other) => other.split('-')[0] === tag) ?? tag;
  return new Intl.Locale(preferred, { numberingSystem: 'latn' }).toString();
}

/**
 * Speaks another language from now on.
 * @param {string} tag
 * @param {Messages} translated
 */
export function setLanguage(tag, translated) {
  language = tag;
  messages = translated;
  locale = regional(tag);
  plurals = new Intl.PluralRules(locale);
  numbers = new Intl.NumberFormat(locale);
}

/** Whether the language is written from right to left. */
export const isRightToLeft = () => globalThis.document?.documentElement.dir === 'rtl';

/**
 * Whether there is such a message.
 * @param {string} key
 * @returns {key is MessageKey}
 */
export const hasMessage = (key) => key in messages;

/**
 * The text of a message for these values.
 * @param {MessageKey} key
 * @param {Values} values
 */
function form(key, values) {
  /** @type {Message} */
  const message = messages[key];
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
  return form(key, values).replace(/\{(\w+)\}/g, (_, name, offset) => (offset === 0 ? capitalised(format(values[name])) : format(values[name])));
}

/**
 * "The computer" begins a sentence with a capital letter; a name is written as it is.
 * @param {string} value
 */
function capitalised(value) {
  const isNoun = value === messages['play.theComputer'] || value === messages['play.somebody'];
  return isNoun ? value[0].toLocaleUpperCase(language) + value.slice(1) : value;
}

/**
 * @param {string | number | undefined} value
 */
const format = (value) => (typeof value === 'number' ? numbers.format(value) : isolate(value ?? ''));

const RIGHT_TO_LEFT_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A value in a sentence that may run the other way: isolated, it leaves the order of the words around it alone.
 * @param {string} value
 */
const isolate = (value) => (value && RIGHT_TO_LEFT_LETTER.test(value) !== isRightToLeft() ? `\u2068${value}\u2069` : value);

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
export const list = (names) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);
