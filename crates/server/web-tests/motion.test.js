// What players hear and feel: sounds, vibration, the shake of a refused move and the celebration of a win.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cell, closePages, joinGame, launchBrowser, newUser, play, playInTurn, Server, startGame, waitForConnection, waitForMove, waitForText } from './harness.js';

let [server, browser] = [];
before(async () => ([server, browser] = await Promise.all([Server.start(), launchBrowser()])));
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A user whose sounds and vibrations are written down in `felt`. */
async function listeningUser(options) {
  const page = await newUser(browser, server, options);
  await page.addInitScript(() => {
    globalThis.felt = [];
    const { OscillatorNode, AudioBufferSourceNode } = globalThis;
    globalThis.OscillatorNode = class extends OscillatorNode {
      constructor(context, settings) {
        super(context, settings);
        globalThis.felt.push(settings.frequency);
      }
    };
    globalThis.AudioBufferSourceNode = class extends AudioBufferSourceNode {
      constructor(context, settings) {
        super(context, settings);
        globalThis.felt.push('stroke');
      }
    };
    Object.defineProperty(navigator, 'vibrate', { value: (pattern) => globalThis.felt.push({ vibrate: pattern }) });
  });
  return page;
}

/** What was heard and felt since the last call. */
const felt = (page) => page.evaluate(() => globalThis.felt.splice(0));

test('a stroke sounds and is felt, and a win is celebrated once', async () => {
  const page = await listeningUser({ reducedMotion: 'no-preference' });
  await startGame(page, '3 × 3', 'local');
  await felt(page);
  await play(page, 'A1');
  assert.deepEqual(await felt(page), ['stroke', 'stroke', { vibrate: 12 }]);
  await play(page, 'B1', 'A2', 'B2');
  await felt(page);
  await cell(page, 'A3').click();
  await page.locator('.confetti').waitFor();
  assert.equal(await page.locator('.confetti > *').count(), 12);
  await waitForText(page, '.status', 'wins');
  assert.deepEqual((await felt(page)).filter((what) => what !== 'stroke'), [{ vibrate: 12 }, 523, 659, 784, { vibrate: [40, 60, 40] }]);
  await page.locator('.confetti').waitFor({ state: 'detached' });
  await closePages(page);
});

test('stones click and discs land', async () => {
  const page = await listeningUser({ reducedMotion: 'no-preference' });
  await startGame(page, 'Gomoku', 'local');
  await felt(page);
  await play(page, 'H8');
  assert.deepEqual(await felt(page), [900, { vibrate: 12 }]);
  await startGame(page, 'Connect Four', 'local');
  await felt(page);
  await play(page, 'F4');
  assert.deepEqual(await felt(page), [220, 220, { vibrate: 12 }]);
  await closePages(page);
});

test('a bell rings for a partner, whose stones sound lower, and the end has its own melody', async () => {
  const [ann, bob] = [await listeningUser({ reducedMotion: 'no-preference' }), await listeningUser({ reducedMotion: 'no-preference' })];
  await startGame(ann, 'Gomoku', 'link');
  await felt(ann);
  await joinGame(bob, ann.url(), 'White');
  await waitForText(ann, '.status', 'Your turn');
  assert.deepEqual(await felt(ann), [660, 880]);
  await felt(bob);
  await playInTurn([ann], ['H8']);
  await waitForMove(bob, 'H8');
  assert.deepEqual(await felt(ann), [900, { vibrate: 12 }]);
  // Four half-tones lower, and nothing to feel.
  assert.deepEqual((await felt(bob)).map((hertz) => Math.round(hertz)), [714]);
  await playInTurn([bob, ann], ['H9', 'G8']);
  await Promise.all([felt(ann), felt(bob)]);
  await bob.getByRole('button', { name: 'Resign' }).click();
  await bob.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await waitForText(ann, '.status', 'You win!');
  await waitForText(bob, '.note', 'You resigned.');
  assert.deepEqual(await felt(ann), [523, 659, 784, { vibrate: [40, 60, 40] }]);
  assert.deepEqual(await felt(bob), [392, 330]);
  assert.equal(await bob.locator('.confetti').count(), 0);
  await closePages(ann, bob);
});

test('a draw is heard, and so are the last seconds', async () => {
  const page = await listeningUser({ reducedMotion: 'no-preference' });
  await startGame(page, '3 × 3', 'local');
  await play(page, 'B2', 'A1', 'A3', 'C1', 'B1', 'B3', 'C2', 'A2');
  await felt(page);
  await play(page, 'C3');
  await waitForText(page, '.status', 'A draw');
  assert.deepEqual((await felt(page)).filter((what) => what !== 'stroke'), [{ vibrate: 12 }, 440, 440]);
  const id = await page.evaluate(async () => {
    const body = JSON.stringify({ seats: [{ for: 'me' }, { for: 'computer', level: 'easy' }], clock: { initial_ms: 8000 } });
    return (await (await fetch('/api/v1/games', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json()).id;
  });
  await page.goto(`/game/${id}`);
  await waitForConnection(page);
  await page.locator('.players .hurry').waitFor();
  // Browsers allow no sounds before the first press, and complain on the console.
  await page.mouse.click(2, 2);
  await page.waitForFunction(() => globalThis.felt.filter((what) => what === 1000).length >= 2);
  await closePages(page);
});

test('an illegal move shakes its square and is told', async () => {
  const page = await listeningUser({ reducedMotion: 'no-preference' });
  await startGame(page, '3 × 3', 'local');
  await play(page, 'A1');
  await felt(page);
  await page.evaluate(() => {
    const square = document.querySelector('[data-cell=A1]');
    new MutationObserver(() => square.classList.contains('refused') && globalThis.felt.push(getComputedStyle(square).animationName))
      .observe(square, { attributes: true, attributeFilter: ['class'] });
  });
  await cell(page, 'A1').click();
  await waitForText(page, '.note.error', 'That square is taken.');
  assert.deepEqual((await felt(page)).toSorted((a, b) => String(a).localeCompare(String(b))), [{ vibrate: 60 }, 140, 'shake'].toSorted((a, b) => String(a).localeCompare(String(b))));
  await page.locator('[data-cell=A1]:not(.refused)').waitFor();
  await closePages(page);
});

test('with reduced motion all is still until it is asked for', async () => {
  const page = await listeningUser({ reducedMotion: 'reduce' });
  await startGame(page, '3 × 3', 'local');
  const speaker = page.getByRole('button', { name: 'Sound', exact: true });
  assert.equal(await speaker.getAttribute('aria-pressed'), 'false');
  await play(page, 'A1', 'B1', 'A2', 'B2', 'A3');
  await waitForText(page, '.status', 'wins');
  assert.deepEqual(await felt(page), []);
  assert.equal(await page.locator('.confetti').count(), 0);
  // The switch is remembered.
  await speaker.click();
  assert.deepEqual(await felt(page), [900]);
  await page.reload();
  assert.equal(await speaker.getAttribute('aria-pressed'), 'true');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('m');
  assert.equal(await speaker.getAttribute('aria-pressed'), 'false');
  await closePages(page);
});

test('vibration can be switched off', async () => {
  const page = await listeningUser({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Look and sound' }).click();
  await page.getByRole('checkbox', { name: 'Vibrate on phones' }).uncheck();
  await startGame(page, '3 × 3', 'local');
  await felt(page);
  await cell(page, 'A1').click();
  await waitForMove(page, 'A1');
  assert.deepEqual(await felt(page), ['stroke', 'stroke']);
  await closePages(page);
});
