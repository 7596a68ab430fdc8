// Tournaments: created, joined by link, played and won.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, checkLooks, closePages, inspectedUser, launchBrowser, NETWORK_ERRORS, newUser, playInTurn, Server, waitForConnection, waitForMove, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(['--tournament-break-seconds', '1']), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Creates a tournament on the page and returns its address. */
async function create(page, name, format, length) {
  await page.goto('/tournaments');
  await page.getByRole('button', { name: 'Create a tournament' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('radio', { name: format }).check();
  await dialog.getByRole('spinbutton').fill(String(length));
  await dialog.getByRole('button', { name: 'Create a tournament' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page.url();
}

/** Joins a tournament under a name. */
async function join(page, address, name) {
  await page.goto(address);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('button', { name: 'Leave' }).waitFor();
}

/** Of two players in a game, the one who moves first, and the other. */
async function inTurnOrder(pages) {
  await Promise.all(pages.map((page) => waitForConnection(page)));
  const first = await Promise.any(pages.map(async (page) => {
    await page.locator('.status', { hasText: /your turn|you start|your move/i }).waitFor();
    return page;
  }));
  return [first, ...pages.filter((page) => page !== first)];
}

test('a round robin is created, joined by link, played and won', async () => {
  const teacher = await inspectedUser(browser, server);
  const pupils = [await newUser(browser, server), await newUser(browser, server)];
  const address = await create(teacher, 'Class 4b', 'Round robin', 1);
  await checkLooks(teacher, 'tournament-waiting');
  await Promise.all(pupils.map((pupil, i) => join(pupil, address, `Pupil ${i + 1}`)));
  await waitForText(teacher, '.standings', 'Pupil 2');
  await teacher.getByRole('button', { name: 'Start now' }).click();
  // The game opens by itself.
  await Promise.all(pupils.map((pupil) => pupil.waitForURL(/\/game\//)));
  await teacher.getByRole('link', { name: /^Watch/ }).waitFor();
  await checkLooks(teacher, 'tournament-running');
  const [first, second] = await inTurnOrder(pupils);
  await waitForText(first, '.note', 'for your first move');
  assert.equal(await first.getByRole('button', { name: 'Abort' }).count(), 0);
  await playInTurn([first, second], ['A1', 'B1', 'A2', 'B2']);
  await cell(first, 'A3').click();
  await waitForMove(second, 'A3');
  await second.getByRole('link', { name: 'Back to the tournament' }).click();
  await waitForText(second, '.tournament-status', 'wins the tournament!');
  await teacher.getByText('Final standings').waitFor();
  await checkLooks(teacher, 'tournament-finished');
  const [download] = await Promise.all([teacher.waitForEvent('download'), teacher.getByRole('link', { name: 'Table as CSV' }).click()]);
  const table = (await (await download.createReadStream()).toArray()).join('');
  assert.match(table, /^rank,name,points[^\r]*\r\n1,"Pupil \d",2,1,1,0,0,/);
  [teacher, ...pupils].forEach((page) => (page.expected = NETWORK_ERRORS));
  await closePages(teacher, ...pupils);
});

test('the next game of an arena opens by itself', async () => {
  const [ann, bob] = [await newUser(browser, server), await newUser(browser, server)];
  const address = await create(ann, 'Quick arena', 'Arena', 1);
  await join(ann, address, 'Ann');
  await join(bob, address, 'Bob');
  await ann.getByRole('button', { name: 'Start now' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForURL(/\/game\//)));
  const game = ann.url();
  const [first] = await inTurnOrder([ann, bob]);
  await first.getByRole('button', { name: 'Resign' }).click();
  await first.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForURL((url) => /\/game\//.test(url.pathname) && String(url) !== game)));
  [ann, bob].forEach((page) => (page.expected = NETWORK_ERRORS));
  await closePages(ann, bob);
});

test('tournaments are listed, and the form is accessible', async () => {
  const page = await inspectedUser(browser, server);
  await create(page, 'Open arena', 'Arena', 5);
  await page.goto('/tournaments');
  await page.getByRole('link', { name: /Open arena/ }).first().waitFor();
  await checkLooks(page, 'tournaments');
  await page.getByRole('button', { name: 'Create a tournament' }).click();
  await checkLooks(page, 'tournament-form');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.goto('/tournament/01jz0000000000000000000000');
  await page.getByRole('heading', { name: 'Tournament not found' }).waitFor();
  page.expected = NETWORK_ERRORS;
  await closePages(page);
});
