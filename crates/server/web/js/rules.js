// What rules are called. What they mean is the server's affair; here is only how to say it.

/** The boards on the first screen. */
export const BOARDS = [
  { id: 'classic', rules: '3x3', name: '3 × 3', about: 'three in a row' },
  { id: 'four', rules: '4x4', name: '4 × 4', about: 'four in a row' },
  { id: 'gomoku', rules: '15x15:5', name: 'Gomoku', about: 'five on 15 × 15' },
  { id: 'connect4', rules: '6x7:4+gravity', name: 'Connect Four', about: 'stones fall' },
  { id: 'misere', rules: '3x3+misere', name: 'Misère', about: 'three in a row loses' },
  { id: 'three', rules: '7x7:4+3p', name: '3 players', about: 'four on 7 × 7' },
  { id: 'own', rules: null, name: 'Your own', about: 'any size, any twist' },
];

/** The parts of a rules text, for drawing and describing. */
export function parse(text) {
  const match = /^(\d+)x(\d+)(?::(\d+))?((?:\+\w+)*)$/.exec(text) ?? ['', '3', '3', undefined, ''];
  const flags = match[4].split('+').filter(Boolean);
  const [rows, cols] = [Number(match[1]), Number(match[2])];
  const people = flags.find((flag) => /^\d+p$/.test(flag));
  return {
    rows,
    cols,
    k: Number(match[3] ?? Math.min(rows, cols)),
    players: people ? parseInt(people, 10) : 2,
    misere: flags.includes('misere'),
    gravity: flags.includes('gravity'),
    wrap: flags.includes('wrap'),
    exact: flags.includes('exact'),
  };
}

/** The text of such parts. */
export function write({ rows, cols, k, players, misere, gravity, wrap, exact }) {
  const flags = Object.entries({ misere, gravity, wrap, exact }).filter(([, on]) => on).map(([flag]) => `+${flag}`);
  return `${rows}x${cols}:${k}${flags.join('')}${players > 2 ? `+${players}p` : ''}`;
}

/** A short name for a list. */
export function nameOf(text) {
  const known = BOARDS.find((board) => board.rules === text);
  if (known && known.id !== 'four') return known.name;
  const rules = parse(text);
  const extras = [rules.misere && 'misère', rules.gravity && 'gravity', rules.wrap && 'wrap', rules.exact && 'exact',
    rules.players > 2 && `${rules.players} players`].filter(Boolean);
  const length = rules.k === Math.min(rules.rows, rules.cols) ? '' : `, ${rules.k} in a row`;
  return `${rules.rows} × ${rules.cols}${length}${extras.length ? `, ${extras.join(', ')}` : ''}`;
}

/** What one has to do, in a sentence. */
export function goalOf(text) {
  const { k, misere, gravity, wrap, exact } = parse(text);
  const line = `${exact ? 'exactly ' : ''}${k} in a row`;
  const goal = misere ? `Whoever gets ${line} loses` : `Get ${line} to win`;
  const extras = [gravity && 'stones fall to the bottom', wrap && 'lines go on across the edges'].filter(Boolean);
  return `${goal}${extras.length ? `; ${extras.join(', and ')}` : ''}.`;
}

/** `0, 1` is `A2`. */
export const boxName = (row, col) => String.fromCharCode(65 + row) + (col + 1);

/** `A2` is `[0, 1]`. */
export const boxAt = (name) => [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];
