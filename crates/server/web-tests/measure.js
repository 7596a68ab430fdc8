// How soon the first screen is interactive: `npm run measure [-- FOLDER…]`. Measured, never asserted.
//
// The screen is interactive when its button "Two players here" is in the document with its handler,
// and painted when a frame with the button has been drawn. Both are counted from the first byte of the
// document. An empty page with one module that makes one button shows what the browser itself takes; folders
// given as arguments are measured too, as pages. All take turns, RUNS times (15). CPU time is that of the
// browser's threads until the screen is interactive, from a traced visit; it hardly depends on other load.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser, newUser, Server } from './harness.js';

const RUNS = Number(process.env.RUNS ?? 15);

/** Runs in the page before its own scripts. */
function watch() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-mode=local]')) return;
    observer.disconnect();
    globalThis.interactive = performance.now();
    performance.mark('interactive');
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { globalThis.painted = performance.now(); };
      port2.postMessage(null);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function load(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => globalThis.painted);
  return page.evaluate(() => {
    const [{ responseStart }] = performance.getEntriesByType('navigation');
    return { interactive: globalThis.interactive - responseStart, painted: globalThis.painted - responseStart };
  });
}

/** Three visits: in a browser that has just started, in a new profile, and again with an empty cache. */
async function visits(browser, server) {
  const started = await launchBrowser();
  const newBrowser = await load(await visitor(started, server), '/');
  await started.close();
  const page = await visitor(browser, server);
  const newProfile = await load(page, '/');
  await page.waitForLoadState('networkidle');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  const emptyCache = await load(page, '/?again');
  await page.context().close();
  return { 'new browser': newBrowser, 'new profile': newProfile, 'empty cache': emptyCache };
}

/** Milliseconds of CPU time of the browser's tasks between the response and the interactive screen. */
async function cpuTime(browser, server) {
  const page = await visitor(browser, server);
  const categories = ['toplevel', 'loading', 'blink.user_timing', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await browser.startTracing(page, { categories });
  await load(page, '/');
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  await page.context().close();
  const begin = Math.min(...traceEvents.filter(({ name }) => name === 'ResourceReceiveResponse').map(({ ts }) => ts));
  // The trace began too late.
  if (!Number.isFinite(begin)) return null;
  const end = traceEvents.find(({ name }) => name === 'interactive').ts;
  const tasks = traceEvents.filter(({ name, ph, ts, dur }) => name === 'ThreadControllerImpl::RunTask' && ph === 'X' && ts < end && ts + dur > begin);
  // Of a task still running at the end, its share until then.
  return tasks.reduce((sum, { ts, dur, tdur }) => sum + (tdur ?? 0) * Math.min(1, (end - ts) / Math.max(dur, 1)), 0) / 1000;
}

/** Requests and bytes until the network is idle, with the modules of a game that are loaded in advance. */
async function transfer(browser, server) {
  const page = await visitor(browser, server);
  const session = await page.context().newCDPSession(page);
  const sizes = [];
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength));
  await load(page, '/');
  await page.waitForLoadState('networkidle');
  await page.context().close();
  return { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function visitor(browser, server) {
  const page = await newUser(browser, server);
  await page.addInitScript(watch);
  return page;
}

async function emptyPage() {
  const folder = await mkdtemp(join(tmpdir(), 'noughts-empty-'));
  await mkdir(join(folder, 'js'));
  await writeFile(join(folder, 'index.html'),
    '<!doctype html><title>Empty</title><link rel="icon" href="data:,"><script type="module" src="/assets/HASH/js/app.js"></script><body>');
  await writeFile(join(folder, 'js/app.js'),
    "const button = document.createElement('button');\nbutton.dataset.mode = 'local';\ndocument.body.append(button);\n");
  return folder;
}

function summary(times) {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
  return `median ${at(0.5)}, best ${at(0)}, 90th percentile ${at(0.9)}`;
}

const empty = await emptyPage();
const pages = [['the page', []], ['an empty page', ['--page', empty]], ...process.argv.slice(2).map((folder) => [folder, ['--page', folder]])];
const browser = await launchBrowser();
const servers = await Promise.all(pages.map(([, flags]) => Server.start(flags)));
const before = loadavg()[0];
// The first visit warms up the browser and the disk.
for (const server of servers) await visits(browser, server);
const times = new Map();
const record = (key, value) => times.set(key, [...times.get(key) ?? [], ...(value === null ? [] : [value])]);
for (let run = 0; run < RUNS; run += 1) {
  for (const [i, server] of servers.entries()) {
    for (const [visit, { interactive, painted }] of Object.entries(await visits(browser, server))) {
      record(`${visit}, ${pages[i][0]}, ms until interactive`, interactive);
      record(`${visit}, ${pages[i][0]}, ms until painted`, painted);
    }
    record(`new profile, ${pages[i][0]}, ms of CPU time`, await cpuTime(browser, server));
    const { requests, bytes } = await transfer(browser, server);
    record(`new profile, ${pages[i][0]}, requests`, requests);
    record(`new profile, ${pages[i][0]}, bytes`, bytes);
  }
}
for (const key of [...times.keys()].sort()) console.log(`${key}: ${summary(times.get(key))}`);
console.log(`${RUNS} runs; load average ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`);
await browser.close();
await Promise.all(servers.map((server) => server.stop()));
await rm(empty, { recursive: true });
