// After a game, and around games: review, lobby, leaderboards, profiles, accounts.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { begin, cell, close, inTurn, launch, person, play, REFUSALS, says, Server, signUp, sit, taken } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launch()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('stepping through a game, its analysis, its losing move, its positions', async () => {
  const page = await person(browser, server, { permissions: ['clipboard-read', 'clipboard-write'] });
  await begin(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
  await says(page, '.status', 'Player 1 wins.');
  await says(page, '.lost-at', 'Player 2 lost the game with move 2, B1');
  await page.locator('.move.lost', { hasText: 'B1' }).waitFor();

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('ArrowLeft');
  await says(page, '.status', 'After move 6 of 7.');
  await page.locator('[data-box=C1]:not(.taken)').waitFor();
  await page.locator('.move', { hasText: 'A1' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.toast', { hasText: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/game\/\w+\?ply=1$/);
  const other = await person(browser, server);
  await other.goto(link);
  await says(other, '.status', 'After move 1 of 7.');
  assert.equal(await other.locator('.cell.taken').count(), 1);

  await page.getByRole('button', { name: 'Analysis' }).click();
  await page.locator('.value').nth(7).waitFor();
  assert.equal(await page.locator('.value.draw').count(), 1);
  assert.match(await cell(page, 'B2').getAttribute('aria-label'), /draw/);
  assert.match(await cell(page, 'B1').getAttribute('aria-label'), /loss in/);

  await page.getByRole('button', { name: 'Play on from here' }).click();
  await page.waitForURL((url) => !url.search && !link.includes(url.pathname));
  await taken(page, 'A1');
  await says(page, '.status', 'Your turn.');
  await cell(page, 'B2').click();
  await taken(page, 'B2');
  await close(page, other);
});

test('who is out stays out: a game can’t be played on from there, but from before', async () => {
  const page = await person(browser, server);
  await begin(page, '3 players', 'local');
  await play(page, 'D4', 'C4');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.move', { hasText: 'resigned' }).waitFor();
  await play(page, 'A1', 'A2');
  const playOn = page.getByRole('button', { name: 'Play on from here' });
  await page.locator('.move', { hasText: 'A1' }).click();
  await says(page, '.status', 'After move 4 of 5.');
  assert.equal(await playOn.count(), 0);
  await page.locator('.move', { hasText: 'D4' }).click();
  await playOn.click();
  await says(page, '.status', 'Your turn.');
  assert.equal(await page.locator('.move').count(), 1);
  await close(page);
});

test('a game is taken away in every format', async () => {
  const page = await person(browser, server);
  const texts = async () => {
    const found = {};
    for (const link of await page.locator('.downloads a').all()) {
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      found[await link.textContent()] = await readFile(await download.path(), 'utf8');
    }
    return found;
  };
  await begin(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  await page.locator('.downloads').waitFor();
  const small = await texts();
  assert.deepEqual(Object.keys(small), ['text', 'JSON']);
  assert.match(small.text, /A1.*B1.*A2.*B2.*A3/s);
  assert.deepEqual(JSON.parse(small.JSON).moves, ['A1', 'B1', 'A2', 'B2', 'A3']);

  await begin(page, 'Gomoku', 'local');
  await play(page, 'H8', 'A1', 'H9', 'A2', 'H10', 'A3', 'H11', 'A4', 'H12');
  await page.locator('.downloads').waitFor();
  const large = await texts();
  assert.deepEqual(Object.keys(large), ['text', 'JSON', 'psq', 'SGF']);
  assert.match(large.psq, /^Piskvorky 15x15, /);
  assert.match(large.SGF, /^\(;.*GM\[4\]/s);
  await close(page);
});

test('the lobby shows who waits and who plays, by itself; watchers see every move', async () => {
  const [ann, bob, cyd] = await Promise.all([1, 2, 3].map(() => person(browser, server)));
  await cyd.goto('/lobby');
  await cyd.getByText('Nobody waits at the moment').waitFor();
  await begin(ann, '4 × 4', 'anyone');
  await cyd.getByRole('link', { name: /^Join/ }).waitFor();
  await begin(bob, '4 × 4', 'anyone');
  assert.equal(ann.url(), bob.url());
  await cyd.getByRole('link', { name: /^Watch/ }).click();
  const mover = (await ann.locator('.status').textContent()) === 'Your turn.' ? ann : bob;
  await cell(mover, 'A1').click();
  await taken(cyd, 'A1');
  await cell(cyd, 'B2').click();
  await says(cyd, '.note', 'You are watching');
  await close(ann, bob, cyd);
});

test('a rated game, the leaderboard with search and neighbours, the profile with its curve', async () => {
  const [ann, bob] = await Promise.all([person(browser, server), person(browser, server)]);
  await signUp(ann, 'Ann');
  await signUp(bob, 'Bob');
  await ann.goto('/');
  await ann.getByText('Options').click();
  await ann.getByText('Rated', { exact: false }).first().click();
  await begin(ann, '3 × 3', 'link');
  await says(ann, '.tag', 'rated');
  await sit(bob, ann.url(), 'O');
  // Nobody is helped in a game that counts.
  assert.equal(await ann.getByRole('button', { name: 'Hint' }).count(), 0);
  const people = [ann, bob];
  await inTurn(people, ['A1', 'B1', 'A2', 'B2', 'A3']);
  await says(ann, '.status', 'Ann wins.');

  await bob.goto('/leaderboard');
  await bob.locator('.place tr.marked', { hasText: 'Bob' }).waitFor();
  await bob.locator('.place tr', { hasText: 'Ann' }).waitFor();
  await bob.getByLabel('Find a player').fill('an');
  await bob.getByRole('button', { name: 'Find' }).click();
  await bob.locator('.found tr.marked', { hasText: 'Ann' }).waitFor();
  await bob.locator('.found').getByRole('link', { name: 'Ann' }).click();
  await bob.getByRole('heading', { name: 'Ann', level: 1 }).waitFor();
  await bob.getByRole('img', { name: /Rating of Ann over 1 game:/ }).waitFor();
  await bob.getByText('As a table').click();
  assert.equal(await bob.locator('.league table tbody tr').count(), 1);
  await says(bob, '.record', /Ann won 1, lost 0 and drew 0 rated games against Bob/);
  // A game by link is no one else's business, but is in one's own list.
  await bob.getByText('No public games yet.').waitFor();
  await ann.goto('/player/Ann');
  await ann.locator('.game-row', { hasText: 'rated' }).waitFor();
  await close(...people);
});

test('signing up keeps the guest’s games; tokens are made and revoked; logging out and in', async () => {
  const page = await person(browser, server);
  await begin(page, '3 × 3', 'anyone');
  const game = page.url();
  await signUp(page, 'Dora');
  await page.getByLabel('What it is for').fill('my bot');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const token = await page.getByLabel('The token, shown only this once').inputValue();
  assert.match(token, /^[0-9a-f]{64}$/);
  await page.getByRole('button', { name: 'Revoke my bot' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke my bot' }).waitFor({ state: 'detached' });
  await page.goto(game);
  await page.locator('.players li', { hasText: 'you' }).waitFor();
  await page.getByRole('button', { name: 'Stop waiting' }).click();
  await says(page, '.status', 'called off');
  await page.goto('/account');
  await page.getByLabel('Password until now').fill('correct horse');
  await page.getByLabel('Password from now on').fill('battery staple');
  await page.getByRole('button', { name: 'Change' }).click();
  await page.locator('.toast', { hasText: 'The password is changed.' }).waitFor();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  const form = page.locator('section', { hasText: 'Log in' });
  await form.getByLabel('Name').fill('Dora');
  await form.getByLabel('Password').fill('correct horse');
  await form.getByRole('button').click();
  await says(page, '.wrong', 'do not belong together');
  page.expected = REFUSALS;
  await form.getByLabel('Password').fill('battery staple');
  await form.getByRole('button').click();
  await page.getByRole('heading', { name: 'Dora', level: 1 }).waitFor();
  await close(page);
});
