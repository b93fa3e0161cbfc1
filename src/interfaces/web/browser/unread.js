// @ts-check
import { all, one } from './dom.js';
import { ask, Refused } from './request.js';

const TITLE = document.title.replace(/^\(\d+\+?\) /, '');

/** Shows the number of unread notifications in the navigation and in the title. */
export async function showUnread() {
  try {
    const { part } = await ask('/web/unread');
    const badge = part && one('.badge', part);
    for (const link of all('.sidenav a[href="/notifications"]')) {
      one('.badge', link)?.remove();
      if (badge) link.append(' ', badge.cloneNode(true));
    }
    document.title = badge ? `(${badge.textContent?.trim()}) ${TITLE}` : TITLE;
  } catch (error) {
    // The next event asks again.
    if (!(error instanceof Refused)) throw error;
  }
}

/** A visible list of notifications is read. */
export async function markRead() {
  const button = one('button[data-mark-read]');
  const form = one('#act');
  if (!button || document.hidden || !(form instanceof HTMLFormElement)) return;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
  try {
    await ask(button.getAttribute('formaction') ?? '', body);
    button.remove();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
