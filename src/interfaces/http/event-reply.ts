import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ServerEvents } from '#kernel/endpoint.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { COMMON_HEADERS } from './reply.ts';

/**
 * Sends server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). A failure before
 * the first event is thrown, and gets an error reply; a later one is the event `failed`.
 */
export async function sendEvents(
  res: ServerResponse,
  events: ServerEvents,
  headers: Record<string, string>,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  let next = await iterator.next();
  res.writeHead(200, { ...COMMON_HEADERS, ...headers, 'X-Accel-Buffering': 'no' });
  try {
    while (!next.done && !res.destroyed) {
      await write(res, next.value);
      next = await iterator.next();
    }
  } catch (error) {
    const message = isRookeryError(error) ? error.message : 'The work failed; the log of the server says why';
    await write(res, { event: 'failed', data: { error: message } });
    if (!isRookeryError(error)) throw error;
  } finally {
    await iterator.return?.();
    res.end();
  }
}

async function write(res: ServerResponse, { event, data }: { event: string; data: unknown }): Promise<void> {
  if (res.destroyed) return;
  if (!res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) {
    await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
}
