// The page's frame: which screen belongs to which address.

import { announce } from './announcer.js';
import { h, put, say } from './dom.js';
import * as home from './home.js';
import { onMe, shownName, whoAmI } from './me.js';
import { onNavigate } from './navigate.js';
import { installTheme } from './theme.js';

const SCREENS = [
  [/^\/$/, async () => home],
  [/^\/game\/([^/]+)$/, () => import('./game.js')],
  [/^\/lobby$/, () => import('./lobby.js')],
  [/^\/leaderboard(?:\/([^/]+))?$/, () => import('./leaderboard.js')],
  [/^\/player\/([^/]+)$/, () => import('./profile.js')],
  [/^\/account$/, () => import('./account.js')],
  [/^\/how-to-play$/, () => import('./how-to-play.js')],
];

const main = document.getElementById('main');
let leave = () => {};
let visit = 0;

/** A screen's module exports `title` and `show(root, argument)`, which may return how to leave it. */
async function showScreen() {
  visit += 1;
  const mine = visit;
  const [screen, argument] = find(location.pathname);
  const module = await screen?.().catch(() => null);
  if (mine !== visit) return;
  leave();
  leave = () => {};
  const root = h('div.screen');
  put(main, root);
  const title = module?.title ?? 'Nothing here';
  document.title = `${title} · Noughts`;
  markCurrent();
  if (mine > 1) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
    announce(title);
  }
  if (!module) return lost(root, screen);
  leave = module.show(root, argument) ?? (() => {});
}

/** How to load the screen at an address, and what it shows; nothing where there is none. */
function find(path) {
  for (const [pattern, load] of SCREENS) {
    const match = pattern.exec(path);
    if (!match) continue;
    try {
      return [load, match[1] && decodeURIComponent(match[1])];
    } catch {
      // An address that is not well written leads nowhere.
      return [];
    }
  }
  return [];
}

function lost(root, screen) {
  put(root, h('h1', {}, 'Nothing here'),
    h('p.lead', {}, screen
      // The server may have another version of the page by now, which only loading it again brings.
      ? ['This screen could not be loaded. ', h('a', { href: location.href, target: '_self' }, 'Load it again'), '.']
      : 'There is no screen at this address. It may have been copied in part.'),
    h('p', {}, h('a.button.primary', { href: '/' }, 'Play a game')));
}

function markCurrent() {
  for (const link of document.querySelectorAll('header.top a')) {
    const here = link.pathname === location.pathname || (link.pathname !== '/' && location.pathname.startsWith(`${link.pathname}/`));
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

installTheme(document.getElementById('theme'));
onMe(() => say(document.querySelector('.me'), shownName() ?? 'Sign in'));
onNavigate(showScreen);
showScreen();
whoAmI().catch(() => {});
