// What all screens share: navigation, announcements, dialogs and local storage.

import { closest, h, uniqueId } from './dom.js';
import { t } from './i18n.js';

/**
 * A screen draws itself into `root`; `argument` comes from the address. It may return how to leave it.
 * @typedef {{ title: import('./i18n.js').MessageKey, show: (root: HTMLElement, argument: string) => (() => void) | void }} Screen
 */

// Navigation without reloading the page.

/** @type {() => void} */
let showScreen = () => {};

/**
 * Sets the function that shows the screen at the current address.
 * @param {() => void} handler
 */
export function onNavigate(handler) {
  showScreen = handler;
  addEventListener('popstate', () => showScreen());
  document.addEventListener('click', (event) => {
    const link = closest(event, 'a[href]');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!(link instanceof HTMLAnchorElement) || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/') || url.hash) return;
    event.preventDefault();
    navigate(url.pathname + url.search);
  });
}

/**
 * Shows the screen at an address.
 * @param {string} path
 */
export function navigate(path) {
  history.pushState(null, '', path);
  showScreen();
}

/**
 * Changes the address without changing the screen.
 * @param {string} path
 */
export function replaceAddress(path) {
  history.replaceState(history.state, '', path);
}

// Announcements and dialogs.

let lastAnnouncement = '';

/**
 * Makes screen readers speak.
 * @param {string} text
 */
export function announce(text) {
  // A live region is spoken only when its text changes.
  lastAnnouncement = text === lastAnnouncement ? `${text}\u00a0` : text;
  const region = document.getElementById('announcer');
  if (region) region.textContent = lastAnnouncement;
}

const TOAST_MS = 5000;

/** @type {HTMLElement | null} */
let toast = null;

/**
 * Shows a short message for a few seconds.
 * @param {string} text
 */
export function showToast(text) {
  toast?.remove();
  const shown = h('p.toast', {}, text);
  toast = shown;
  document.body.append(shown);
  announce(text);
  setTimeout(() => shown.remove(), TOAST_MS);
}

/**
 * Opens a modal dialog. Resolves with the value it is closed with.
 * @template T
 * @param {string} title
 * @param {(close: (value: T) => void) => import('./dom.js').Child} content
 * @param {string} [size]
 * @returns {Promise<T | undefined>}
 */
export function openDialog(title, content, size = '') {
  return new Promise((resolve) => {
    const id = uniqueId('dialog');
    const focused = document.activeElement;
    /** @type {T | undefined} */
    let result;
    const close = (/** @type {T | undefined} */ value) => {
      result = value;
      dialog.close();
    };
    const dialog = h('dialog', { 'aria-labelledby': id, class: size },
      h('div.dialog-head', {}, h('h2', { id }, title),
        h('button.icon', { type: 'button', 'aria-label': t('close'), onclick: () => close(undefined) }, '✕')),
      content(close));
    // A click beside the dialog hits its backdrop, which belongs to it.
    dialog.addEventListener('click', (event) => event.target === dialog && close(undefined));
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (focused instanceof HTMLElement || focused instanceof SVGElement) focused.focus({ preventScroll: true });
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Asks before something irreversible.
 * @param {string} question
 * @param {string} action
 */
export async function confirmAction(question, action) {
  const answer = await openDialog(question, (/** @type {(value: boolean) => void} */ close) =>
    h('div.row', {},
      h('button.primary', { type: 'button', onclick: () => close(true) }, action),
      h('button', { type: 'button', onclick: () => close(false) }, t('cancel'))), 'small');
  return answer === true;
}

/** The most characters of a name. The server has the same limit. */
export const MAX_NAME_LENGTH = 32;

// Local storage, which the browser may refuse.

/**
 * @template T
 * @param {string} name
 * @param {T} fallback
 * @returns {T}
 */
export function load(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`noughts.${name}`) ?? 'null') ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Stores a value; null removes it.
 * @param {string} name
 * @param {unknown} value
 */
export function save(name, value) {
  try {
    if (value === null) localStorage.removeItem(`noughts.${name}`);
    else localStorage.setItem(`noughts.${name}`, JSON.stringify(value));
  } catch {
    // Only convenience is lost.
  }
}
