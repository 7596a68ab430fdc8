// Questions that stand in front of everything, and short notices that do not.

import { announce } from './announcer.js';
import { freshId, h } from './dom.js';

/** Opens a dialogue with a title; `content(close)` gives what is in it. Resolves with what it is closed with. */
export function openDialog(title, content, kind = '') {
  return new Promise((resolve) => {
    const id = freshId('dialog');
    const before = document.activeElement;
    const dialog = h(`dialog${kind && `.${kind}`}`, { 'aria-labelledby': id });
    const close = (value) => {
      dialog.returned = value;
      dialog.close();
    };
    dialog.append(
      h('div.dialog-head', {}, h('h2', { id }, title),
        h('button.icon', { type: 'button', 'aria-label': 'Close', onclick: () => close(undefined) }, '✕')),
      ...[content(close)].flat());
    dialog.addEventListener('close', () => {
      dialog.remove();
      before?.focus?.({ preventScroll: true });
      resolve(dialog.returned);
    });
    dialog.addEventListener('click', (event) => event.target === dialog && close(undefined));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks before something that can't be taken back. */
export function confirmed(question, yes) {
  return openDialog(question, (close) =>
    h('div.row', {},
      h('button.primary', { type: 'button', onclick: () => close(true) }, yes),
      h('button', { type: 'button', onclick: () => close(false) }, 'Cancel')), 'small');
}

let toast = null;

/** Says something in the corner for a moment. */
export function notice(text) {
  toast?.remove();
  const shown = h('p.toast', {}, text);
  toast = shown;
  document.body.append(shown);
  announce(text);
  setTimeout(() => shown.remove(), 5000);
}
