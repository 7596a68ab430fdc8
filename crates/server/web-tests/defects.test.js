// What people stumbled over: each has a test that fails without its remedy.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, chooseBoard, chooseRated, closePages, joinGame, launchBrowser, NETWORK_ERRORS, newUser, PHONE, play, playInTurn, Server, signUp, startGame, waitForConnection, waitForMove, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

const users = (count, options) => Promise.all(Array.from({ length: count }, () => newUser(browser, server, options)));

/** Two guests in a game by link. */
async function gameByLink(board = '3 × 3') {
  const [ann, bob] = await users(2);
  await startGame(ann, board, 'link');
  await joinGame(bob, ann.url(), 'O');
  await waitForText(ann, '.status', 'Your turn');
  return [ann, bob];
}

test('guests have friendly names, or the one they type', async () => {
  const [ann, bob] = await users(2);
  await ann.goto('/');
  await ann.getByText('Names, time and more').click();
  await ann.getByLabel('Name of player 1').fill('Annika');
  await ann.locator('[data-mode=link]').click();
  await ann.waitForURL(/\/game\//);
  await waitForText(ann, '.account-link', 'Annika');
  await bob.goto(ann.url());
  await waitForText(bob, '.players', 'Annika');
  await bob.getByLabel('Your name').fill('Bobby');
  await bob.getByRole('button', { name: 'Play as O' }).click();
  await waitForText(ann, '.players', 'Bobby');
  const [cyd] = await users(1);
  await startGame(cyd, '3 × 3', 'computer');
  assert.match(await cyd.locator('.account-link .name').textContent(), /^[A-Z][a-z]+ [A-Z][a-z]+( \d+)?$/);
  assert.equal(await cyd.locator('.account-link .avatar').count(), 1);
  await closePages(ann, bob, cyd);
});

test('unfinished games are on the first screen and in the lobby', async () => {
  const [ann, bob] = await gameByLink();
  await playInTurn([ann], ['B2']);
  await bob.goto('/');
  await bob.locator('.continue-card.yours', { hasText: 'Your turn against' }).click();
  await waitForMove(bob, 'B2');
  await ann.goto('/');
  await ann.locator('.continue-card:not(.yours)', { hasText: 'Waiting for' }).waitFor();
  const [cyd] = await users(1);
  await startGame(cyd, '4 × 4', 'online');
  const other = await cyd.context().newPage();
  await other.goto('/lobby');
  await other.getByRole('link', { name: /^Continue:/ }).waitFor();
  await closePages(ann, bob, cyd);
});

test('the rule of a game stays in sight on phones', async () => {
  const [ann] = await users(1);
  await startGame(ann, 'Misère', 'link');
  const [bob] = await users(1, { viewport: PHONE });
  await bob.goto(ann.url());
  const rule = bob.getByText('Whoever gets three in a row loses.').first();
  await rule.waitFor();
  await joinGame(bob, ann.url(), 'O');
  await rule.waitFor();
  await closePages(ann, bob);
});

test('nobody is helped behind the other’s back', async () => {
  const [ann, bob] = await gameByLink();
  await playInTurn([ann, bob], ['B2', 'A1']);
  assert.equal(await ann.getByRole('button', { name: 'Hint' }).count(), 0);
  const refusal = await ann.evaluate(async () => (await fetch(`/api/v1/games/${location.pathname.split('/')[2]}/analysis`)).json());
  assert.equal(refusal.code, 'still_played');
  // Looking back shows no analysis either.
  await ann.locator('.move').first().click();
  await waitForText(ann, '.status', 'After move 1 of 2');
  assert.equal(await ann.getByRole('button', { name: 'Analysis' }).count(), 0);
  ann.expected = NETWORK_ERRORS;
  await closePages(ann, bob);
});

test('messages are above the board, and the board is in the window', async () => {
  const [page] = await users(1);
  for (const viewport of [{ width: 1440, height: 900 }, { width: 1280, height: 720 }, PHONE]) {
    await page.setViewportSize(viewport);
    await startGame(page, '3 × 3', 'local');
    await play(page, 'A1');
    await cell(page, 'A1').click();
    await waitForText(page, '.note', 'That square is taken.');
    const [note, board] = await Promise.all(['.note', '.board'].map((selector) => page.locator(selector).boundingBox()));
    assert.ok(note.y + note.height <= board.y, JSON.stringify([viewport, note, board]));
    assert.ok(board.y + board.height <= viewport.height, JSON.stringify([viewport, board]));
  }
  await closePages(page);
});

test('two players on one screen have clocks, and are told that nothing is rated', async () => {
  const [page] = await users(1);
  await chooseRated(page);
  await page.getByLabel('Time for each player').selectOption('1 minute');
  await page.locator('[data-mode=local]').click();
  await waitForText(page, '.toast', 'Games on one screen are never rated.');
  await waitForConnection(page);
  assert.equal(await page.getByRole('timer').count(), 2);
  await closePages(page);
});

test('signing out in another tab is explained', async () => {
  const [page] = await users(1);
  await signUp(page, 'Olga');
  await startGame(page, '3 × 3', 'computer');
  const other = await page.context().newPage();
  await other.goto('/account');
  await other.getByRole('button', { name: 'Log out', exact: true }).click();
  await other.getByRole('heading', { name: 'Sign up' }).waitFor();
  await waitForText(page, '.note', 'You signed out in another tab');
  await cell(page, 'A1').click();
  await page.waitForTimeout(300);
  assert.doesNotMatch(await page.locator('.headline').innerText(), /POST|api|token/i);
  page.expected = NETWORK_ERRORS;
  await closePages(page);
});

test('the lobby lists games with somebody there', async () => {
  const own = await Server.start(['--grace-ms', '300']);
  try {
    const [ann, bob, eve] = await Promise.all([1, 2, 3].map(() => newUser(browser, own)));
    await signUp(bob, 'Robert');
    await startGame(ann, '4 × 4', 'online');
    await eve.goto('/lobby');
    await eve.getByRole('link', { name: /^Join/ }).waitFor();
    // A seat that is kept for somebody is offered to nobody else; the invited player finds it at home.
    const invited = await eve.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      await fetch('/api/v1/guests', { method: 'POST', headers, body: '{}' });
      const body = JSON.stringify({ seats: [{ for: 'me' }, { for: 'player', name: 'Robert' }], public: true });
      return (await (await fetch('/api/v1/games', { method: 'POST', headers, body })).json()).id;
    });
    await bob.goto('/');
    await bob.locator('.continue-card.yours', { hasText: 'invites you to play' }).waitFor();
    await bob.goto('/lobby');
    await bob.getByRole('link', { name: /^Join/ }).waitFor();
    assert.equal(await bob.locator(`[data-game="${invited}"]`).count(), 0);
    // Its player leaves: nobody is there to play with.
    await ann.goto('/how-to-play');
    await eve.getByText('Nobody is waiting').waitFor();
    await closePages(ann, bob, eve);
  } finally {
    await own.stop();
  }
});

test('the end of a game is told once, and as it was', async () => {
  const [page] = await users(1);
  await page.goto('/');
  await page.getByText('Names, time and more').click();
  await page.getByLabel('Time for each player').selectOption('1 minute');
  const id = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    await fetch('/api/v1/guests', { method: 'POST', headers, body: '{}' });
    const body = JSON.stringify({ seats: [{ for: 'me' }, { for: 'computer', level: 'easy' }], clock: { initial_ms: 2500 } });
    return (await (await fetch('/api/v1/games', { method: 'POST', headers, body })).json()).id;
  });
  await page.goto(`/game/${id}`);
  await page.evaluate(() => {
    globalThis.spoken = [];
    new MutationObserver(() => globalThis.spoken.push(document.getElementById('announcer').textContent)).observe(document.getElementById('announcer'), { childList: true, characterData: true, subtree: true });
  });
  await waitForText(page, '.note', 'You ran out of time.');
  await waitForText(page, '.moves', 'out of time');
  const spoken = (await page.evaluate(() => globalThis.spoken)).join(' ');
  assert.equal(spoken.match(/ran out of time/g).length, 1, spoken);
  assert.equal(spoken.match(/wins/g).length, 1, spoken);
  assert.equal(await page.locator('[aria-live], [role=status]').count(), 1);
  await closePages(page);
});

test('colours stay with the players in a series', async () => {
  const [ann, bob] = await gameByLink();
  await playInTurn([ann, bob], ['A1', 'B1', 'A2', 'B2', 'A3']);
  const colours = (page) => page.locator('.players li').evaluateAll((cards) =>
    Object.fromEntries(cards.map((card) => [card.querySelector('.name bdi').textContent, /seat-\d/.exec(card.querySelector('.mark').getAttribute('class'))[0]])));
  const before = await colours(ann);
  assert.equal(before.You, 'seat-0');
  await ann.getByRole('button', { name: 'Rematch' }).click();
  await bob.locator('.question').getByRole('button', { name: 'Play' }).click();
  const first = ann.url();
  await Promise.all([ann, bob].map((page) => page.waitForURL((url) => url.href !== first)));
  await waitForText(bob, '.status', 'Your turn');
  assert.deepEqual(await colours(ann), before);
  await closePages(ann, bob);
});

test('keyboards begin on the board, which is one tab stop', async () => {
  const [page] = await users(1);
  await page.goto('/');
  await page.locator('[data-mode=computer]').focus();
  await page.keyboard.press('Enter');
  await waitForConnection(page);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('role') ?? document.activeElement.tagName);
  await page.waitForFunction(() => document.activeElement.getAttribute('role') === 'gridcell');
  await page.keyboard.press('Tab');
  assert.notEqual(await focused(), 'gridcell');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(), 'gridcell');
  await page.keyboard.press('Shift+Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement.closest('svg')?.classList.contains('board')), true);
  await closePages(page);
});

test('forced colours reach the marks', async () => {
  const [page] = await users(1, { forcedColors: 'active', colorScheme: 'dark' });
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1');
  const colour = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).stroke);
  const text = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'CanvasText';
    return getComputedStyle(probe).color;
  });
  assert.equal(await colour('[data-cell=A1] .mark path'), text);
  assert.equal(await colour('[data-cell=B1] .mark path'), text);
  await closePages(page);
});

test('the computer waits until the stroke is drawn', async () => {
  const [page] = await users(1, { reducedMotion: 'no-preference' });
  await startGame(page, '3 × 3', 'computer');
  await page.evaluate(() => {
    globalThis.appeared = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node.matches?.('.mark')) globalThis.appeared.push(performance.now());
    }).observe(document.querySelector('.board'), { childList: true, subtree: true });
  });
  await cell(page, 'B2').click();
  await page.waitForFunction(() => globalThis.appeared.length === 2);
  const [own, reply] = await page.evaluate(() => globalThis.appeared);
  // The stroke takes 330 ms, and the computer waits for another 350.
  assert.ok(reply - own >= 650, `${reply - own} ms`);
  await closePages(page);
});

test('a game of two goes on with two', async () => {
  const [page] = await users(1);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await page.locator('.move', { hasText: 'B1' }).click();
  const first = page.url().split('?')[0];
  await page.getByRole('button', { name: 'Continue from here' }).click();
  await page.waitForURL((url) => !url.href.startsWith(first));
  await waitForText(page, '.status', 'Player 1’s turn');
  assert.equal(await page.locator('.players li', { hasText: 'Computer' }).count(), 0);
  await play(page, 'C3', 'A2');
  await closePages(page);
});

test('empty cells of a review try the move', async () => {
  const [page] = await users(1);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await page.locator('.move', { hasText: 'A1' }).click();
  await cell(page, 'B2').click();
  await waitForText(page, '.status', 'What if?');
  assert.equal(await cell(page, 'B2').getAttribute('aria-label').then((label) => label.split(',')[1]), ' O');
  await waitForText(page, '.note', 'Best is');
  await cell(page, 'C3').click();
  await page.locator('[data-cell=C3].taken').waitFor();
  await page.keyboard.press('Escape');
  await waitForText(page, '.status', 'After move 1 of 7');
  await page.locator('[data-cell=B2]:not(.taken)').waitFor();
  await closePages(page);
});

test('reviews of large boards speak plainly', async () => {
  const [page] = await users(1);
  await startGame(page, 'Gomoku', 'local');
  await play(page, 'H8', 'A1', 'H9', 'A2', 'H10', 'A3', 'H11', 'A5', 'H12');
  await page.locator('.move', { hasText: 'A3' }).click();
  await page.getByRole('button', { name: 'Analysis' }).click();
  await page.locator('.board .verdict-ring').first().waitFor({ state: 'attached' });
  assert.ok(await page.locator('.board .verdict-ring').count() <= 4);
  const labels = await page.locator('[data-cell]').evaluateAll((cells) => cells.map((element) => element.getAttribute('aria-label')).join(' '));
  for (const text of [labels, await page.locator('main').innerText()]) assert.doesNotMatch(text, /not proven|estimate|[+−]\d/);
  // No numbers in the cells.
  assert.deepEqual(await page.locator('.board text:not(.head)').allTextContents(), []);
  await closePages(page);
});

test('small things of the page are in order', async () => {
  const [page] = await users(1);
  await page.goto('/');
  await page.getByText('Names, time and more').click();
  assert.equal(await page.getByLabel('Name of player 1').getAttribute('maxlength'), '32');
  for (const [file, type] of [['favicon.ico', 'image/x-icon'], ['apple-touch-icon.png', 'image/png'], ['robots.txt', 'text/plain; charset=utf-8']]) {
    const answer = await page.request.get(`/${file}`);
    assert.deepEqual([file, answer.status(), answer.headers()['content-type']], [file, 200, type]);
  }
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).webkitTapHighlightColor), 'rgba(0, 0, 0, 0)');
  // The board stays where it is when the result takes two lines.
  await page.setViewportSize(PHONE);
  await startGame(page, '3 × 3', 'local');
  const top = async () => (await page.locator('.board').boundingBox()).y;
  const before = await top();
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await page.locator('.losing-move').waitFor();
  assert.equal(await top(), before);
  await closePages(page);
});
