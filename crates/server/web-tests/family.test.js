// The games of the family beyond one flat board: each is played on the page as people play it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, checkLooks, chooseBoard, closePages, inspectedUser, joinGame, launchBrowser, newUser, NETWORK_ERRORS, play, playInTurn, Server, startGame, waitForConnection, waitForMove, waitForText } from './harness.js';
import { BOARDS, rulesName } from '../web/js/rules.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Starts one of the games in the list of more games. */
async function startOther(page, title, mode) {
  await chooseBoard(page, title);
  await page.locator(`[data-mode=${mode}]`).click();
  await page.waitForURL(/\/game\//);
  await waitForConnection(page);
}

const label = (page, name) => cell(page, name).getAttribute('aria-label');

test('ultimate sends players from board to board', async () => {
  const page = await inspectedUser(browser, server);
  await startGame(page, 'Ultimate', 'local');
  await waitForText(page, '.status', 'Player 1’s turn on any open board');
  await play(page, 'A1');
  await waitForText(page, '.status', 'Player 2’s turn in the top left board');
  assert.equal(await label(page, 'B2'), 'B2, empty, top left board, board to play');
  await cell(page, 'E5').click();
  await waitForText(page, '.note', 'E5: Play in the raised board.');
  await play(page, 'C3', 'G9', 'A7', 'A2', 'A4', 'A3');
  await waitForText(page, '#announcer', 'Player 1 played A3. X wins the top left board. Player 2’s turn in the top right board.');
  assert.equal(await page.locator('.ground.won').count(), 1);
  assert.equal(await page.locator('.board-winner').count(), 1);
  assert.equal(await label(page, 'C1'), 'C1, empty, top left board, won by X');
  await checkLooks(page, 'ultimate');
  await play(page, 'B7', 'D1');
  // The board it leads to is closed.
  await waitForText(page, '.status', 'Player 2’s turn on any open board');
  await cell(page, 'C1').click();
  await waitForText(page, '.note', 'C1: That board is closed.');
  // Looking back, the board is open again.
  await page.locator('.move', { hasText: 'A2' }).click();
  await page.locator('.board-winner').waitFor({ state: 'detached' });
  assert.equal(await label(page, 'A4'), 'A4, empty, top board, board to play');
  await closePages(page);
});

test('levels are one board with lines across', async () => {
  const page = await inspectedUser(browser, server);
  await startGame(page, '3D', 'local');
  assert.equal(await page.locator('[role=grid]').count(), 4);
  await cell(page, 'C3').focus();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await page.keyboard.press('PageDown');
  assert.equal(await focused(), 'Level 2, C3, empty');
  // Its column is marked on the other levels.
  assert.equal(await page.locator('.board .column').count(), 3);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'Level 2, C1, empty');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'Level 1, C4, empty');
  await page.keyboard.press('Enter');
  await waitForMove(page, 'C4');
  await play(page, 'A1', 'B1', '2B2', 'B2', '3C3', 'A4', '4D4');
  await waitForText(page, '.status', 'Player 2 wins');
  assert.equal(await label(page, '3C3'), 'Level 3, C3, O, Player 2, winning line');
  // A lit cell on each level, and a line through them.
  assert.equal(await page.locator('.wins .lit').count(), 4);
  assert.equal(await page.locator('.wins path.link').count(), 1);
  await checkLooks(page, 'levels-won');
  await closePages(page);
});

test('stones rise from level to level', async () => {
  const page = await newUser(browser, server);
  await startOther(page, 'Score Four', 'local');
  await cell(page, '4B2').click();
  await waitForMove(page, 'B2');
  await cell(page, 'B2').click();
  await waitForMove(page, '2B2');
  assert.match(await label(page, '2B2'), /^Level 2, B2, O/);
  assert.match(await label(page, 'B2'), /^Level 1, bottom, B2, X/);
  await closePages(page);
});

test('order and chaos choose their marks', async () => {
  const page = await inspectedUser(browser, server);
  await startOther(page, 'Order and Chaos', 'local');
  await waitForText(page, '.players li', 'Order: wants a line');
  await cell(page, 'B1').focus();
  await page.keyboard.press('o');
  assert.equal(await page.getByRole('radio', { name: 'O' }).isChecked(), true);
  await page.keyboard.press('Enter');
  await waitForMove(page, 'B1');
  assert.equal(await label(page, 'B1'), 'B1, O, last move');
  await page.getByRole('radio', { name: 'O' }).focus();
  await page.keyboard.press('x');
  assert.equal(await page.getByRole('radio', { name: 'X' }).isChecked(), true);
  await play(page, 'C1');
  assert.equal(await label(page, 'C1'), 'C1, X, last move');
  await page.getByRole('button', { name: 'Hint' }).click();
  await waitForText(page, '.note', /Hint: Best is [XO] on [A-F][1-6]/);
  await checkLooks(page, 'order');
  await play(page, 'C2', 'C3', 'C4', 'C5');
  // Chaos completed the line.
  await waitForText(page, '.status', 'Player 1 wins');
  await waitForText(page, '#announcer', 'Player 1 wins. Player 2 completed a line.');
  await page.locator('.losing-move').waitFor();
  await page.locator('.move', { hasText: 'C3' }).click();
  await page.getByRole('button', { name: 'Analysis' }).click();
  // Two values of a cell, one for each mark.
  await page.locator('.board .verdict-ring').first().waitFor({ state: 'attached' });
  assert.match(await label(page, 'C5'), /X: .*, O: /);
  await checkLooks(page, 'order-analysis');
  await closePages(page);
});

test('swap2 offers sides and more stones', async () => {
  const page = await inspectedUser(browser, server);
  await startOther(page, 'Gomoku, swap2', 'local');
  await waitForText(page, '.status', 'Player 1’s turn: place X (3 left)');
  await play(page, 'H8', 'H9', 'I9');
  assert.deepEqual(await page.locator('[data-cell=H9] .mark').getAttribute('class'), 'mark stones seat-1 fresh');
  await waitForText(page, '.status', 'Player 2’s turn to choose a side');
  const choices = await page.locator('[data-choice]').allInnerTexts();
  assert.deepEqual(choices, ['Swap: play X', 'Keep O', 'Place two more stones']);
  await checkLooks(page, 'swap2');
  await cell(page, 'A1').click();
  await waitForText(page, '.note', 'First choose a side');
  await page.getByRole('button', { name: 'Place two more stones' }).click();
  await play(page, 'G7', 'J10');
  await waitForText(page, '.status', 'Player 1’s turn to choose a side');
  await page.getByRole('button', { name: 'Swap: play O' }).click();
  // The marks follow the players, and O is next after five stones.
  await waitForText(page, '.status', 'Player 1’s turn');
  await page.locator('.players li').first().locator('.mark.seat-1').waitFor();
  await play(page, 'A2');
  assert.equal(await label(page, 'A2'), 'A2, O, Player 1, last move');
  await waitForText(page, '.moves', 'Swap');
  await closePages(page);
});

test('old marks fade away', async () => {
  const page = await inspectedUser(browser, server);
  await startOther(page, 'Fading tic-tac-toe', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'C3', 'C1');
  await page.locator('[data-cell=A1].fading').waitFor();
  await waitForText(page, '.note', 'A1 fades next.');
  assert.equal(await label(page, 'A1'), 'A1, X, Player 1, fades next');
  await checkLooks(page, 'fade');
  await play(page, 'B3');
  await page.locator('[data-cell=A1]:not(.taken)').waitFor();
  await page.locator('.move').nth(5).click();
  await page.locator('[data-cell=A1].taken').waitFor();
  await closePages(page);
});

test('connect6 counts stones of turns', async () => {
  const page = await inspectedUser(browser, server);
  await startOther(page, 'Connect6', 'local');
  await waitForText(page, '.status', 'Player 1’s turn: 1 stone left');
  await play(page, 'J10');
  await waitForText(page, '.status', 'Player 2’s turn: 2 stones left');
  await play(page, 'J11');
  await waitForText(page, '.status', 'Player 2’s turn: 1 stone left');
  await play(page, 'K11');
  await waitForText(page, '.status', 'Player 1’s turn: 2 stones left');
  await checkLooks(page, 'connect6');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('[data-cell=J11]:not(.taken)').waitFor();
  await waitForText(page, '.status', 'Player 2’s turn: 2 stones left');
  assert.equal(await page.locator('.move').count(), 1);
  await closePages(page);
});

test('notakto closes boards until one is left', async () => {
  const page = await inspectedUser(browser, server);
  await startOther(page, 'Notakto on 3 boards', 'local');
  assert.equal(await page.locator('[role=grid]').count(), 3);
  await play(page, 'A1', 'A2', 'A3');
  await page.locator('.ground.closed').waitFor();
  await waitForText(page, '#announcer', 'Player 1 played A3. Board 1 is closed.');
  assert.equal(await label(page, 'B2'), 'Board 1, B2, empty, closed');
  await checkLooks(page, 'notakto');
  await play(page, '2A1', '2A2', '2A3', '3A1', '3A2', '3A3');
  await waitForText(page, '.status', 'Player 2 wins');
  assert.equal(await label(page, '3A1'), 'Board 3, A1, X, closed, winning line');
  await page.getByRole('button', { name: 'Play again' }).click();
  await waitForText(page, '.status', 'Player 2’s turn');
  assert.equal(await page.locator('[role=grid]').count(), 3);
  assert.equal(await page.locator('.taken').count(), 0);
  await closePages(page);
});

test('swaps are told and watched', async () => {
  const [ann, bob, eve] = await Promise.all([1, 2, 3].map(() => newUser(browser, server)));
  await chooseBoard(ann, 'Your rules');
  await ann.getByLabel('Opening').selectOption('Swap after the first stone');
  await ann.locator('[data-mode=link]').click();
  await ann.waitForURL(/\/game\//);
  await joinGame(bob, ann.url(), 'O');
  await eve.goto(ann.url());
  await waitForConnection(eve);
  await playInTurn([ann], ['C3']);
  await waitForText(bob, '.status', 'Your turn to choose a side');
  assert.equal(await ann.locator('[data-choice]').count(), 0);
  await bob.getByRole('button', { name: 'Swap: play X' }).click();
  await waitForText(ann, '.status', 'Your turn');
  await waitForText(ann, '#announcer', 'swapped and now plays X.');
  for (const page of [ann, bob, eve]) {
    await page.locator('.players li').nth(1).locator('.mark.seat-0').waitFor();
    assert.match(await label(page, 'C3'), new RegExp(await bob.locator('.account-link .name').textContent()));
  }
  await cell(ann, 'A1').click();
  await Promise.all([ann, bob, eve].map((page) => waitForMove(page, 'A1')));
  assert.equal(await eve.locator('[data-cell=A1] .mark.seat-1').count(), 1);
  await closePages(ann, bob, eve);
});

test('computer plays every known game', async () => {
  const page = await newUser(browser, server);
  await page.goto('/');
  const presets = await (await page.request.get('/api/v1/presets')).json();
  assert.ok(presets.length >= 16, `${presets.length} presets`);
  for (const { rules, title } of presets) {
    // The page has names for lists and headings, where it can't wait for the server's.
    assert.equal(BOARDS.some((board) => board.rules === rules) || rulesName(rules) === title, true, `${title} is ${rulesName(rules)}`);
    const address = await page.evaluate(async (rules) => {
      const headers = { 'content-type': 'application/json' };
      const seats = [{ for: 'me' }, { for: 'computer', level: 'easy' }];
      await fetch('/api/v1/guests', { method: 'POST', headers, body: '{}' });
      const created = await fetch('/api/v1/games', { method: 'POST', headers, body: JSON.stringify({ rules, seats }) });
      return `/game/${(await created.json()).id}`;
    }, rules);
    await page.goto(address);
    await waitForConnection(page);
    // The computer answers once the stones of the opening or of the turn are placed.
    for (let turn = 0; turn < 3 && await page.locator('.move').count() <= turn && await page.locator('.status', { hasText: 'Your turn' }).count(); turn += 1) {
      const moves = await page.locator('.move').count();
      await page.locator('[data-cell]:not(.taken, .closed, .elsewhere)').nth(4).click();
      await page.waitForFunction((before) => document.querySelectorAll('.move').length > before, moves);
    }
    await page.waitForFunction(() => document.querySelectorAll('.move').length >= 2, null, { timeout: 15_000 })
      .catch(() => assert.fail(`${title}: the computer does not answer`));
    assert.equal(await page.locator('.note').textContent(), '', title);
  }
  page.expected = NETWORK_ERRORS;
  await closePages(page);
});
