// Puzzles: the one of the day, wrong moves with their refutation, hints, the solution and others.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { cell, checkLooks, closePages, inspectedUser, launchBrowser, layoutShifts, newUser, recordLayoutShifts, Server, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The shipped puzzles by position: the server keeps the solutions to itself. */
const solutions = new Map(JSON.parse(await readFile(new URL('../../engine/src/puzzle/shipped.json', import.meta.url), 'utf8'))
  .map(({ position, solution }) => [position, solution]));

const load = (path) => fetch(`${server.url}/api/v1${path}`).then((response) => response.json());

/** Plays a solution: every second move is ours. A move of wild has its mark behind it. */
async function solve(page, solution) {
  for (let i = 0; i < solution.length; i += 2) {
    const [name, mark] = solution[i].split('=');
    if (mark) await page.locator(`.turn-controls input[value="${mark === 'x' ? 0 : 1}"]`).check({ force: true });
    await cell(page, name).click();
    const left = Math.ceil(solution.length / 2) - i / 2 - 1;
    await waitForText(page, '.puzzle-message', left === 0 ? 'Solved!' : left === 1 ? 'One more move' : `${left} more moves`);
  }
}

test('the puzzle of the day is solved', async () => {
  const page = await inspectedUser(browser, server);
  await page.goto('/');
  await waitForText(page, '.puzzle-card', 'A new one every day');
  await page.locator('.puzzle-card').click();
  await page.getByRole('heading', { level: 1, name: /play/ }).waitFor();
  await checkLooks(page, 'puzzle');
  const { puzzle } = await load('/puzzles/daily');
  await solve(page, solutions.get(puzzle.position));
  await waitForText(page, '.week', '1 day in a row');
  await waitForText(page, '.week', '1 of 1 solved');
  await waitForText(page, '.puzzle-message', 'Your rating is');
  await checkLooks(page, 'puzzle-solved');
  await page.goto('/');
  await waitForText(page, '.puzzle-card', 'You have solved this one.');
  await page.goto('/puzzles');
  await waitForText(page, '.puzzle', '1 person solved it today.');
  await closePages(page);
});

test('wrong moves are refuted', async () => {
  const page = await inspectedUser(browser, server);
  const [puzzle] = await load('/puzzles?rules=3x3&difficulty=3&limit=1');
  const [right] = solutions.get(puzzle.position);
  const wrong = puzzle.view.legal.find((move) => move !== right);
  await page.goto(`/puzzles/${puzzle.id}`);
  await cell(page, wrong).click();
  await waitForText(page, '.puzzle-message', `${wrong} `);
  await page.locator('.puzzle-steps .move', { hasText: wrong }).first().waitFor();
  await checkLooks(page, 'puzzle-refuted');
  const shown = () => page.locator('.puzzle-steps .move[aria-current]').textContent();
  const answer = await shown();
  assert.notEqual(answer, wrong, 'the answer to the move is shown');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  assert.equal(await shown(), wrong);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator(`[data-cell="${wrong}"]:not(.taken)`).waitFor();
  await page.getByRole('button', { name: 'Hint' }).click();
  await waitForText(page, '.puzzle-message', right);
  await page.getByRole('button', { name: 'Solution' }).click();
  await waitForText(page, '.puzzle-message', `The right move was ${right}.`);
  await waitForText(page, '.week', '0 of 1 solved');
  await closePages(page);
});

test('another puzzle of a game is chosen', async () => {
  const page = await newUser(browser, server);
  await recordLayoutShifts(page);
  await page.goto('/puzzles');
  await page.getByLabel('Game').selectOption({ label: 'Connect Four' });
  await page.getByRole('button', { name: 'Show another' }).click();
  await page.waitForURL(/\/puzzles\/[0-9a-f]{16}$/);
  await waitForText(page, '.puzzle-about h2', 'Connect Four');
  await page.reload();
  await waitForText(page, '.puzzle-about h2', 'Connect Four');
  assert.deepEqual(await layoutShifts(page), []);
  await page.goto('/puzzles/0123456789abcdef');
  await waitForText(page, '.screen', 'There is no such puzzle.');
  page.expected = /^Failed to load resource/;
  await closePages(page);
});
