// What the tests share: a server of their own, a browser, and steps that many tests take.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A folder to serve instead of the page in the program, to try changes without building. */
const PAGE = process.env.NOUGHTS_PAGE;
const PROGRAM = process.env.NOUGHTS_PROGRAM ?? join(ROOT, 'target/debug/noughts');
export const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const TIMEOUT_MS = 30_000;

/** The folder for screenshots. */
export const SCREENSHOTS = join(ROOT, 'target/page');

/** A server with a database of its own on a free port. */
export class Server {
  static async start(flags = []) {
    const server = new Server();
    server.flags = flags;
    server.folder = await mkdtemp(join(tmpdir(), 'noughts-page-'));
    await server.run('127.0.0.1:0');
    return server;
  }

  async run(listen) {
    // Tests click faster than people.
    const limits = ['--requests-per-second', '1000', '--sign-ins-per-minute', '10000', '--commands-per-second', '1000'];
    this.process = spawn(PROGRAM, ['serve', '--listen', listen, '--data', join(this.folder, 'noughts.db'), '--log', 'warn', ...limits, ...PAGE ? ['--page', PAGE] : [], ...this.flags],
      { stdio: ['ignore', 'pipe', 'inherit'] });
    this.exited = new Promise((resolve) => this.process.once('exit', resolve));
    this.url = await new Promise((resolve, reject) => {
      let output = '';
      this.process.stdout.on('data', (data) => {
        output += data;
        const match = /http:\/\/\S+/.exec(output);
        if (match) resolve(match[0]);
      });
      this.process.once('error', reject);
      this.process.once('exit', () => reject(new Error(`the server exited: ${output}`)));
    });
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.exited;
  }

  restart() {
    return this.run(new URL(this.url).host);
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.exited;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Launches Chromium as the system has it; none is downloaded. */
export async function launchBrowser() {
  await mkdir(SCREENSHOTS, { recursive: true });
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  assert.ok(executablePath, 'Chromium is not installed');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
}

/**
 * A page with a browser profile of its own. `output` collects console messages, errors and requests
 * to other hosts; `closePages` fails on any that does not match `expected`.
 */
export async function newUser(browser, server, options = {}) {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  page.output = [];
  page.on('console', (message) => page.output.push(message.text()));
  page.on('pageerror', (error) => page.output.push(String(error)));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const isOwn = host === new URL(server.url).host || protocol === 'data:' || protocol === 'blob:';
    if (!isOwn) page.output.push(`request to another host: ${request.url()}`);
  });
  return page;
}

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };
const TABLET = { width: 820, height: 1180 };
const LOOKS = [
  ['light-desktop', 'light', DESKTOP], ['dark-desktop', 'dark', DESKTOP], ['dark-phone', 'dark', PHONE], ['light-phone', 'light', PHONE],
  ['rtl-phone', 'light', PHONE], ['rtl-desktop', 'dark', DESKTOP],
];

/** Elements that stick out of a screen, which would scroll sideways, by this many pixels. */
export const sticksOut = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A user whose screens axe can check. */
export async function inspectedUser(browser, server, options = {}) {
  const page = await newUser(browser, server, { viewport: DESKTOP, ...options });
  // Injected by the browser, past the page’s Content-Security-Policy.
  await page.addInitScript(axe);
  return page;
}

/**
 * Takes screenshots of a screen at three widths, and checks its accessibility in light and dark, on a desktop and on a phone, and
 * when it runs from right to left. Nothing may stick out.
 */
export async function checkLooks(page, name) {
  await page.mouse.move(0, 0);
  for (const [suffix, colorScheme, size] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await page.evaluate((dir) => { document.documentElement.dir = dir; }, suffix.startsWith('rtl') ? 'rtl' : 'ltr');
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${suffix}.png`) });
    assert.equal(await sticksOut(page), 0, `${name}, ${suffix}`);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${name}, ${suffix}: ${id} ${nodes[0].html}`), []);
  }
  await page.evaluate(() => { document.documentElement.dir = 'ltr'; });
  await page.setViewportSize(TABLET);
  await page.screenshot({ path: join(SCREENSHOTS, `${name}-tablet.png`) });
  await page.setViewportSize(DESKTOP);
}

/** What the browser itself logs about refusals and lost connections. */
export const NETWORK_ERRORS = /^Failed to load resource|^WebSocket connection to/;

/** Closes pages, whose output must have been as expected. */
export async function closePages(...pages) {
  for (const page of pages) {
    const unexpected = page.output.filter((line) => !page.expected?.test(line));
    assert.deepEqual(unexpected, []);
  }
  await Promise.all(pages.map((page) => page.context().close()));
}

/** Records layout shifts that no input explains, from the next load on. */
export async function recordLayoutShifts(page) {
  await page.addInitScript(() => {
    globalThis.layoutShifts = [];
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources } of list.getEntries()) {
        if (!hadRecentInput) globalThis.layoutShifts.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? 'unknown'));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The layout shifts so far. */
export const layoutShifts = (page) => page.evaluate(() => globalThis.layoutShifts);

/** The element of a cell such as A1. */
export const cell = (page, name) => page.locator(`[role=grid] [data-cell="${name}"]:not([inert] *)`);

/** Waits until a move is on the board and confirmed by the server. */
export const waitForMove = (page, name) => page.locator(`[data-cell="${name}"].taken:not(.pending)`).waitFor();

/** Waits until an element contains a text. */
export const waitForText = (page, selector, text) => page.locator(selector, { hasText: text }).first().waitFor();

/** Waits for the game's WebSocket. */
export const waitForConnection = (page) => page.locator('.connection[data-state=open]').waitFor({ state: 'attached' });

/** Plays moves one after another on one page. */
export async function play(page, ...moves) {
  for (const move of moves) {
    await cell(page, move).click();
    await waitForMove(page, move);
  }
}

/** Plays moves on several pages in turn; all of them see each move. */
export async function playInTurn(pages, moves) {
  for (const [i, move] of moves.entries()) {
    await cell(pages[i % pages.length], move).click();
    await Promise.all(pages.map((page) => waitForMove(page, move)));
  }
}

/** Chooses a game on the first screen: one with a tile, or one of the list behind the last tile. */
export async function chooseBoard(page, board) {
  await page.goto('/');
  await page.locator('.tile').first().waitFor();
  const tile = page.locator('.tile', { has: page.getByText(board, { exact: true }) });
  if (await tile.count()) return tile.click();
  await page.locator('.tile', { hasText: 'More games' }).click();
  await page.locator('.more-games label', { has: page.getByText(board, { exact: true }) }).click();
}

/** Starts a game from the first screen. */
export async function startGame(page, board, mode) {
  await chooseBoard(page, board);
  await page.locator(`[data-mode=${mode}]`).click();
  await page.waitForURL(/\/game\//);
  await waitForConnection(page);
}

/** Opens the link to a game and takes a seat. */
export async function joinGame(page, link, symbol) {
  await page.goto(link);
  await page.getByRole('button', { name: `Play as ${symbol}` }).click();
  await page.locator('.players li', { hasText: 'You' }).waitFor();
  await waitForConnection(page);
}

export async function signUp(page, name) {
  await page.goto('/account');
  const form = page.locator('section', { hasText: 'Sign up' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Password').fill('correct horse');
  await form.getByRole('button').click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Checks "Rated" among the options of the first screen. */
export async function chooseRated(page) {
  await page.goto('/');
  await page.getByText('Names, time and more').click();
  await page.getByRole('checkbox', { name: 'Rated' }).check();
}
