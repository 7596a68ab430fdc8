// Modules of the page that need no browser.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import jsQR from 'jsqr';
import { encodeQr } from '../web/js/share.js';
import { applyUpdate } from '../web/js/state.js';

const FIXTURES = new URL('../../api/fixtures/', import.meta.url);

test('updates lead to the fixtures’ results', async () => {
  const names = (await readdir(FIXTURES)).filter((name) => name.endsWith('.json'));
  assert.ok(names.length >= 20, `only ${names.length} fixtures`);
  for (const name of names) {
    const { view, updates, result } = JSON.parse(await readFile(new URL(name, FIXTURES), 'utf8'));
    for (const update of updates) applyUpdate(view, update);
    assert.deepEqual(view, result, name);
  }
});

test('QR codes of all versions read back', () => {
  for (const length of [1, 14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213]) {
    const text = 'https://noughts.example/game/'.repeat(9).slice(0, length);
    const rows = encodeQr(text);
    const [scale, size] = [4, (rows.length + 8) * 4];
    const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
    rows.forEach((row, r) => row.forEach((on, c) => {
      for (let i = 0; on && i < scale * scale; i += 1) {
        const [y, x] = [(r + 4) * scale + Math.floor(i / scale), (c + 4) * scale + (i % scale)];
        pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
      }
    }));
    assert.equal(jsQR(pixels, size, size)?.data, text, `${length} characters`);
  }
  assert.equal(encodeQr('x'.repeat(214)), null);
});
