// @ts-check
import { make } from './dom.js';
import { toast } from './toast.js';

const SIDE = 96;

/**
 * Shows the chosen files of a field, and takes pasted and dropped ones.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} input
 */
export function previewUploads(form, input) {
  const list = make('ul', { className: 'previews', 'aria-label': 'Chosen files' });
  input.after(list);
  const show = () => list.replaceChildren(...[...(input.files ?? [])].map(preview));
  input.addEventListener('change', show);
  show();

  const take = (/** @type {DataTransfer | null} */ given) => {
    const files = [...(given?.files ?? [])].filter(({ type }) => /^(image|video|audio)\//.test(type));
    if (files.length === 0) return false;
    const most = Number(input.dataset['mediaMax'] ?? 1);
    const all = [...(input.multiple ? (input.files ?? []) : []), ...files];
    if (all.length > most)
      toast(`This post can have ${most} more ${most === 1 ? 'file' : 'files'}.`, 'alert');
    const chosen = new DataTransfer();
    for (const file of all.slice(0, most)) chosen.items.add(file);
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  };
  form.addEventListener('paste', (event) => take(event.clipboardData) && event.preventDefault());
  form.addEventListener(
    'dragover',
    (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault(),
  );
  form.addEventListener('drop', (event) => take(event.dataTransfer) && event.preventDefault());
}

/**
 * Draws a picture small. A canvas needs no address, which the security policy would have to allow.
 * @param {File} file
 */
function preview(file) {
  const item = make('li', {}, make('span', { dir: 'auto' }, file.name));
  if (!file.type.startsWith('image/')) return item;
  const canvas = make('canvas', {
    width: SIDE,
    height: SIDE,
    role: 'img',
    'aria-label': `Preview of ${file.name}`,
  });
  void createImageBitmap(file)
    .then((bitmap) => {
      const part = Math.min(bitmap.width, bitmap.height);
      const [x, y] = [(bitmap.width - part) / 2, (bitmap.height - part) / 2];
      canvas.getContext('2d')?.drawImage(bitmap, x, y, part, part, 0, 0, SIDE, SIDE);
      bitmap.close();
      item.prepend(canvas);
    })
    .catch(() => item.append(' (no preview)'));
  return item;
}
