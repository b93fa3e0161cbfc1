import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { isRookeryError, RookeryError } from '#kernel/errors.ts';
import { endWith } from './bare-reply.ts';
import { errorReply } from './errors.ts';
import { isEnding } from './linger.ts';
import { sendFailure, sendPreflight } from './reply.ts';
import { pathOf } from './request-url.ts';

/**
 * The last handler, for unknown paths. It answers preflights, so that a web client can read the 404, and,
 * like Mastodon, methods that a path does not have.
 */
export const notFoundHandler: RequestHandler = (req, res) => {
  if (req.method === 'OPTIONS') sendPreflight(res);
  else sendFailure(req, res, unknownPath(req.path));
};

/** Returns the error for a path that nothing serves. */
export const unknownPath = (path: string): RookeryError =>
  isDecodable(path) ? new RookeryError('not_found', 'Not Found') : malformedUrl();

/**
 * Refuses an address whose path is not UTF-8, or which contains a NUL character, before any router reads it:
 * Postgres takes every other character. The endpoints of the API refuse both themselves. Malformed escapes of
 * a page's query are replaced (https://url.spec.whatwg.org/#percent-decode). `showPage` sends browsers a page.
 */
export const refuseMalformedUrl =
  (showPage: (error: () => RookeryError) => RequestHandler): RequestHandler =>
  (req, res, next) => {
    if (isReadable(req.url) || IN_API.test(req.path)) return next();
    return showPage(malformedUrl)(req, res, (error?: unknown) => next(error ?? malformedUrl()));
  };

/**
 * Returns the last resort for errors that a handler threw or passed on. @param onError called for internal
 * errors
 */
export function failer(onError: (error: unknown) => void): (error: unknown, res: ServerResponse) => void {
  return (error, res) => {
    const known = toKnown(error);
    const ours = errorReply(known).status >= 500;
    if (ours) onError(error);
    // A partial reply cannot be undone; when the connection is cut, it does not look complete.
    if (res.headersSent) res.destroy();
    else sendFailure(res.req, res, known);
  };
}

/** Counts each request before its handler; preflights are free, as at endpoints. */
export const counted =
  (limit: (req: Request) => Promise<unknown>): RequestHandler =>
  async (req, _res, next) => {
    if (req.method !== 'OPTIONS') await limit(req);
    next();
  };

/** The last resort for Express. */
export const errorHandler =
  (fail: ReturnType<typeof failer>): ErrorRequestHandler =>
  (error: unknown, _req, res, _next) =>
    fail(error, res);

/**
 * Limits the time of slow clients that keep connections open. Node checks for overdue connections every 30
 * seconds. A malformed request is refused in the API's form.
 */
export function hardenServer(server: Server): void {
  server.headersTimeout = 15_000;
  // Milliseconds for the whole request: a large upload over a slow line needs minutes.
  server.requestTimeout = 300_000;
  // Longer than the usual minute of a proxy, so that the proxy closes first: otherwise a request meets a
  // closed connection.
  server.keepAliveTimeout = 65_000;
  server.maxHeadersCount = 100;
  server.on('clientError', refuseUnreadable);
}

/** By Node's codes: https://nodejs.org/api/http.html#event-clienterror. Any other code is a bad request. */
const UNREADABLE: Record<string, readonly [status: number, error: string]> = {
  HPE_INVALID_URL: [400, 'The URL is malformed'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The body is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
};

/**
 * `_httpMessage` is the response that Node is writing on the connection: nothing can be sent into the middle
 * of it.
 */
function refuseUnreadable(
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse | null },
): void {
  // The parser reports each piece that it cannot read.
  if (isEnding(socket)) return;
  if (code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    return void socket.destroy();
  }
  const [status, error] = UNREADABLE[code] ?? [400, 'Bad Request'];
  endWith(socket, { status, body: { error }, headers: {} });
}

/** Express marks errors of the client with a status. Their messages are not sent. */
function toKnown(error: unknown): unknown {
  if (isRookeryError(error)) return error;
  if (error instanceof URIError) return malformedUrl();
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 404) return new RookeryError('not_found', 'Not Found');
  if (status === 413) return new RookeryError('payload_too_large', 'The request is too large');
  if (status === 415) return new RookeryError('unsupported_media_type', 'This media type is not supported');
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new RookeryError('bad_request', 'Bad Request', { cause: error });
  }
  return error;
}

const malformedUrl = (): RookeryError => new RookeryError('bad_request', 'The URL is malformed');

const IN_API = /^\/api(\/|$)/i;

const isReadable = (url: string): boolean =>
  !url.includes('%') || (!url.includes('%00') && isDecodable(pathOf(url)));

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
