// What holds for the page as a whole: accessible, safe, light, quiet, and remembering.

import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import jsQR from 'jsqr';
import { encode } from '../web/js/qr.js';
import { begin, cell, launch, person, PICTURES, play, says, Server } from './harness.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launch()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Looks for violations. */
async function inspect(page, name) {
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0].html}`), []);
}

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };

for (const [colorScheme, size, check] of [
  ['light', 'desktop', inspect], ['dark', 'phone', inspect], ['light', 'phone', null], ['dark', 'desktop', null],
]) {
  test(`${check ? 'axe finds nothing on' : 'pictures of'} every screen: ${colorScheme}, ${size}`, async () => {
    const page = await person(browser, server, { colorScheme, viewport: SIZES[size] });
    // Injected by the browser itself, which the page's policy does not concern.
    await page.addInitScript(axe);
    const look = async (name) => {
      await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}-${size}.png`) });
      await check?.(page, name);
    };
    await page.goto('/');
    await says(page, '.honesty', 'With perfect play nobody wins.');
    await look('home');
    await page.locator('.choose label', { hasText: 'Your own' }).click();
    await page.locator('details summary', { hasText: 'Options' }).click();
    await look('own-rules');
    await page.getByRole('button', { name: /^Symbol of player 1/ }).click();
    await look('symbols');
    await page.getByRole('button', { name: 'Close' }).click();
    await begin(page, '3 × 3', 'link');
    await look('invitation');
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await look('qr');
    await begin(page, 'Gomoku', 'local');
    await play(page, 'H8', 'G7', 'H9', 'G8');
    await look('gomoku');
    await begin(page, '3 × 3', 'local');
    await play(page, 'A1', 'B1', 'B2', 'C3', 'A3', 'A2', 'C1');
    await page.locator('.lost-at').waitFor();
    await look('game-over');
    await page.locator('.move', { hasText: 'A1' }).click();
    await page.getByRole('button', { name: 'Analysis' }).click();
    await page.locator('.value').first().waitFor();
    await look('analysis');
    for (const screen of ['lobby', 'leaderboard', 'how-to-play', 'account']) {
      await page.goto(`/${screen}`);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      await look(screen);
    }
    const form = page.locator('section', { hasText: 'Sign up' });
    await form.getByLabel('Name').fill(`Eve ${colorScheme} ${size}`);
    await form.getByLabel('Password').fill('correct horse');
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'Bot tokens' }).waitFor();
    await page.locator('.toast').waitFor({ state: 'detached' });
    await look('account-named');
    await page.goto(`/player/${encodeURIComponent(`Eve ${colorScheme} ${size}`)}`);
    await page.getByRole('heading', { name: 'Recent games' }).waitFor();
    await look('profile');
    assert.deepEqual(page.said, []);
    await page.context().close();
  });
}

test('the picture of the README', async () => {
  const page = await person(browser, server, { colorScheme: 'light', viewport: { width: 1200, height: 790 } });
  await page.goto('/');
  await page.getByLabel('Name of player 1').fill('Ann');
  await page.getByLabel('Name of player 2').fill('Bob');
  await begin(page, 'Gomoku', 'local');
  await play(page, ...'H8 G9 G7 I8 G8 F9 F8 E9 F7 H6 F6 F5 I9 J10 E5'.split(' '));
  await says(page, '.status', 'Ann wins.');
  await page.mouse.move(0, 0);
  const path = join(PICTURES, 'readme.png');
  await page.screenshot({ path });
  // The picture in the repository is this one; it changes only when someone wants it to.
  if (process.env.UPDATE_PICTURE) await copyFile(path, new URL('../../../docs/page.png', import.meta.url));
  await page.context().close();
});

test('markup in names stays text, and no script runs that is not the page’s own', async () => {
  const page = await person(browser, server);
  const name = '<img src=x onerror=hacked=1>';
  await page.goto('/');
  await page.getByLabel('Name of player 1').fill(name);
  await page.getByLabel('Name of player 2').fill('<script>hacked=1</script>');
  await begin(page, '3 × 3', 'local');
  await says(page, '.players', name);
  await play(page, 'A1');
  assert.match(await cell(page, 'A1').getAttribute('aria-label'), /<img src=x onerror=hacked=1>/);
  assert.equal(await page.locator('main img').count(), 0);

  await page.goto('/account');
  const form = page.locator('section', { hasText: 'Sign up' });
  await form.getByLabel('Name').fill('<b onclick=x>Mallory</b>');
  await form.getByLabel('Password').fill('correct horse');
  await form.getByRole('button').click();
  await page.getByRole('heading', { name: '<b onclick=x>Mallory</b>' }).waitFor();
  await page.getByRole('link', { name: 'Your profile' }).click();
  await page.getByRole('heading', { name: 'Head to head' }).waitFor();
  assert.equal(await page.locator('main b').count(), 0);
  assert.deepEqual(page.said, []);

  const blocked = await page.evaluate(() => new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true });
    const script = document.createElement('script');
    script.textContent = 'globalThis.hacked = 1';
    document.body.append(script);
  }));
  assert.match(blocked, /script-src/);
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  await page.context().close();
});

test('the first screen is light, quiet, still, and cached by its content', async () => {
  const page = await person(browser, server);
  const sizes = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', (event) => sizes.push(event.encodedDataLength));
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  await says(page, '.honesty', 'With perfect play nobody wins.');
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 0 && bytes < 100_000, `${bytes} bytes`);
  assert.equal(await page.evaluate(() => globalThis.shift), 0);
  const cached = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
  for (const address of cached.filter((address) => address.includes('/assets/'))) {
    const answer = await page.request.get(address);
    assert.equal(answer.headers()['cache-control'], 'public, max-age=31536000, immutable');
  }
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test('what was chosen last time is chosen already', async () => {
  const page = await person(browser, server, { colorScheme: 'light' });
  await page.goto('/');
  await page.locator('.choose label', { hasText: 'Misère' }).click();
  await page.getByLabel('Name of player 1').fill('Zoë');
  await page.getByRole('button', { name: /^Symbol of player 1/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '🦊' }).click();
  await page.locator('.way label', { hasText: 'Hard' }).click();
  await page.getByRole('button', { name: 'Switch to dark colours' }).click();
  await page.reload();
  await says(page, '.lead', 'Whoever gets 3 in a row loses.');
  assert.equal(await page.getByLabel('Name of player 1').inputValue(), 'Zoë');
  assert.equal(await page.getByLabel('Hard').isChecked(), true);
  assert.equal(await page.locator('.way.chosen [data-way]').getAttribute('data-way'), 'computer');
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark');
  await page.locator('[data-way=computer]').click();
  await page.locator('.players li', { hasText: 'Zoë' }).waitFor();
  await cell(page, 'B2').click();
  await page.locator('[data-box=B2] .mark', { hasText: '🦊' }).waitFor();
  await page.context().close();
});

test('rules that can’t be are explained before a game begins', async () => {
  const page = await person(browser, server);
  await page.goto('/');
  await page.locator('.choose label', { hasText: 'Your own' }).click();
  await page.getByRole('spinbutton', { name: 'In a row' }).fill('9');
  await page.getByRole('spinbutton', { name: 'In a row' }).press('Enter');
  await page.locator('.honesty.wrong').waitFor();
  assert.notEqual(await page.locator('.honesty').textContent(), '');
  await page.locator('.choose label', { hasText: 'Connect Four' }).click();
  await says(page, '.honesty', 'With perfect play the first player wins (J. D. Allen and V. Allis, 1988).');
  await page.context().close();
});

test('QR codes read back, in every version that is used', () => {
  for (const length of [1, 14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213]) {
    const text = 'https://noughts.example/game/'.repeat(9).slice(0, length);
    const rows = encode(text);
    const [scale, size] = [4, (rows.length + 8) * 4];
    const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
    rows.forEach((row, r) => row.forEach((on, c) => {
      for (let i = 0; on && i < scale * scale; i += 1) {
        const [y, x] = [(r + 4) * scale + Math.floor(i / scale), (c + 4) * scale + (i % scale)];
        pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
      }
    }));
    assert.equal(jsQR(pixels, size, size)?.data, text, `${length} characters`);
  }
  assert.equal(encode('x'.repeat(214)), null);
});
