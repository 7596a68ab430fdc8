// What the tests share: a server of their own, a browser, and pages that tell when something is wrong.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '../../..');
const PROGRAM = process.env.NOUGHTS_PROGRAM ?? join(ROOT, 'target/debug/noughts');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where pictures are kept. */
export const PICTURES = join(ROOT, 'target/page');

/** A server with a file of its own, on a port that was free. */
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
    this.process = spawn(PROGRAM, ['serve', '--listen', listen, '--data', join(this.folder, 'noughts.db'), '--log', 'warn', ...limits, ...this.flags],
      { stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = new Promise((ended) => this.process.once('exit', ended));
    this.url = await new Promise((found, failed) => {
      let text = '';
      this.process.stdout.on('data', (data) => {
        text += data;
        const match = /http:\/\/\S+/.exec(text);
        if (match) found(match[0]);
      });
      this.process.once('error', failed);
      this.process.once('exit', () => failed(new Error(`the server ended: ${text}`)));
    });
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  restart() {
    return this.run(new URL(this.url).host);
  }

  async stop() {
    this.process.kill('SIGTERM');
    await this.ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Debian's Chromium, or another that is installed; none is ever downloaded. */
export async function launch() {
  await mkdir(PICTURES, { recursive: true });
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  assert.ok(executablePath, 'no Chromium is installed');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
}

/** A person with a browser of their own. Whatever the page prints or breaks is kept in `said`. */
export async function person(browser, server, options = {}) {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.said = [];
  page.on('console', (message) => page.said.push(message.text()));
  page.on('pageerror', (error) => page.said.push(String(error)));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const own = host === new URL(server.url).host || protocol === 'data:' || protocol === 'blob:';
    if (!own) page.said.push(`asked another host: ${request.url()}`);
  });
  return page;
}

/** What moved on its own in a page, from when it is loaded: layout shifts that nobody's click explains. */
export async function watchShifts(page) {
  await page.addInitScript(() => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources } of list.getEntries()) {
        if (!hadRecentInput) globalThis.shifts.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? 'something'));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Those so far. */
export const shifts = (page) => page.evaluate(() => globalThis.shifts);

/** The cell with a box name. */
export const cell = (page, box) => page.locator(`[role=grid] [data-box="${box}"]`);

/** Plays boxes one after another, each when it is there. */
export async function play(page, ...boxes) {
  for (const box of boxes) {
    await cell(page, box).click();
    await taken(page, box);
  }
}

/** Waits until a box is taken and the server has said so. */
export const taken = (page, box) => page.locator(`[data-box="${box}"].taken:not(.pending)`).waitFor();

/** Waits until a line says something. */
export const says = (page, selector, text) => page.locator(selector, { hasText: text }).first().waitFor();

/** Begins a game on the first screen. */
export async function begin(page, board, way) {
  await page.goto('/');
  await page.locator('.choose > .choice label', { hasText: board }).first().click();
  await page.locator(`[data-way=${way}]`).click();
  await page.waitForURL(/\/game\//);
  await page.locator('.connection[data-state=open]').waitFor();
}

/** Follows a link to a game and takes a seat. */
export async function sit(page, link, symbol) {
  await page.goto(link);
  await page.getByRole('button', { name: `Play as ${symbol}` }).click();
  await page.locator('.players li', { hasText: 'you' }).waitFor();
  await page.locator('.connection[data-state=open]').waitFor();
}

export async function signUp(page, name) {
  await page.goto('/account');
  const form = page.locator('section', { hasText: 'Sign up' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Password').fill('correct horse');
  await form.getByRole('button').click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Each plays a box in turn, and all see it. */
export async function inTurn(people, boxes) {
  for (const [i, box] of boxes.entries()) {
    await cell(people[i % people.length], box).click();
    await Promise.all(people.map((page) => taken(page, box)));
  }
}

/** What the browser itself tells the console of answers that are refusals, and of a server that is away. */
export const REFUSALS = /^Failed to load resource|^WebSocket connection to/;

/** People go, and their pages have said nothing all the time but what was expected. */
export async function close(...pages) {
  for (const page of pages) {
    const unexpected = page.said.filter((line) => !page.expected?.test(line));
    assert.deepEqual(unexpected, []);
  }
  await Promise.all(pages.map((page) => page.context().close()));
}
