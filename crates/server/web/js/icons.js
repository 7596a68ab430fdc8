// Icons: strokes in a square of 24 by 24.

import { svg } from './dom.js';

const PATHS = {
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3.5 9.5h17M3.5 14.5h17M12 3c-5 5-5 13 0 18 5-5 5-13 0-18',
  two: 'M8 5.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4ZM16.5 6.8a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4ZM2.5 19c.5-6 10.5-6 11 0M15.5 14.6c3.5-.7 5.8 1.2 6 4.4',
  link: 'M10 14a4.2 4.2 0 0 0 6 0l3.3-3.3a4.2 4.2 0 0 0-6-6L12 6M14 10a4.2 4.2 0 0 0-6 0l-3.3 3.3a4.2 4.2 0 0 0 6 6L12 18',
  undo: 'M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11h-3',
  bulb: 'M9 17.5c0-2.5-3-3.7-3-7.5a6 6 0 0 1 12 0c0 3.8-3 5-3 7.5ZM10 21h4',
  flag: 'M6 21V4c5-2.5 7 2.5 12 0v9c-5 2.5-7-2.5-12 0',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 20.5h4',
  sound: 'M4 10v4h3.5L12 18V6L7.5 10ZM15.5 9.5c1.5 1.5 1.5 3.5 0 5M18 7c3 3 3 7 0 10',
  mute: 'M4 10v4h3.5L12 18V6L7.5 10ZM16 9.5l5 5M21 9.5l-5 5',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  back: 'M14.5 5 8 12l6.5 7',
  next: 'M9.5 5 16 12l-6.5 7',
  first: 'M17 6l-6 6 6 6M7 6v12',
  last: 'M7 6l6 6-6 6M17 6v12',
  person: 'M12 4.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20c.8-6.5 14.2-6.5 15 0',
  play: 'M4 9h16M4 15h16M9 4v16M15 4v16',
  lobby: 'M4 20V9l8-5 8 5v11M9.5 20v-6h5v6',
  cup: 'M7 4h10v5a5 5 0 0 1-10 0ZM7 6H4c0 3 1 4.5 3.5 4.5M17 6h3c0 3-1 4.5-3.5 4.5M12 14v4M8.5 20.5h7',
  book: 'M12 6.5C9.5 4.5 6.5 4.5 4 5.5v13c2.5-1 5.5-1 8 1 2.5-2 5.5-2 8-1v-13c-2.5-1-5.5-1-8 1ZM12 6.5v13',
  again: 'M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 3.5v4h-4',
  eye: 'M2.5 12c5-8 14-8 19 0-5 8-14 8-19 0ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  share: 'M12 15V3.5M8 7l4-4 4 4M6 11.5H5V20h14v-8.5h-1',
  stop: 'M7 7l10 10M17 7 7 17',
};

/** @typedef {keyof typeof PATHS} Icon */

/** Icons that point where reading goes or comes from. @type {Icon[]} */
const DIRECTIONAL = ['undo', 'back', 'next', 'first', 'last'];

/**
 * @param {Icon} name
 */
export const glyph = (name) => svg(`svg.glyph${name === 'more' ? '.dots' : ''}${DIRECTIONAL.includes(name) ? '.directional' : ''}`, { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
