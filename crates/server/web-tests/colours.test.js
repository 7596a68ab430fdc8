// The colours of seats under colour blindness, computed from the style sheet.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const tokens = await readFile(new URL('../web/css/tokens.css', import.meta.url), 'utf8');

/** A colour of the style sheet in light and in dark, as `#rrggbb`. */
function token(name) {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens);
  return { light, dark };
}

/** Linear RGB. */
const linear = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
  .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));

const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, n, i) => sum + n * vector[i], 0));

/** Full dichromacy on linear RGB, by Machado, Oliveira and Fernandes (2009). */
const VISIONS = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** OKLab, by Björn Ottosson (2020). */
function oklab(rgb) {
  const cones = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], rgb);
  return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], cones.map(Math.cbrt));
}

function contrast(a, b) {
  const [light, dark] = [a, b].map((hex) => times([[0.2126, 0.7152, 0.0722]], linear(hex))[0]).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const seats = [0, 1, 2, 3, 4, 5, 6, 7].map((seat) => token(`seat-${seat}`));

/** A difference of 2 in OKLab, times 100, is just noticeable. */
test('colour-blind people tell all seats apart', () => {
  for (const theme of ['light', 'dark']) {
    for (const [vision, matrix] of Object.entries(VISIONS)) {
      const labs = seats.map((seat) => oklab(times(matrix, linear(seat[theme])).map((c) => Math.min(Math.max(c, 0), 1))));
      labs.forEach((lab, i) => labs.slice(i + 1).forEach((other, j) => {
        const distance = 100 * Math.hypot(...lab.map((n, axis) => n - other[axis]));
        const wanted = i + j + 1 < 4 ? 11 : 6;
        assert.ok(distance >= wanted, `seats ${i} and ${i + j + 1}, ${theme}, ${vision}: ${distance.toFixed(1)}`);
      }));
    }
  }
});

test('seats stand out from the paper', () => {
  const paper = token('raised');
  for (const [i, seat] of seats.entries()) {
    for (const theme of ['light', 'dark']) {
      const ratio = contrast(seat[theme], paper[theme]);
      assert.ok(ratio >= 3, `seat ${i}, ${theme}: ${ratio.toFixed(2)}`);
    }
  }
});
