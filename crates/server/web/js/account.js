// Accounts: signing up, logging in and out, the password, and tokens for bots.

import { ApiError, get, logIn, logOut, onSessionChange, path, post, put, remove, restoreSession, signUp } from './client.js';
import { field, h, setChildren } from './dom.js';
import { announce, confirmAction, showToast } from './page.js';
import { copyText } from './share.js';
import { relativeTime } from './text.js';

/** @import { CreatedToken, Me, NewToken, PasswordChange, TokenView } from './api' */
/** @import { Child } from './dom.js' */

const PASSWORD_HINT = 'At least 8 characters';

/** @type {import('./page.js').Screen} */
export const screen = { title: 'Account', show };

/**
 * @param {HTMLElement} root
 */
function show(root) {
  let hasLeft = false;
  let drawings = 0;
  let stop = () => {};
  /**
   * Draws the screen once all of it is known, so that no form gives way to another.
   * @param {Me | null} me
   */
  const draw = async (me) => {
    drawings += 1;
    const latest = drawings;
    const content = me?.kind === 'account' ? await accountSettings(me) : signUpOrLogIn(me);
    if (latest === drawings && !hasLeft) setChildren(root, content);
  };
  restoreSession().catch(() => null).then(() => {
    if (!hasLeft) stop = onSessionChange(draw);
  });
  return () => {
    hasLeft = true;
    stop();
  };
}

/**
 * A form that shows what the server refuses.
 * @param {string} action
 * @param {Child[]} fields
 * @param {() => Promise<void>} submit
 */
function form(action, fields, submit) {
  const error = h('p.error', { role: 'alert' });
  const button = h('button.primary', { type: 'submit' }, action);
  return h('form.stack', {
    onsubmit: async (event) => {
      event.preventDefault();
      setChildren(error);
      button.disabled = true;
      try {
        await submit();
      } catch (refusal) {
        if (!(refusal instanceof ApiError)) throw refusal;
        setChildren(error, refusal.message);
      } finally {
        button.disabled = false;
      }
    },
  }, fields, error, button);
}

const nameInput = () => h('input', { type: 'text', required: true, maxlength: 64, autocomplete: 'username' });
const passwordInput = () => h('input', { type: 'password', required: true, maxlength: 256, autocomplete: 'current-password' });
const newPasswordInput = () => h('input', { type: 'password', required: true, minlength: 8, maxlength: 256, autocomplete: 'new-password' });

/**
 * @param {Me | null} guest
 * @returns {Child}
 */
function signUpOrLogIn(guest) {
  const signUpName = nameInput();
  const newPassword = newPasswordInput();
  const logInName = nameInput();
  const password = passwordInput();
  return [h('h1', {}, 'Account'),
    h('p.lead', {}, guest ? `You are playing as ${guest.name}. Sign up to keep your games under a name of your own.`
      : 'You can play without an account. With one, you keep your rating.'),
    h('div.columns', {},
      h('section.card', {}, h('h2', {}, 'Sign up'), form('Sign up', [
        field('Name', signUpName), field('Password', newPassword, h('small', {}, PASSWORD_HINT)),
      ], async () => {
        await signUp(signUpName.value, newPassword.value);
        showToast(`Welcome, ${signUpName.value.trim()}!`);
      })),
      h('section.card', {}, h('h2', {}, 'Log in'), form('Log in', [field('Name', logInName), field('Password', password)], async () => {
        await logIn(logInName.value, password.value);
        showToast('Welcome back!');
      })))];
}

/**
 * @param {Me} me
 * @returns {Promise<Child>}
 */
async function accountSettings(me) {
  const current = passwordInput();
  const wanted = newPasswordInput();
  const leave = async (/** @type {boolean} */ everywhere) => {
    await logOut(everywhere);
    showToast('You are logged out.');
  };
  const tokens = h('div');
  await showTokens(tokens);
  return [h('h1', {}, h('bdi', {}, me.name)),
    h('div.row', {},
      h('a.button', { href: `/player/${encodeURIComponent(me.name)}` }, 'Your profile'),
      h('button', { type: 'button', onclick: () => leave(false) }, 'Log out'),
      h('button', { type: 'button', onclick: () => leave(true) }, 'Log out everywhere')),
    h('div.columns', {},
      h('section.card', {}, h('h2', {}, 'Bot tokens'),
        h('p', {}, 'A program with a token plays under your name, marked as a bot. ', h('a', { href: '/api/v1/docs' }, 'API documentation')),
        tokens),
      h('section.card', {}, h('h2', {}, 'Password'), form('Change password', [
        // Password managers look for the name in the same form.
        h('input', { type: 'text', autocomplete: 'username', value: me.name, hidden: true, 'aria-label': 'Name' }),
        field('Current password', current), field('New password', wanted, h('small', {}, `${PASSWORD_HINT}. Your other sessions end.`)),
      ], async () => {
        /** @type {PasswordChange} */
        const change = { current: current.value, new: wanted.value };
        await put('/me/password', change);
        current.value = '';
        wanted.value = '';
        showToast('Password changed.');
      })))];
}

/**
 * Lists the bot tokens with a form to create one.
 * @param {HTMLElement} element
 * @param {string} [created] the token just created
 */
async function showTokens(element, created) {
  const label = h('input', { type: 'text', required: true, maxlength: 64, autocomplete: 'off' });
  /** @type {TokenView[]} */
  const tokens = await get('/tokens').catch(() => []);
  const bots = tokens.filter((token) => token.kind === 'bot');
  const revoke = async (/** @type {TokenView} */ token) => {
    if (!(await confirmAction(`Revoke ${token.label}?`, 'Revoke'))) return;
    await remove(path('tokens', token.id)).catch((error) => showToast(error.message));
    showTokens(element);
  };
  setChildren(element,
    bots.length > 0 && h('ul.tokens', {}, bots.map((token) =>
      h('li', {}, h('bdi', {}, token.label), h('small', {}, relativeTime(token.created_at)),
        h('button.quiet', { type: 'button', 'aria-label': `Revoke ${token.label}`, onclick: () => revoke(token) }, 'Revoke')))),
    created && h('div.new-token', {}, field('New token, shown only once', h('input.address', { type: 'text', readonly: true, value: created })),
      h('button', { type: 'button', onclick: () => copyText(created) }, 'Copy')),
    form('Create token', [field('Label', label)], async () => {
      /** @type {NewToken} */
      const request = { label: label.value };
      /** @type {CreatedToken} */
      const { token } = await post('/tokens', request);
      announce('Token created.');
      await showTokens(element, token);
    }));
}
