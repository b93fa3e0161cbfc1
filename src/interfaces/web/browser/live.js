// @ts-check
import { all, isNewer, make, one, openPage } from './dom.js';
import { refreshPost } from './posts.js';
import { ask, explain, Refused } from './request.js';
import { listen } from './stream.js';
import { showUnread } from './unread.js';

/** Posts of one page, and pages that are put on top before the timeline begins anew. */
const POSTS = 20;
const PAGES = 3;

const region = one('[data-timeline][data-stream]');
const path = region?.dataset['timeline'] ?? '';
/** Older pages stay as they are; notifications form groups, which only the server knows. */
const isLive = region !== null && !/[?&](max_id|min_id|since_id)=/.test(location.search);
const stream = region?.dataset['stream'] ?? 'user';
/** @type {Record<string, string>} */
const UNCOUNTED = { 'user:notification': 'New notifications', direct: 'New private mentions' };
const isPosts = !Object.hasOwn(UNCOUNTED, stream);

let newest = region?.dataset['newest'] ?? '';
/** The new posts that are not shown yet. */
const waiting = new Set();
let missedSome = false;

function offer() {
  if (!region) return;
  const text = UNCOUNTED[stream] ?? (missedSome ? 'New posts' : counted(waiting.size));
  const old = one('.fresh', region);
  if (waiting.size === 0 && !missedSome) return old?.remove();
  const button = old ?? make('button', { type: 'button', className: 'fresh plain' });
  button.textContent = text;
  if (!old) {
    button.addEventListener('click', () => void showNew().catch(explain));
    region.prepend(button);
  }
}

/** @param {number} count */
const counted = (count) => `${count} new ${count === 1 ? 'post' : 'posts'}`;

/** Puts the new posts on top; many of them open the page again. */
export async function showNew() {
  if (!isLive || !isPosts) return openPage(location.pathname + location.search);
  for (let page = 0; page < PAGES; page += 1) {
    const { part, leadsTo } = await ask(newest === '' ? path : `${path}?min_id=${newest}`);
    if (leadsTo !== undefined || !part) return openPage(leadsTo ?? path);
    const items = itemsIn(part);
    putOnTop(items);
    if (items.length < POSTS) {
      waiting.clear();
      missedSome = false;
      return offer();
    }
  }
  openPage(path);
}

/**
 * @param {DocumentFragment | undefined} part
 * @returns {HTMLElement[]}
 */
const itemsIn = (part) => (part ? all('article', part) : []).filter(({ parentNode }) => parentNode === part);

/** @param {HTMLElement[]} items newest first */
function putOnTop(items) {
  const fresh = items.filter(({ id }) => !document.getElementById(id));
  const [first] = items;
  if (first && isNewer(first.id.slice(1), newest)) newest = first.id.slice(1);
  if (!region || fresh.length === 0) return;
  const feed = one('.feed', region) ?? make('div', { className: 'feed' });
  if (!feed.isConnected) (one('.empty', region) ?? region.appendChild(make('p'))).replaceWith(feed);
  feed.prepend(...fresh);
  fresh[0]?.setAttribute('tabindex', '-1');
  fresh[0]?.focus({ preventScroll: true });
  region.scrollIntoView({ block: 'start' });
}

/** @param {string} id of a post or a boost */
function remove(id) {
  waiting.delete(id);
  offer();
  for (const post of all(`#s${CSS.escape(id)}, .post[data-id="${CSS.escape(id)}"]`)) {
    if (post.matches('.focused')) post.prepend(make('p', { className: 'note' }, 'This post was deleted.'));
    else post.remove();
  }
}

/** @param {string} id */
function onUpdate(id) {
  if (!isLive || !isPosts || document.getElementById(`s${id}`)) return;
  waiting.add(id);
  offer();
}

/**
 * @param {string} event
 * @param {string} payload
 */
function onEvent(event, payload) {
  if (event === 'delete') return remove(payload);
  if (event === 'update') return onUpdate(JSON.parse(payload).id);
  if (event === 'status.update') {
    const { id } = JSON.parse(payload);
    if (one(`.post[data-id="${CSS.escape(id)}"]`)) void refreshPost(id).catch(ignoreRefusal);
  }
  if (event === 'notification' || event === 'notifications_merged') void showUnread();
  if (isLive && !isPosts && (event === 'notification' || event === 'conversation')) {
    missedSome = true;
    offer();
  }
}

/** @param {unknown} error */
function ignoreRefusal(error) {
  if (!(error instanceof Refused)) throw error;
}

/**
 * Looks for what came while the page did not listen.
 * @param {boolean} again
 */
async function catchUp(again) {
  if (again) void showUnread();
  if (!isLive || !isPosts) return;
  const { part } = await ask(newest === '' ? path : `${path}?min_id=${newest}`).catch(() => ({
    part: undefined,
  }));
  for (const { id } of itemsIn(part)) if (!document.getElementById(id)) waiting.add(id.slice(1));
  if (waiting.size >= POSTS) missedSome = true;
  offer();
}

export function watchTimeline() {
  const [name = 'user', ...parameters] = stream.split('&');
  const streams = name.startsWith('user') ? name : `${name},user:notification`;
  listen([`stream=${streams}`, ...parameters].join('&'), onEvent, (again) => void catchUp(again));
}
