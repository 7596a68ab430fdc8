// Lighthouse on the first screen, a game and the lobby, as on a phone and on a desktop: `npm run lighthouse`. It fails below
// 98 of 100 in any category; performance is a speed, which depends on the machine, and is printed only, unless asked for:
// `npm run lighthouse -- --performance`. Lighthouse is an optional package: without it, this says so and succeeds.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { BROWSERS, launchBrowser, newUser, play, Server, startGame } from './harness.js';

const WANTED = 98;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/** The best of some runs counts. */
const ATTEMPTS = 3;

/** Whether the performance has to be high enough, too. */
const CHECKS_PERFORMANCE = process.argv.includes('--performance');

const lighthouse = await import('lighthouse').then((module) => module.default, () => null);
if (!lighthouse) {
  console.log('Lighthouse is not installed: nothing was measured.');
  process.exit();
}
const { launch } = await import('chrome-launcher');
const { default: desktop } = await import('lighthouse/core/config/desktop-config.js');

/** The scores of an address, of 100. */
async function scores(url, config) {
  const chromePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] });
  try {
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: 'error' }, config);
    const failed = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative');
    return { benchmark: lhr.environment.benchmarkIndex, found: CATEGORIES.map((category) => Math.round((lhr.categories[category].score ?? 0) * 100)), failed: failed.map(({ id, displayValue }) => `${id} ${displayValue ?? ''}`.trim()) };
  } finally {
    chrome.kill();
  }
}

/** Whether every score that is checked is high enough. */
const isEnough = ({ found }) => found.every((score, i) => score >= WANTED || (i === 0 && !CHECKS_PERFORMANCE));

const server = await Server.start();
try {
  const browser = await launchBrowser();
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  const game = page.url();
  await browser.close();
  const low = [];
  for (const [name, url] of [['first screen', server.url], ['game', game], ['lobby', new URL('/lobby', server.url).href]]) {
    for (const [device, config] of [['phone', undefined], ['desktop', desktop]]) {
      let best = null;
      for (let attempt = 0; attempt < ATTEMPTS && !(best && isEnough(best)); attempt += 1) {
        const next = await scores(url, config);
        best = !best || next.found[0] > best.found[0] ? next : best;
      }
      console.log(`${name}, ${device}: ${CATEGORIES.map((category, i) => `${category} ${best.found[i]}`).join(', ')} (benchmark ${best.benchmark})`);
      if (!isEnough(best)) low.push(`${name}, ${device}: ${best.found} (${best.failed.join('; ')})`);
    }
  }
  assert.deepEqual(low, []);
} finally {
  await server.stop();
}
