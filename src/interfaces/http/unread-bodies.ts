import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { destroyInTime, dropRest, isEnding, markEnding, MAX_REST } from './linger.ts';

/** Milliseconds for the rest of a small body, after which its connection serves other requests. */
const REST_DEADLINE = 15_000;

/**
 * Serves requests whose reply does not wait for their body. A small body of known length is read to its end,
 * and the connection serves other requests. Otherwise the reply says `Connection: close`, at most 64 kB are
 * read, and the connection is destroyed a second later: earlier, the client could lose the reply by a reset.
 * A client that sends `Expect: 100-continue` is asked for the body when a handler begins to read it.
 */
export function serveRequests(server: Server, handler: RequestListener): void {
  server.on('request', (req, res) => receive(req, res, handler));
  server.on('checkContinue', (req, res) => receive(req, res, handler, true));
  // As in Mastodon, other expectations are ignored.
  server.on('checkExpectation', (req, res) => receive(req, res, handler));
}

/** Returns whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function receive(req: IncomingMessage, res: ServerResponse, handler: RequestListener, asks = false): void {
  if (isEnding(req.socket)) return;
  if (hasBody(req)) boundRest(req, res, asks);
  handler(req, res);
}

/** @param asks whether the client waits until it is asked for the body */
function boundRest(req: IncomingMessage, res: ServerResponse, asks: boolean): void {
  const isSmall = Number(req.headers['content-length'] ?? Infinity) <= MAX_REST;
  let isAwaited = asks;
  if (asks) {
    req.once('resume', () => {
      if (res.headersSent) return;
      isAwaited = false;
      res.writeContinue();
    });
  }
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  res.writeHead = (...args: unknown[]) => {
    if (!req.complete && (isAwaited || !isSmall)) res.shouldKeepAlive = false;
    return writeHead(...args);
  };
  res.once('prefinish', () => {
    if (req.complete) return;
    dropRest(req);
    endWithout(req);
    lingerAtEnd(req);
    if (!res.shouldKeepAlive) markEnding(req.socket);
  });
}

/** Destroys the connection unless the rest of the body comes. */
function endWithout(req: IncomingMessage): void {
  const timer = setTimeout(() => req.socket.destroy(), REST_DEADLINE).unref();
  const clear = (): void => clearTimeout(timer);
  req.once('end', clear).once('close', clear);
}

/** Replaces the end of the connection, which Node begins when its last reply is written. */
function lingerAtEnd(req: IncomingMessage): void {
  const { socket } = req;
  socket.destroySoon = () => {
    destroyInTime(socket);
    const destroy = (): void => void socket.destroy();
    socket.end(() => {
      if (req.complete) destroy();
      else req.once('end', destroy);
    });
  };
}
