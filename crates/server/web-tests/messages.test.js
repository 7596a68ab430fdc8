// The words of the page: all in message files, none missing and none left over.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setLanguage, t, tParts } from '../web/js/i18n.js';
import { LANGUAGES as NAMES } from '../web/js/languages.js';
import english from '../web/js/messages/en.js';

const WEB = new URL('../web/', import.meta.url);

/** The modules of the page without their comments and imports, by name. */
const sources = new Map(await Promise.all((await readdir(new URL('js/', WEB))).filter((name) => name.endsWith('.js')).map(async (name) => {
  const text = await readFile(new URL(`js/${name}`, WEB), 'utf8');
  return [name, text.replace(/^import [\s\S]*?;$/gm, '').replace(/^\s*\/\*\*[\s\S]*?\*\/\s*$/gm, '').replace(/\/\*\*[^\n]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')];
})));

const index = await readFile(new URL('index.html', WEB), 'utf8');

/** The texts in quotes of a module; those in templates with a space for each value. */
function literals(source) {
  const found = [...source.matchAll(/'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`/g)];
  return found.map((match) => ({ text: (match[1] ?? match[2].replace(/\$\{[^}]*\}/g, ' ')).replace(/\\u?\w*/g, ' '), before: source.slice(match.index - 20, match.index) }));
}

test('every message is used', () => {
  const all = [...sources.values(), index].join('\n');
  const templates = [...all.matchAll(/`([\w.]+\.)\$\{[^`]*?\}([\w.]*)`/g)].map(([, start, end]) => ({ start, end }));
  const isUsed = (key) => all.includes(`'${key}'`) || all.includes(`"${key}"`) || templates.some(({ start, end }) => key.startsWith(start) && key.endsWith(end));
  assert.deepEqual(Object.keys(english).filter((key) => !isUsed(key)), []);
});

/** Names of keys and of the program, which are the same in every language. */
const SAME_EVERYWHERE = /^(<iframe.*|Arrow\w+|Enter|Page(Up|Down)|Home|End|Escape|PgUp|PgDn|Noughts|GET|POST|PUT|DELETE|Content-Type|Notification|AudioContext)$/;

/** Selectors and paths of SVG have letters, too. */
const isProse = (text) => !/^[.[#]/.test(text) && (/\p{L}{2,} \p{L}{2,}/u.test(text.replace(/[MLHVCSQTAZmlhvcsqtaz][\d .,-]+/g, '')) || /^\p{Lu}\p{Ll}+( \p{L}+)*[.!?…:]?$/u.test(text.trim()));

test('no words are written into the code', () => {
  const found = [...sources].filter(([name]) => name !== 'languages.js').flatMap(([name, source]) => literals(source)
    .filter(({ text, before }) => isProse(text) && !SAME_EVERYWHERE.test(text.trim()) && !/Error\($/.test(before))
    .map(({ text }) => `${name}: ${text}`));
  assert.deepEqual(found, []);
});

test('no elements are made with words of their own', () => {
  const text = /\bh\(['`][^'`]*['`], \{[^{}]*\}, ['`]([^'`$]*\p{L}{2}[^'`$]*)['`]/gu;
  const attribute = /['"]?(?:aria-label|title|placeholder|alt)['"]?: ['`]([^'`$]*\p{L}{2}[^'`$]*)['`]/gu;
  const isKey = (words) => /^[a-z]+\.[\w.]+$/i.test(words) || SAME_EVERYWHERE.test(words);
  const found = [...sources].flatMap(([name, source]) => [...source.matchAll(text), ...source.matchAll(attribute)].map(([, words]) => [name, words]));
  assert.deepEqual(found.filter(([, words]) => !isKey(words)), []);
});

test('the document says what the messages say', () => {
  for (const [, key, text] of index.matchAll(/data-t="([^"]+)">([^<]+)</g)) assert.equal(text, english[key], key);
  for (const [, text, key] of index.matchAll(/aria-label="([^"]+)" data-t-label="([^"]+)"/g)) assert.equal(text, english[key], key);
  const description = /name="description" content="([^"]+)"/.exec(index)[1];
  assert.equal(description, english['page.description']);
  const untranslated = index.replace(/<(style|script|title|noscript)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*data-t="[^"]*"[^>]*>[^<]*/g, '').replace(/<[^>]*>/g, ' ').replace(/<!--[\s\S]*?-->/g, '');
  assert.equal(untranslated.replace('Noughts', '').trim(), '');
});

const LANGUAGES = (await readdir(new URL('js/messages/', WEB))).map((name) => name.replace('.js', ''));

/** The messages of a language. */
const messagesIn = async (language) => (await import(`../web/js/messages/${language}.js`)).default;

test('nine languages are offered and chosen from', async () => {
  assert.deepEqual(LANGUAGES, ['ar', 'de', 'en', 'es', 'fr', 'hi', 'ja', 'pt', 'zh']);
  assert.deepEqual(Object.keys(NAMES).toSorted(), LANGUAGES);
  const [, chosenFrom] = /LANGUAGES = \[([^\]]*)\]/.exec(sources.get('preferences.js'));
  assert.deepEqual([...chosenFrom.matchAll(/'(\w+)'/g)].map(([, tag]) => tag).toSorted(), LANGUAGES);
});

/** The plural forms that a language needs for the numbers that the page writes. */
function pluralForms(language) {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)))].toSorted();
}

const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();

/** Forms for one thing say it without the number, as some languages do: "one move", "two moves". */
const IMPLIED_NUMBERS = ['zero', 'one', 'two'];

for (const language of LANGUAGES) {
  test(`messages are complete: ${language}`, async () => {
    const messages = await messagesIn(language);
    assert.deepEqual(Object.keys(messages).toSorted(), Object.keys(english).toSorted());
    for (const [key, original] of Object.entries(english)) {
      const message = messages[key];
      assert.equal(typeof message, typeof original, key);
      if (typeof original === 'string') {
        assert.ok(message.trim(), key);
        assert.deepEqual(placeholders(message), placeholders(original), key);
        continue;
      }
      assert.deepEqual(Object.keys(message).toSorted(), pluralForms(language), key);
      for (const [form, text] of Object.entries(message)) {
        const wanted = placeholders(original.other);
        const withoutNumber = wanted.filter((name) => name !== 'count');
        const isImplied = IMPLIED_NUMBERS.includes(form) && !placeholders(text).includes('count');
        assert.deepEqual(placeholders(text), isImplied ? withoutNumber : wanted, `${key}, ${form}`);
      }
    }
  });
}

/** Names and signs that other languages write as English does. */
const isShared = (text) => !/\p{Ll}{3}/u.test(text.replace(/\{\w+\}/g, ''));

test('messages are translated', async () => {
  for (const language of LANGUAGES.filter((other) => other !== 'en')) {
    const messages = await messagesIn(language);
    const isSame = (key) => JSON.stringify(messages[key]) === JSON.stringify(english[key]) && !isShared(JSON.stringify(english[key]));
    const same = Object.keys(english).filter(isSame);
    // Loan words such as "Name" or "Swap2" are the same in some languages, sentences never.
    const isSentence = (key) => JSON.stringify(english[key]).replace(/\{\w+\}/g, '').trim().split(' ').length > 2;
    assert.deepEqual(same.filter((key) => isSentence(key) && !key.startsWith('name.')), [], language);
    assert.ok(same.length < 40, `${language}: ${same}`);
  }
});

test('every error code of the API has its words', async () => {
  const types = await readFile(new URL('js/api.d.ts', WEB), 'utf8');
  const codes = [.../type ErrorCode = ([^;]+);/.exec(types)[1].matchAll(/"(\w+)"/g)].map(([, code]) => code);
  assert.ok(codes.length > 60);
  assert.deepEqual(codes.filter((code) => !(`error.${code}` in english)), []);
  const ours = Object.keys(english).flatMap((key) => (key.startsWith('error.') ? key.slice(6) : []));
  assert.deepEqual(ours.filter((code) => code !== 'offline' && !codes.includes(code)), []);
});

test('messages take values, numbers and plurals', async () => {
  assert.equal(t('moves.position', { number: 3, total: 7 }), 'After move 3 of 7');
  assert.equal(t('series.games', { count: 1 }), '1 game');
  assert.equal(t('series.games', { count: 1200 }), '1,200 games');
  assert.deepEqual(tParts('account.guest', { name: 'Amber Fox' }).slice(0, 3), ['You are playing as ', 'Amber Fox', '. Sign up to keep your games and your rating on every device.']);
  for (const [language, one, many] of [['de', '1 Partie', '1.200 Partien'], ['ja', '1 局', '1,200 局'], ['fr', '1 partie', '1 200 parties']]) {
    setLanguage(language, await messagesIn(language));
    assert.equal(t('series.games', { count: 1 }), one);
    assert.equal(t('series.games', { count: 1200 }).replace(/[\u202f\u00a0]/g, ' '), many);
  }
  setLanguage('ar', await messagesIn('ar'));
  const forms = [0, 1, 2, 3, 11, 100].map((count) => t('series.games', { count }));
  assert.equal(new Set(forms).size, 6, forms.join());
  // A name that runs the other way is isolated.
  setLanguage('en', english);
  assert.equal(t('end.wins', { name: 'أحمد' }), '\u2068أحمد\u2069 wins');
});
