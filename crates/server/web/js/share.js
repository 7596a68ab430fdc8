// Giving an address to someone: copied, shared by the device, or as a code to photograph.

import { notice, openDialog } from './dialog.js';
import { field, h } from './dom.js';

/** A line with the address and the ways to hand it over. */
export function shareLine(label, url, { qr = true } = {}) {
  const address = h('input.address', { type: 'text', readonly: true, value: url, onfocus: () => address.select() });
  const copy = h('button', { type: 'button', onclick: () => copyText(url, address) }, 'Copy');
  return h('div.share', {}, field(label, address),
    h('div.row', {}, copy,
      navigator.share && h('button', { type: 'button', onclick: () => navigator.share({ title: 'Noughts', url }).catch(() => {}) }, 'Share'),
      qr && h('button', { type: 'button', onclick: () => showCode(url) }, 'QR code')));
}

export async function copyText(text, input) {
  try {
    await navigator.clipboard.writeText(text);
    notice('Copied.');
  } catch {
    input?.focus();
    notice('Press Ctrl+C to copy the marked text.');
  }
}

export async function showCode(url) {
  const { picture } = await import('./qr.js');
  openDialog('Scan to join', () =>
    [picture(url, `QR code of ${url}`) ?? h('p', {}, 'This address is too long for a code.'), h('p.address-text', {}, url)], 'small');
}
