import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { sendEvents } from '#interfaces/http/event-reply.ts';
import { RookeryError } from '#kernel/errors.ts';
import { shapesFor } from '../design/icons.ts';
import type { SignedInRequest, WebPage } from './page.ts';
import { visitOf, type WebDependencies } from './visit.ts';

/** Live pages of one user at once; a browser has six connections to a server. */
const MOST = 8;
/** Milliseconds between two looks, and until the browser connects anew. */
const PAUSE = 2_000;
const LONGEST = 120_000;

const open = new Map<string, number>();

/** Tells whether a request follows a live page: `EventSource` sends this header. */
export const followsLive = ({ live }: WebPage, { method, headers }: Request): boolean =>
  live === true && method === 'GET' && headers.accept === 'text/event-stream';

/**
 * Sends the parts of a page for the script, first and whenever they change. The session is looked up each time, so
 * the stream ends with it. @throws RookeryError `too_many_requests`
 */
export async function sendLive(
  dependencies: WebDependencies,
  page: WebPage,
  { req, res, first }: { req: Request; res: Response; first: SignedInRequest },
): Promise<void> {
  const { account_id } = first.user;
  const already = open.get(account_id) ?? 0;
  if (already >= MOST) throw new RookeryError('too_many_requests', 'Too many pages are open; close some');
  open.set(account_id, already + 1);
  const closing = new AbortController();
  res.on('close', () => closing.abort());
  try {
    await sendEvents(res, partsOf(dependencies, page, req, closing.signal), {
      'Content-Type': 'text/event-stream; charset=utf-8',
    });
  } finally {
    const left = (open.get(account_id) ?? 1) - 1;
    if (left > 0) open.set(account_id, left);
    else open.delete(account_id);
  }
}

async function* partsOf(
  dependencies: WebDependencies,
  page: WebPage,
  req: Request,
  signal: AbortSignal,
): AsyncGenerator<{ event: string; data: unknown }> {
  let last = '';
  for (let waited = 0; waited < LONGEST && !signal.aborted; waited += PAUSE) {
    const { request, refused } = await visitOf(dependencies, page, req);
    const { user } = request;
    if (!user || refused !== undefined) return;
    const answer = await page.show({ ...request, user, wantsFragment: true });
    const text = 'fragment' in answer ? answer.fragment.text : '';
    if (text !== '' && text !== last) yield { event: 'part', data: text + shapesFor(text).text };
    last = text;
    await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
  }
}
