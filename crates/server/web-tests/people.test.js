// Other players: challenges with an inbox, following and blocking, emotes, spectators, statistics.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, checkLooks, closePages, inspectedUser, joinGame, launchBrowser, newUser, play, playInTurn, Server, signUp, startGame, waitForConnection, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Two accounts, each on the first screen. */
async function accounts(first, second) {
  const pages = await Promise.all([inspectedUser(browser, server), newUser(browser, server)]);
  await Promise.all([signUp(pages[0], first), signUp(pages[1], second)]);
  return pages;
}

/** Fills in the dialog of a challenge. */
async function sendChallenge(page, game) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Game').selectOption({ label: game });
  await dialog.getByRole('radio', { name: 'Me' }).check();
  await dialog.getByRole('button', { name: 'Send the challenge' }).click();
  await page.waitForURL(/\/game\//);
  await waitForConnection(page);
}

test('a challenge by name reaches the inbox and is accepted', async () => {
  const [ann, bob] = await accounts('Ann', 'Bob');
  await ann.goto('/');
  await ann.getByRole('button', { name: 'Challenge a player' }).click();
  await checkLooks(ann, 'challenge');
  await ann.getByLabel('Name of the player').fill('bob');
  await sendChallenge(ann, 'Gomoku');
  await waitForText(bob, '.toast', 'Ann challenges you: Gomoku');
  await waitForText(bob, '#inbox .count', '1');
  await bob.getByRole('button', { name: 'Inbox: 1' }).click();
  await waitForText(bob, '.inbox', 'Ann');
  await bob.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await bob.waitForURL(/\/game\//);
  await waitForText(ann, '.status', 'Your turn');
  await playInTurn([ann, bob], ['H8', 'H9']);
  await ann.goto('/lobby');
  await waitForText(ann, '#inbox .count', '1');
  await closePages(ann, bob);
});

test('challenges are withdrawn, declined and blocked', async () => {
  const [cyd, dan] = await accounts('Cyd', 'Dan');
  await cyd.goto('/player/Dan');
  await waitForText(cyd, 'h1', 'online');
  await cyd.getByRole('button', { name: 'Challenge', exact: true }).click();
  await sendChallenge(cyd, '3 × 3');
  await waitForText(dan, '#inbox .count', '1');
  await cyd.goto('/');
  await cyd.getByRole('button', { name: 'Inbox' }).click();
  await waitForText(cyd, '.inbox', 'Sent by you');
  await checkLooks(cyd, 'inbox');
  await cyd.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await waitForText(cyd, '.inbox', 'Nothing waits for you.');
  await dan.locator('#inbox .count').waitFor({ state: 'hidden' });

  await cyd.goto('/player/Dan');
  await cyd.getByRole('button', { name: 'Challenge', exact: true }).click();
  await sendChallenge(cyd, '3 × 3');
  await dan.getByRole('button', { name: 'Inbox: 1' }).click();
  await dan.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await waitForText(dan, '.inbox', 'Nothing waits for you.');
  await dan.goto('/player/Cyd');
  await dan.getByRole('button', { name: 'Block' }).click();
  await dan.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await dan.getByRole('button', { name: 'Unblock' }).waitFor();
  await cyd.goto('/player/Dan');
  await cyd.getByRole('button', { name: 'Challenge', exact: true }).click();
  await cyd.getByRole('dialog').getByRole('button', { name: 'Send the challenge' }).click();
  await waitForText(cyd, 'dialog .error', 'One of you has blocked the other.');
  cyd.expected = /^Failed to load resource/;
  await closePages(cyd, dan);
});

test('the lobby shows who is there, and whom one follows first', async () => {
  const [eve, fay] = await accounts('Eve', 'Fay');
  await eve.goto('/player/Fay');
  await eve.getByRole('button', { name: 'Follow' }).click();
  await eve.getByRole('button', { name: 'Stop following' }).waitFor();
  await eve.goto('/lobby');
  await waitForText(eve, '.people .person-row', 'you follow them');
  assert.match(await eve.locator('.people .person-row').first().textContent(), /^.*Fay/u);
  await checkLooks(eve, 'people');
  await fay.context().close();
  await eve.locator('.people .person-row', { hasText: 'Fay' }).waitFor({ state: 'detached' });
  await closePages(eve);
});

test('the lobby and the first screen show what is played now', async () => {
  const [page, player] = [await inspectedUser(browser, server), await newUser(browser, server)];
  await startGame(player, 'Connect Four', 'computer');
  await play(player, 'F4');
  await player.locator('.move').nth(1).waitFor();
  const id = player.url().split('/').at(-1);
  await page.goto('/lobby');
  const card = page.locator(`.live-games [data-game="${id}"]`);
  await card.locator('.live-board [data-cell=F4].taken').waitFor();
  await waitForText(page, `.live-games [data-game="${id}"]`, 'Connect Four · 2 moves');
  // The board follows the game; it is a picture, and the card is one link.
  await cell(player, 'A7').click();
  await player.locator('.move').nth(3).waitFor();
  await card.locator('.live-board .taken').nth(3).waitFor();
  assert.equal(await card.getByRole('grid').count(), 0);
  await page.goto('/');
  await waitForText(page, '.live-now', /\d+ games?/);
  await page.locator('.live-now').click();
  await card.getByRole('link', { name: /^Watch / }).click();
  await page.waitForURL(`**/game/${id}`);
  await closePages(page, player);
});

test('players say something, spectators are counted, and either can be muted', async () => {
  const [gus, hal, ida] = await Promise.all([inspectedUser(browser, server), newUser(browser, server), newUser(browser, server)]);
  await startGame(gus, '3 × 3', 'link');
  await joinGame(hal, gus.url(), 'O');
  await ida.goto(gus.url());
  await waitForText(gus, '.spectators', 'Watching: 1');
  assert.equal(await ida.getByText('Say something').count(), 0);
  await hal.getByText('Say something').click();
  await hal.getByRole('button', { name: 'Nice move!' }).click();
  await Promise.all([gus, hal, ida].map((page) => waitForText(page, '.players .bubble', 'Nice move!')));
  await gus.getByText('Say something').click();
  await checkLooks(gus, 'emotes');
  await gus.getByRole('checkbox', { name: 'Don’t show what others say' }).check();
  await hal.getByRole('button', { name: 'Oops!' }).click();
  await waitForText(ida, '.players .bubble', 'Oops!');
  assert.equal(await gus.locator('.players .bubble', { hasText: 'Oops!' }).count(), 0);
  await ida.goto('/');
  await gus.locator('.spectators', { hasText: 'Watching' }).waitFor({ state: 'detached' });
  await closePages(gus, hal, ida);
});

test('a profile has statistics, and finished games with filters', async () => {
  const [jan, kim] = await accounts('Jan', 'Kim');
  for (const moves of [['A1', 'B1', 'A2', 'B2', 'A3'], ['A1', 'B1', 'A2', 'B2', 'C3', 'B3']]) {
    await jan.goto('/player/Kim');
    await jan.getByRole('button', { name: 'Challenge', exact: true }).click();
    await sendChallenge(jan, '3 × 3');
    await kim.getByRole('button', { name: 'Inbox: 1' }).click();
    await kim.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await kim.waitForURL(/\/game\//);
    await waitForConnection(kim);
    await waitForText(jan, '.status', 'Your turn');
    await playInTurn([jan, kim], moves);
  }
  await jan.goto('/player/Jan');
  await waitForText(jan, '.statistics', '3 × 3');
  assert.deepEqual(await jan.locator('.statistics').last().locator('tbody tr').allTextContents(), ['Kim110']);
  const rows = jan.locator('.player-games .game-row');
  assert.equal(await rows.count(), 2);
  await checkLooks(jan, 'statistics');
  await jan.getByLabel('Result').selectOption({ label: 'Lost' });
  await rows.nth(1).waitFor({ state: 'detached' });
  await jan.getByLabel('Game').selectOption({ label: 'Gomoku' });
  await waitForText(jan, '.player-games', 'No finished game fits.');
  await closePages(jan, kim);
});
