// The page elsewhere: what links show, pictures of positions, boards in frames, installing, printing and being offline.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cell, closePages, launchBrowser, NETWORK_ERRORS, newUser, play, SCREENSHOTS, Server, startGame, waitForMove, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The tags of a document that other sites read, as crawlers do: without running its scripts. */
async function tags(page, address) {
  const html = await (await page.request.get(address)).text();
  const found = Object.fromEntries([...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)].map(([, name, content]) => [name, content]));
  return { title: /<title>([^<]*)</.exec(html)[1], ...found };
}

test('links to games, positions and players describe themselves', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  const id = page.url().split('/').at(-1);
  const game = await tags(page, `/game/${id}`);
  assert.equal(game.title, 'Tic-tac-toe: Player 1 – Player 2 · Noughts');
  assert.equal(game.description, 'Player 1 won after 5 moves.');
  assert.equal(game['og:title'], game.title);
  assert.equal(game['og:url'], `${server.url}/game/${id}`);
  assert.equal(game['og:image'], `${server.url}/picture/${id}.png?ply=5`);
  const position = await tags(page, `/game/${id}?ply=2`);
  assert.equal(position.title, 'Tic-tac-toe: Player 1 – Player 2, after 2 moves · Noughts');
  assert.equal(position['og:image'], `${server.url}/picture/${id}.png?ply=2`);
  const pictures = await Promise.all([game, position].map(async (found) => {
    const picture = await page.request.get(found['og:image']);
    assert.equal(picture.headers()['content-type'], 'image/png');
    const data = await picture.body();
    assert.deepEqual([data.readUInt32BE(16), data.readUInt32BE(20)], [1200, 630]);
    return data.toString('base64');
  }));
  assert.notEqual(pictures[0], pictures[1]);
  const player = await tags(page, '/player/%3CAnn%3E');
  assert.equal(player.title, '&lt;Ann&gt; · Noughts');
  const home = await tags(page, '/');
  assert.equal(home['og:image'], `${server.url}/share.png`);
  assert.equal((await page.request.get('/share.png')).headers()['content-type'], 'image/png');
  // What is malformed shows the page, which says so.
  for (const address of ['/game/nothing', '/player/%E0%A4%A', `/game/${id.slice(1)}?ply=x`]) assert.equal((await tags(page, address)).title, 'Noughts', address);
  assert.equal((await page.request.get('/picture/nothing.png')).status(), 404);
  await closePages(page);
});

test('links to puzzles and tournaments show pictures of their own', async () => {
  const page = await newUser(browser, server);
  await page.goto('/');
  const get = (path) => page.evaluate(async (path) => (await fetch(`/api/v1${path}`)).json(), path);
  const pictureOf = async (found, name) => {
    // Drawn at the lowest priority: other work of the machine comes first.
    const picture = await page.request.get(found['og:image'], { timeout: 90_000 });
    assert.equal(picture.headers()['content-type'], 'image/png');
    const data = await picture.body();
    assert.deepEqual([data.readUInt32BE(16), data.readUInt32BE(20)], [1200, 630]);
    await writeFile(join(SCREENSHOTS, `link-${name}.png`), data);
    return data.toString('base64');
  };
  const { puzzle } = await get('/puzzles/daily');
  const other = (await get('/puzzles?rules=connect4&limit=2')).find(({ id }) => id !== puzzle.id);
  const [daily, connect4] = [await tags(page, '/puzzles'), await tags(page, `/puzzles/${other.id}`)];
  assert.match(daily.title, /^Puzzle of the day: .* · Noughts$/);
  assert.equal(daily['og:image'], `${server.url}/picture/puzzle/${puzzle.id}.png`);
  assert.equal(connect4.title, 'Puzzle: Connect Four · Noughts');
  assert.match(connect4.description, /^Play and win in \d+ moves?\. Can you see how\?$|^Find the only move/);
  const tournament = await page.evaluate(async () => {
    const post = async (path, body) => (await fetch(`/api/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
    await post('/guests', {});
    const { tournament: { id } } = await post('/tournaments', { name: 'Class <4b>', format: { type: 'arena', minutes: 20 }, rules: 'gomoku', clock: { initial_ms: 60_000 } });
    return id;
  });
  const before = await tags(page, `/tournament/${tournament}`);
  assert.equal(before.title, 'Class &lt;4b&gt; · Noughts');
  assert.match(before.description, /^An arena of 20 minutes, .*: anyone with this link can join\.$/);
  const first = [await pictureOf(daily, 'daily'), await pictureOf(connect4, 'puzzle'), await pictureOf(before, 'tournament')];
  await page.evaluate((id) => fetch(`/api/v1/tournaments/${id}/join`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }), tournament);
  const after = await tags(page, `/tournament/${tournament}`);
  const pictures = [...first, await pictureOf(after, 'tournament-joined')];
  assert.equal(new Set(pictures).size, 4);
  for (const address of ['/puzzles/nothing', '/tournament/nothing', '/tournament/01jz0000000000000000000000']) assert.equal((await tags(page, address)).title, 'Noughts', address);
  for (const address of ['/picture/puzzle/0123456789abcdef.png', '/picture/tournament/nothing.png', '/picture/puzzle/nothing']) assert.equal((await page.request.get(address)).status(), 404, address);
  await closePages(page);
});

test('only the board to embed may be framed', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'B2');
  const id = page.url().split('/').at(-1);
  for (const [address, isFramable] of [[`/embed/${id}`, true], [`/game/${id}`, false], ['/', false], ['/account', false], [`/picture/${id}.png`, false]]) {
    const headers = (await page.request.get(address)).headers();
    assert.match(headers['content-security-policy'], isFramable ? /frame-ancestors \*/ : /frame-ancestors 'none'/, address);
    assert.equal(headers['x-frame-options'], isFramable ? undefined : 'DENY', address);
  }
  // A page of another site.
  const other = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<iframe id="board" src="${server.url}/embed/${id}" width="420" height="600"></iframe><iframe id="game" src="${server.url}/game/${id}"></iframe>`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const reader = await newUser(browser, server);
  await reader.goto(`http://localhost:${other.address().port}/`);
  const frame = reader.frameLocator('#board');
  await frame.locator('[data-cell=B2].taken').waitFor();
  assert.equal(await frame.getByRole('link', { name: 'Open in Noughts' }).getAttribute('href'), `/game/${id}`);
  // It follows the game.
  await cell(page, 'A1').click();
  await waitForMove(page, 'A1');
  await frame.locator('[data-cell=A1].taken').waitFor();
  await reader.screenshot({ path: join(SCREENSHOTS, 'embed.png') });
  assert.equal(await reader.frameLocator('#game').locator('[role=grid]').count(), 0);
  reader.expected = /^Failed to load resource|^Refused to (frame|display)|^Framing|request to another host/;
  other.close();
  other.closeAllConnections();
  await closePages(page, reader);
});

test('the page can be installed', async () => {
  const page = await newUser(browser, server);
  await page.goto('/');
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const { name, display, icons } = JSON.parse(data);
  assert.deepEqual([name, display], ['Noughts', 'standalone']);
  for (const { src, sizes } of icons) {
    const icon = await (await page.request.get(src)).body();
    assert.equal(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`, sizes, src);
  }
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
  await closePages(page);
});

test('being offline is said, and what failed is loaded later', async () => {
  const page = await newUser(browser, server);
  page.expected = NETWORK_ERRORS;
  await page.goto('/');
  await page.context().setOffline(true);
  await page.locator('.offline:not([hidden])', { hasText: 'You’re offline' }).waitFor();
  await page.locator('.top').getByRole('link', { name: 'Learn' }).click();
  await waitForText(page, 'h1', 'Page not found');
  await page.context().setOffline(false);
  await page.locator('.offline').waitFor({ state: 'hidden' });
  await waitForText(page, 'h1', 'How to play');
  await closePages(page);
});

test('a game prints as a board with its moves', async () => {
  const page = await newUser(browser, server);
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: join(SCREENSHOTS, 'print.png'), fullPage: true });
  for (const hidden of ['.top', '.tab-bar', '.actions', '.steps', '.extras']) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
  for (const shown of ['.board', '.players', '.status', '.moves']) assert.equal(await page.locator(shown).isVisible(), true, shown);
  await closePages(page);
});
