// The entry point: routes, the header, and light or dark colours.

import { displayName, onSessionChange, restoreSession } from './client.js';
import { h, setChildren, setText, svg } from './dom.js';
import { screen as home } from './home.js';
import { announce, onNavigate, save } from './page.js';

/** @import { Screen } from './page.js' */

/** @type {[RegExp, () => Promise<Screen>][]} */
const ROUTES = [
  [/^\/$/, async () => home],
  [/^\/game\/([^/]+)$/, async () => (await import('./game.js')).screen],
  [/^\/lobby$/, async () => (await import('./lobby.js')).screen],
  [/^\/leaderboard(?:\/([^/]+))?$/, async () => (await import('./standings.js')).leaderboard],
  [/^\/player\/([^/]+)$/, async () => (await import('./standings.js')).profile],
  [/^\/account$/, async () => (await import('./account.js')).screen],
  [/^\/how-to-play$/, async () => (await import('./how-to-play.js')).screen],
];

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
let leave = () => {};
let visits = 0;

async function showScreen() {
  visits += 1;
  const visit = visits;
  const [loadScreen, argument = ''] = route(location.pathname);
  const screen = await loadScreen?.().catch(() => null);
  if (visit !== visits) return;
  leave();
  leave = () => {};
  const root = h('div.screen');
  setChildren(main, root);
  const title = screen?.title ?? 'Page not found';
  document.title = `${title} · Noughts`;
  markCurrentLink();
  if (visit > 1) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
    announce(title);
  }
  if (screen) leave = screen.show(root, argument) ?? (() => {});
  else showNotFound(root, loadScreen !== undefined);
}

/**
 * The screen at an address and its argument.
 * @param {string} address
 * @returns {[load?: () => Promise<Screen>, argument?: string]}
 */
function route(address) {
  for (const [pattern, load] of ROUTES) {
    const match = pattern.exec(address);
    if (!match) continue;
    try {
      return [load, match[1] && decodeURIComponent(match[1])];
    } catch {
      // Malformed percent-encoding.
      return [];
    }
  }
  return [];
}

/**
 * @param {HTMLElement} root
 * @param {boolean} hasRoute
 */
function showNotFound(root, hasRoute) {
  setChildren(root, h('h1', {}, 'Page not found'),
    h('p.lead', {}, hasRoute
      // The server may have a newer version of the page.
      ? ['This screen could not be loaded. ', h('a', { href: location.href, target: '_self' }, 'Reload the page'), '.']
      : 'There is nothing at this address. Part of it may be missing.'),
    h('p', {}, h('a.button.primary', { href: '/' }, 'Play a game')));
}

function markCurrentLink() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('header.top a'))) {
    const isCurrent = link.pathname === location.pathname || (link.pathname !== '/' && location.pathname.startsWith(`${link.pathname}/`));
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

// Light or dark: as the system prefers, unless the user has chosen.

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const themeButton = /** @type {HTMLButtonElement} */ (document.querySelector('#theme'));

const currentTheme = () => document.documentElement.dataset.theme ?? (prefersDark.matches ? 'dark' : 'light');
const otherTheme = () => (currentTheme() === 'dark' ? 'light' : 'dark');

function drawThemeButton() {
  const label = `Switch to ${otherTheme()} colours`;
  themeButton.setAttribute('aria-label', label);
  themeButton.title = label;
  setChildren(themeButton, svg('svg.glyph', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, otherTheme() === 'light' ? SUN : MOON));
}

const SUN = [svg('circle', { cx: 12, cy: 12, r: 4.2 }),
  svg('path', { d: 'M12 2.5v2.6M12 18.9v2.6M2.5 12h2.6M18.9 12h2.6M5.3 5.3l1.8 1.8M16.9 16.9l1.8 1.8M5.3 18.7l1.8-1.8M16.9 7.1l1.8-1.8' })];
const MOON = [svg('path', { d: 'M20 14.2A8.2 8.2 0 0 1 9.8 4 8.2 8.2 0 1 0 20 14.2Z' })];

themeButton.addEventListener('click', () => {
  document.documentElement.dataset.theme = otherTheme();
  save('theme', currentTheme());
  drawThemeButton();
});
prefersDark.addEventListener('change', drawThemeButton);
drawThemeButton();

const accountLink = /** @type {HTMLElement} */ (document.querySelector('.account-link'));
onSessionChange(() => setText(accountLink, displayName() ?? 'Log in'));
onNavigate(showScreen);
showScreen();
restoreSession().catch(() => {});
