// Accounts: signing up, logging in and out, recovery, and the settings of an account.

import { ApiError, get, path, post, put, remove } from './client.js';
import { field, h, setChildren } from './dom.js';
import { t, tParts } from './i18n.js';
import { announce, confirmAction, MAX_NAME_LENGTH, openDialog, showToast } from './page.js';
import { refusalText } from './refusals.js';
import {
  changeName, deleteAccount, forgetRecoveryCode, logIn, logOut, newRecoveryCode, onSessionChange, recover, renewRecoveryCode, restoreSession, signUp,
} from './session.js';
import { copyText } from './share.js';
import { relativeTime } from './text.js';

/** @import { CreatedToken, Me, NewToken, PasswordChange, SessionView, TokenView } from './api' */
/** @import { Child } from './dom.js' */

/** @type {import('./page.js').Screen} */
export const screen = { title: 'nav.account', show };

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
 * @param {'.primary' | ''} [kind] one button of a screen stands out
 */
function form(action, fields, submit, kind = '') {
  const error = h('p.error', { role: 'alert' });
  const button = h(`button${kind}`, { type: 'submit' }, action);
  return h('form.stack', {
    onsubmit: async (event) => {
      event.preventDefault();
      setChildren(error);
      button.disabled = true;
      try {
        await submit();
      } catch (refusal) {
        if (!(refusal instanceof ApiError)) throw refusal;
        setChildren(error, refusalText(refusal));
      } finally {
        button.disabled = false;
      }
    },
  }, fields, error, button);
}

const nameInput = () => h('input', { type: 'text', required: true, maxlength: MAX_NAME_LENGTH, autocomplete: 'username' });
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
  return [h('h1', {}, t('nav.account')),
    h('p.lead', {}, guest ? tParts('account.guest', { name: h('bdi', {}, guest.name) }) : t('account.nobody')),
    h('div.columns', {},
      h('section.card', {}, h('h2', {}, t('account.signUp')), form(t('account.signUp'), [
        field(t('account.name'), signUpName), field(t('account.password'), newPassword, h('small', {}, t('account.passwordHint'))),
      ], async () => {
        await signUp(signUpName.value, newPassword.value);
        showToast(t('account.welcome', { name: signUpName.value.trim() }));
      }, '.primary')),
      guest && h('section.card', {}, h('h2', {}, t('account.name')), nameForm(guest, t('account.guestNameAbout'))),
      h('section.card', {}, h('h2', {}, t('nav.logIn')), form(t('nav.logIn'), [field(t('account.name'), logInName), field(t('account.password'), password)], async () => {
        await logIn(logInName.value, password.value);
        showToast(t('account.welcomeBack'));
      }))),
    h('p', {}, h('button.quiet', { type: 'button', onclick: () => openRecovery(logInName.value) }, t('account.forgot')))];
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
  return openDialog(t('account.setPasswordTitle'), (/** @type {(done: boolean) => void} */ close) =>
    form(t('account.setPassword'), [
      field(t('account.name'), name),
      field(t('account.recoveryCode'), code, h('small', {}, t('account.recoveryCodeAbout'))),
      field(t('account.newPassword'), password, h('small', {}, t('account.passwordHint'))),
    ], async () => {
      await recover({ name: name.value, code: code.value, password: password.value });
      close(true);
      showToast(t('account.welcomeBack'));
    }, '.primary'), 'small');
}

/** The recovery code, as long as it can be written down. */
function recoveryNotice() {
  const code = newRecoveryCode();
  return code && h('section.card', {}, h('h2', {}, t('account.yourRecoveryCode')),
    h('p', {}, t('account.yourRecoveryCodeAbout')),
    h('div.new-token', {}, field(t('account.recoveryCode'), h('input.address', { type: 'text', readonly: true, value: code })),
      h('button', { type: 'button', onclick: () => copyText(code) }, t('copy'))));
}

/**
 * Password managers look for the name in the form with the password.
 * @param {Me} me
 */
const hiddenName = (me) => h('input', { type: 'text', autocomplete: 'username', value: me.name, hidden: true, 'aria-label': t('account.name') });

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
    form(action, [h('p', {}, explanation), hiddenName(me), field(t('account.password'), password)], async () => {
      await confirm(password.value);
      close(true);
    }), 'small');
}

/**
 * @param {Me} me
 * @param {string} about
 */
function nameForm(me, about) {
  const wanted = h('input', { type: 'text', required: true, maxlength: MAX_NAME_LENGTH, autocomplete: 'off', value: me.name });
  return form(t('account.changeName'), [field(t('account.newName'), wanted, h('small', {}, about))], async () => {
    await changeName(wanted.value);
    showToast(t('account.nameChanged'));
  });
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
    showToast(t('account.loggedOut'));
  };
  const [tokens, sessions] = [h('div'), h('div')];
  await Promise.all([showTokens(tokens), showSessions(sessions)]);
  return [h('h1', {}, h('bdi', {}, me.name)),
    h('div.row', {},
      h('a.button', { href: `/player/${encodeURIComponent(me.name)}` }, t('account.profile')),
      h('button', { type: 'button', onclick: () => leave(false) }, t('account.logOut')),
      h('button', { type: 'button', onclick: () => leave(true) }, t('account.logOutEverywhere'))),
    recoveryNotice(),
    h('div.columns', {},
      h('section.card', {}, h('h2', {}, t('account.sessions')), sessions),
      h('section.card', {}, h('h2', {}, t('account.tokens')),
        h('p', {}, t('account.tokensAbout'), ' ', h('a', { href: '/api/v1/docs' }, t('account.apiDocs'))),
        tokens),
      h('section.card', {}, h('h2', {}, t('account.password')), form(t('account.changePassword'), [
        hiddenName(me),
        field(t('account.currentPassword'), current), field(t('account.newPassword'), wanted, h('small', {}, t('account.passwordHint'), ' ', t('account.passwordEnds'))),
      ], async () => {
        /** @type {PasswordChange} */
        const change = { current: current.value, new: wanted.value };
        await put('/me/password', change);
        current.value = '';
        wanted.value = '';
        showToast(t('account.passwordChanged'));
        await Promise.all([showTokens(tokens), showSessions(sessions)]);
      }),
        h('p', {}, h('button.quiet', {
          type: 'button',
          onclick: () => withPassword(me, t('account.newCode'), t('account.newCodeAbout'), t('account.getNewCode'), renewRecoveryCode),
        }, t('account.newRecoveryCode')))),
      h('section.card', {}, h('h2', {}, t('account.name')), nameForm(me, t('account.newNameAbout'))),
      h('section.card', {}, h('h2', {}, t('account.data')),
        h('p', {}, t('account.dataAbout')),
        h('div.row', {},
          h('a.button', { href: '/api/v1/me/export', download: 'noughts.json' }, t('account.download')),
          h('button', {
            type: 'button',
            onclick: () => withPassword(me, t('account.deleteQuestion'), t('account.deleteAbout'), t('account.delete'), async (password) => {
                await deleteAccount(password);
                showToast(t('account.deleted'));
              }),
          }, t('account.delete')))))];
}

/**
 * Lists the sessions, each with a button to end it.
 * @param {HTMLElement} element
 */
async function showSessions(element) {
  /** @type {SessionView[]} */
  const sessions = await get('/sessions').catch(() => []);
  const end = async (/** @type {SessionView} */ session) => {
    await remove(path('sessions', session.id)).catch((error) => showToast(refusalText(error)));
    showSessions(element);
  };
  const name = (/** @type {SessionView} */ session) => session.device ?? t('account.unknownDevice');
  setChildren(element, h('ul.tokens', {}, sessions.map((session) =>
    h('li', {}, h('bdi', {}, [name(session), session.address].filter(Boolean).join(', ')),
      h('small', {}, session.current ? t('account.thisOne') : relativeTime(session.last_used_at)),
      !session.current && h('button.quiet', { type: 'button', 'aria-label': t('account.endSession', { device: name(session) }), onclick: () => end(session) }, t('account.end'))))));
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
    if (!(await confirmAction(t('account.revokeQuestion', { label: token.label }), t('account.revoke')))) return;
    await remove(path('tokens', token.id)).catch((error) => showToast(refusalText(error)));
    showTokens(element);
  };
  setChildren(element,
    bots.length > 0 && h('ul.tokens', {}, bots.map((token) =>
      h('li', {}, h('bdi', {}, token.label), h('small', {}, relativeTime(token.created_at)),
        h('button.quiet', { type: 'button', 'aria-label': t('account.revokeToken', { label: token.label }), onclick: () => revoke(token) }, t('account.revoke'))))),
    created && h('div.new-token', {}, field(t('account.newToken'), h('input.address', { type: 'text', readonly: true, value: created })),
      h('button', { type: 'button', onclick: () => copyText(created) }, t('copy'))),
    form(t('account.createToken'), [field(t('account.label'), label)], async () => {
      /** @type {NewToken} */
      const request = { label: label.value };
      /** @type {CreatedToken} */
      const { token } = await post('/tokens', request);
      announce(t('account.tokenCreated'));
      await showTokens(element, token);
    }));
}
