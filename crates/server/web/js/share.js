// Sharing an address: copied, handed to the device, or as a QR code.

import { field, h, setChildren, svg } from './dom.js';
import { t } from './i18n.js';
import { glyph } from './icons.js';
import { openDialog, showToast } from './page.js';

/** How long a button says that it has copied. */
const COPIED_MS = 2000;

/**
 * An address with the ways to share it.
 * @param {string} label
 * @param {string} url
 * @param {{ hasCode?: boolean }} [options] whether a QR code stands beside it already
 */
export function shareLink(label, url, { hasCode = false } = {}) {
  const input = h('input.address', { type: 'text', readonly: true, value: url, onfocus: () => input.select() });
  const copy = h('button.primary.go', { type: 'button', 'data-action': 'copy', onclick: async () => {
    if (!(await copyText(url, input))) return;
    setChildren(copy, t('invite.copied'));
    setTimeout(() => setChildren(copy, t('invite.copy')), COPIED_MS);
  } }, t('invite.copy'));
  return h('div.share', {}, field(label, input), copy,
    h('div.row', {},
      'share' in navigator && h('button', { type: 'button', onclick: () => navigator.share({ title: 'Noughts', url }).catch(() => {}) }, glyph('share'), t('invite.share')),
      !hasCode && h('button', { type: 'button', onclick: () => showQrCode(url) }, t('invite.qr'))));
}

/**
 * @param {string} text
 * @param {HTMLInputElement} [input] shows the text, to be copied by hand if the browser does not allow it
 */
export async function copyText(text, input) {
  try {
    await navigator.clipboard.writeText(text);
    showToast(t('invite.copied'));
    return true;
  } catch {
    input?.focus();
    showToast(t('invite.pressCopy'));
    return false;
  }
}

/**
 * @param {string} url
 */
async function showQrCode(url) {
  const { encodeQr } = await import('./qr.js');
  openDialog(t('invite.title'), () => [h('p', {}, t('invite.together')), qrPicture(url, encodeQr(url)) ?? h('p', {}, t('invite.tooLong')), h('p.address-text', {}, url)], 'small');
}

/**
 * A card with the QR code of an address, for people who sit together. Its place is kept until the code is drawn.
 * @param {string} url
 */
export function qrCard(url) {
  const place = h('div.qr-place');
  const card = h('section.card.together', {}, place, h('p', {}, t('invite.together')));
  import('./qr.js').then(({ encodeQr }) => {
    const picture = qrPicture(url, encodeQr(url));
    if (picture) setChildren(place, picture);
    else card.hidden = true;
  }, () => { card.hidden = true; });
  return card;
}

/**
 * A QR code as a picture with its quiet zone; null if the text is too long for one.
 * @param {string} text
 * @param {boolean[][] | null} rows
 */
function qrPicture(text, rows) {
  if (!rows) return null;
  const d = rows.flatMap((row, r) => row.map((on, c) => (on ? `M${c} ${r}h1v1h-1z` : ''))).join('');
  const size = rows.length + 8;
  return svg('svg.qr', { viewBox: `-4 -4 ${size} ${size}`, role: 'img', 'aria-label': t('invite.qrLabel', { address: text }), 'shape-rendering': 'crispEdges' },
    svg('rect', { x: -4, y: -4, width: size, height: size, fill: '#fff' }), svg('path', { d, fill: '#000' }));
}
