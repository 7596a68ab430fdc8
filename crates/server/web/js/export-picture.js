// The board as a picture to keep: SVG as it is on the screen, or PNG drawn from it.

import { svg } from './dom.js';

/** What of the style sheets an SVG needs to look the same elsewhere; elements hand these on to those in them. */
const INHERITED = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-dasharray', 'stroke-opacity',
  'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'color'];

/** The sheet around a board, in units of a cell's hundredth. */
const MARGIN = 50;

const PNG_SIZE = 1200;

const TRANSPARENT = 'rgba(0, 0, 0, 0)';

/** What only the page needs. */
const PAGE_ATTRIBUTES = /^(class|style|tabindex|role|focusable|data-.*|aria-.*)$/;

/**
 * A copy of an element and all in it, with the styles that it has as attributes.
 * @template {SVGElement} E
 * @param {E} element
 */
function styledCopy(element) {
  const copy = /** @type {E} */ (element.cloneNode(true));
  const copies = [copy, ...copy.querySelectorAll('*')];
  /** @type {Element[]} */
  const hidden = [];
  [element, ...element.querySelectorAll('*')].forEach((original, i) => {
    const styles = getComputedStyle(original);
    for (const { name } of [...copies[i].attributes]) if (PAGE_ATTRIBUTES.test(name)) copies[i].removeAttribute(name);
    const around = i > 0 && original.parentElement ? getComputedStyle(original.parentElement) : null;
    for (const name of INHERITED) if (styles.getPropertyValue(name) !== around?.getPropertyValue(name)) copies[i].setAttribute(name, styles.getPropertyValue(name));
    if (styles.opacity !== '1') copies[i].setAttribute('opacity', styles.opacity);
    if (original.localName === 'stop') copies[i].setAttribute('stop-color', styles.stopColor);
    if (styles.display === 'none' || styles.opacity === '0') hidden.push(copies[i]);
  });
  for (const unseen of hidden) unseen.remove();
  return copy;
}

/**
 * A copy of a board that needs no style sheet.
 * @param {SVGSVGElement} board
 * @param {Element} frame the sheet it lies on
 */
function standalone(board, frame) {
  const copy = styledCopy(board);
  const { x, y, width, height } = board.viewBox.baseVal;
  const box = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const [sheet, page] = [frame, document.body].map((element) => getComputedStyle(element).backgroundColor);
  const paints = document.querySelector('#paints defs');
  copy.prepend(...(paints instanceof SVGElement ? [styledCopy(paints)] : []), svg('rect', { ...box, fill: sheet === TRANSPARENT ? page : sheet }));
  const scale = PNG_SIZE / Math.max(box.width, box.height);
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
    width: Math.round(box.width * scale), height: Math.round(box.height * scale) };
  for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, String(value));
  return copy;
}

/**
 * @param {SVGSVGElement} picture
 */
const textOf = (picture) => new XMLSerializer().serializeToString(picture);

/**
 * @param {SVGSVGElement} picture
 * @returns {Promise<Blob>}
 */
async function pngOf(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(picture))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Number(picture.getAttribute('width')), Number(picture.getAttribute('height'))];
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new RangeError())), 'image/png'));
}

/**
 * Downloads the board that is on the screen.
 * @param {'svg' | 'png'} format
 * @param {string} name of the file, without its ending
 */
export async function downloadPicture(format, name) {
  const frame = document.querySelector('.board-frame');
  const board = frame?.querySelector('svg.board');
  if (!frame || !(board instanceof SVGSVGElement)) return;
  const picture = standalone(board, frame);
  const blob = format === 'svg' ? new Blob([textOf(picture)], { type: 'image/svg+xml' }) : await pngOf(picture);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
