// How soon the first screen can be played: `npm run measure`. Measured, never asserted.
//
// Playable is when the button "On this screen" is in the document, with what it does; shown is when the
// frame with it has been drawn. Both are counted from the first byte of the document. An empty page with
// one module that makes one button tells what of it is the browser's own, and folders that are given as
// arguments are measured as well, as pages: `npm run measure -- FOLDER…`. All take turns, RUNS times (15).
// Work is the processor time of the browser's threads until playable, in a visit that is traced: it hardly
// depends on what else runs on the machine.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser, newUser, Server } from './harness.js';

const RUNS = Number(process.env.RUNS ?? 15);

/** Runs in the page before anything of its own. */
function watch() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-mode=local]')) return;
    observer.disconnect();
    globalThis.playable = performance.now();
    performance.mark('playable');
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { globalThis.shown = performance.now(); };
      port2.postMessage(null);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function load(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => globalThis.shown);
  return page.evaluate(() => {
    const [{ responseStart }] = performance.getEntriesByType('navigation');
    return { playable: globalThis.playable - responseStart, shown: globalThis.shown - responseStart };
  });
}

/** Three visits: in a browser that has just started, in a new profile, and again with nothing in the cache. */
async function visits(browser, server) {
  const young = await launchBrowser();
  const first = await visitor(young, server);
  const started = await load(first, '/');
  await young.close();
  const page = await visitor(browser, server);
  const cold = await load(page, '/');
  await page.waitForLoadState('networkidle');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  const again = await load(page, '/?again');
  await page.context().close();
  return { 'new browser': started, 'new profile': cold, 'empty cache': again };
}

/** Processor time of the browser's tasks between the response and when the page is playable, in milliseconds. */
async function work(browser, server) {
  const page = await visitor(browser, server);
  const categories = ['toplevel', 'loading', 'blink.user_timing', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await browser.startTracing(page, { categories });
  await load(page, '/');
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  await page.context().close();
  const begin = Math.min(...traceEvents.filter(({ name }) => name === 'ResourceReceiveResponse').map(({ ts }) => ts));
  // A trace that began too late says nothing.
  if (!Number.isFinite(begin)) return null;
  const end = traceEvents.find(({ name }) => name === 'playable').ts;
  const tasks = traceEvents.filter(({ name, ph, ts, dur }) => name === 'ThreadControllerImpl::RunTask' && ph === 'X' && ts < end && ts + dur > begin);
  // Of a task that is still running then, as much as has passed of it.
  return tasks.reduce((sum, { ts, dur, tdur }) => sum + (tdur ?? 0) * Math.min(1, (end - ts) / Math.max(dur, 1)), 0) / 1000;
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

function inWords(times) {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
  return `median ${at(0.5)} ms, best ${at(0)}, nine of ten within ${at(0.9)}`;
}

const empty = await emptyPage();
const pages = [['the page', []], ['an empty page', ['--page', empty]], ...process.argv.slice(2).map((folder) => [folder, ['--page', folder]])];
const browser = await launchBrowser();
const servers = await Promise.all(pages.map(([, flags]) => Server.start(flags)));
const before = loadavg()[0];
// The first visit of all warms the browser and the disk.
for (const server of servers) await visits(browser, server);
const times = new Map();
const keep = (key, time) => times.set(key, [...times.get(key) ?? [], ...(time === null ? [] : [time])]);
for (let run = 0; run < RUNS; run += 1) {
  for (const [i, server] of servers.entries()) {
    for (const [visit, { playable, shown }] of Object.entries(await visits(browser, server))) {
      keep(`${visit}, ${pages[i][0]}, playable`, playable);
      keep(`${visit}, ${pages[i][0]}, shown`, shown);
    }
    keep(`new profile, ${pages[i][0]}, work`, await work(browser, server));
  }
}
for (const key of [...times.keys()].sort()) console.log(`${key}: ${inWords(times.get(key))}`);
console.log(`${RUNS} runs; load average ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`);
await browser.close();
await Promise.all(servers.map((server) => server.stop()));
await rm(empty, { recursive: true });
