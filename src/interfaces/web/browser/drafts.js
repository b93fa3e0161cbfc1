// @ts-check
import { all } from './dom.js';

const SENT = 'rookery:sent';
const keyOf = (/** @type {string} */ path) => `rookery:draft:${path}`;

const FIELDS = 'textarea[name=status], input[name=spoiler_text]';

/** @returns {Record<string, { from: string, text: string }>} */
function keptAt(/** @type {string} */ key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * Keeps what is typed until it is posted, in this tab. A text that the server shows again wins.
 * @param {HTMLFormElement} form
 */
export function keepDraft(form) {
  const key = keyOf(location.pathname + location.search.replace(/[?&]done=[^&]*/, ''));
  const fields = /** @type {(HTMLTextAreaElement | HTMLInputElement)[]} */ (all(FIELDS, form));
  const kept = keptAt(key);
  for (const field of fields) {
    const draft = kept[field.name];
    if (draft && draft.from === field.defaultValue && field.value === draft.from) field.value = draft.text;
    if (field.value !== '') field.closest('details')?.toggleAttribute('open', true);
  }
  form.addEventListener('input', () => {
    const texts = fields.filter(({ value, defaultValue }) => value !== defaultValue);
    const draft = texts.map(({ name, value, defaultValue }) => [name, { from: defaultValue, text: value }]);
    if (draft.length === 0) sessionStorage.removeItem(key);
    else store(key, JSON.stringify(Object.fromEntries(draft)));
  });
  form.addEventListener('submit', () => store(SENT, key));
}

/**
 * @param {string} key
 * @param {string} text
 */
function store(key, text) {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The browser keeps nothing: the draft lives as long as the page.
  }
}

/** Forgets the draft that was posted. */
export function forgetSent() {
  const key = sessionStorage.getItem(SENT);
  if (key !== null) sessionStorage.removeItem(key);
  sessionStorage.removeItem(SENT);
}
