// QR codes (ISO/IEC 18004) for addresses: bytes, error correction level M, versions 1 to 10.

import { s } from './dom.js';

/** Of each version: all codewords, those that correct errors in each block, and blocks. */
const VERSIONS = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2],
  [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5],
];

const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The code of a text as rows of dark (true) and light modules, or null if it is too long. */
export function encode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([all, ecc, blocks], i) =>
    bytes.length + (i < 9 ? 2 : 3) <= all - ecc * blocks) + 1;
  if (version === 0) return null;
  const words = interleave(dataWords(bytes, version), version);
  const { size, dark, fixed } = frame(version);
  placeWords(words, dark, fixed, size);
  let best = null;
  MASKS.forEach((mask, number) => {
    const masked = dark.map((row, r) => row.map((on, c) => on !== (!fixed[r][c] && mask(r, c))));
    placeFormat(masked, number, size);
    const cost = penalty(masked, size);
    if (!best || cost < best.cost) best = { cost, masked };
  });
  return best.masked;
}

/** The code as a picture with the quiet zone around it. */
export function picture(text, label) {
  const rows = encode(text);
  if (!rows) return null;
  const d = rows.flatMap((row, r) => row.map((on, c) => (on ? `M${c} ${r}h1v1h-1z` : ''))).join('');
  const size = rows.length + 8;
  return s('svg.qr', { viewBox: `-4 -4 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    s('rect', { x: -4, y: -4, width: size, height: size, fill: '#fff' }), s('path', { d, fill: '#000' }));
}

function dataWords(bytes, version) {
  const [all, ecc, blocks] = VERSIONS[version - 1];
  const bits = [];
  const push = (value, count) => {
    for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  const room = (all - ecc * blocks) * 8;
  push(0, Math.min(4, room - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) push(pad, 8);
  const words = [];
  for (let i = 0; i < bits.length; i += 8) words.push(parseInt(bits.slice(i, i + 8).join(''), 2));
  return words;
}

/** Splits data into blocks, adds what corrects errors, and mixes the blocks. */
function interleave(data, version) {
  const [all, ecc, count] = VERSIONS[version - 1];
  const short = Math.floor(all / count) - ecc;
  const longFrom = count - (all % count);
  const divisor = generator(ecc);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, i) => {
    const words = data.slice(at, (at += short + (i >= longFrom ? 1 : 0)));
    return { words, check: remainder(words, divisor) };
  });
  const mixed = [];
  for (let i = 0; i <= short; i += 1) for (const { words } of blocks) if (i < words.length) mixed.push(words[i]);
  for (let i = 0; i < ecc; i += 1) for (const { check } of blocks) mixed.push(check[i]);
  return mixed;
}

/** Multiplication in the field of 256 elements with the polynomial 0x11d. */
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

function generator(degree) {
  const result = new Array(degree - 1).fill(0).concat(1);
  let root = 1;
  for (let i = 0; i < degree; i += 1) {
    for (let j = 0; j < degree; j += 1) {
      result[j] = times(result[j], root);
      if (j + 1 < degree) result[j] ^= result[j + 1];
    }
    root = times(root, 2);
  }
  return result;
}

function remainder(words, divisor) {
  const result = new Array(divisor.length).fill(0);
  for (const word of words) {
    const factor = word ^ result.shift();
    result.push(0);
    divisor.forEach((coefficient, i) => (result[i] ^= times(coefficient, factor)));
  }
  return result;
}

/** Everything that is the same in all codes of a version. */
function frame(version) {
  const size = version * 4 + 17;
  const grid = () => Array.from({ length: size }, () => new Array(size).fill(false));
  const [dark, fixed] = [grid(), grid()];
  const set = (r, c, on) => {
    if (r < 0 || c < 0 || r >= size || c >= size) return;
    dark[r][c] = on;
    fixed[r][c] = true;
  };
  for (let i = 0; i < size; i += 1) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [row, col] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    for (let r = -4; r <= 4; r += 1) {
      for (let c = -4; c <= 4; c += 1) {
        const ring = Math.max(Math.abs(r), Math.abs(c));
        set(row + r, col + c, ring !== 2 && ring !== 4);
      }
    }
  }
  const places = alignment(version, size);
  const last = places.length - 1;
  places.forEach((row, i) => places.forEach((col, j) => {
    if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
    for (let r = -2; r <= 2; r += 1) {
      for (let c = -2; c <= 2; c += 1) set(row + r, col + c, Math.max(Math.abs(r), Math.abs(c)) !== 1);
    }
  }));
  placeFormat(dark, 0, size, (r, c) => (fixed[r][c] = true));
  if (version >= 7) {
    let rest = version;
    for (let i = 0; i < 12; i += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i += 1) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      set(a, b, ((bits >> i) & 1) === 1);
      set(b, a, ((bits >> i) & 1) === 1);
    }
  }
  return { size, dark, fixed };
}

function alignment(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (count * 2 - 2)) * 2;
  const places = [6];
  for (let at = size - 7; places.length < count; at -= step) places.splice(1, 0, at);
  return places;
}

/** Level M and the mask, twice around the corners. */
function placeFormat(grid, mask, size, also = () => {}) {
  let rest = mask;
  for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const set = (r, c, on) => {
    grid[r][c] = on;
    also(r, c);
  };
  for (let i = 0; i < 15; i += 1) {
    const on = ((bits >> i) & 1) === 1;
    if (i < 6) set(i, 8, on);
    else if (i < 8) set(i + 1, 8, on);
    else if (i === 8) set(8, 7, on);
    else set(8, 14 - i, on);
    if (i < 8) set(8, size - 1 - i, on);
    else set(size - 15 + i, 8, on);
  }
  set(size - 8, 8, true);
}

/** Fills the rest in columns of two, up and down from the right. */
function placeWords(words, dark, fixed, size) {
  let i = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      for (const c of [right, right - 1]) {
        const upward = ((right + 1) & 2) === 0;
        const r = upward ? size - 1 - step : step;
        if (fixed[r][c] || i >= words.length * 8) continue;
        dark[r][c] = ((words[i >> 3] >> (7 - (i & 7))) & 1) === 1;
        i += 1;
      }
    }
  }
}

/** How hard a code is to read: the mask with the least is taken. */
function penalty(grid, size) {
  let cost = 0;
  const columns = grid.map((_, c) => grid.map((row) => row[c]));
  for (const lines of [grid, columns]) {
    for (const line of lines) {
      const text = line.map((on) => (on ? 1 : 0)).join('');
      for (const run of text.match(/0{5,}|1{5,}/g) ?? []) cost += run.length - 2;
      for (const finder of ['10111010000', '00001011101']) {
        for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) cost += 40;
      }
    }
  }
  let count = 0;
  for (let r = 0; r < size; r += 1) {
    for (let c = 0; c < size; c += 1) {
      const on = grid[r][c];
      count += on ? 1 : 0;
      if (r + 1 < size && c + 1 < size && grid[r][c + 1] === on && grid[r + 1][c] === on && grid[r + 1][c + 1] === on) cost += 3;
    }
  }
  return cost + Math.floor(Math.abs((count * 100) / (size * size) - 50) / 5) * 10;
}
