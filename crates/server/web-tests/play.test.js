// People play against each other, each in a browser of their own.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, cell, close, inTurn, launch, person, play, REFUSALS, says, Server, signUp, sit, taken } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launch()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Two people in a game that the first made by link; the second followed the link. */
async function friends(board = '3 × 3') {
  const [ann, bob] = await Promise.all([person(browser, server), person(browser, server)]);
  await begin(ann, board, 'link');
  const link = await ann.getByLabel('Address of this game').inputValue();
  await sit(bob, link, 'O');
  await says(ann, '.status', 'Your turn.');
  return [ann, bob];
}

test('two browsers play a whole game, and a rematch with sides swapped', async () => {
  const [ann, bob] = await friends();
  assert.match(await ann.title(), /^● Your turn/);
  assert.doesNotMatch(await bob.title(), /Your turn/);
  await inTurn([ann, bob], ['B2', 'A1', 'A3', 'C1']);
  assert.equal(await cell(ann, 'A1').getAttribute('aria-label'), `A1, O, ${await bob.locator('.me').textContent()}`);
  await inTurn([ann, bob], ['B1', 'B3', 'C2', 'A2', 'C3']);
  await Promise.all([ann, bob].map((page) => says(page, '.status', 'It’s a draw.')));
  assert.equal(await bob.locator('.moves li').count(), 9);

  await ann.getByRole('button', { name: 'Rematch' }).click();
  await bob.getByRole('button', { name: 'Accept the rematch' }).click();
  const first = ann.url();
  await Promise.all([ann, bob].map((page) => page.waitForURL((url) => url.href !== first)));
  assert.equal(ann.url(), bob.url());
  await says(bob, '.status', 'Your turn.');
  await inTurn([bob, ann], ['A1', 'B1', 'A2', 'B2', 'A3']);
  await says(ann, '.players .winner', 'winner');
  await bob.locator('.players li.winner .score', { hasText: '1' }).waitFor();
  assert.equal(await ann.locator('.wins path.rim').count(), 1);
  await close(ann, bob);
});

test('a whole game by keyboard only, from the first screen', async () => {
  const page = await person(browser, server);
  await page.goto('/');
  await page.locator('[data-way=local]').waitFor();
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.dataset.way === 'local')) break;
  }
  await page.keyboard.press('Enter');
  await page.locator('.connection[data-state=open]').waitFor();
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.getAttribute('role') === 'gridcell')) break;
  }
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.equal(await focused(), 'B2, empty');
  await page.keyboard.press('Enter');
  await taken(page, 'B2');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'A1, empty');
  await page.keyboard.press('Space');
  await taken(page, 'A1');
  for (const box of ['C1', 'B1', 'A3']) {
    await page.keyboard.type(box.toLowerCase());
    assert.match(await focused(), new RegExp(`^${box}, empty`));
    await page.keyboard.press('Enter');
    await taken(page, box);
  }
  await says(page, '.status', 'Player 1 wins.');
  assert.match(await page.locator('#announcer').textContent(), /Player 1 played A3\. Player 1 wins\./);
  assert.equal(await focused(), 'A3, X, Player 1, last move, winning line');
  await close(page);
});

test('a move is taken back when the other agrees, and stays when not', async () => {
  const [ann, bob] = await friends();
  await inTurn([ann, bob], ['A1']);
  await ann.getByRole('button', { name: 'Ask for undo' }).click();
  await bob.getByText('asks to take back a move').first().waitFor();
  await bob.getByRole('button', { name: 'Refuse' }).click();
  await says(ann, '.note', 'refused to take a move back');
  await taken(ann, 'A1');
  await ann.getByRole('button', { name: 'Ask for undo' }).click();
  await bob.getByRole('button', { name: 'Agree' }).click();
  await Promise.all([ann, bob].map((page) => page.locator('[data-box=A1]:not(.taken)').waitFor()));
  await says(ann, '.status', 'Your turn.');
  assert.equal(await ann.locator('.move').count(), 0);
  await close(ann, bob);
});

test('whoever is invited takes the seat that is kept, or declines', async () => {
  const [ann, bob, eve] = await Promise.all([person(browser, server), person(browser, server), person(browser, server)]);
  await signUp(bob, 'Robert');
  await begin(ann, '3 × 3', 'link');
  await begin(eve, '3 × 3', 'link');
  const invite = () => ann.evaluate(async () => {
    const seats = [{ for: 'me' }, { for: 'player', name: 'Robert' }];
    const headers = { 'content-type': 'application/json' };
    const made = await fetch('/api/v1/games', { method: 'POST', headers, body: JSON.stringify({ seats }) });
    return `/game/${(await made.json()).id}`;
  });
  const [first, second] = [await invite(), await invite()];
  await eve.goto(first);
  await says(eve, '.invite', 'No seat is free');
  await bob.goto(first);
  await says(bob, '.invite', 'You are invited');
  await bob.getByRole('button', { name: 'Decline' }).click();
  await says(bob, '.status', 'called off');
  await bob.goto(second);
  await bob.getByRole('button', { name: 'Play as O' }).click();
  await says(bob, '.players', 'you');
  await close(ann, bob, eve);
});

test('a game goes on after the server was killed, and what was missed is shown', async () => {
  const [ann, bob] = await friends();
  await inTurn([ann, bob], ['A1', 'B2']);
  await bob.context().setOffline(true);
  await server.kill();
  await Promise.all([ann, bob].map((page) => page.locator('.connection[data-state=closed]').waitFor()));
  // A move without a server is shown, and sent when there is one again.
  await cell(ann, 'A2').click();
  await ann.locator('[data-box=A2].pending').waitFor();
  await server.restart();
  await taken(ann, 'A2');
  assert.equal(await cell(bob, 'A2').getAttribute('aria-label'), 'A2, empty');
  await bob.context().setOffline(false);
  await taken(bob, 'A2');
  await says(bob, '.note', /While you were away:.*played A2/);
  await inTurn([bob, ann], ['C3', 'A3']);
  await says(bob, '.players .winner', 'winner');
  for (const page of [ann, bob]) page.expected = REFUSALS;
  await close(ann, bob);
});

test('three people play four in a row', async () => {
  const [ann, bob, cyd] = await Promise.all([1, 2, 3].map(() => person(browser, server)));
  await begin(ann, '3 players', 'link');
  await says(ann, '.status', 'Waiting for 2 more players.');
  for (const [page, symbol] of [[bob, 'O'], [cyd, '△']]) {
    await sit(page, ann.url(), symbol);
  }
  await says(ann, '.status', 'Your turn.');
  await inTurn([ann, bob, cyd], ['A1', 'B1', 'D1', 'A3', 'B3', 'D2', 'G7', 'C7', 'D3', 'G5', 'F7', 'D4']);
  await says(cyd, '.players li.winner', 'you');
  assert.equal(await ann.locator('.wins path.rim').count(), 1);
  await close(ann, bob, cyd);
});

test('gomoku and Connect Four on one screen, with joined edges', async () => {
  const page = await person(browser, server);
  await begin(page, 'Gomoku', 'local');
  const roles = ['row', 'columnheader', 'rowheader', 'gridcell'].map((role) => page.locator(`[role=grid] [role=${role}]`).count());
  assert.deepEqual(await Promise.all(roles), [16, 15, 15, 225]);
  await play(page, 'H8', 'A1', 'H9', 'A2', 'H10', 'A3', 'H11', 'A4', 'H12');
  await says(page, '.status', 'Player 1 wins.');
  assert.equal(await page.locator('.cell.winning').count(), 5);
  assert.equal(await page.locator('.downloads a').count(), 4);

  await begin(page, 'Connect Four', 'local');
  await cell(page, 'A4').click();
  await taken(page, 'F4');
  await cell(page, 'A4').click();
  await taken(page, 'E4');

  await page.goto('/');
  await page.locator('.choose label', { hasText: 'Your own' }).click();
  await page.getByRole('spinbutton', { name: 'In a row' }).fill('3');
  await page.getByRole('spinbutton', { name: 'In a row' }).press('Enter');
  await page.locator('[data-way=local]').click();
  await page.locator('.connection[data-state=open]').waitFor();
  await play(page, 'C1', 'A2', 'C5', 'A4', 'C2');
  await says(page, '.status', 'Player 1 wins.');
  // The line leaves on one side and comes in on the other.
  assert.equal(await page.locator('.wins path.rim').count(), 2);
  await close(page);
});

test('at one screen the other begins the next game, and the score goes on', async () => {
  const page = await person(browser, server);
  await begin(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  await page.getByRole('button', { name: 'Play again' }).click();
  await says(page, '.status', 'Player 2’s turn.');
  const rows = await page.locator('.players li').allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split(/\s*\n\s*/).slice(0, 2)), [['Player 2', '0'], ['Player 1', '1']]);
  await close(page);
});

test('marks are drawn, stones fall, and neither where motion is unwelcome', async () => {
  for (const [reducedMotion, drawn, fallen] of [['no-preference', 'draw', 'drop'], ['reduce', 'none', 'none']]) {
    const page = await person(browser, server, { reducedMotion });
    const motion = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).animationName);
    await begin(page, '3 × 3', 'local');
    await play(page, 'A1');
    assert.equal(await motion('[data-box=A1] .mark path'), drawn);
    await begin(page, 'Connect Four', 'local');
    await play(page, 'F1');
    assert.equal(await motion('[data-box=F1] .mark'), fallen);
    await close(page);
  }
});

test('a refused move explains itself, and one that was shown too early is taken back', async () => {
  const page = await person(browser, server);
  await begin(page, '3 × 3', 'local');
  await play(page, 'A1');
  await cell(page, 'A1').click();
  await says(page, '.note', /A1 was refused\. .*taken/);

  // The same person moves in another tab while this one hears nothing.
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
    await tab.locator('.connection[data-state=open]').waitFor();
  }
  hold = true;
  await cell(other, 'C3').click();
  await taken(other, 'C3');
  await cell(late, 'B2').click();
  await late.locator('[data-box=B2].pending').waitFor();
  hold = false;
  held.forEach((send) => send());
  await says(late, '.note', 'B2 was refused.');
  await late.locator('[data-box=B2]:not(.taken)').waitFor();
  await taken(late, 'C3');
  await close(page);
});

test('against the computer: it answers, hints, and takes moves back', async () => {
  const page = await person(browser, server);
  await page.goto('/');
  await page.locator('.way label', { hasText: 'Perfect' }).click();
  // A box of the first screen is the first move of the game.
  await cell(page, 'A1').click();
  await page.waitForURL(/\/game\//);
  await taken(page, 'A1');
  await page.locator('.move').nth(1).waitFor();
  await page.getByRole('button', { name: 'Hint' }).click();
  await says(page, '.note', 'Hint: Best is');
  await page.locator('.hint').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('[data-box=A1]:not(.taken)').waitFor();
  assert.match(await page.title(), /^● Your turn/);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await says(page, '.status', 'resigned');
  await close(page);
});

test('by touch on a phone: the stone falls, and nothing hovers', async () => {
  const page = await person(browser, server, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto('/');
  await page.locator('.choose label', { hasText: 'Connect Four' }).tap();
  await page.locator('[data-way=local]').tap();
  await page.locator('.connection[data-state=open]').waitFor();
  for (const [tapped, rests] of [['A4', 'F4'], ['C4', 'E4'], ['F4', 'D4']]) {
    await cell(page, tapped).tap();
    await taken(page, rests);
  }
  assert.equal(await page.locator('.ghost').count(), 0);
  // The board is as wide as the phone, and nothing is wider.
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await close(page);
});

test('by touch on a small board: the first tap aims, the second plays', async () => {
  const page = await person(browser, server, { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true });
  await page.goto('/');
  await page.locator('.choose label', { hasText: 'Gomoku' }).first().tap();
  await page.locator('[data-way=local]').tap();
  await page.locator('.connection[data-state=open]').waitFor();
  await cell(page, 'H8').tap();
  await says(page, '.note', 'H8: tap again to play there.');
  await page.locator('[data-box=H8] .ghost').waitFor();
  assert.equal(await page.locator('[role=grid] .taken').count(), 0);
  // Another box is aimed at instead.
  await cell(page, 'H9').tap();
  await page.locator('[data-box=H9] .ghost').waitFor();
  assert.equal(await page.locator('.ghost').count(), 1);
  await cell(page, 'H9').tap();
  await taken(page, 'H9');
  assert.equal(await page.locator('[role=grid] .taken').count(), 1);
  await close(page);
});

test('who looks elsewhere is told that it is their turn', async () => {
  const [ann, bob] = await Promise.all([person(browser, server), person(browser, server)]);
  // Notices of a browser without a screen are not shown: they are counted, and the tab says it is behind others.
  await bob.addInitScript(() => {
    globalThis.notices = [];
    globalThis.Notification = class {
      static permission = 'default';
      static async requestPermission() {
        this.permission = 'granted';
      }
      constructor(title, { body }) {
        globalThis.notices.push(`${title}: ${body}`);
      }
    };
    Object.defineProperty(document, 'hidden', { get: () => true });
  });
  await begin(ann, '4 × 4', 'link');
  await sit(bob, ann.url(), 'O');
  await bob.getByRole('button', { name: 'Notify me' }).click();
  await bob.getByRole('button', { name: 'Notify me' }).waitFor({ state: 'detached' });
  await inTurn([ann, bob], ['A1']);
  await bob.waitForFunction(() => document.title.startsWith('● Your turn'));
  assert.deepEqual(await bob.evaluate(() => globalThis.notices), ['Your turn: 4 × 4']);
  await inTurn([bob], ['B1']);
  await bob.waitForFunction(() => !document.title.includes('Your turn'));
  await close(ann, bob);
});
