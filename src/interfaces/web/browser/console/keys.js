// @ts-check

/** The elements of the page that a key presses; each names its key. */
const withKeys = () =>
  /** @type {HTMLElement[]} */ ([...document.querySelectorAll('main [aria-keyshortcuts]')]);

/** @param {string} key */
function pressed(key) {
  return withKeys().find((each) => each.getAttribute('aria-keyshortcuts') === key);
}

/**
 * A page with keys of its own takes them before those of all pages.
 * @param {KeyboardEvent} event
 */
function isForConsole({ target, ctrlKey, metaKey, altKey, isComposing }) {
  if (ctrlKey || metaKey || altKey || isComposing || document.querySelector('dialog[open]')) return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'));
}

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

function showConsoleKeys() {
  const dialog = document.createElement('dialog');
  dialog.className = 'keys';
  dialog.setAttribute('aria-labelledby', 'console-keys');
  const title = document.createElement('h2');
  title.id = 'console-keys';
  title.textContent = 'Keys of this page';
  const list = document.createElement('dl');
  for (const element of withKeys()) {
    const row = document.createElement('div');
    const [term, key, name] = ['dt', 'kbd', 'dd'].map((tag) => document.createElement(tag));
    if (!term || !key || !name) continue;
    key.textContent = element.getAttribute('aria-keyshortcuts');
    name.textContent = nameOf(element);
    term.append(key);
    row.append(term, name);
    list.append(row);
  }
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.className = 'plain small';
  close.textContent = 'Close';
  form.append(close);
  dialog.append(title, list, form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener(
  'keydown',
  (event) => {
    if (!isForConsole(event) || withKeys().length === 0) return;
    const element = pressed(event.key);
    if (!element && event.key !== '?') return;
    event.preventDefault();
    if (element) press(element);
    else showConsoleKeys();
  },
  true,
);
