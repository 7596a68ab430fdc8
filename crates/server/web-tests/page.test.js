// What holds for the page as a whole: accessible, safe, light, quiet, and remembering.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import jsQR from 'jsqr';
import { encode } from '../web/js/qr.js';
import { begin, cell, close, launch, person, play, REFUSALS, says, Server, shifts, signUp, watchShifts } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launch()])));
after(async () => {
  await browser?.close();
  await server?.stop();
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

  await signUp(page, '<b onclick=x>Mallory</b>');
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
  page.expected = /Content Security Policy/;
  await close(page);
});

test('the first screen is light, quiet, still, and cached by its content', async () => {
  const page = await person(browser, server);
  const sizes = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', (event) => sizes.push(event.encodedDataLength));
  await watchShifts(page);
  await page.goto('/');
  await says(page, '.honesty', 'With perfect play nobody wins.');
  // What is fetched for the game that will follow counts as well.
  await page.waitForLoadState('networkidle');
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 0 && bytes < 100_000, `${bytes} bytes`);
  assert.deepEqual(await shifts(page), []);
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name));
  for (const address of loaded.filter((address) => address.includes('/assets/'))) {
    const answer = await page.request.get(address);
    assert.equal(answer.headers()['cache-control'], 'public, max-age=31536000, immutable');
  }
  console.log(`The first screen and what the game needs: ${sizes.length} answers, ${bytes} bytes.`);
  await close(page);
});

test('what the first screen needs is asked for at once, and a click on it begins a game', async () => {
  const page = await person(browser, server);
  await page.addInitScript(() => {
    // Presses the first button as soon as it is there, without waiting for anything else.
    const observer = new MutationObserver(() => {
      const button = document.querySelector('[data-way=local]');
      if (!button) return;
      observer.disconnect();
      globalThis.pressedAt = performance.now();
      button.click();
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/');
  await page.waitForURL(/\/game\//);
  await cell(page, 'B2').waitFor();
  const asked = await page.evaluate(() => performance.getEntriesByType('resource')
    .map(({ name, startTime }) => [new URL(name).pathname.replace(/^\/assets\/[^/]+/, ''), startTime < globalThis.pressedAt]));
  const files = asked.filter(([path]) => /\.(js|css)$/.test(path));
  assert.deepEqual(files.map(([path]) => path).sort(), ['/js/app.js', '/js/early.js', '/style/page.css']);
  // Nothing is found only when something else is read, and the game needs no further file.
  assert.deepEqual(files.filter(([, before]) => !before), []);
  await close(page);
});

test('every screen is a part of the one module, and evaluated once', async () => {
  const page = await person(browser, server);
  const scripts = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(new URL(request.url()).pathname.split('/').pop()));
  await begin(page, '3 × 3', 'local');
  for (const name of ['Lobby', 'Leaderboard', 'How to play', 'Noughts']) {
    await page.locator('header').getByRole('link', { name }).click();
    await page.locator('header').getByRole('link', { name }).and(page.locator('[aria-current=page]')).waitFor();
  }
  // Were there two instances of who we are, the header would not hear of it.
  await page.locator('.me').click();
  const form = page.locator('section', { hasText: 'Sign up' });
  await form.getByLabel('Name').fill('Once');
  await form.getByLabel('Password').fill('correct horse');
  await form.getByRole('button').click();
  await page.locator('.me', { hasText: 'Once' }).waitFor();
  assert.deepEqual(scripts.sort(), ['app.js', 'early.js']);
  await close(page);
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
  await close(page);
});

test('rules that can’t be are explained before a game begins', async () => {
  const page = await person(browser, server);
  await page.goto('/');
  await page.locator('.choose label', { hasText: 'Your own' }).click();
  await page.getByRole('spinbutton', { name: 'In a row' }).fill('9');
  await page.getByRole('spinbutton', { name: 'In a row' }).press('Enter');
  await page.locator('.honesty.wrong').waitFor();
  page.expected = REFUSALS;
  assert.notEqual(await page.locator('.honesty').textContent(), '');
  await page.locator('.choose label', { hasText: 'Connect Four' }).click();
  await says(page, '.honesty', 'With perfect play the first player wins (J. D. Allen and V. Allis, 1988).');
  await close(page);
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
