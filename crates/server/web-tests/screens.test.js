// Every screen in light and dark, on a desktop and on a phone: accessible, stable, and kept as a screenshot.

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkLooks, chooseBoard, chooseRated, closePages, DESKTOP, inspectedUser, joinGame, launchBrowser, layoutShifts, NETWORK_ERRORS, newUser, PHONE, play, playInTurn, recordLayoutShifts, SCREENSHOTS, Server, signUp, startGame, waitForConnection, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('starting screens are accessible', async () => {
  const page = await inspectedUser(browser, server);
  await page.goto('/');
  await waitForText(page, '.verdict', 'it’s a draw.');
  await checkLooks(page, 'home');
  await chooseBoard(page, 'Your rules');
  await page.getByText('Names, time and more').click();
  // On a busy machine the solver may not finish.
  await waitForText(page, '.verdict', 'perfect play');
  await checkLooks(page, 'custom-rules');
  await page.getByRole('button', { name: /^Symbol of player 1/ }).click();
  await checkLooks(page, 'symbols');
  await page.goto('/how-to-play');
  await page.locator('.keys').waitFor();
  await checkLooks(page, 'how-to-play');
  await closePages(page);
});

test('online game screens are accessible', async () => {
  const [ann, bob] = [await inspectedUser(browser, server), await newUser(browser, server)];
  await signUp(ann, 'Ann');
  await signUp(bob, 'Bob');
  await chooseRated(ann);
  await ann.getByLabel('Time for each player').selectOption('5 minutes + 3 s a move');
  await startGame(ann, '3 × 3', 'link');
  await ann.getByRole('img', { name: /QR code/ }).waitFor();
  await waitForText(ann, '.bored', 'Warm up while you wait.');
  await checkLooks(ann, 'invitation');
  await ann.getByRole('button', { name: 'Share' }).click();
  await ann.getByRole('dialog').getByRole('button', { name: 'QR code' }).click();
  await ann.getByRole('dialog', { name: 'QR code' }).getByRole('img', { name: /QR code/ }).waitFor();
  await checkLooks(ann, 'qr');
  await ann.locator('dialog').last().getByRole('button', { name: 'Close' }).click();
  await ann.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const cyd = await inspectedUser(browser, server);
  await cyd.goto(ann.url());
  await cyd.getByRole('button', { name: 'Play as O' }).waitFor();
  await checkLooks(cyd, 'joining');
  await closePages(cyd);
  await joinGame(bob, ann.url(), 'O');
  await playInTurn([ann, bob], ['A1', 'B1']);
  assert.match(await ann.getByRole('timer', { name: 'Time of Bob' }).textContent(), /^[45]:\d\d$/);
  await bob.getByRole('button', { name: 'Ask to undo' }).click();
  await ann.getByRole('button', { name: 'Allow' }).waitFor();
  await checkLooks(ann, 'undo-request');
  await ann.getByRole('button', { name: 'No', exact: true }).click();
  await ann.getByRole('button', { name: 'Resign' }).click();
  await checkLooks(ann, 'resigning');
  await ann.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await playInTurn([ann, bob], ['A2', 'B2', 'A3']);
  await waitForText(ann, '.note', 'Rating ');
  await checkLooks(ann, 'rated-over');

  await ann.goto('/leaderboard');
  await ann.locator('.your-rank tr.marked', { hasText: 'Ann' }).waitFor();
  await checkLooks(ann, 'leaderboard');
  await ann.goto('/player/Ann');
  await ann.locator('.chart').waitFor();
  await checkLooks(ann, 'profile');
  await ann.goto('/account');
  await ann.getByLabel('Label').fill('my bot');
  await ann.getByRole('button', { name: 'Create token' }).click();
  await ann.getByRole('button', { name: 'Revoke my bot' }).waitFor();
  await checkLooks(ann, 'account-settings');
  await closePages(ann, bob);
});

test('local game screens are accessible', async () => {
  const page = await inspectedUser(browser, server);
  await startGame(page, 'Gomoku', 'local');
  await play(page, 'H8', 'G7', 'H9', 'G8');
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.hint').waitFor({ state: 'attached' });
  await checkLooks(page, 'gomoku');
  await startGame(page, 'Connect Four', 'local');
  await play(page, 'F4', 'E4', 'F3', 'F5', 'F2', 'F1', 'D4');
  await checkLooks(page, 'connect-four');
  await startGame(page, 'Three players', 'local');
  await play(page, 'D4', 'C4', 'E4', 'D3', 'C5', 'E5');
  await checkLooks(page, 'three-players');
  await chooseBoard(page, 'Your rules');
  for (const side of ['Rows', 'Columns']) {
    await page.getByRole('spinbutton', { name: side }).fill('26');
    await page.getByRole('spinbutton', { name: side }).press('Enter');
  }
  await page.locator('[data-mode=local]').click();
  await waitForConnection(page);
  await play(page, 'A1', 'Z26');
  await checkLooks(page, 'largest');
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await page.locator('.losing-move').waitFor();
  await checkLooks(page, 'game-over');
  await page.locator('.move', { hasText: 'A1' }).click();
  await page.getByRole('button', { name: 'Analysis' }).click();
  await page.locator('.board .verdict-ring').first().waitFor({ state: 'attached' });
  await checkLooks(page, 'analysis');
  await closePages(page);
});

test('lobby and error screens are accessible', async () => {
  const [page, other, third] = [await inspectedUser(browser, server), await newUser(browser, server), await newUser(browser, server)];
  await startGame(other, 'Gomoku', 'online');
  await startGame(third, '4 × 4', 'computer');
  await play(third, 'B2');
  await page.goto('/lobby');
  await page.getByRole('link', { name: /^Join/ }).waitFor();
  await page.getByRole('link', { name: /^Watch/ }).waitFor();
  await checkLooks(page, 'lobby');
  await other.goto('/lobby');
  await other.getByRole('link', { name: /^Watch/ }).click();
  await waitForConnection(other);
  assert.equal(await other.getByRole('button', { name: 'Resign' }).count(), 0);
  await page.goto('/leaderboard/gomoku');
  await page.getByText('Nobody is ranked here yet').waitFor();
  await checkLooks(page, 'leaderboard-empty');
  await page.goto('/account');
  await checkLooks(page, 'account');

  const answer = await page.goto('/no/such/page');
  assert.equal(answer.status(), 404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  assert.equal(await page.title(), 'Page not found · Noughts');
  await checkLooks(page, 'page-not-found');
  await page.getByRole('link', { name: 'Play a game' }).click();
  await page.getByRole('heading', { name: 'Get them in a row' }).waitFor();
  await page.goto('/player/%E0%A4%A');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.goto('/game/nothing');
  await page.getByRole('heading', { name: 'Game not found' }).waitFor();
  await checkLooks(page, 'game-not-found');
  page.expected = NETWORK_ERRORS;
  await closePages(page, other, third);
});

test('nothing moves on its own', async () => {
  const [cyd, dan] = await Promise.all([newUser(browser, server, { viewport: DESKTOP }), newUser(browser, server, { viewport: PHONE })]);
  const both = (action) => Promise.all([cyd, dan].map(action));
  await both(recordLayoutShifts);
  await signUp(cyd, 'Cyd');
  await signUp(dan, 'Dan');
  await chooseRated(cyd);
  await startGame(cyd, '3 × 3', 'link');
  await joinGame(dan, cyd.url(), 'O');
  await playInTurn([cyd, dan], ['A1', 'B1', 'A2', 'B2', 'A3']);
  await both((page) => waitForText(page, '.losing-move', 'B'));
  await both((page) => waitForText(page, '.note', 'Rating '));
  assert.deepEqual(await both(layoutShifts), [[], []]);
  for (const [address, ready] of [['/', '.puzzle-card .board'], ['/puzzles', '.puzzle .board'], ['/lobby', '.sections:not([hidden])'], ['/leaderboard', '.your-rank tr.marked'],
    ['/player/Cyd', '.chart'], ['/how-to-play', '.keys'], ['/account', 'form']]) {
    await both((page) => page.goto(address));
    await both((page) => page.locator(ready).first().waitFor());
    await both((page) => page.waitForLoadState('networkidle'));
    assert.deepEqual([address, ...await both(layoutShifts)], [address, [], []]);
  }
  await closePages(cyd, dan);
});

test('README screenshot', async () => {
  const page = await newUser(browser, server, { colorScheme: 'light', viewport: { width: 1200, height: 790 } });
  await page.goto('/');
  await page.getByText('Names, time and more').click();
  await page.getByLabel('Name of player 1').fill('Ann');
  await page.getByLabel('Name of player 2').fill('Bob');
  await startGame(page, 'Gomoku', 'local');
  await play(page, ...'H8 G9 G7 I8 G8 F9 F8 E9 F7 H6 F6 F5 I9 J10 E5'.split(' '));
  await waitForText(page, '.status', 'Ann wins');
  await page.mouse.move(0, 0);
  const path = join(SCREENSHOTS, 'readme.png');
  await page.screenshot({ path });
  // docs/page.png is this screenshot; it changes only on request.
  if (process.env.UPDATE_SCREENSHOT) await copyFile(path, new URL('../../../docs/page.png', import.meta.url));
  await closePages(page);
});
