// @ts-check
import { all, around, one, openPage } from './dom.js';
import { replaceIn, refreshPost } from './posts.js';
import { ask, explain } from './request.js';

/** The addresses that are being asked. A second click while one is under way does nothing. */
const underWay = new Set();

/**
 * Sends the form of a button without leaving the page.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 */
export async function act(form, button) {
  const path = button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
  const key = path.replace(/\/un(?=\w+$)/, '/');
  if (underWay.has(key)) return;
  underWay.add(key);
  const undo = press(path);
  const post = around(button ?? form, '.post[data-id]');
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
    const { part, leadsTo } = await ask(path, body);
    if (part && !replaceIn(part)) location.reload();
    if (leadsTo === undefined) return;
    const id = post?.dataset['id'];
    const stays =
      new URL(leadsTo, location.href).pathname === location.pathname && !/[?&]done=/.test(leadsTo);
    if (id !== undefined && stays) await refreshPost(id);
    else openPage(leadsTo);
  } catch (error) {
    undo();
    explain(error);
  } finally {
    underWay.delete(key);
  }
}

/**
 * Shows the new state of a button before the server replies.
 * @param {string} path
 * @returns {() => void} what takes it back
 */
function press(path) {
  const buttons = all(`button[formaction="${CSS.escape(path)}"][aria-pressed]`);
  const set = (/** @type {HTMLElement} */ button, /** @type {string | null} */ state) =>
    state !== null && button.setAttribute('aria-pressed', state);
  const before = buttons.map(
    (button) => /** @type {const} */ ([button, button.getAttribute('aria-pressed')]),
  );
  for (const [button, state] of before) set(button, String(state !== 'true'));
  return () => before.forEach(([button, state]) => set(button, state));
}

/** Buttons of the form of the page, and the polls of posts. */
const isAct = (/** @type {HTMLFormElement} */ form) =>
  form.id === 'act' ||
  (form.closest('.poll') !== null && form.getAttribute('action')?.startsWith('/web/v1/'));

export function watchActions() {
  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (event.defaultPrevented || !isAct(form)) return;
    event.preventDefault();
    one('[popover]:popover-open')?.hidePopover();
    void act(form, event.submitter);
  });
}
