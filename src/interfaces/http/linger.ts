import type { Duplex, Readable } from 'node:stream';

/** Bytes that are read after the reply. */
export const MAX_REST = 65_536;
/** Milliseconds from the last reply on a connection to its end, in which the client can read the reply. */
const LINGER = 1_000;

const ending = new WeakSet<Duplex>();

/** Returns whether the last reply is sent: RFC 9112 section 9.6 forbids to process further requests. */
export const isEnding = (socket: Duplex): boolean => ending.has(socket);

/** Marks a connection whose last reply is sent. */
export const markEnding = (socket: Duplex): void => void ending.add(socket);

/**
 * Destroys the connection in a second, unless it is closed before. An earlier end could reset it while the client still
 * sends, and the client would lose the reply.
 */
export function destroyInTime(socket: Duplex): void {
  markEnding(socket);
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Reads at most `MAX_REST` more bytes of a body or a connection, and drops them. */
export function dropRest(rest: Readable): void {
  let taken = 0;
  rest.on('error', () => undefined);
  rest.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > MAX_REST) rest.pause();
  });
  // Node reads a body that nothing has begun to read without any bound.
  rest.read(0);
  rest.resume();
}
