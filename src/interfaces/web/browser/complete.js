// @ts-check
import { all, around, make } from './dom.js';
import { ask, Refused } from './request.js';

const WORD_BEFORE = /(?:^|[\s(])([@#:][\p{L}\p{N}_.@-]{1,60})$/u;
const PAUSE = 200;

/**
 * Completes `@name`, `#tag` and `:emoji:` in a text.
 * @param {HTMLTextAreaElement} text
 */
export function completeIn(text) {
  const list = make('ul', {
    className: 'completions',
    role: 'listbox',
    id: `${text.id}-completions`,
    hidden: true,
  });
  list.setAttribute('aria-label', 'Suggestions');
  text.after(list);
  text.setAttribute('aria-controls', list.id);
  text.setAttribute('aria-autocomplete', 'list');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let chosen = 0;

  const options = () => all('[role=option]', list);
  const word = () => WORD_BEFORE.exec(text.value.slice(0, text.selectionStart))?.[1];
  const mark = (/** @type {number} */ index) => {
    const found = options();
    chosen = (index + found.length) % found.length;
    found.forEach((each, at) => each.setAttribute('aria-selected', String(at === chosen)));
    text.setAttribute('aria-activedescendant', found[chosen]?.id ?? '');
    found[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    text.removeAttribute('aria-activedescendant');
  };
  const insert = (/** @type {HTMLElement | undefined} */ option) => {
    const typed = word();
    if (typed === undefined || !option) return close();
    const end = text.selectionStart;
    text.setRangeText(`${option.dataset['text']} `, end - typed.length, end, 'end');
    close();
    text.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const look = async () => {
    const typed = word();
    if (typed === undefined) return close();
    try {
      const { part } = await ask(`/web/complete?q=${encodeURIComponent(typed)}`);
      if (!part || typed !== word()) return;
      list.replaceChildren(part);
      options().forEach((each, index) => (each.id = `${list.id}-${index}`));
      list.hidden = options().length === 0;
      if (!list.hidden) mark(0);
    } catch (error) {
      close();
      if (!(error instanceof Refused)) throw error;
    }
  };

  text.addEventListener('input', () => {
    clearTimeout(timer);
    if (word() === undefined) close();
    else timer = setTimeout(() => void look(), PAUSE);
  });
  text.addEventListener('blur', () => setTimeout(close, PAUSE));
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    insert(around(event.target, '[role=option]') ?? undefined);
  });
  text.addEventListener('keydown', (event) => {
    if (list.hidden || event.isComposing) return;
    if (event.key === 'ArrowDown') mark(chosen + 1);
    else if (event.key === 'ArrowUp') mark(chosen - 1);
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
      insert(options()[chosen]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
