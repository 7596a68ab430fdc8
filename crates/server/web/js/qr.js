// QR codes (ISO/IEC 18004) in byte mode with error correction level M, versions 1 to 10.

/** By version: codewords in all, error correction codewords of each block, blocks. */
const VERSIONS = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2],
  [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5],
];

/** @type {((row: number, col: number) => boolean)[]} */
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

/**
 * The QR code of a text as rows of dark (true) and light modules, or null if it is too long.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function encodeQr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([all, ecc, blocks], i) =>
    bytes.length + (i < 9 ? 2 : 3) <= all - ecc * blocks) + 1;
  if (version === 0) return null;
  const words = interleave(dataWords(bytes, version), version);
  const { size, dark, fixed } = frame(version);
  placeWords(words, dark, fixed, size);
  const candidates = MASKS.map((mask, number) => {
    const masked = dark.map((row, r) => row.map((on, c) => on !== (!fixed[r][c] && mask(r, c))));
    placeFormat(masked, number, size);
    return { masked, cost: penalty(masked, size) };
  });
  return candidates.reduce((best, next) => (next.cost < best.cost ? next : best)).masked;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function dataWords(bytes, version) {
  const [all, ecc, blocks] = VERSIONS[version - 1];
  /** @type {number[]} */
  const bits = [];
  const push = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  const room = (all - ecc * blocks) * 8;
  push(0, Math.min(4, room - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) push(pad, 8);
  /** @type {number[]} */
  const words = [];
  for (let i = 0; i < bits.length; i += 8) words.push(parseInt(bits.slice(i, i + 8).join(''), 2));
  return words;
}

/**
 * Splits data into blocks, adds error correction codewords, and interleaves the blocks.
 * @param {number[]} data
 * @param {number} version
 */
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
  /** @type {number[]} */
  const mixed = [];
  for (let i = 0; i <= short; i += 1) for (const { words } of blocks) if (i < words.length) mixed.push(words[i]);
  for (let i = 0; i < ecc; i += 1) for (const { check } of blocks) mixed.push(check[i]);
  return mixed;
}

/**
 * Multiplication in GF(256) modulo the polynomial 0x11d.
 * @param {number} a
 * @param {number} b
 */
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

/**
 * The Reed-Solomon generator polynomial.
 * @param {number} degree
 * @returns {number[]}
 */
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

/**
 * @param {number[]} words
 * @param {number[]} divisor
 */
function remainder(words, divisor) {
  /** @type {number[]} */
  const result = new Array(divisor.length).fill(0);
  for (const word of words) {
    const factor = word ^ (result.shift() ?? 0);
    result.push(0);
    divisor.forEach((coefficient, i) => (result[i] ^= times(coefficient, factor)));
  }
  return result;
}

/**
 * The function patterns of a version, which are the same in all its codes.
 * @param {number} version
 */
function frame(version) {
  const size = version * 4 + 17;
  /** @returns {boolean[][]} */
  const grid = () => Array.from({ length: size }, () => new Array(size).fill(false));
  const [dark, fixed] = [grid(), grid()];
  const set = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ on) => {
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
  placeFormat(dark, 0, size);
  placeFormat(fixed, null, size);
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

/**
 * The rows and columns of the alignment patterns.
 * @param {number} version
 * @param {number} size
 */
function alignment(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (count * 2 - 2)) * 2;
  const places = [6];
  for (let at = size - 7; places.length < count; at -= step) places.splice(1, 0, at);
  return places;
}

/**
 * The format information, level M and the mask, twice. Without a mask, sets all of its modules.
 * @param {boolean[][]} grid
 * @param {number | null} mask
 * @param {number} size
 */
function placeFormat(grid, mask, size) {
  let rest = mask ?? 0;
  for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = (((mask ?? 0) << 10) | rest) ^ 0x5412;
  const set = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ on) => {
    grid[r][c] = on || mask === null;
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

/**
 * Fills the remaining modules in columns of two, up and down from the right.
 * @param {number[]} words
 * @param {boolean[][]} dark
 * @param {boolean[][]} fixed
 * @param {number} size
 */
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

/**
 * How hard a code is to read; the mask with the lowest penalty is used.
 * @param {boolean[][]} grid
 * @param {number} size
 */
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
