// @ts-check
import { all, one } from './dom.js';
import { ask } from './request.js';

/** The lines of a post that depend on the page, which replies of buttons do not know. */
const OF_PAGE = ['.post-context', '.post-details'];

/**
 * Puts fresh elements in the place of those with the same `data-id`, else with the same id.
 * @param {DocumentFragment} part
 * @returns {boolean} whether the page had any
 */
export function replaceIn(part) {
  const replaced = [...part.children].map((fresh) => {
    const { id } = /** @type {HTMLElement} */ (fresh).dataset;
    const selector = id === undefined ? `#${CSS.escape(fresh.id)}` : `${fresh.localName}[data-id="${id}"]`;
    const olds = id === undefined && fresh.id === '' ? [] : all(selector);
    for (const old of olds) update(old, /** @type {HTMLElement} */ (fresh));
    return olds.length > 0;
  });
  return replaced.includes(true);
}

/**
 * Changes what differs, so that a video plays on and the focus stays.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function update(old, fresh) {
  const next = /** @type {HTMLElement} */ (fresh.cloneNode(true));
  keepPageLines(old, next);
  const opened = all('details', old);
  all('details', next).forEach((each, index) =>
    each.toggleAttribute('open', opened[index]?.matches('[open]')),
  );
  const focused = old.contains(document.activeElement) ? pathTo(old, document.activeElement) : undefined;
  const label = fresh.getAttribute('aria-label');
  if (label !== null) old.setAttribute('aria-label', label);
  const [before, after] = [[...old.children], [...next.children]];
  if (before.length !== after.length) old.replaceChildren(...after);
  else after.forEach((each, index) => !before[index]?.isEqualNode(each) && before[index]?.replaceWith(each));
  if (focused) one(focused, old)?.focus();
}

/**
 * @param {HTMLElement} old
 * @param {HTMLElement} next
 */
function keepPageLines(old, next) {
  for (const selector of OF_PAGE) {
    const kept = all(`:scope > ${selector}`, old);
    const given = all(`:scope > ${selector}`, next);
    if (kept.length > 0) {
      const place =
        given[0] ?? (selector === '.post-context' ? next.firstElementChild : one('.post-actions', next));
      place?.before(...kept.map((each) => each.cloneNode(true)));
    }
    for (const each of given) each.remove();
  }
}

/**
 * Returns a selector of the same control in a fresh copy: its class or its address.
 * @param {HTMLElement} root
 * @param {Element | null} control
 */
function pathTo(root, control) {
  if (!control || control === root) return undefined;
  const href = control.getAttribute('href');
  if (href !== null) return `${control.localName}[href="${CSS.escape(href)}"]`;
  const names = [...control.classList].map((name) => `.${CSS.escape(name)}`).join('');
  return names === '' ? undefined : control.localName + names;
}

/**
 * Shows a post anew.
 * @param {string} id
 */
export async function refreshPost(id) {
  const { part } = await ask(`/web/statuses/${id}`);
  if (part) replaceIn(part);
}
