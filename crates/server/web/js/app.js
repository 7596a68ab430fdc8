// The entry point: routes and the header.

import { avatar } from './avatar.js';
import { closest, h, setChildren } from './dom.js';
import { t, tParts } from './i18n.js';
import { glyph } from './icons.js';
import { announce, onNavigate, showToast } from './page.js';
import { displayName, onSessionChange, restoreSession } from './session.js';
import { isSoundOn, onSoundChange, toggleSound } from './sound.js';

/** @import { Icon } from './icons.js' */
/** @import { Screen } from './page.js' */

/** @type {[RegExp, () => Promise<Screen>][]} */
const ROUTES = [
  [/^\/$/, async () => (await import('./home.js')).screen],
  [/^\/game\/([^/]+)$/, async () => (await import('./game.js')).screen],
  [/^\/embed\/([^/]+)$/, async () => (await import('./embed.js')).screen],
  [/^\/lobby$/, async () => (await import('./lobby.js')).screen],
  [/^\/puzzles(?:\/([^/]+))?$/, async () => (await import('./puzzles.js')).screen],
  [/^\/leaderboard(?:\/([^/]+))?$/, async () => (await import('./standings.js')).leaderboard],
  [/^\/player\/([^/]+)$/, async () => (await import('./standings.js')).profile],
  [/^\/account$/, async () => (await import('./account.js')).screen],
  [/^\/tournaments$/, async () => (await import('./tournaments.js')).screen],
  [/^\/tournament\/([^/]+)$/, async () => (await import('./tournament.js')).screen],
  [/^\/how-to-play$/, async () => (await import('./how-to-play.js')).screen],
];

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
let leave = () => {};
let visits = 0;
let onScreenChange = () => {};

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
  const title = screen ? t(screen.title) : t('lost.title');
  document.title = `${title} · Noughts`;
  document.body.dataset.screen = location.pathname.split('/')[1] || 'home';
  markCurrentLink();
  if (visit > 1) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
    announce(title);
  }
  onScreenChange();
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
  setChildren(root, h('h1', {}, t('lost.title')),
    h('p.lead', { 'data-failed': hasRoute }, hasRoute
      // The server may have a newer version of the page.
      ? tParts('lost.notLoaded', { reload: h('a', { href: location.href, target: '_self' }, t('lost.reload')) })
      : t('lost.lead')),
    h('p', {}, h('a.button.primary', { href: '/' }, t('lost.play'))));
}

/** @returns {NodeListOf<HTMLAnchorElement>} */
const navigationLinks = () => document.querySelectorAll('.top a, .tab-bar a');

function markCurrentLink() {
  for (const link of navigationLinks()) {
    const isCurrent = link.pathname === location.pathname || (link.pathname !== '/' && location.pathname.startsWith(`${link.pathname}/`));
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

// The header: what it says, and its buttons.

/** The texts that are in the document before this module runs. */
function translateDocument() {
  document.querySelector('meta[name=description]')?.setAttribute('content', t('page.description'));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-t]'))) {
    element.textContent = t(/** @type {'nav.play'} */ (element.dataset.t));
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-t-label]'))) {
    element.setAttribute('aria-label', t(/** @type {'nav.play'} */ (element.dataset.tLabel)));
  }
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.tab-bar a'))) {
    link.prepend(glyph(/** @type {Icon} */ (link.dataset.icon)));
  }
}

const soundButton = /** @type {HTMLButtonElement} */ (document.querySelector('#sound'));

function drawSoundButton() {
  const isOn = isSoundOn();
  soundButton.setAttribute('aria-pressed', String(isOn));
  soundButton.title = t(isOn ? 'sound.on' : 'sound.off');
  setChildren(soundButton, glyph(isOn ? 'sound' : 'mute'));
}

soundButton.addEventListener('click', toggleSound);
onSoundChange(drawSoundButton);
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  // On a board, letters lead to rows.
  if (!closest(event, 'input, select, textarea, [role=grid]')) toggleSound();
});

const settingsButton = /** @type {HTMLButtonElement} */ (document.querySelector('#settings'));
settingsButton.addEventListener('click', async () => (await import('./settings.js')).openSettings());
setChildren(settingsButton, glyph('moon'));

const inboxButton = /** @type {HTMLButtonElement} */ (document.querySelector('#inbox'));
const inboxCount = h('span.count', { hidden: true });
setChildren(inboxButton, glyph('bell'), inboxCount);
const loadInbox = () => import('./inbox.js');
inboxButton.addEventListener('click', async () => (await loadInbox()).openInbox());

/** Follows what waits for this player, once there is time for it. */
async function followInbox() {
  const { followInbox: follow, onInboxChange, waiting } = await loadInbox();
  const draw = () => {
    const count = waiting();
    inboxCount.textContent = count > 0 ? String(count) : '';
    inboxCount.hidden = count === 0;
    inboxButton.setAttribute('aria-label', count > 0 ? t('inbox.waiting', { count }) : t('inbox.title'));
  };
  onInboxChange(draw);
  onScreenChange = draw;
  follow();
}

/** Follows the inbox, later if its module can't be loaded now. */
function startInbox() {
  followInbox().catch(() => addEventListener('online', startInbox, { once: true }));
}

const accountLink = /** @type {HTMLElement} */ (document.querySelector('.account-link'));
onSessionChange((me) => {
  const name = displayName();
  setChildren(accountLink, name === null ? h('span.avatar', {}, glyph('person')) : avatar(name, me?.kind), h('span.name', {}, name ?? t('nav.logIn')));
});

/** A line above the page while the network is gone; what failed to load then is loaded once it is back. */
const offline = h('p.offline', { hidden: true }, t('page.offline'));
document.body.prepend(offline);
addEventListener('offline', () => {
  offline.hidden = false;
  announce(t('page.offline'));
});
addEventListener('online', () => {
  if (offline.hidden) return;
  offline.hidden = true;
  showToast(t('play.backOnline'));
  if (main.querySelector('[data-failed]')) showScreen();
});

translateDocument();
drawSoundButton();
onNavigate(showScreen);
showScreen();
delete document.documentElement.dataset.loading;
restoreSession().catch(() => {});
(window.requestIdleCallback ?? setTimeout)(startInbox);
