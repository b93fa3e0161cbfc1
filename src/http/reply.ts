import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page, Reply } from '../kernel/endpoint.ts';
import { bytesIn } from '../kernel/json-pieces.ts';
import { TOKEN_PARAMETERS } from './bearer.ts';
import { errorReply } from './errors.ts';
import { replyMemory } from './reply-memory.ts';

/** On every API reply: open to web clients of any origin (as Mastodon), and kept by no cache. */
const COMMON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, Retry-After, Deprecation, Mastodon-Async-Refresh',
} as const;

/** Sends a reply with its `Link` header and those that were gathered on the way. */
export function sendReply(
  req: IncomingMessage,
  res: ServerResponse,
  reply: Reply,
  headers: Record<string, string>,
  origin: string,
): void {
  const link = reply.page ? linkHeader(reply.page, origin, req.url ?? '/') : undefined;
  const text = 'text' in reply ? reply.text : JSON.stringify(reply.json);
  const body = typeof text === 'string' ? text : bytesIn((size) => replyMemory(size, res), text);
  res.writeHead(reply.status ?? 200, {
    ...COMMON_HEADERS,
    ...headers,
    ...reply.headers,
    ...(link ? { Link: link } : {}),
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Sends a failure in Mastodon's form, with the headers that were gathered on the way. */
export function sendFailure(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  gathered: Record<string, string> = {},
): void {
  const { status, body, headers } = errorReply(error);
  // A failure has no pages, so no links that would need the origin.
  sendReply(req, res, { json: body, status, headers }, gathered, '');
}

/** As nearly all are; there is nothing to normalize. */
const PLAIN_PATH = /^\/[\w/-]+$/;

/** RFC 8288 links as Mastodon gives them: `next` goes on with older items, `prev` with newer ones. */
export function linkHeader({ next, prev }: Page, origin: string, requestUrl: string): string | undefined {
  if (next === undefined && prev === undefined) return undefined;
  const address = PLAIN_PATH.test(requestUrl)
    ? `${requestUrl}?`
    : withoutPlace(new URL(pathIn(requestUrl), origin));
  const url = (parameter: string, id: string): string =>
    `${origin}${address}${parameter}=${encodeURIComponent(id)}`;
  const links: string[] = [];
  if (next !== undefined) links.push(`<${url('max_id', next)}>; rel="next"`);
  if (prev !== undefined) links.push(`<${url('min_id', prev)}>; rel="prev"`);
  return links.join(', ');
}

/** A request may name a whole URL (RFC 9112 section 3.2.2), whose host may be none that there can be. */
const pathIn = (requestUrl: string): string => requestUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');

/** Path and query of what is asked for besides the place in the list, so that one more parameter can follow. */
function withoutPlace({ pathname, searchParams }: URL): string {
  for (const name of ['max_id', 'since_id', 'min_id', ...TOKEN_PARAMETERS]) searchParams.delete(name);
  return `${pathname}?${searchParams.size === 0 ? '' : `${searchParams.toString()}&`}`;
}

/** Names of headers, as a preflight lists them. */
const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+){0,50}$/;

/** The reply to a CORS preflight: web clients may send whatever headers they like, as with Mastodon. */
export function sendPreflight(res: ServerResponse): void {
  const asked = res.req.headers['access-control-request-headers'] ?? '';
  res.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST, PUT, DELETE, GET, PATCH, OPTIONS',
    'Access-Control-Allow-Headers': HEADER_NAMES.test(asked)
      ? asked
      : 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
    'Access-Control-Max-Age': '7200',
  });
  res.end();
}
