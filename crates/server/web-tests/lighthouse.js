// Lighthouse on the first screen, a game, the lobby and a puzzle, as on a phone and on a desktop, over HTTPS and HTTP/2 as in
// production: `npm run lighthouse`. It fails below 98 of 100 in any category. How long the browser's main thread is blocked, a part
// of the performance, depends on what else the machine does: performance counts without it, unless that is asked for by
// `npm run lighthouse -- --blocking`, and on a machine that Lighthouse finds too slow or busy it is only printed. Lighthouse is an
// optional package: without it, this says so and succeeds.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { BROWSERS, launchBrowser, newUser, play, Server, startGame } from './harness.js';
import { startSecureProxy } from './secure-proxy.js';

const WANTED = 98;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/** The parts of the performance besides the blocking time, with their weights. */
const LOADING = { 'first-contentful-paint': 10, 'largest-contentful-paint': 25, 'speed-index': 10, 'cumulative-layout-shift': 25 };

/** The best of some runs counts. */
const ATTEMPTS = 3;

/** Below this, Lighthouse itself warns that it expects a faster machine. */
const MIN_BENCHMARK = 1000;

const COUNTS_BLOCKING = process.argv.includes('--blocking');

const lighthouse = await import('lighthouse').then((module) => module.default, () => null);
if (!lighthouse) {
  console.log('Lighthouse is not installed: nothing was measured.');
  process.exit();
}
const { launch } = await import('chrome-launcher');
const { default: desktop } = await import('lighthouse/core/config/desktop-config.js');

const percent = (/** @type {number | null | undefined} */ score) => Math.round((score ?? 0) * 100);

/** The scores of an address, of 100. */
async function scores(url, config) {
  const chromePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--ignore-certificate-errors'] });
  try {
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: 'error' }, config);
    const failed = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative');
    const weights = Object.entries(LOADING);
    const loading = weights.reduce((sum, [audit, weight]) => sum + weight * (lhr.audits[audit].score ?? 0), 0) / weights.reduce((sum, [, weight]) => sum + weight, 0);
    return {
      found: Object.fromEntries(CATEGORIES.map((category) => [category, percent(lhr.categories[category].score)])),
      loading: percent(loading),
      benchmark: lhr.environment.benchmarkIndex,
      failed: failed.map(({ id, displayValue }) => `${id} ${displayValue ?? ''}`.trim()),
    };
  } finally {
    chrome.kill();
  }
}

/** Whether every score that counts is high enough. */
const isEnough = ({ found: { performance, ...others }, loading, benchmark }) =>
  Object.values(others).every((score) => score >= WANTED) && (benchmark < MIN_BENCHMARK || (COUNTS_BLOCKING ? performance : loading) >= WANTED);

const server = await Server.start();
const proxy = await startSecureProxy(server.url);
try {
  const browser = await launchBrowser();
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  const game = new URL(page.url()).pathname;
  await browser.close();
  const low = [];
  for (const [name, path] of [['first screen', '/'], ['game', game], ['lobby', '/lobby'], ['puzzle', '/puzzles']]) {
    for (const [device, config] of [['phone', undefined], ['desktop', desktop]]) {
      let best = null;
      for (let attempt = 0; attempt < ATTEMPTS && !(best && best.loading >= WANTED && isEnough(best)); attempt += 1) {
        const next = await scores(proxy.url + path, config);
        best = !best || next.loading > best.loading ? next : best;
      }
      const found = Object.entries(best.found).map(([category, score]) => `${category} ${score}`).join(', ');
      console.log(`${name}, ${device}: ${found}; loading ${best.loading} (benchmark ${best.benchmark}${best.benchmark < MIN_BENCHMARK ? ', too slow or busy to count' : ''})`);
      if (!isEnough(best)) low.push(`${name}, ${device}: ${found}, loading ${best.loading} (${best.failed.join('; ')})`);
    }
  }
  assert.deepEqual(low, []);
} finally {
  proxy.close();
  await server.stop();
}
process.exit();
