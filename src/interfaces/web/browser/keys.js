// @ts-check
import { all, around, one } from './dom.js';
import { isForPage, showDialogOfKeys } from './keys-dialog.js';

/** Pages by the key after `g`, as in Mastodon's web client. @type {Record<string, [path: string, name: string]>} */
const PLACES = {
  h: ['/home', 'Home'],
  n: ['/notifications', 'Notifications'],
  l: ['/public/local', 'Local timeline'],
  t: ['/public', 'Federated timeline'],
  d: ['/conversations', 'Private mentions'],
  f: ['/favourites', 'Favourites'],
  e: ['/explore', 'Explore'],
  b: ['/blocks', 'Blocked users'],
  m: ['/mutes', 'Muted users'],
  r: ['/follow_requests', 'Follow requests'],
  u: ['', 'Your profile'],
};

/** The keys of posts and of the page. @type {Record<string, [name: string, run: () => void]>} */
const KEYS = {
  j: ['Next post', () => step(1)],
  k: ['Previous post', () => step(-1)],
  o: ['Open post', () => inPost('.when a')],
  r: ['Reply', () => inPost('.post-actions a[href^="/publish?in_reply_to_id="]')],
  f: ['Favourite', () => inPost('.act.favourite')],
  b: ['Boost', () => inPost('.act.boost')],
  m: ['Mention the author', mention],
  x: ['Show or hide what is behind a warning', () => inPost('.veil > summary')],
  n: ['New post', compose],
  s: ['Search', search],
  '?': ['Show these keys', showKeys],
};
/** @type {Record<string, string>} */
const ALIASES = { Enter: 'o', '/': 's' };
/** @type {Record<string, string>} */
const SHOWN = { o: 'o or Enter', s: 's or /' };

const posts = () => all('main .post');
const current = () => around(document.activeElement, '.post');

/** @param {number} by */
function step(by) {
  const shown = posts();
  const here = current();
  const first = shown.findIndex((post) => post.getBoundingClientRect().bottom > 80);
  const next = shown[here ? shown.indexOf(here) + by : Math.max(first, 0)];
  if (!next) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

/** @param {string} selector */
function inPost(selector) {
  const post = current();
  if (post) one(selector, post)?.click();
}

function mention() {
  const handle = one('.handle', current() ?? document.createDocumentFragment())?.textContent?.trim();
  if (handle) location.assign(`/publish?mention=${encodeURIComponent(handle)}`);
}

function compose() {
  const text = one('form[data-compose] textarea[name=status]');
  if (!text) return location.assign('/publish');
  text.focus();
  text.scrollIntoView({ block: 'center' });
}

function search() {
  const field = one('.topbar [name=q]');
  if (field?.offsetParent) field.focus();
  else location.assign('/search');
}

/** @param {string} key */
function goTo(key) {
  const profile = one('.sidenav a[href^="/@"]')?.getAttribute('href');
  const path = key === 'u' ? profile : Object.hasOwn(PLACES, key) && PLACES[key]?.[0];
  if (path) location.assign(path);
}

function showKeys() {
  showDialogOfKeys('Keyboard shortcuts', [
    ...Object.entries(KEYS).map(([key, [name]]) => /** @type {const} */ ([SHOWN[key] ?? key, name])),
    ...Object.entries(PLACES).map(([key, [, name]]) => /** @type {const} */ ([`g ${key}`, name])),
  ]);
}

export function watchKeys() {
  let afterG = false;
  document.addEventListener('keydown', (event) => {
    if (!isForPage(event)) return;
    const key = ALIASES[event.key] ?? event.key;
    // Enter presses the focused link or button; on a post itself it opens the post.
    if (event.key === 'Enter' && !(event.target instanceof Element && event.target.matches('.post'))) return;
    const went = afterG;
    afterG = !went && key === 'g';
    if (went) return goTo(key);
    if (!Object.hasOwn(KEYS, key)) return;
    event.preventDefault();
    KEYS[key]?.[1]();
  });
}
