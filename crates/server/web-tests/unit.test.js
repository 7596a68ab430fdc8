// Modules of the page that need no browser.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import jsQR from 'jsqr';
import { applyUpdate } from '../web/js/fold.js';
import { lineSegments, winningLines } from '../web/js/lines.js';
import { cellName, extent, formatRules, moveText, parseCell, parseMove, parseRules } from '../web/js/rules.js';
import { encodeQr } from '../web/js/qr.js';
import { GameState } from '../web/js/state.js';

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

test('text forms of rules read back', () => {
  for (const text of ['3x3:3', '15x15:5+exact', '6x7:4+gravity', '7x7:4+3p', '3x3:3+ultimate', '4x4x4:4+gravity', '3x3:3+notakto+3b',
    '6x6:5+order', '3x3:3+wild+misere', '3x3:3+fade3', '19x19:6+2s', '15x15:5+renju+swap2', '3x3:[A1-A2-A3,A1-B2-C3]']) {
    assert.equal(formatRules(parseRules(text)), text);
  }
  assert.equal(parseRules('4x5x3').k, 3);
  assert.equal(parseRules('3x3:[A1-A2,A1-B2-C3]').k, 3);
  assert.deepEqual(extent(parseRules('3x3+ultimate')), { rows: 9, cols: 9, levels: 1 });
  assert.deepEqual(extent(parseRules('3x3+notakto+3b')), { rows: 3, cols: 3, levels: 3 });
});

test('boxes and moves read back', () => {
  for (const name of ['A1', 'Z26', '2B3', '16A12']) assert.equal(cellName(...parseCell(name)), name);
  assert.deepEqual(parseMove('2B3=o'), { cell: '2B3', mark: 1 });
  assert.deepEqual(parseMove('swap'), { cell: null, mark: null });
  assert.equal(moveText('B3=o', ['X', '🦊']), '🦊 on B3');
});

/** The lines through cells, with their segments, as text. */
function lines(rules, cells) {
  const parsed = parseRules(rules);
  return winningLines(cells.split(' '), parsed).map((line) =>
    lineSegments(line, parsed).map((ends) => ends.map((end) => cellName(...end)).join('-')).join(' '));
}

test('winning lines connect their cells', () => {
  assert.deepEqual(lines('3x3', 'A1 B2 C3'), ['A1-C3']);
  assert.deepEqual(lines('5x5:4+wrap', 'C1 C2 C4 C5'), ['C4-C5 C1-C2']);
  assert.deepEqual(lines('3x3x3', 'A1 2B2 3C3'), ['A1-A1 2B2-2B2 3C3-3C3']);
  assert.deepEqual(lines('3x3x3', '2A1 2A2 2A3'), ['2A1-2A3']);
  assert.deepEqual(lines('3x3+notakto+3b', '2A1 2B2 2C3'), ['2A1-2C3']);
  // In ultimate they connect boards.
  assert.deepEqual(lines('3x3+ultimate', 'A1 A2 A3 D5 E5 F5 G7 H8 I9'), ['A1-C3']);
  // Lines of one's own are only marked.
  assert.deepEqual(lines('3x3:[A1-A2-C3]', 'A1 A2 C3'), []);
});

test('past boards follow from the updates', () => {
  const created = { seq: 1, event: { type: 'created' }, details: { owners: [0, 1], boards: [], fading: null } };
  const moved = (seat, move, cells, fading = null) => ({ event: { type: 'moved', seat, move }, cells, details: { owners: [0, 1], boards: [], fading } });
  const board = [[[null, 1, 0]]];
  const view = { rules: '1x3:3+fade3', board, moves: ['A1', 'A2', 'A3'], details: created.details, players: [{}, {}], your_seats: [] };
  const state = new GameState(view, [created, moved(0, 'A1', [{ cell: 'A1', mark: 0 }]), moved(1, 'A2', [{ cell: 'A2', mark: 1 }], 'A1'),
    moved(0, 'A3', [{ cell: 'A1', mark: null }, { cell: 'A3', mark: 0 }])]);
  assert.equal(state.hasHistory, true);
  const shown = (ply) => ['A1', 'A2', 'A3'].map(state.boardAt(ply));
  assert.deepEqual([0, 1, 2, 3].map(shown), [[null, null, null], [0, null, null], [0, 1, null], [null, 1, 0]]);
  assert.deepEqual([0, 1, 2].map((ply) => state.detailsAt(ply).fading), [null, null, 'A1']);
  assert.deepEqual([0, 1, 2].map((i) => [state.seatOf(i), state.markOf(i)]), [[0, 0], [1, 1], [0, 0]]);
});

test('moves that gave something away are found', async () => {
  const { momentsOf, worth } = await import('../web/js/curve.js');
  const analysis = (best, ...moves) => ({ best, moves: moves.map(([move, kind, score = null]) => ({ move, kind, score, plies: 3 })) });
  const moves = ['A1', 'B1', 'C1', 'A2'];
  const found = momentsOf(moves, [
    analysis('A1', ['A1', 'draw']),
    analysis('B2', ['B2', 'draw'], ['B1', 'loss']),
    analysis('C1', ['C1', 'win']),
    analysis('A3', ['A3', 'estimate', 4000], ['A2', 'estimate', -2000]),
  ]);
  assert.deepEqual(found, [{ ply: 1, move: 'B1', better: 'B2', lost: 'draw' }, { ply: 3, move: 'A2', better: 'A3', lost: 'estimate' }]);
  assert.deepEqual(momentsOf(moves, []), []);
  assert.ok(worth({ kind: 'estimate', score: 900_000 }) < 1 && worth({ kind: 'estimate', score: -5 }) < 0);
});
