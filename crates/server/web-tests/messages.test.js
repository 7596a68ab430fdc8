// The words of the page: all in message files, none missing and none left over.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setLanguage, t, tParts } from '../web/js/i18n.js';
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
const SAME_EVERYWHERE = /^(Arrow\w+|Enter|Page(Up|Down)|Home|End|Escape|PgUp|PgDn|Noughts|GET|POST|PUT|DELETE|Content-Type|Notification|AudioContext)$/;

/** Selectors and paths of SVG have letters, too. */
const isProse = (text) => !/^[.[#]/.test(text) && (/\p{L}{2,} \p{L}{2,}/u.test(text.replace(/[MLHVCSQTAZmlhvcsqtaz][\d .,-]+/g, '')) || /^\p{Lu}\p{Ll}+( \p{L}+)*[.!?…:]?$/u.test(text.trim()));

test('no words are written into the code', () => {
  const found = [...sources].flatMap(([name, source]) => literals(source)
    .filter(({ text, before }) => isProse(text) && !SAME_EVERYWHERE.test(text.trim()) && !/Error\($/.test(before))
    .map(({ text }) => `${name}: ${text}`));
  assert.deepEqual(found, []);
});

test('the document says what the messages say', () => {
  for (const [, key, text] of index.matchAll(/data-t="([^"]+)">([^<]+)</g)) assert.equal(text, english[key], key);
  for (const [, text, key] of index.matchAll(/aria-label="([^"]+)" data-t-label="([^"]+)"/g)) assert.equal(text, english[key], key);
  const description = /name="description" content="([^"]+)"/.exec(index)[1];
  assert.equal(description, english['page.description']);
  const untranslated = index.replace(/<(style|script|title|noscript)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*data-t="[^"]*"[^>]*>[^<]*/g, '').replace(/<[^>]*>/g, ' ').replace(/<!--[\s\S]*?-->/g, '');
  assert.equal(untranslated.replace('Noughts', '').trim(), '');
});

test('messages take values, numbers and plurals', () => {
  assert.equal(t('moves.position', { number: 3, total: 7 }), 'After move 3 of 7');
  assert.equal(t('series.games', { count: 1 }), '1 game');
  assert.equal(t('series.games', { count: 1200 }), '1,200 games');
  assert.deepEqual(tParts('account.guest', { name: 'Amber Fox' }).slice(0, 3), ['You are playing as ', 'Amber Fox', '. Sign up to keep your games and your rating on every device.']);
  try {
    setLanguage('de', { 'series.games': { one: '{count} Partie', other: '{count} Partien' } });
    assert.equal(t('series.games', { count: 1200 }), '1.200 Partien');
    // What a language lacks stays English.
    assert.equal(t('series.title'), 'Series');
  } finally {
    setLanguage('en', english);
  }
});
