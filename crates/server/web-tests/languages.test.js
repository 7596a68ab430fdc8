// The page in other languages: how one is chosen, what is loaded, and how screens look, from right to left, too.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  cell, closePages, DESKTOP, inspectedUser, launchBrowser, newUser, PHONE, SCREENSHOTS, Server, sticksOut, waitForConnection, waitForMove, waitForText,
} from './harness.js';

/** @type {Server} */
let server;
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  server = await Server.start();
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const languageOf = (page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

test('the browser chooses the language, and only that one is loaded', async () => {
  for (const [locale, language, title] of [['de-CH', 'de', 'Alle in eine Reihe.'], ['zh-CN', 'zh', '连成一线。'], ['nl-NL', 'en', 'Get them in a row.']]) {
    const page = await newUser(browser, server, { locale });
    const loaded = [];
    page.on('request', (request) => /\/messages\/\w+\.js/.test(request.url()) && loaded.push(request.url().split('/').at(-1)));
    await page.goto('/');
    await waitForText(page, 'h1', title);
    assert.deepEqual(await languageOf(page), [language, 'ltr']);
    assert.deepEqual(loaded, [`${language}.js`]);
    await closePages(page);
  }
});

test('the language is changed in the settings and remembered', async () => {
  const page = await newUser(browser, server, { locale: 'en-GB' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Look and sound' }).click();
  await page.getByLabel('Language').selectOption({ label: 'العربية' });
  await waitForText(page, 'h1', 'ضعها في صف واحد.');
  assert.deepEqual(await languageOf(page), ['ar', 'rtl']);
  await page.goto('/lobby');
  await waitForText(page, 'h1', 'الردهة');
  await closePages(page);
});

test('a game is played and refused in German', async () => {
  const page = await newUser(browser, server, { locale: 'de-DE' });
  await startGameIn(page, 'local');
  await waitForText(page, '.status', 'ist am Zug');
  for (const move of ['A1', 'B1', 'A2', 'B2', 'A3']) {
    await cell(page, move).click();
    await waitForMove(page, move);
  }
  await waitForText(page, '.status', 'gewinnt');
  await waitForText(page, '.note', /verlor mit|in einer Reihe/);
  page.expected = /^Failed to load resource/;
  await page.goto('/game/01JCB0000000000000000000ZZ');
  await waitForText(page, 'main p', 'Diese Partie gibt es nicht, oder sie wird nicht mehr aufbewahrt.');
  await closePages(page);
});

/** Starts a game of the classic board in any language. */
async function startGameIn(page, mode) {
  await page.goto('/');
  await page.locator('.tile input[value=classic]').check({ force: true });
  await page.locator(`[data-mode=${mode}]`).click();
  await page.waitForURL(/\/game\//);
  await waitForConnection(page);
}

const SCREENS = { home: '/', lobby: '/lobby', leaderboard: '/leaderboard', learn: '/how-to-play', account: '/account', lost: '/nothing' };

for (const [language, locale] of [['ar', 'ar-EG'], ['ja', 'ja-JP']]) {
  test(`screens are accessible and fit: ${language}`, async () => {
    const page = await inspectedUser(browser, server, { locale });
    page.expected = /^Failed to load resource/;
    const look = async (name) => {
      await page.mouse.move(0, 0);
      for (const [suffix, size, colorScheme] of [['desktop', DESKTOP, 'light'], ['phone', PHONE, 'dark']]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${language}-${suffix}.png`) });
        assert.equal(await sticksOut(page), 0, `${name}, ${suffix} ${size.width}`);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
        assert.deepEqual(violations.map(({ id, nodes }) => `${name}, ${suffix}: ${id} ${nodes[0].html}`), []);
      }
      await page.setViewportSize(DESKTOP);
    };
    for (const [name, address] of Object.entries(SCREENS)) {
      await page.goto(address);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      await look(name);
    }
    await startGameIn(page, 'local');
    await cell(page, 'B2').click();
    await waitForMove(page, 'B2');
    await look('game');
    // The board itself runs from left to right.
    const [first, last] = await page.locator('[role=grid]').evaluate((board) =>
      ['A1', 'A3'].map((name) => board.querySelector(`[data-cell=${name}]`).getBoundingClientRect().x));
    assert.ok(first < last);
    for (const move of ['A1', 'A2', 'A3', 'C2']) {
      await cell(page, move).click();
      await waitForMove(page, move);
    }
    await page.locator('[data-action=review]').click();
    await page.locator('.review').waitFor();
    await look('review');
    await closePages(page);
  });
}

test('screens fit in every language', async () => {
  for (const locale of ['de-DE', 'es-ES', 'fr-FR', 'hi-IN', 'pt-BR', 'zh-CN']) {
    const page = await newUser(browser, server, { locale, viewport: PHONE });
    await startGameIn(page, 'computer');
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await page.screenshot({ path: join(SCREENSHOTS, `game-${locale.slice(0, 2)}-${size.width}.png`) });
      assert.equal(await sticksOut(page), 0, `game, ${locale} ${size.width}`);
    }
    for (const [name, address] of Object.entries({ home: '/', account: '/account' })) {
      await page.goto(address);
      await page.locator('main h1').waitFor();
      for (const size of [DESKTOP, PHONE]) {
        await page.setViewportSize(size);
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${locale.slice(0, 2)}-${size.width}.png`) });
        assert.equal(await sticksOut(page), 0, `${name}, ${locale} ${size.width}`);
      }
    }
    await closePages(page);
  }
});
