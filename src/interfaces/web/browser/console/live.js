// @ts-check
import { parse } from '../dom.js';

/**
 * Puts parts of a page, which the server sends while they change, in place of the elements with their ids.
 * @param {string} markup
 */
function putInPlace(markup) {
  for (const part of [...parse(markup).children]) {
    const old = document.getElementById(part.id);
    // A part in use stays as it is until it is left.
    if (!old || old.contains(document.activeElement) || old.isEqualNode(part)) continue;
    const opened = [...old.querySelectorAll('details[id][open]')].map(({ id }) => id);
    old.replaceWith(part);
    for (const id of opened) document.getElementById(id)?.toggleAttribute('open', true);
  }
}

/** Follows a page that has an element with `data-live`, as long as the window is visible. */
function followPage() {
  if (!document.querySelector('[data-live]')) return;
  /** @type {EventSource | undefined} */
  let events;
  const follow = () => {
    events?.close();
    events = undefined;
    if (document.hidden) return;
    events = new EventSource(location.pathname + location.search);
    events.addEventListener('part', ({ data }) => putInPlace(JSON.parse(data)));
  };
  document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', () => events?.close());
  follow();
}

/** Shows the current page in the navigation, which may be longer than the window. */
function showCurrent() {
  const current = /** @type {HTMLElement | null} */ (document.querySelector('.console-nav [aria-current]'));
  const nav = current?.closest('nav');
  if (current && nav) nav.scrollTop = current.offsetTop - (nav.clientHeight * 2) / 3;
}

showCurrent();
followPage();
