// Analysis by the server, in words and in the cells.

import { get, query } from './api.js';

const kept = new Map();

/** What each cell of a position of a game is worth for whoever is to move. */
export async function analysis(game, ply) {
  const key = `${game} ${ply}`;
  if (!kept.has(key)) {
    const asked = get(`/games/${game}/analysis${query({ ply })}`);
    kept.set(key, asked);
    asked.catch(() => kept.delete(key));
    if (kept.size > 200) kept.delete(kept.keys().next().value);
  }
  const answer = await kept.get(key);
  return { ...answer, values: new Map(answer.cells.map((cell) => [cell.cell, shown(cell, answer.best)])) };
}

function shown({ cell, kind, plies, score }, best) {
  const looks = {
    win: { text: `W${plies ?? ''}`, words: `win in ${plies}` },
    draw: { text: '=', words: 'draw' },
    loss: { text: `L${plies ?? ''}`, words: `loss in ${plies}` },
    estimate: { text: estimate(score), words: `estimate ${estimate(score)}` },
  }[kind];
  return { kind, best: cell === best, ...looks };
}

/** Thousands are lines that lack one stone; beyond half a million a win or a loss is in sight. */
function estimate(score) {
  if (score > 500000) return '++';
  if (score < -500000) return '−−';
  const tens = Math.round(score / 100) / 10;
  return tens > 0 ? `+${tens}` : tens < 0 ? `−${-tens}` : '0';
}

/** A sentence about the best move. */
export function verdictOf({ best, values }, name) {
  const value = values.get(best);
  const worth = { win: `${name} wins`, draw: 'a draw', loss: `${name} loses`, estimate: 'not proven' }[value.kind];
  const when = value.kind === 'win' || value.kind === 'loss' ? ` (${value.words})` : value.kind === 'estimate' ? ` (${value.words})` : '';
  return `Best is ${best}: ${worth}${when}.`;
}

/** Where a game was lost, if that can be proven. */
export function losingMove(game) {
  return get(`/games/${game}/losing-move`).catch(() => null);
}
