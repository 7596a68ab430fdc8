// Who you are: signing up, in and out, and tokens for programs.

import { get, post, put as change, remove, Refused } from './api.js';
import { announce } from './announcer.js';
import { confirmed, notice } from './dialog.js';
import { field, h, put } from './dom.js';
import { logIn, logOut, onMe, signUp, whoAmI } from './me.js';
import { copyText } from './share.js';
import { agoOf } from './words.js';

export const title = 'Account';

export function show(root) {
  let [left, latest, stop] = [false, 0, () => {}];
  // Drawn when all of it is known: nobody sees one form give way to another.
  const draw = async (me) => {
    latest += 1;
    const mine = latest;
    const parts = me?.kind === 'account' ? await account(me) : entrance(me);
    if (mine === latest && !left) put(root, parts);
  };
  whoAmI().catch(() => null).then(() => !left && (stop = onMe(draw)));
  return () => {
    left = true;
    stop();
  };
}

/** A form that says what went wrong beneath itself. */
function form(button, fields, submit) {
  const wrong = h('p.wrong', { role: 'alert' });
  const send = h('button.primary', { type: 'submit' }, button);
  return h('form.stack', {
    onsubmit: async (event) => {
      event.preventDefault();
      put(wrong);
      send.disabled = true;
      try {
        await submit();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        put(wrong, error.message);
      } finally {
        send.disabled = false;
      }
    },
  }, fields, wrong, send);
}

const nameInput = () => h('input', { type: 'text', required: true, maxlength: 64, autocomplete: 'username' });
const passwordInput = (kind) =>
  h('input', { type: 'password', required: true, minlength: kind === 'new-password' ? 8 : undefined, maxlength: 256, autocomplete: kind });

function entrance(guest) {
  const [name, password, oldName, oldPassword] = [nameInput(), passwordInput('new-password'), nameInput(), passwordInput('current-password')];
  return [h('h1', {}, 'Your name'),
    h('p.lead', {}, guest ? `You play as ${guest.name}. Choose a name and your games come along.` : 'You can play without a name. With one, your rating is yours to keep.'),
    h('div.columns', {},
      h('section.card', {}, h('h2', {}, 'Sign up'), form('Sign up', [
        field('Name', name), field('Password', password, h('small', {}, 'At least 8 characters')),
      ], async () => {
        await signUp(name.value, password.value);
        notice(`Welcome, ${name.value.trim()}.`);
      })),
      h('section.card', {}, h('h2', {}, 'Log in'), form('Log in', [field('Name', oldName), field('Password', oldPassword)], async () => {
        await logIn(oldName.value, oldPassword.value);
        notice('Welcome back.');
      })))];
}

async function account(me) {
  const [old, wanted] = [passwordInput('current-password'), passwordInput('new-password')];
  const leave = async (everywhere) => {
    await logOut(everywhere);
    notice('You are logged out.');
  };
  const tokens = h('div');
  await tokenList(tokens);
  return [h('h1', {}, h('bdi', {}, me.name)),
    h('div.row', {},
      h('a.button', { href: `/player/${encodeURIComponent(me.name)}` }, 'Your profile'),
      h('button', { type: 'button', onclick: () => leave(false) }, 'Log out'),
      h('button', { type: 'button', onclick: () => leave(true) }, 'Log out everywhere')),
    h('div.columns', {},
      h('section.card', {}, h('h2', {}, 'Bot tokens'),
        h('p', {}, 'A program with a token plays under your name, marked as a bot. ', h('a', { href: '/api/v1/docs' }, 'How programs play')),
        tokens),
      h('section.card', {}, h('h2', {}, 'Password'), form('Change', [
        // Password keepers look for the name in the same form.
        h('input', { type: 'text', autocomplete: 'username', value: me.name, hidden: true, 'aria-label': 'Name' }),
        field('Password until now', old), field('Password from now on', wanted, h('small', {}, 'At least 8 characters. All other sessions end.')),
      ], async () => {
        await change('/me/password', { current: old.value, new: wanted.value });
        old.value = '';
        wanted.value = '';
        notice('The password is changed.');
      })))];
}

async function tokenList(element, made) {
  const label = h('input', { type: 'text', required: true, maxlength: 64, autocomplete: 'off' });
  const all = await get('/tokens').catch(() => []);
  const bots = all.filter((token) => token.kind === 'bot');
  const revoke = async (token) => {
    if (!(await confirmed(`Revoke ${token.label}?`, 'Revoke'))) return;
    await remove(`/tokens/${token.id}`).catch((error) => notice(error.message));
    tokenList(element);
  };
  put(element,
    bots.length > 0 && h('ul.tokens', {}, bots.map((token) =>
      h('li', {}, h('bdi', {}, token.label), h('small', {}, agoOf(token.created_at)),
        h('button.quiet', { type: 'button', 'aria-label': `Revoke ${token.label}`, onclick: () => revoke(token) }, 'Revoke')))),
    made && h('div.made', {}, field('The token, shown only this once', h('input.address', { type: 'text', readonly: true, value: made })),
      h('button', { type: 'button', onclick: () => copyText(made) }, 'Copy')),
    form('Make a token', [field('What it is for', label)], async () => {
      const { token } = await post('/tokens', { label: label.value });
      announce('A token was made.');
      await tokenList(element, token);
    }));
}
