// @ts-check
import { all, around, make, one } from './dom.js';
import { ask, explain } from './request.js';

const ITEMS = 'a[href], button';

/**
 * Opens the choices of a page in a menu over this one.
 * @param {HTMLAnchorElement} link
 */
async function openMenu(link) {
  if (link.getAttribute('aria-busy') === 'true') return;
  link.setAttribute('aria-busy', 'true');
  try {
    const { part, leadsTo } = await ask(link.href);
    if (!part || leadsTo !== undefined || !one(ITEMS, part)) return location.assign(link.href);
    show(link, part);
  } catch (error) {
    explain(error);
  } finally {
    link.removeAttribute('aria-busy');
  }
}

/**
 * @param {HTMLAnchorElement} link
 * @param {DocumentFragment} part
 */
function show(link, part) {
  const label = link.title;
  const menu = make(
    'div',
    { popover: 'auto', className: 'popup', role: 'dialog', 'aria-label': label },
    part,
  );
  link.setAttribute('aria-expanded', 'true');
  document.body.append(menu);
  menu.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === 'open') return;
    link.removeAttribute('aria-expanded');
    // Its buttons must not leave before their form is sent.
    setTimeout(() => menu.remove());
  });
  menu.addEventListener('keydown', moveFocus);
  menu.showPopover();
  place(menu, link.getBoundingClientRect());
  one(ITEMS, menu)?.focus();
}

/**
 * Below the link, or above where that has more room.
 * @param {HTMLElement} menu
 * @param {DOMRect} at
 */
function place(menu, at) {
  const { innerWidth: width, innerHeight: height } = window;
  const below = height - at.bottom;
  menu.style.maxHeight = `${Math.max(below, at.top) - 16}px`;
  const { offsetWidth, offsetHeight } = menu;
  const top = offsetHeight > below - 8 && at.top > below ? at.top - offsetHeight - 4 : at.bottom + 4;
  const left = Math.max(8, Math.min(at.right - offsetWidth, width - offsetWidth - 8));
  Object.assign(menu.style, { top: `${top}px`, left: `${left}px` });
}

/** @param {KeyboardEvent} event */
function moveFocus(event) {
  const menu = /** @type {HTMLElement} */ (event.currentTarget);
  const items = all(ITEMS, menu);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  /** @type {Record<string, number>} */
  const targets = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const target = targets[event.key];
  if (event.key === 'Tab') menu.hidePopover();
  if (target === undefined) return;
  event.preventDefault();
  items.at(target % items.length)?.focus();
}

/** Adds a button to fields whose text is there to be copied. */
function addCopyButtons() {
  for (const field of all('[data-copy]')) {
    const button = make('button', { type: 'button', className: 'small plain' }, 'Copy');
    button.addEventListener('click', () => {
      const input = /** @type {HTMLInputElement} */ (field);
      input.select();
      void navigator.clipboard?.writeText(input.value).then(() => (button.textContent = 'Copied'));
    });
    field.after(button);
  }
}

export function watchMenus() {
  if (navigator.clipboard) addCopyButtons();
  if (!HTMLElement.prototype.showPopover) return;
  document.addEventListener('click', (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (around(event.target, 'a[data-menu]'));
    if (
      !link ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey
    )
      return;
    event.preventDefault();
    void openMenu(link);
  });
}
