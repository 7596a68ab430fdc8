// Every screen in light and dark, on a desktop and on a phone: accessible, still, and kept as a picture.

import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { begin, cell, close, inTurn, launch, person, PICTURES, play, REFUSALS, says, Server, shifts, signUp, sit, watchShifts } from './harness.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launch()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };
const LOOKS = [
  ['light-desktop', 'light', DESKTOP], ['dark-desktop', 'dark', DESKTOP], ['dark-phone', 'dark', PHONE], ['light-phone', 'light', PHONE],
];

/** Someone whose screens are inspected. */
async function inspected() {
  const page = await person(browser, server, { viewport: DESKTOP });
  // Injected by the browser itself, which the page's policy does not concern.
  await page.addInitScript(axe);
  return page;
}

/** Takes pictures of a screen, and lets axe look for violations in each of its looks. */
async function look(page, name) {
  await page.mouse.move(0, 0);
  for (const [suffix, colorScheme, size] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await page.screenshot({ path: join(PICTURES, `${name}-${suffix}.png`) });
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${name}, ${suffix}: ${id} ${nodes[0].html}`), []);
  }
  await page.setViewportSize(DESKTOP);
}

test('beginning: the first screen, rules of one’s own, symbols, how to play', async () => {
  const page = await inspected();
  await page.goto('/');
  await says(page, '.honesty', 'With perfect play nobody wins.');
  await look(page, 'home');
  await page.locator('.choose label', { hasText: 'Your own' }).click();
  await page.locator('details summary', { hasText: 'Options' }).click();
  await says(page, '.honesty', 'With perfect play the first player wins');
  await look(page, 'own-rules');
  await page.getByRole('button', { name: /^Symbol of player 1/ }).click();
  await look(page, 'symbols');
  await page.goto('/how-to-play');
  await page.locator('.keys').waitFor();
  await look(page, 'how-to-play');
  await close(page);
});

test('with a friend: the invitation, a game with a clock, a question, the end', async () => {
  const [ann, bob] = [await inspected(), await person(browser, server)];
  await signUp(ann, 'Ann');
  await signUp(bob, 'Bob');
  await ann.goto('/');
  await ann.getByText('Options').click();
  await ann.getByText('Rated', { exact: false }).first().click();
  await ann.getByLabel('Clock').selectOption('5 minutes + 3 s');
  await begin(ann, '3 × 3', 'link');
  await look(ann, 'invitation');
  await ann.getByRole('button', { name: 'QR code' }).click();
  await ann.getByRole('img', { name: /QR code/ }).waitFor();
  await look(ann, 'qr');
  await ann.getByRole('button', { name: 'Close' }).click();
  const cyd = await inspected();
  await cyd.goto(ann.url());
  await cyd.getByRole('button', { name: 'Play as O' }).waitFor();
  await look(cyd, 'joining');
  await close(cyd);
  await sit(bob, ann.url(), 'O');
  await inTurn([ann, bob], ['A1', 'B1']);
  assert.match(await ann.getByRole('timer', { name: 'Time of Bob' }).textContent(), /^[45]:\d\d$/);
  await bob.getByRole('button', { name: 'Ask for undo' }).click();
  await ann.getByRole('button', { name: 'Agree' }).waitFor();
  await look(ann, 'question');
  await ann.getByRole('button', { name: 'Refuse' }).click();
  await ann.getByRole('button', { name: 'Resign' }).click();
  await look(ann, 'resigning');
  await ann.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await inTurn([ann, bob], ['A2', 'B2', 'A3']);
  await ann.locator('.players li.winner .rating').waitFor();
  await look(ann, 'rated-over');

  await ann.goto('/leaderboard');
  await ann.locator('.place tr.marked', { hasText: 'Ann' }).waitFor();
  await look(ann, 'leaderboard');
  await ann.goto('/player/Ann');
  await ann.locator('.chart').waitFor();
  await look(ann, 'profile');
  await ann.goto('/account');
  await ann.getByLabel('What it is for').fill('my bot');
  await ann.getByRole('button', { name: 'Make a token' }).click();
  await ann.getByRole('button', { name: 'Revoke my bot' }).waitFor();
  await look(ann, 'account-named');
  await close(ann, bob);
});

test('other boards, and after the game', async () => {
  const page = await inspected();
  await begin(page, 'Gomoku', 'local');
  await play(page, 'H8', 'G7', 'H9', 'G8');
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.hint').waitFor();
  await look(page, 'gomoku');
  await begin(page, 'Connect Four', 'local');
  await play(page, 'F4', 'E4', 'F3', 'F5', 'F2', 'F1', 'D4');
  await look(page, 'connect-four');
  await begin(page, '3 players', 'local');
  await play(page, 'D4', 'C4', 'E4', 'D3', 'C5', 'E5');
  await look(page, 'three-players');
  await page.goto('/');
  await page.locator('.choose label', { hasText: 'Your own' }).click();
  for (const side of ['Rows', 'Columns']) {
    await page.getByRole('spinbutton', { name: side }).fill('26');
    await page.getByRole('spinbutton', { name: side }).press('Enter');
  }
  await page.locator('[data-way=local]').click();
  await page.locator('.connection[data-state=open]').waitFor();
  await play(page, 'A1', 'Z26');
  await look(page, 'largest');
  await begin(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await page.locator('.lost-at').waitFor();
  await look(page, 'game-over');
  await page.locator('.move', { hasText: 'A1' }).click();
  await page.getByRole('button', { name: 'Analysis' }).click();
  await page.locator('.value').first().waitFor();
  await look(page, 'analysis');
  await close(page);
});

test('around the games: the lobby, signing up, and addresses where nothing is', async () => {
  const [page, other] = [await inspected(), await person(browser, server)];
  await begin(other, 'Gomoku', 'anyone');
  await begin(page, '4 × 4', 'computer');
  await play(page, 'B2');
  await page.goto('/lobby');
  await page.getByRole('link', { name: /^Join/ }).waitFor();
  await page.getByRole('link', { name: /^Watch/ }).waitFor();
  await look(page, 'lobby');
  await other.goto('/lobby');
  await other.getByRole('link', { name: /^Watch/ }).click();
  await other.locator('.connection[data-state=open]').waitFor();
  assert.equal(await other.getByRole('button', { name: 'Resign' }).count(), 0);
  await page.goto('/leaderboard/online-many');
  await page.getByText('Nobody has played a rated game here yet').waitFor();
  await look(page, 'leaderboard-empty');
  await page.goto('/account');
  await look(page, 'account');

  const answer = await page.goto('/no/such/page');
  assert.equal(answer.status(), 404);
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  assert.equal(await page.title(), 'Nothing here · Noughts');
  await look(page, 'nothing-here');
  await page.getByRole('link', { name: 'Play a game' }).click();
  await page.getByRole('heading', { name: 'Play now' }).waitFor();
  await page.goto('/player/%E0%A4%A');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await page.goto('/game/nothing');
  await page.getByRole('heading', { name: 'No game here' }).waitFor();
  await look(page, 'no-game');
  page.expected = REFUSALS;
  await close(page, other);
});

test('nothing moves on its own, neither while others play nor while screens are loaded', async () => {
  const [cyd, dan] = await Promise.all([person(browser, server, { viewport: DESKTOP }), person(browser, server, { viewport: PHONE })]);
  const both = (action) => Promise.all([cyd, dan].map(action));
  await both(watchShifts);
  await signUp(cyd, 'Cyd');
  await signUp(dan, 'Dan');
  await cyd.goto('/');
  await cyd.getByText('Options').click();
  await cyd.getByText('Rated', { exact: false }).first().click();
  await begin(cyd, '3 × 3', 'link');
  await sit(dan, cyd.url(), 'O');
  await inTurn([cyd, dan], ['A1', 'B1', 'A2', 'B2', 'A3']);
  await both((page) => says(page, '.lost-at', 'lost the game'));
  await both((page) => page.locator('.players li.winner .rating').waitFor());
  assert.deepEqual(await both(shifts), [[], []]);
  for (const [address, ready] of [['/', '.honesty:not(:empty)'], ['/lobby', '.sections:not([hidden])'], ['/leaderboard', '.place tr.marked'],
    ['/player/Cyd', '.chart'], ['/how-to-play', '.keys'], ['/account', 'form']]) {
    await both((page) => page.goto(address));
    await both((page) => page.locator(ready).first().waitFor());
    await both((page) => page.waitForLoadState('networkidle'));
    assert.deepEqual([address, ...await both(shifts)], [address, [], []]);
  }
  await close(cyd, dan);
});

test('the picture of the README', async () => {
  const page = await person(browser, server, { colorScheme: 'light', viewport: { width: 1200, height: 790 } });
  await page.goto('/');
  await page.getByLabel('Name of player 1').fill('Ann');
  await page.getByLabel('Name of player 2').fill('Bob');
  await begin(page, 'Gomoku', 'local');
  await play(page, ...'H8 G9 G7 I8 G8 F9 F8 E9 F7 H6 F6 F5 I9 J10 E5'.split(' '));
  await says(page, '.status', 'Ann wins.');
  await page.mouse.move(0, 0);
  const path = join(PICTURES, 'readme.png');
  await page.screenshot({ path });
  // The picture in the repository is this one; it changes only when someone wants it to.
  if (process.env.UPDATE_PICTURE) await copyFile(path, new URL('../../../docs/page.png', import.meta.url));
  await close(page);
});
