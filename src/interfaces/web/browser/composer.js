// @ts-check
import { all, make, one, openPage } from './dom.js';
import { completeIn } from './complete.js';
import { lengthOf } from './count.js';
import { forgetSent, keepDraft } from './drafts.js';
import { showNew } from './live.js';
import { ask, explain } from './request.js';
import { toast } from './toast.js';
import { previewUploads } from './uploads.js';

/**
 * Shows how many characters are left.
 * @param {HTMLFormElement} form
 * @param {HTMLTextAreaElement} text
 */
function showCount(form, text) {
  const most = Number(form.dataset['countMax'] ?? 500);
  const perLink = Number(form.dataset['countUrl'] ?? 23);
  const number = make('span', { className: 'left', 'aria-hidden': 'true' });
  const said = make('span', { className: 'hush', role: 'status' });
  const foot = one('.compose-foot', form) ?? text.parentElement;
  foot?.prepend(number, said);
  const show = () => {
    const warning = /** @type {HTMLInputElement | null} */ (one('[name=spoiler_text]', form));
    const left = most - lengthOf(text.value, perLink) - lengthOf(warning?.value ?? '', 0);
    number.textContent = String(left);
    number.classList.toggle('over', left < 0);
    // Screen readers hear of it near the end.
    const line = left < 0 ? `${-left} characters too long` : left <= 20 ? `${left} characters left` : '';
    if (said.textContent !== line) said.textContent = line;
  };
  form.addEventListener('input', show);
  show();
}

/** @param {HTMLFormElement} form */
const postButton = (form) =>
  /** @type {HTMLButtonElement | null} */ (one('button[name=do][value=post]', form));

/**
 * Posts from a small composer without leaving the page.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 */
async function post(form, button) {
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
    const { leadsTo } = await ask(form.getAttribute('action') ?? '', body);
    if (leadsTo === undefined) return toast('This was not posted.', 'alert');
    if (new URL(leadsTo, location.href).pathname !== location.pathname) return openPage(leadsTo);
    forgetSent();
    form.reset();
    const key = /** @type {HTMLInputElement | null} */ (one('input[name=key]', form));
    // The next post is another one.
    if (key) key.value = `${Date.now()}${crypto.getRandomValues(new Uint32Array(2)).join('')}`;
    form.dispatchEvent(new Event('input'));
    toast('Your post is published.');
    await showNew();
  } catch (error) {
    explain(error);
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** @param {HTMLFormElement} form */
function enhance(form) {
  const text = /** @type {HTMLTextAreaElement | null} */ (one('textarea[name=status]', form));
  if (!text) return;
  keepDraft(form);
  showCount(form, text);
  completeIn(text);
  for (const input of all('input[data-media-input]', form))
    previewUploads(form, /** @type {HTMLInputElement} */ (input));
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(postButton(form));
  });
  if (!form.classList.contains('small-compose')) return;
  form.addEventListener('submit', (event) => {
    if (event.submitter !== postButton(form)) return;
    event.preventDefault();
    void post(form, event.submitter);
  });
}

export function enhanceComposers() {
  if (/[?&]done=post(ed|_)/.test(location.search)) forgetSent();
  for (const form of all('form[data-compose]')) enhance(/** @type {HTMLFormElement} */ (form));
}
