// @ts-check
import { localTimes } from './times.js';

/**
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement[]}
 */
export const all = (selector, within = document) => [
  .../** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector)),
];

/**
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement | null}
 */
export const one = (selector, within = document) => within.querySelector(selector);

/**
 * Returns the element around the target of an event, if it matches.
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const around = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Makes an element; properties that no element has become attributes.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | boolean | number>} [properties]
 * @param {...(Node | string)} children
 */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) Object.assign(made, { [key]: value });
    else made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Parses a part of a page that this server sent. Its icons join those of the page.
 * @param {string} markup
 */
export function parse(markup) {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: markup });
  const shapes = one('body > svg[hidden]');
  for (const symbol of content.querySelectorAll('symbol'))
    if (!document.getElementById(symbol.id)) shapes?.append(symbol);
  for (const sheet of all('svg[hidden]', content)) sheet.remove();
  localTimes(content);
  return content;
}

/**
 * Compares two ids, which are decimal numbers.
 * @param {string} a
 * @param {string} b
 */
export const isNewer = (a, b) => (a.length === b.length ? a > b : a.length > b.length);

/** @param {string} path */
export function openPage(path) {
  const here = location.pathname + location.search;
  const { pathname, search, hash } = new URL(path, location.href);
  if (pathname + search !== here) return location.assign(path);
  // A new fragment alone would not load the page again.
  history.replaceState(null, '', path);
  if (hash === '') scrollTo(0, 0);
  location.reload();
}
