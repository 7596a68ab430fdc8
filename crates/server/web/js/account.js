// Accounts: signing up, logging in and out, recovery, and the settings of an account.

import {
  ApiError, changeName, deleteAccount, forgetRecoveryCode, get, logIn, logOut, newRecoveryCode, onSessionChange, path, post, put,
  recover, remove, renewRecoveryCode, restoreSession, signUp,
} from './client.js';
import { field, h, setChildren } from './dom.js';
import { announce, confirmAction, openDialog, showToast } from './page.js';
import { copyText } from './share.js';
import { relativeTime } from './text.js';

/** @import { CreatedToken, Me, NewToken, PasswordChange, SessionView, TokenView } from './api' */
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
    forgetRecoveryCode();
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
      }))),
    h('p', {}, h('button.quiet', { type: 'button', onclick: () => openRecovery(logInName.value) }, 'Forgot your password?'))];
}

/**
 * Sets a new password with the recovery code.
 * @param {string} known the name as far as it was entered
 */
function openRecovery(known) {
  const name = nameInput();
  name.value = known;
  const code = h('input', { type: 'text', required: true, autocomplete: 'off', spellcheck: false });
  const password = newPasswordInput();
  return openDialog('Set a new password', (/** @type {(done: boolean) => void} */ close) =>
    form('Set password', [
      field('Name', name),
      field('Recovery code', code, h('small', {}, 'You got it when you signed up. Whoever runs this server can give you another.')),
      field('New password', password, h('small', {}, PASSWORD_HINT)),
    ], async () => {
      await recover({ name: name.value, code: code.value, password: password.value });
      close(true);
      showToast('Welcome back!');
    }), 'small');
}

/** The recovery code, as long as it can be written down. */
function recoveryNotice() {
  const code = newRecoveryCode();
  return code && h('section.card', {}, h('h2', {}, 'Your recovery code'),
    h('p', {}, 'Write it down or save it: with it you can set a new password if you forget yours. It is shown only once.'),
    h('div.new-token', {}, field('Recovery code', h('input.address', { type: 'text', readonly: true, value: code })),
      h('button', { type: 'button', onclick: () => copyText(code) }, 'Copy')));
}

/**
 * Password managers look for the name in the form with the password.
 * @param {Me} me
 */
const hiddenName = (me) => h('input', { type: 'text', autocomplete: 'username', value: me.name, hidden: true, 'aria-label': 'Name' });

/**
 * Asks for the password before something that matters.
 * @param {Me} me
 * @param {string} title
 * @param {string} explanation
 * @param {string} action
 * @param {(password: string) => Promise<void>} confirm
 */
function withPassword(me, title, explanation, action, confirm) {
  const password = passwordInput();
  return openDialog(title, (/** @type {(done: boolean) => void} */ close) =>
    form(action, [h('p', {}, explanation), hiddenName(me), field('Password', password)], async () => {
      await confirm(password.value);
      close(true);
    }), 'small');
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
  const wantedName = h('input', { type: 'text', required: true, maxlength: 64, autocomplete: 'off', value: me.name });
  const [tokens, sessions] = [h('div'), h('div')];
  await Promise.all([showTokens(tokens), showSessions(sessions)]);
  return [h('h1', {}, h('bdi', {}, me.name)),
    h('div.row', {},
      h('a.button', { href: `/player/${encodeURIComponent(me.name)}` }, 'Your profile'),
      h('button', { type: 'button', onclick: () => leave(false) }, 'Log out'),
      h('button', { type: 'button', onclick: () => leave(true) }, 'Log out everywhere')),
    recoveryNotice(),
    h('div.columns', {},
      h('section.card', {}, h('h2', {}, 'Sessions'), sessions),
      h('section.card', {}, h('h2', {}, 'Bot tokens'),
        h('p', {}, 'A program with a token plays under your name, marked as a bot. ', h('a', { href: '/api/v1/docs' }, 'API documentation')),
        tokens),
      h('section.card', {}, h('h2', {}, 'Password'), form('Change password', [
        hiddenName(me),
        field('Current password', current), field('New password', wanted, h('small', {}, `${PASSWORD_HINT}. Your other sessions and your bot tokens end.`)),
      ], async () => {
        /** @type {PasswordChange} */
        const change = { current: current.value, new: wanted.value };
        await put('/me/password', change);
        current.value = '';
        wanted.value = '';
        showToast('Password changed.');
        await Promise.all([showTokens(tokens), showSessions(sessions)]);
      }),
        h('p', {}, h('button.quiet', {
          type: 'button',
          onclick: () => withPassword(me, 'New recovery code', 'The code that you have becomes invalid.', 'Get a new code', renewRecoveryCode),
        }, 'Get a new recovery code'))),
      h('section.card', {}, h('h2', {}, 'Name'), form('Change name', [
        field('New name', wantedName, h('small', {}, 'Nobody else gets your old name for 90 days.')),
      ], async () => {
        await changeName(wantedName.value);
        showToast('Name changed.');
      })),
      h('section.card', {}, h('h2', {}, 'Your data'),
        h('p', {}, 'Download what this server keeps about you, or delete your account.'),
        h('div.row', {},
          h('a.button', { href: '/api/v1/me/export', download: 'noughts.json' }, 'Download your data'),
          h('button', {
            type: 'button',
            onclick: () => withPassword(me, 'Delete your account?',
              'Your name goes. Your games stay for those you played with, as those of a deleted player. This can’t be undone.',
              'Delete account', async (password) => {
                await deleteAccount(password);
                showToast('Your account is deleted.');
              }),
          }, 'Delete account'))))];
}

/**
 * Lists the sessions, each with a button to end it.
 * @param {HTMLElement} element
 */
async function showSessions(element) {
  /** @type {SessionView[]} */
  const sessions = await get('/sessions').catch(() => []);
  const end = async (/** @type {SessionView} */ session) => {
    await remove(path('sessions', session.id)).catch((error) => showToast(error.message));
    showSessions(element);
  };
  const name = (/** @type {SessionView} */ session) => session.device ?? 'Unknown device';
  setChildren(element, h('ul.tokens', {}, sessions.map((session) =>
    h('li', {}, h('bdi', {}, [name(session), session.address].filter(Boolean).join(', ')),
      h('small', {}, session.current ? 'this one' : relativeTime(session.last_used_at)),
      !session.current && h('button.quiet', { type: 'button', 'aria-label': `End the session of ${name(session)}`, onclick: () => end(session) }, 'End')))));
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
