// @ts-check
import { make, one } from './dom.js';

/** Milliseconds that a message stays; the reader can close it before. */
const STAYS = 8_000;

/**
 * Shows a message that also screen readers say.
 * @param {string} text
 * @param {'status' | 'alert'} [role]
 */
export function toast(text, role = 'status') {
  const tray = one('.toasts') ?? document.body.appendChild(make('div', { className: 'toasts' }));
  const look = role === 'alert' ? 'error' : 'done';
  const message = make('div', { className: look, role }, make('p', {}, text));
  const close = make('button', { type: 'button', className: 'act', 'aria-label': 'Close' }, '×');
  message.append(close);
  const remove = () => message.remove();
  close.addEventListener('click', remove);
  // The same message does not pile up.
  for (const other of tray.children) if (other.textContent === message.textContent) other.remove();
  tray.append(message);
  setTimeout(() => (message.matches(':hover, :focus-within') ? setTimeout(remove, STAYS) : remove()), STAYS);
}
