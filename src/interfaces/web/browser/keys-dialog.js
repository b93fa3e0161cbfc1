// @ts-check
import { around, make, one } from './dom.js';

/**
 * Tells whether a key is for the page: not for a field, a menu or the browser.
 * @param {KeyboardEvent} event
 */
export function isForPage({ target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }) {
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return false;
  if (one('dialog[open], [popover]:popover-open')) return false;
  return !around(target, 'input, textarea, select, [contenteditable], video, audio');
}

/**
 * Shows keys with their names.
 * @param {string} title
 * @param {(readonly [key: string, name: string])[]} rows
 */
export function showDialogOfKeys(title, rows) {
  const close = make('button', { className: 'plain small', autofocus: true }, 'Close');
  const dialog = make(
    'dialog',
    { className: 'keys', 'aria-labelledby': 'keys' },
    make('h2', { id: 'keys' }, title),
    make(
      'dl',
      {},
      ...rows.map(([key, name]) =>
        make('div', {}, make('dt', {}, make('kbd', {}, key)), make('dd', {}, name)),
      ),
    ),
    make('form', { method: 'dialog' }, close),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
