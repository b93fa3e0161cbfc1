import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorReply } from './errors.ts';
import { destroyInTime, dropRest } from './linger.ts';

/**
 * Replies on a connection without a response of Node's, and ends it: no other code writes to it. At most 64 kB more are
 * read, so that a client that still sends can read the reply.
 */
export function endWith(socket: Duplex, { status, body, headers }: ErrorReply): void {
  const text = JSON.stringify(body);
  const all = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  destroyInTime(socket);
  dropRest(socket);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
}
