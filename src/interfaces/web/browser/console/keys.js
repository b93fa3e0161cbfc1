// @ts-check
import { all } from '../dom.js';
import { isForPage, showDialogOfKeys } from '../keys-dialog.js';

/** The elements of the page that a key presses; each names its key. */
const withKeys = () => all('main [aria-keyshortcuts]');

/** @param {HTMLElement} element */
const keyOf = (element) => element.getAttribute('aria-keyshortcuts') ?? '';

/** @param {HTMLElement} element */
function press(element) {
  if (!element.matches('textarea, input')) return element.click();
  element.focus();
  element.scrollIntoView({ block: 'center' });
}

/** @param {HTMLElement} element */
const nameOf = (element) =>
  (element instanceof HTMLTextAreaElement ? element.labels[0]?.textContent : element.textContent)?.trim() ??
  '';

// A page with keys of its own takes them before those of all pages.
document.addEventListener(
  'keydown',
  (event) => {
    const elements = withKeys();
    if (elements.length === 0 || !isForPage(event)) return;
    const element = elements.find((each) => keyOf(each) === event.key);
    if (!element && event.key !== '?') return;
    event.preventDefault();
    if (element) return press(element);
    showDialogOfKeys(
      'Keys of this page',
      elements.map((each) => [keyOf(each), nameOf(each)]),
    );
  },
  true,
);
