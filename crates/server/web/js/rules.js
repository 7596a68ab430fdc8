// The text form of rules, for drawing and describing. What rules mean is decided by the server.

/**
 * @typedef {{
 *   rows: number, cols: number, k: number, players: number,
 *   misere: boolean, gravity: boolean, wrap: boolean, exact: boolean,
 * }} Rules
 */

/**
 * The boards on the first screen; the custom one has no fixed rules.
 * @type {{ id: string, rules: string | null, name: string, about: string }[]}
 */
export const BOARDS = [
  { id: 'classic', rules: '3x3', name: '3 × 3', about: 'three in a row' },
  { id: 'four', rules: '4x4', name: '4 × 4', about: 'four in a row' },
  { id: 'gomoku', rules: '15x15:5', name: 'Gomoku', about: 'five on 15 × 15' },
  { id: 'connect4', rules: '6x7:4+gravity', name: 'Connect Four', about: 'pieces fall' },
  { id: 'misere', rules: '3x3+misere', name: 'Misère', about: 'three in a row loses' },
  { id: 'three', rules: '7x7:4+3p', name: '3 players', about: 'four on 7 × 7' },
  { id: 'custom', rules: null, name: 'Custom', about: 'any size, any twist' },
];

/**
 * @param {string} text
 * @returns {Rules}
 */
export function parseRules(text) {
  const [, height, width, length, options] = /^(\d+)x(\d+)(?::(\d+))?((?:\+\w+)*)$/.exec(text) ?? ['', '3', '3', undefined, ''];
  const flags = options.split('+');
  const [rows, cols] = [Number(height), Number(width)];
  const players = flags.find((flag) => /^\d+p$/.test(flag));
  return {
    rows,
    cols,
    k: Number(length ?? Math.min(rows, cols)),
    players: players ? parseInt(players, 10) : 2,
    misere: flags.includes('misere'),
    gravity: flags.includes('gravity'),
    wrap: flags.includes('wrap'),
    exact: flags.includes('exact'),
  };
}

/**
 * @param {Rules} rules
 */
export function formatRules({ rows, cols, k, players, misere, gravity, wrap, exact }) {
  const flags = Object.entries({ misere, gravity, wrap, exact }).filter(([, on]) => on).map(([flag]) => `+${flag}`);
  return `${rows}x${cols}:${k}${flags.join('')}${players > 2 ? `+${players}p` : ''}`;
}

/**
 * A short name, such as `Gomoku` or `5 × 5, 4 in a row, wrap`.
 * @param {string} text
 */
export function rulesName(text) {
  const board = BOARDS.find((known) => known.rules === text);
  if (board && board.id !== 'four') return board.name;
  const { rows, cols, k, players, misere, gravity, wrap, exact } = parseRules(text);
  const parts = [`${rows} × ${cols}`, k !== Math.min(rows, cols) && `${k} in a row`, misere && 'misère', gravity && 'gravity',
    wrap && 'wrap', exact && 'exact', players > 2 && `${players} players`];
  return parts.filter(Boolean).join(', ');
}

/**
 * The objective of a game, in a sentence.
 * @param {string} text
 */
export function rulesGoal(text) {
  const { k, misere, gravity, wrap, exact } = parseRules(text);
  const line = `${exact ? 'exactly ' : ''}${k} in a row`;
  const goal = misere ? `Get ${line} and you lose` : `Get ${line} to win`;
  const extras = [gravity && 'pieces fall to the bottom', wrap && 'lines continue across the edges'].filter(Boolean);
  return `${goal}${extras.length ? `; ${extras.join(', and ')}` : ''}.`;
}

/**
 * `0, 1` is `A2`.
 * @param {number} row
 * @param {number} col
 */
export const cellName = (row, col) => String.fromCharCode(65 + row) + (col + 1);

/**
 * `A2` is `[0, 1]`.
 * @param {string} name
 * @returns {[row: number, col: number]}
 */
export const parseCell = (name) => [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];
