import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { COMMON_HEADERS } from './reply.ts';

/**
 * Sends a long text while it is made, at the speed of the client, so that little of it is in memory. A failure before
 * the first piece is thrown, and gets an error reply; a later one cuts the connection, so that no client takes a
 * part for the whole.
 */
export async function sendText(
  res: ServerResponse,
  pieces: AsyncIterable<string>,
  headers: Record<string, string>,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  res.writeHead(200, { ...COMMON_HEADERS, ...headers });
  if (res.req.method === 'HEAD') {
    await iterator.return?.();
    res.end();
    return;
  }
  await pipeline(Readable.from(resumed(first, iterator)), res).catch(unlessGone);
}

async function* resumed(
  first: IteratorResult<string>,
  iterator: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** A client that leaves before the end is no error. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
