// Playing: alone, on one screen, and online with a browser profile for each player.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, chooseBoard, closePages, joinGame, launchBrowser, NETWORK_ERRORS, newUser, play, playInTurn, Server, signUp, startGame, waitForConnection, waitForMove, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Two players in a game by link. */
async function gameByLink(board = '3 × 3') {
  const [ann, bob] = await Promise.all([newUser(browser, server), newUser(browser, server)]);
  await startGame(ann, board, 'link');
  const link = await ann.getByLabel('Link to this game').inputValue();
  await joinGame(bob, link, 'O');
  await waitForText(ann, '.status', 'Your turn');
  return [ann, bob];
}

test('two browsers play and rematch', async () => {
  const [ann, bob] = await gameByLink();
  assert.match(await ann.title(), /^● Your turn/);
  assert.doesNotMatch(await bob.title(), /Your turn/);
  await playInTurn([ann, bob], ['B2', 'A1', 'A3', 'C1']);
  assert.equal(await cell(ann, 'A1').getAttribute('aria-label'), `A1, O, ${await bob.locator('.account-link .name').textContent()}`);
  await playInTurn([ann, bob], ['B1', 'B3', 'C2', 'A2', 'C3']);
  await Promise.all([ann, bob].map((page) => waitForText(page, '.status', 'A draw')));
  assert.equal(await bob.locator('.moves li').count(), 9);

  await ann.getByRole('button', { name: 'Rematch' }).click();
  await waitForText(bob, '.question', 'wants a rematch');
  await bob.locator('.question').getByRole('button', { name: 'Play' }).click();
  const first = ann.url();
  await Promise.all([ann, bob].map((page) => page.waitForURL((url) => url.href !== first)));
  assert.equal(ann.url(), bob.url());
  await waitForText(bob, '.status', 'Your turn');
  await playInTurn([bob, ann], ['A1', 'B1', 'A2', 'B2', 'A3']);
  await waitForText(ann, '.players .winner', 'winner');
  await bob.locator('.series li', { hasText: 'You' }).locator('.score', { hasText: '1' }).waitFor();
  assert.equal(await ann.locator('.wins path.pen').count(), 1);
  await closePages(ann, bob);
});

test('keyboard alone plays a game', async () => {
  const page = await newUser(browser, server);
  await page.goto('/');
  await page.locator('[data-mode=local]').waitFor();
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.dataset.mode === 'local')) break;
  }
  await page.keyboard.press('Enter');
  await waitForConnection(page);
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.getAttribute('role') === 'gridcell')) break;
  }
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.equal(await focused(), 'B2, empty');
  await page.keyboard.press('Enter');
  await waitForMove(page, 'B2');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'A1, empty');
  await page.keyboard.press('Space');
  await waitForMove(page, 'A1');
  for (const move of ['C1', 'B1', 'A3']) {
    await page.keyboard.type(move.toLowerCase());
    assert.match(await focused(), new RegExp(`^${move}, empty`));
    await page.keyboard.press('Enter');
    await waitForMove(page, move);
  }
  await waitForText(page, '.status', 'Player 1 wins');
  assert.match(await page.locator('#announcer').textContent(), /Player 1 played A3\. Player 1 wins\./);
  assert.equal(await focused(), 'A3, X, Player 1, last move, winning line');
  await closePages(page);
});

test('undo needs the opponent’s consent', async () => {
  const [ann, bob] = await gameByLink();
  await playInTurn([ann, bob], ['A1']);
  await ann.getByRole('button', { name: 'Ask to undo' }).click();
  await bob.getByText('asks to take back a move').first().waitFor();
  await bob.getByRole('button', { name: 'No', exact: true }).click();
  await waitForText(ann, '.note', 'said no to taking back');
  await waitForMove(ann, 'A1');
  await ann.getByRole('button', { name: 'Ask to undo' }).click();
  await bob.getByRole('button', { name: 'Allow' }).click();
  await Promise.all([ann, bob].map((page) => page.locator('[data-cell=A1]:not(.taken)').waitFor()));
  await waitForText(ann, '.status', 'Your turn');
  assert.equal(await ann.locator('.move').count(), 0);
  await closePages(ann, bob);
});

test('invitations are accepted or declined', async () => {
  const [ann, bob, eve] = await Promise.all([newUser(browser, server), newUser(browser, server), newUser(browser, server)]);
  await signUp(bob, 'Robert');
  await startGame(ann, '3 × 3', 'link');
  await startGame(eve, '3 × 3', 'link');
  const invite = () => ann.evaluate(async () => {
    const seats = [{ for: 'me' }, { for: 'player', name: 'Robert' }];
    const headers = { 'content-type': 'application/json' };
    const created = await fetch('/api/v1/games', { method: 'POST', headers, body: JSON.stringify({ seats }) });
    return `/game/${(await created.json()).id}`;
  });
  const [first, second] = [await invite(), await invite()];
  await eve.goto(first);
  await waitForText(eve, '.invite', 'No free seat');
  await bob.goto(first);
  await waitForText(bob, '.status', 'You’re invited to play');
  await bob.getByRole('button', { name: 'Decline' }).click();
  await waitForText(bob, '.status', 'called off');
  await bob.goto(second);
  await bob.getByRole('button', { name: 'Play as O' }).click();
  await waitForText(bob, '.players', 'You');
  await closePages(ann, bob, eve);
});

test('games survive a killed server', async () => {
  const [ann, bob] = await gameByLink();
  await playInTurn([ann, bob], ['A1', 'B2']);
  await bob.context().setOffline(true);
  await server.kill();
  await Promise.all([ann, bob].map((page) => page.locator('.connection[data-state=closed]').waitFor()));
  // A move made while the server is down is sent once it is back.
  await cell(ann, 'A2').click();
  await ann.locator('[data-cell=A2].pending').waitFor();
  await server.restart();
  await waitForMove(ann, 'A2');
  assert.equal(await cell(bob, 'A2').getAttribute('aria-label'), 'A2, empty');
  await bob.context().setOffline(false);
  await waitForMove(bob, 'A2');
  await waitForText(bob, '.note', /While you were away:.*played A2/);
  await playInTurn([bob, ann], ['C3', 'A3']);
  await waitForText(bob, '.players .winner', 'winner');
  for (const page of [ann, bob]) page.expected = NETWORK_ERRORS;
  await closePages(ann, bob);
});

test('three players share a game', async () => {
  const [ann, bob, cyd] = await Promise.all([1, 2, 3].map(() => newUser(browser, server)));
  await startGame(ann, 'Three players', 'link');
  await waitForText(ann, '.note', 'when 2 players have joined');
  for (const [page, symbol] of [[bob, 'O'], [cyd, '△']]) {
    await joinGame(page, ann.url(), symbol);
  }
  await waitForText(ann, '.status', 'Your turn');
  await playInTurn([ann, bob, cyd], ['A1', 'B1', 'D1', 'A3', 'B3', 'D2', 'G7', 'C7', 'D3', 'G5', 'F7', 'D4']);
  await waitForText(cyd, '.players li.winner', 'You');
  assert.equal(await ann.locator('.wins path.pen').count(), 1);
  await closePages(ann, bob, cyd);
});

test('gomoku, gravity and joined edges', async () => {
  const page = await newUser(browser, server);
  await startGame(page, 'Gomoku', 'local');
  const roles = ['row', 'columnheader', 'rowheader', 'gridcell'].map((role) => page.locator(`[role=grid] [role=${role}]`).count());
  assert.deepEqual(await Promise.all(roles), [16, 15, 15, 225]);
  await play(page, 'H8', 'A1', 'H9', 'A2', 'H10', 'A3', 'H11', 'A4', 'H12');
  await waitForText(page, '.status', 'Player 1 wins');
  assert.equal(await page.locator('.cell.winning').count(), 5);
  assert.equal(await page.locator('.downloads a').count(), 4);

  await startGame(page, 'Connect Four', 'local');
  await cell(page, 'A4').click();
  await waitForMove(page, 'F4');
  await cell(page, 'A4').click();
  await waitForMove(page, 'E4');

  await chooseBoard(page, 'Your rules');
  await page.getByRole('spinbutton', { name: 'In a row' }).fill('3');
  await page.getByRole('spinbutton', { name: 'In a row' }).press('Enter');
  await page.locator('[data-mode=local]').click();
  await waitForConnection(page);
  await play(page, 'C1', 'A2', 'C5', 'A4', 'C2');
  await waitForText(page, '.status', 'Player 1 wins');
  // The line leaves the board on one side and comes in on the other.
  assert.equal(await page.locator('.wins path.pen').count(), 2);
  await closePages(page);
});

test('local rematch keeps the score', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  await page.getByRole('button', { name: 'Play again' }).click();
  await waitForText(page, '.status', 'Player 2’s turn');
  const rows = await page.locator('.series li').allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split(/\s*\n\s*/)), [['Player 2', '0'], ['Player 1', '1']]);
  await closePages(page);
});

test('animations respect reduced motion', async () => {
  for (const [reducedMotion, drawn, fallen] of [['no-preference', 'draw', 'drop'], ['reduce', 'none', 'none']]) {
    const page = await newUser(browser, server, { reducedMotion });
    const motion = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).animationName);
    await startGame(page, '3 × 3', 'local');
    await play(page, 'A1');
    assert.equal(await motion('[data-cell=A1] .mark .drawn path'), drawn);
    await startGame(page, 'Connect Four', 'local');
    await play(page, 'F1');
    assert.equal(await motion('[data-cell=F1] .mark'), fallen);
    await closePages(page);
  }
});

test('refused moves are taken back', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1');
  await cell(page, 'A1').click();
  await waitForText(page, '.note', 'A1: That square is taken.');

  // The same player moves in another tab while this one receives nothing.
  const other = await page.context().newPage();
  const late = await page.context().newPage();
  let hold = false;
  const held = [];
  await late.routeWebSocket(/socket/, (socket) => {
    const real = socket.connectToServer();
    real.onMessage((message) => (hold ? held.push(() => socket.send(message)) : socket.send(message)));
  });
  for (const tab of [other, late]) {
    await tab.goto(page.url());
    await waitForConnection(tab);
  }
  hold = true;
  await cell(other, 'C3').click();
  await waitForMove(other, 'C3');
  await cell(late, 'B2').click();
  await late.locator('[data-cell=B2].pending').waitFor();
  hold = false;
  held.forEach((send) => send());
  await waitForText(late, '.note', 'B2: ');
  await late.locator('[data-cell=B2]:not(.taken)').waitFor();
  await waitForMove(late, 'C3');
  await closePages(page);
});

test('computer answers, hints and undoes', async () => {
  const page = await newUser(browser, server);
  await page.goto('/');
  await page.locator('.segments label', { hasText: 'Perfect' }).click();
  // A cell chosen on the first screen is the first move of the game.
  await cell(page, 'A1').click();
  await page.waitForURL(/\/game\//);
  await waitForMove(page, 'A1');
  await page.locator('.move').nth(1).waitFor();
  await page.getByRole('button', { name: 'Hint' }).click();
  await waitForText(page, '.note', 'Hint: Best is');
  await page.locator('.hint').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('[data-cell=A1]:not(.taken)').waitFor();
  assert.match(await page.title(), /^● Your turn/);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await waitForText(page, '.note', 'You resigned.');
  await closePages(page);
});

test('tapped pieces fall without hovering', async () => {
  const page = await newUser(browser, server, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto('/');
  await page.locator('.tile', { hasText: 'Connect Four' }).tap();
  await page.locator('[data-mode=local]').tap();
  await waitForConnection(page);
  for (const [tapped, rests] of [['A4', 'F4'], ['C4', 'E4'], ['F4', 'D4']]) {
    await cell(page, tapped).tap();
    await waitForMove(page, rests);
  }
  assert.equal(await page.locator('.ghost').count(), 0);
  // Nothing is wider than the phone.
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await closePages(page);
});

test('small cells need two taps', async () => {
  const page = await newUser(browser, server, { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true });
  await page.goto('/');
  await page.locator('.tile', { hasText: 'Gomoku' }).tap();
  await page.locator('[data-mode=local]').tap();
  await waitForConnection(page);
  await cell(page, 'H8').tap();
  await waitForText(page, '.note', 'H8: tap it again');
  await page.locator('[data-cell=H8] .ghost').waitFor();
  assert.equal(await page.locator('[role=grid] .taken').count(), 0);
  // Aims at another cell instead.
  await cell(page, 'H9').tap();
  await page.locator('[data-cell=H9] .ghost').waitFor();
  assert.equal(await page.locator('.ghost').count(), 1);
  await cell(page, 'H9').tap();
  await waitForMove(page, 'H9');
  await cell(page, 'A1').tap();
  await page.getByRole('button', { name: 'Place at A1' }).tap();
  await waitForMove(page, 'A1');
  assert.equal(await page.locator('[role=grid] .taken').count(), 2);
  await closePages(page);
});

test('hidden tabs notify of turns', async () => {
  const [ann, bob] = await Promise.all([newUser(browser, server), newUser(browser, server)]);
  // A headless browser shows no notifications: a fake records them, in a tab that says it is hidden.
  await bob.addInitScript(() => {
    globalThis.notifications = [];
    globalThis.Notification = class {
      static permission = 'default';
      static async requestPermission() {
        this.permission = 'granted';
      }
      constructor(title, { body }) {
        globalThis.notifications.push(`${title}: ${body}`);
      }
    };
    Object.defineProperty(document, 'hidden', { get: () => true });
  });
  await startGame(ann, '4 × 4', 'link');
  await joinGame(bob, ann.url(), 'O');
  await bob.getByRole('button', { name: 'Notify me' }).click();
  await bob.getByRole('button', { name: 'Notify me' }).waitFor({ state: 'detached' });
  await playInTurn([ann, bob], ['A1']);
  await bob.waitForFunction(() => document.title.startsWith('● Your turn'));
  assert.deepEqual(await bob.evaluate(() => globalThis.notifications), ['Your turn: 4 × 4']);
  await playInTurn([bob], ['B1']);
  await bob.waitForFunction(() => !document.title.includes('Your turn'));
  await closePages(ann, bob);
});
