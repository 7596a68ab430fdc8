// Pictures of players: the animal of a guest's name, one that follows from any other name, and the computer's own.

import { h, svg } from './dom.js';

/** @import { IdentityKind } from './api' */

/** The animals of guests' names, such as `Amber Fox`. */
const ANIMALS = {
  Fox: '🦊', Otter: '🦦', Owl: '🦉', Whale: '🐳', Frog: '🐸', Bear: '🐻', Crab: '🦀', Hedgehog: '🦔', Panda: '🐼', Bee: '🐝', Koala: '🐨',
  Tiger: '🐯', Penguin: '🐧', Turtle: '🐢', Octopus: '🐙', Snail: '🐌', Rabbit: '🐰', Duck: '🦆', Swan: '🦢', Parrot: '🦜', Dolphin: '🐬',
  Squirrel: '🐿️', Sloth: '🦥', Badger: '🦡', Beetle: '🐞', Lizard: '🦎', Llama: '🦙', Flamingo: '🦩', Mouse: '🐭', Lion: '🦁', Seal: '🦭', Camel: '🐫',
};

/** Pale discs behind the animals. */
const TINT_COUNT = 8;

/**
 * A number that follows from a text.
 * @param {string} text
 */
const hash = (text) => [...text].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 1_000_003, 7);

/**
 * @param {string} name
 * @param {IdentityKind | null} [kind]
 * @param {boolean} [isLocal] whether the name is only that of a player at this screen
 * @param {'' | 'large' | 'huge'} [size]
 */
export function avatar(name, kind = null, isLocal = false, size = '') {
  const number = hash(name);
  const tint = `tint-${number % TINT_COUNT}`;
  const classes = [size, kind === 'computer' ? '' : tint].filter(Boolean).map((part) => `.${part}`).join('');
  if (kind === 'computer') return h(`span.avatar${classes}`, { 'aria-hidden': 'true' }, robot());
  if (isLocal) return null;
  const word = name.split(' ').find((part) => part in ANIMALS);
  const animals = Object.values(ANIMALS);
  const animal = word ? ANIMALS[/** @type {keyof typeof ANIMALS} */ (word)] : animals[number % animals.length];
  return h(`span.avatar${classes}`, { 'aria-hidden': 'true' }, animal);
}

/** One eye is a nought, the other a cross. */
const robot = () => svg('svg', { viewBox: '0 0 40 40' }, svg('rect', { x: 5, y: 11, width: 30, height: 22, rx: 8 }),
  svg('path', { d: 'M20 11V5M15 26.5c3 2.5 7 2.5 10 0M23.5 17.7l5 4.6M28.5 17.7l-5 4.6' }), svg('circle', { cx: 14, cy: 20, r: 2.3 }));
