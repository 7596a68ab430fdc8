// A rating over time, as a curve and as a table.

import { h, s } from './dom.js';

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 220, 60, 30];

export function ratingChart(points, name) {
  const ratings = points.map((point) => point.rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const [bottom, top] = niceRange(low, high);
  const x = (i) => LEFT + (points.length === 1 ? 0.5 : i / (points.length - 1)) * (WIDTH - LEFT - 10);
  const y = (rating) => 10 + (1 - (rating - bottom) / (top - bottom)) * (HEIGHT - BOTTOM - 10);
  const steps = [bottom, (bottom + top) / 2, top];
  const label = `Rating of ${name} over ${points.length} ${points.length === 1 ? 'game' : 'games'}: from ${ratings[0]} to ${ratings[ratings.length - 1]}, between ${low} and ${high}.`;
  const line = points.map((point, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(point.rating).toFixed(1)}`).join('');
  const svg = s('svg.chart', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    steps.map((rating) => [
      s('path.rule', { d: `M${LEFT} ${y(rating)}H${WIDTH - 10}` }),
      s('text', { x: LEFT - 8, y: y(rating), 'text-anchor': 'end', 'dominant-baseline': 'middle' }, String(Math.round(rating))),
    ]).flat(),
    points.length > 1 && s('path.curve', { d: line }),
    points.length <= 60 && points.map((point, i) => s('circle', { cx: x(i), cy: y(point.rating), r: 3.5 })),
    s('text', { x: LEFT, y: HEIGHT - 4 }, day(points[0].at)),
    points.length > 1 && s('text', { x: WIDTH - 10, y: HEIGHT - 4, 'text-anchor': 'end' }, day(points[points.length - 1].at)));
  const rows = [...points].reverse().slice(0, 200).map((point) =>
    h('tr', {}, h('td', {}, new Date(point.at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })), h('td', {}, String(point.rating)),
      h('td', {}, point.deviation ? `± ${Math.round(point.deviation)}` : '')));
  return [svg, h('details.more', {}, h('summary', {}, 'As a table'),
    h('div.scroll', {}, h('table.standings', {}, h('caption.unseen', {}, label),
      h('thead', {}, h('tr', {}, ['When', 'Rating', 'Unsure by'].map((text) => h('th', { scope: 'col' }, text)))), h('tbody', {}, rows))))];
}

const day = (at) => new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** Whole tens around all values. */
function niceRange(low, high) {
  const bottom = Math.floor((low - 1) / 20) * 20;
  const top = Math.ceil((high + 1) / 20) * 20;
  return [bottom, top];
}
