// Light or dark: as the system prefers, until someone says otherwise.

import { s } from './dom.js';
import { remember } from './memory.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

const current = () => document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light');

export function installTheme(button) {
  const draw = () => {
    const other = current() === 'dark' ? 'light' : 'dark';
    button.setAttribute('aria-label', `Switch to ${other} colours`);
    button.title = `Switch to ${other} colours`;
    button.replaceChildren(other === 'light' ? sun() : moon());
  };
  button.addEventListener('click', () => {
    const theme = current() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    remember('theme', theme);
    draw();
  });
  dark.addEventListener('change', draw);
  draw();
}

const sun = () =>
  s('svg.glyph', { viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    s('circle', { cx: 12, cy: 12, r: 4.2 }),
    s('path', { d: 'M12 2.5v2.6M12 18.9v2.6M2.5 12h2.6M18.9 12h2.6M5.3 5.3l1.8 1.8M16.9 16.9l1.8 1.8M5.3 18.7l1.8-1.8M16.9 7.1l1.8-1.8' }));

const moon = () =>
  s('svg.glyph', { viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    s('path', { d: 'M20 14.2A8.2 8.2 0 0 1 9.8 4 8.2 8.2 0 1 0 20 14.2Z' }));
