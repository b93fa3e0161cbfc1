// @ts-check
import { all, openPage, parse } from './dom.js';
import { toast } from './toast.js';

const PATIENCE = 30_000;
/** @type {Record<number, string>} */
const TEXTS = {
  401: 'You are signed out. Sign in again in another tab, and try again here.',
  403: 'You may not do this.',
  404: 'This is no longer there.',
  429: 'Too many requests. Please wait a few minutes.',
};
const OTHER = 'This did not work. Nothing was changed; please try again in a moment.';
const OFFLINE = 'The server cannot be reached. Please try again in a moment.';

/** A refusal by the server, or no reply. Its message is for the user. */
export class Refused extends Error {}

/**
 * Asks the server for a part of a page.
 * @param {string} path
 * @param {FormData | URLSearchParams} [body] sent by POST
 * @returns {Promise<{ part?: DocumentFragment, leadsTo?: string }>} the part, or the page to open
 */
export async function ask(path, body) {
  const reply = await fetch(path, {
    method: body ? 'POST' : 'GET',
    body: body ?? null,
    headers: { 'X-Rookery-Fragment': '1' },
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(() => {
    throw new Refused(OFFLINE);
  });
  const leadsTo = reply.headers.get('X-Rookery-Location');
  if (leadsTo !== null) return { leadsTo };
  const text = await reply.text().catch(() => {
    throw new Refused(OFFLINE);
  });
  const part = parse(text);
  if (!reply.ok) throw new Refused(reasonIn(part) || TEXTS[reply.status] || OTHER);
  return { part };
}

/** @param {DocumentFragment} part */
const reasonIn = (part) =>
  all('[role=alert]', part)
    .map((each) => (each.textContent ?? '').replaceAll(/\s+/g, ' ').trim())
    .join(' ');

/**
 * Says why something did not work.
 * @param {unknown} error
 */
export function explain(error) {
  if (!(error instanceof Refused)) throw error;
  toast(error.message, 'alert');
}

/**
 * Asks for a part of a page, and opens the page that the server names instead.
 * @param {string} path
 * @param {FormData | URLSearchParams} [body]
 */
export async function askOrOpen(path, body) {
  const { part, leadsTo } = await ask(path, body);
  if (leadsTo !== undefined) openPage(leadsTo);
  return part;
}
