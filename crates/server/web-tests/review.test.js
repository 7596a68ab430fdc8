// Reviewing games, and what is around them: lobby, leaderboards, profiles, accounts.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { cell, chooseRated, closePages, DESKTOP, joinGame, launchBrowser, NETWORK_ERRORS, newUser, play, playInTurn, Server, signUp, startGame, waitForMove, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('review shows analysis and positions', async () => {
  const page = await newUser(browser, server, { permissions: ['clipboard-read', 'clipboard-write'] });
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await waitForText(page, '.status', 'Player 1 wins');
  await waitForText(page, '.losing-move', 'Player 2 lost with B1; B2 would have drawn.');
  await page.locator('.move.losing', { hasText: 'B1' }).waitFor();

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('ArrowLeft');
  await waitForText(page, '.status', 'After move 6 of 7');
  await page.locator('[data-cell=C1]:not(.taken)').waitFor();
  await page.locator('.move', { hasText: 'A1' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.toast', { hasText: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/game\/\w+\?ply=1$/);
  const other = await newUser(browser, server);
  await other.goto(link);
  await waitForText(other, '.status', 'After move 1 of 7');
  assert.equal(await other.locator('.cell.taken').count(), 1);

  await page.getByRole('button', { name: 'Analysis' }).click();
  await page.locator('.board .verdict-ring.best').waitFor({ state: 'attached' });
  // The one move that draws, and the one that lost.
  assert.equal(await page.locator('.board .verdict-ring').count(), 2);
  assert.match(await cell(page, 'B2').getAttribute('aria-label'), /draws/);
  assert.match(await cell(page, 'B1').getAttribute('aria-label'), /mistake, loses in 3/);

  await page.getByRole('button', { name: 'Continue from here' }).click();
  await page.waitForURL((url) => !url.search && !link.includes(url.pathname));
  await waitForMove(page, 'A1');
  await waitForText(page, '.status', 'Player 2’s turn');
  await cell(page, 'B2').click();
  await waitForMove(page, 'B2');
  await closePages(page, other);
});

test('games continue from before resignations', async () => {
  const page = await newUser(browser, server);
  await startGame(page, 'Three players', 'local');
  await play(page, 'D4', 'C4');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.move', { hasText: 'resigned' }).waitFor();
  await play(page, 'A1', 'A2');
  const playOn = page.getByRole('button', { name: 'Continue from here' });
  await page.locator('.move', { hasText: 'A1' }).click();
  await waitForText(page, '.status', 'After move 4 of 5');
  assert.equal(await playOn.count(), 0);
  await page.locator('.move', { hasText: 'D4' }).click();
  await playOn.click();
  await waitForText(page, '.status', 'Player 2’s turn');
  assert.equal(await page.locator('.move').count(), 1);
  await closePages(page);
});

test('games download in every format', async () => {
  const page = await newUser(browser, server);
  const texts = async () => {
    const found = {};
    for (const link of await page.locator('.downloads a').all()) {
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      found[await link.textContent()] = await readFile(await download.path(), 'utf8');
    }
    return found;
  };
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  await page.locator('.downloads').waitFor();
  const small = await texts();
  assert.deepEqual(Object.keys(small), ['text', 'JSON']);
  assert.match(small.text, /A1.*B1.*A2.*B2.*A3/s);
  assert.deepEqual(JSON.parse(small.JSON).moves, ['A1', 'B1', 'A2', 'B2', 'A3']);

  await startGame(page, 'Gomoku', 'local');
  await play(page, 'H8', 'A1', 'H9', 'A2', 'H10', 'A3', 'H11', 'A4', 'H12');
  await page.locator('.downloads').waitFor();
  const large = await texts();
  assert.deepEqual(Object.keys(large), ['text', 'JSON', 'psq', 'SGF']);
  assert.match(large.psq, /^Piskvorky 15x15, /);
  assert.match(large.SGF, /^\(;.*GM\[4\]/s);
  await closePages(page);
});

test('lobby and spectators update live', async () => {
  const [ann, bob, cyd] = await Promise.all([1, 2, 3].map(() => newUser(browser, server)));
  await cyd.goto('/lobby');
  await cyd.getByText('Nobody is waiting').waitFor();
  await startGame(ann, '4 × 4', 'online');
  await cyd.getByRole('link', { name: /^Join/ }).waitFor();
  await startGame(bob, '4 × 4', 'online');
  assert.equal(ann.url(), bob.url());
  await cyd.getByRole('link', { name: /^Watch/ }).click();
  const mover = (await ann.locator('.status').textContent()) === 'Your turn' ? ann : bob;
  await cell(mover, 'A1').click();
  await waitForMove(cyd, 'A1');
  await cell(cyd, 'B2').click();
  await waitForText(cyd, '.note', 'You can only watch');
  await closePages(ann, bob, cyd);
});

test('rated games reach leaderboard and profile', async () => {
  const [ann, bob] = await Promise.all([newUser(browser, server), newUser(browser, server)]);
  await signUp(ann, 'Ann');
  await signUp(bob, 'Bob');
  await chooseRated(ann);
  await startGame(ann, '3 × 3', 'link');
  await waitForText(ann, '.tag', 'Rated');
  await joinGame(bob, ann.url(), 'O');
  // Rated games have no hints.
  assert.equal(await ann.getByRole('button', { name: 'Hint' }).count(), 0);
  const pages = [ann, bob];
  await playInTurn(pages, ['A1', 'B1', 'A2', 'B2', 'A3']);
  await waitForText(ann, '.status', 'You win!');

  await bob.goto('/leaderboard');
  await bob.locator('.your-rank tr.marked', { hasText: 'Bob' }).waitFor();
  await bob.locator('.your-rank tr', { hasText: 'Ann' }).waitFor();
  await bob.getByLabel('Find a player').fill('an');
  await bob.getByRole('button', { name: 'Find' }).click();
  await bob.locator('.search-results tr.marked', { hasText: 'Ann' }).waitFor();
  await bob.locator('.search-results').getByRole('link', { name: 'Ann' }).click();
  await bob.getByRole('heading', { name: 'Ann', level: 1 }).waitFor();
  await bob.getByRole('img', { name: /Rating of Ann over 1 game:/ }).waitFor();
  await bob.getByText('Show as a table').click();
  assert.equal(await bob.locator('.league table tbody tr').count(), 1);
  await waitForText(bob, '.record', /Ann won 1, lost 0 and drew 0 rated games against Bob/);
  // Games by link are listed for their players only.
  await bob.getByText('No public games yet.').waitFor();
  await ann.goto('/player/Ann');
  await ann.locator('.game-row', { hasText: 'rated' }).waitFor();
  await closePages(...pages);
});

test('accounts are recovered, renamed and deleted', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'online');
  const game = page.url();
  await signUp(page, 'Emma');
  const code = await page.getByLabel('Recovery code').inputValue();
  assert.match(code, /^(\w{5}-){3}\w{5}$/);
  await page.getByText('this one').waitFor();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Emma');
  await dialog.getByLabel('Recovery code').fill(code.toLowerCase());
  await dialog.getByLabel('New password').fill('battery staple');
  await dialog.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Emma', level: 1 }).waitFor();
  assert.notEqual(await page.getByLabel('Recovery code').inputValue(), code);
  await page.getByLabel('New name').fill('Emily');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByRole('heading', { name: 'Emily', level: 1 }).waitFor();
  await page.goto(game);
  await page.locator('.players li', { hasText: 'Emily' }).waitFor();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByLabel('Password').fill('battery staple');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: 'Sign up' }).waitFor();
  await closePages(page);
});

test('accounts keep games, tokens and passwords', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'online');
  const game = page.url();
  await signUp(page, 'Dora');
  await page.getByLabel('Label').fill('my bot');
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByLabel('New token, shown only once').inputValue();
  assert.match(token, /^[0-9a-f]{64}$/);
  await page.getByRole('button', { name: 'Revoke my bot' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke my bot' }).waitFor({ state: 'detached' });
  await page.goto(game);
  await page.locator('.players li', { hasText: 'You' }).waitFor();
  await page.getByRole('button', { name: 'Call it off' }).click();
  await waitForText(page, '.status', 'called off');
  await page.goto('/account');
  await page.getByLabel('Current password').fill('correct horse');
  await page.getByLabel('New password').fill('battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.locator('.toast', { hasText: 'Password changed.' }).waitFor();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  const form = page.locator('section', { hasText: 'Log in' });
  await form.getByLabel('Name').fill('Dora');
  await form.getByLabel('Password').fill('correct horse');
  await form.getByRole('button').click();
  await waitForText(page, '.error', 'password is wrong');
  page.expected = NETWORK_ERRORS;
  await form.getByLabel('Password').fill('battery staple');
  await form.getByRole('button').click();
  await page.getByRole('heading', { name: 'Dora', level: 1 }).waitFor();
  await closePages(page);
});

test('the review shows who was ahead and the moves that mattered', async () => {
  const page = await newUser(browser, server, { viewport: DESKTOP });
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await page.locator('.losing-move').waitFor();
  await page.locator('[data-action=review]').click();
  const curve = page.getByRole('slider', { name: 'Who was ahead' });
  await curve.locator('.bar').nth(7).waitFor({ state: 'attached' });
  // The losing move, its position, and that it is told in words.
  assert.equal(await curve.locator('.bar.mistake').count(), 1);
  assert.deepEqual(await page.locator('.moments li').allInnerTexts(), ['B1 let the draw slip; B2 would have drawn.']);
  assert.equal(await curve.getAttribute('aria-valuetext'), 'After move 1: about even');
  await curve.focus();
  await page.keyboard.press('ArrowRight');
  await waitForText(page, '.status', 'After move 2 of 7');
  assert.equal(await curve.getAttribute('aria-valuetext'), 'After move 2: X is winning');
  // The slider keeps the focus.
  await page.keyboard.press('End');
  await waitForText(page, '.status', 'Player 1 wins');
  const { x, y, width } = await curve.boundingBox();
  await page.mouse.click(x + width * 0.02, y + 10);
  await waitForText(page, '.status', 'After move 0 of 7');
  await page.getByRole('button', { name: 'B1 let the draw slip' }).click();
  await page.locator('.board .verdict-ring.best').waitFor({ state: 'attached' });
  await waitForText(page, '.status', 'After move 1 of 7');
  await closePages(page);
});

test('the board is saved as a picture', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  const save = async (format) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-action=${format}]`).click()]);
    assert.match(download.suggestedFilename(), new RegExp(`^noughts-\\w+-5\\.${format}$`));
    return readFile(await download.path());
  };
  const picture = String(await save('svg'));
  assert.match(picture, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.doesNotMatch(picture, /var\(|class=|aria-/);
  const png = await save('png');
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.equal(png.readUInt32BE(16), 1200);
  // Not blank: X and O, the grid, the won line and the paper have colours of their own.
  const colours = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let i = 0; i < pixels.length; i += 4) {
      const colour = pixels.slice(i, i + 3).join();
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts.values()].filter((count) => count > 2000).length;
  }, png.toString('base64'));
  assert.ok(colours >= 4, `${colours} colours`);
  await closePages(page);
});
